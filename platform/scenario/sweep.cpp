#include "platform/scenario/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "platform/scenario/abbreviations.h"
#include "platform/scenario/scenario_schema.h"
#include "platform/toml/dotted_key.h"

namespace muster {

namespace {

std::string key_of(const sweep_axis& axis) { return join_key(axis.path); }

std::string axis_label(const std::string& key) {
  return key.find('.') == std::string::npos ? "sweep." + key : fmt::format("sweep.\"{}\"", key);
}

// The order in which values are put in: whole tables before values within them, values of all elements before those of
// single ones, else the order given.
template <class Item>
std::vector<std::size_t> shortest_path_first(const std::vector<Item>& items) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto rank = [&](std::size_t i) { return std::pair(items[i].path.size(), !has_wildcard(items[i].path)); };
    return rank(a) < rank(b);
  });
  return order;
}

// The part of a path that lies below a swept key.
std::vector<std::string> below(const std::vector<std::string>& path, const std::string& ancestor) {
  for (auto rest = path.begin(); rest != path.end(); ++rest)
    if (join_key({path.begin(), rest}) == ancestor) return {rest, path.end()};
  return {};
}

}  // namespace

sweep_plan::sweep_plan(toml_value document, const std::vector<std::string>& overrides, findings& errors)
    : base_(std::move(document)) {
  spell_out_abbreviations(base_);
  std::vector<setting> given;
  for (std::size_t i = 0; i < overrides.size(); ++i)
    if (auto parsed = parse_override(overrides[i], static_cast<std::uint32_t>(i + 1), errors))
      given.push_back(std::move(*parsed));
  const auto of_sweep =
      std::stable_partition(given.begin(), given.end(), [](const setting& s) { return s.path.front() == "sweep"; });
  for (auto s = given.begin(); s != of_sweep; ++s) assign_to(base_, s->path, s->key_where, std::move(s->value), errors);
  given.erase(given.begin(), of_sweep);
  take_axes(errors);
  // Before its parameters, wherever it stands: to name another policy starts that policy afresh.
  std::stable_partition(given.begin(), given.end(), [](const setting& s) { return join_key(s.path) == "policy.name"; });
  file_ = base_;
  file_axes_ = axes_;
  for (const std::size_t i : shortest_path_first(given)) apply(std::move(given[i]), errors);
  refuse_several_time_units(errors);
  by_depth_ = shortest_path_first(axes_);
  constexpr std::size_t beyond_counting = std::size_t{1} << 40;
  for (const sweep_axis& axis : axes_) point_count_ = std::min(point_count_ * axis.values.size(), beyond_counting);
  if (point_count_ > most_points)
    errors.add(axes_.front().key_where, "sweep",
               fmt::format("expected at most {} points, found {}{}", most_points,
                           point_count_ < beyond_counting ? "" : "more than ", point_count_));
}

void sweep_plan::take_axes(findings& errors) {
  auto& entries = *base_.as<toml_table>();
  const auto found = std::find_if(entries.begin(), entries.end(), [](const toml_entry& e) { return e.key == "sweep"; });
  if (found == entries.end()) return;
  const toml_value sweep = std::move(found->value);
  entries.erase(found);
  const auto* keys = sweep.as<toml_table>();
  if (!keys) errors.add(sweep.where, "sweep", fmt::format("expected a table, found {}", sweep.type_name()));
  if (keys && keys->size() > most_keys)
    errors.add(sweep.where, "sweep", fmt::format("expected at most {} keys, found {}", most_keys, keys->size()));
  if (!keys || keys->size() > most_keys) return;
  for (const toml_entry& entry : *keys) add_axis(entry, errors);
}

void sweep_plan::add_axis(const toml_entry& entry, findings& errors) {
  const std::string label = axis_label(entry.key);
  auto path = split_key(entry.key);
  if (!path) {
    errors.add(entry.key_where, label, "expected a dotted key such as \"arrivals.rate\"");
    return;
  }
  sweep_axis axis{entry.key, std::move(*path), entry.key_where, {}};
  const std::string key = key_of(axis);
  if (key == "name" || key == "about" || lies_within(key, "sweep"))
    errors.add(entry.key_where, label, "belongs to the whole study; expected a key that its points can differ in");
  if (std::any_of(axes_.begin(), axes_.end(), [&](const sweep_axis& other) { return key_of(other) == key; }))
    errors.add(entry.key_where, label, "is swept twice");
  if (const auto other = alternative_key(axis.path))
    if (std::any_of(axes_.begin(), axes_.end(), [&](const sweep_axis& a) { return a.path == *other; }))
      errors.add(entry.key_where, label, fmt::format("stands for {}, which is swept too", join_key(*other)));
  const auto* values = entry.value.as<toml_array>();
  if (!values || values->empty()) {
    std::string found = values ? "an empty array" : std::string{entry.value.type_name()};
    if (entry.value.as<toml_table>())
      found += fmt::format("; dotted keys stand in quotes here, such as \"{}.KEY\"", key);
    errors.add(entry.value.where, label, "expected an array of at least one value, found " + found);
    return;
  }
  std::set<std::string> seen;
  for (const toml_value& value : *values)
    if (std::string shown = short_form(value); !seen.insert(shown).second)
      errors.add(value.where, label, fmt::format("the value {} is listed twice", printable(shown)));
  axis.values = *values;
  axes_.push_back(std::move(axis));
}

// Tables and plots have the numbers of all points side by side, and one unit for them.
void sweep_plan::refuse_several_time_units(findings& errors) const {
  for (const sweep_axis& axis : axes_)
    if (key_of(axis) == "time_unit" && axis.values.size() > 1)
      errors.add(axis.key_where, axis_label(axis.key),
                 "gives the points results in different units, which cannot be compared; expected one time unit for "
                 "the whole study");
}

// @param given as `policy` or as its name
bool sweep_plan::names_other_policy(const toml_value& given) const {
  const toml_value* policy = base_.find("policy");
  const toml_value* name = policy ? policy->find("name") : nullptr;
  const toml_value* other = given.as<toml_table>() ? given.find("name") : &given;
  return name && other && !(*name == *other);
}

void sweep_plan::apply(setting given, findings& errors) {
  const bool names_policy = join_key(given.path) == "policy.name";
  drop_axis(given.path);
  if (const auto alternative = alternative_key(given.path)) drop_axis(*alternative);
  if (names_policy) drop_axis({"policy"});
  // The parameters that the file gives belong to the policy that the file names.
  const bool other = (names_policy || join_key(given.path) == "policy") && names_other_policy(given.value);
  for (toml_value* document : {&base_, &file_}) {
    if (auto* tables = other ? as_if<toml_array>(document->find("classes")) : nullptr)
      for (toml_value& table : *tables) erase(table, {"policy"});
  }
  if (names_policy && other) {
    given.value = spelled_out("name", std::move(given.value));
    given.path.pop_back();
  }
  // What else the file gives is held against the policy that runs.
  if (other) assign_to(file_, given.path, given.key_where, given.value, errors);
  if (apply_to_axes(given, errors)) return;
  if (has_wildcard(given.path)) {
    const auto all = spell_out(base_, given.path);
    for (const auto& path : all) apply({path, given.key_where, given.value}, errors);
    if (!all.empty()) return;
  }
  const std::string key = join_key(given.path);
  if (const sweep_axis* axis = axis_over_all_like(key))
    errors.add(given.key_where, key, fmt::format("is swept by {0}; expected an override of {0}", key_of(*axis)));
  assign_to(base_, given.path, given.key_where, std::move(given.value), errors);
}

void sweep_plan::drop_axis(const std::vector<std::string>& path) {
  const std::string key = join_key(path);
  axes_.erase(std::remove_if(axes_.begin(), axes_.end(), [&](const sweep_axis& a) { return key_of(a) == key; }),
              axes_.end());
}

// The sweep with `*` in its key that also sets this key; null if there is none.
const sweep_axis* sweep_plan::axis_over_all_like(const std::string& key) const {
  for (const sweep_axis& axis : axes_)
    if (has_wildcard(axis.path))
      for (const auto& path : spell_out(base_, axis.path))
        if (lies_within(key, join_key(path))) return &axis;
  return nullptr;
}

// Puts an override of something within a swept table into each of its values. @return whether there is such a table
bool sweep_plan::apply_to_axes(const setting& given, findings& errors) {
  const auto other = alternative_key(given.path);
  bool swept = false;
  for (sweep_axis& axis : axes_) {
    const std::vector<std::string> rest = below(given.path, key_of(axis));
    if (rest.empty()) continue;
    swept = true;
    for (toml_value& value : axis.values) {
      if (axis.path == std::vector<std::string>{"policy"}) spell_out_policy(&value);
      if (const auto wrong = assign(value, rest, given.key_where, given.value))
        errors.add(given.key_where, join_key(given.path), *wrong);
      if (other) erase(value, below(*other, key_of(axis)));
    }
  }
  return swept;
}

void sweep_plan::assign_to(toml_value& document, const std::vector<std::string>& path, position key_where,
                           toml_value value, findings& errors) const {
  // The half-width of several targets is that of each of them.
  const bool of_precision = path == std::vector<std::string>{"run", "precision", "half_width"};
  const toml_value* precision = of_precision ? find(document, {"run", "precision"}) : nullptr;
  const bool several = precision && precision->as<toml_array>();
  if (const auto wrong =
          assign(document, several ? std::vector<std::string>{"run", "precision", "*", "half_width"} : path, key_where,
                 std::move(value)))
    errors.add(key_where, join_key(path), *wrong);
  if (const auto other = alternative_key(path)) erase(document, *other);
  spell_out_abbreviations(document);
}

void sweep_plan::replace(const std::vector<converted_value>& numbers) {
  if (numbers.empty()) return;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, toml_value::content> by_place;
  const auto place = [](const position& p) { return std::tuple(p.source, p.line, p.column); };
  for (const converted_value& value : numbers) by_place.emplace(place(value.where), value.number);
  const std::function<void(toml_value&)> replace_in = [&](toml_value& value) {
    if (auto* table = value.as<toml_table>())
      for (toml_entry& entry : *table) replace_in(entry.value);
    else if (auto* array = value.as<toml_array>())
      std::for_each(array->begin(), array->end(), replace_in);
    else if (const auto found = by_place.find(place(value.where)); value.as<std::string>() && found != by_place.end())
      value.is = found->second;
  };
  replace_in(base_);
  for (sweep_axis& axis : axes_) std::for_each(axis.values.begin(), axis.values.end(), replace_in);
}

std::vector<std::size_t> sweep_plan::choices(std::size_t index) const {
  std::vector<std::size_t> chosen(axes_.size());
  for (std::size_t i = axes_.size(); i-- > 0; index /= axes_[i].values.size())
    chosen[i] = index % axes_[i].values.size();
  return chosen;
}

toml_value sweep_plan::point(std::size_t index, findings& errors) const {
  const std::vector<std::size_t> chosen = choices(index);
  toml_value document = base_;
  for (const std::size_t i : by_depth_)
    assign_to(document, axes_[i].path, axes_[i].key_where, axes_[i].values[chosen[i]], errors);
  return document;
}

std::vector<std::string> sweep_plan::values(std::size_t index) const {
  const std::vector<std::size_t> chosen = choices(index);
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < axes_.size(); ++i) shown.push_back(short_form(axes_[i].values[chosen[i]]));
  return shown;
}

toml_value sweep_plan::without_sweep(findings& errors) const {
  toml_value document = file_;
  const auto has = [&](const std::vector<std::string>& path) { return find(document, path) != nullptr; };
  for (const sweep_axis& axis : file_axes_) {
    for (const auto& path : spell_out(document, axis.path)) {
      const auto holds = [&](const sweep_axis& other) {
        return other.path.size() < axis.path.size() && lies_within(join_key(path), key_of(other));
      };
      const auto other = alternative_key(path);
      if (!has(path) && !(other && has(*other)) && std::none_of(file_axes_.begin(), file_axes_.end(), holds))
        assign_to(document, path, axis.key_where, axis.values.front(), errors);
    }
  }
  return document;
}

std::vector<std::string> sweep_plan::swept_keys(const toml_value& document) const {
  std::vector<std::string> keys;
  for (const sweep_axis& axis : axes_) {
    for (const auto& path : spell_out(document, axis.path)) keys.push_back(join_key(path));
    if (const auto other = alternative_key(axis.path)) keys.push_back(join_key(*other));
  }
  return keys;
}

toml_value sweep_plan::sweep_table() const {
  toml_table table;
  for (const sweep_axis& axis : axes_) table.push_back({axis.key, axis.key_where, {axis.key_where, axis.values}});
  return {{}, std::move(table)};
}

}  // namespace muster
