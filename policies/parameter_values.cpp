#include "muster/policies/parameter_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <variant>

#include "muster/policies/name.h"

namespace muster {

namespace {

using value = settings::value;

template <class Words>
std::string listed(const Words& words) {
  std::string all;
  for (const auto& word : words) (all += all.empty() ? "" : ", ") += word;
  return all;
}

std::string type_of(const value& v) {
  constexpr const char* types[] = {"an integer",          "a number", "a word", "an order of classes", "schedules",
                                   "a matrix of numbers", "tables"};
  return types[v.index()];
}

template <class T>
const T& as(const value& given, const char* expected) {
  if (const T* found = std::get_if<T>(&given)) return *found;
  throw policy_error(std::string{"expected "} + expected + ", found " + type_of(given));
}

/// Checks a value against its parameter, and returns it in the parameter's type. The text of its error names neither
/// policy nor parameter.
struct value_check {
  const known_cluster& known;
  const value& given;

  value operator()(const integer_parameter& p) const {
    const auto number = as<std::int64_t>(given, "an integer");
    const std::int64_t lowest = p.lowest.at(known.cores), highest = p.highest.at(known.cores);
    if (number >= lowest && number <= highest) return number;
    throw policy_error("expected an integer from " + std::to_string(lowest) + " to " + std::to_string(highest) +
                       ", found " + std::to_string(number));
  }

  value operator()(const number_parameter& p) const {
    const auto* whole = std::get_if<std::int64_t>(&given);
    const double number = whole ? static_cast<double>(*whole) : as<double>(given, "a number");
    if (p.lowest_excluded ? number > p.lowest : number >= p.lowest) return number;
    throw policy_error("expected " + std::string{p.range} + ", found " + shown_number(number));
  }

  value operator()(const choice_parameter& p) const {
    const auto& word = as<std::string>(given, "a word");
    if (std::find(p.words.begin(), p.words.end(), word) != p.words.end()) return word;
    throw policy_error("expected one of: " + listed(p.words) + "; found " + shown_name(word));
  }

  value operator()(const class_order_parameter&) const {
    const cluster_view& cluster = known.all_classes();
    const auto& order = as<std::vector<class_id>>(given, "an order of classes");
    std::vector<bool> seen(cluster.class_count());
    for (const class_id id : order) {
      const auto number = static_cast<std::size_t>(id);
      if (number >= seen.size())
        throw policy_error("class " + std::to_string(number) + " does not exist; expected one of the " +
                           std::to_string(seen.size()) + " classes, counted from 0");
      if (seen[number]) throw policy_error("class " + shown_name(cluster.name(id)) + " is listed twice");
      seen[number] = true;
    }
    for (const class_id id : cluster.classes())
      if (!seen[static_cast<std::size_t>(id)])
        throw policy_error("class " + shown_name(cluster.name(id)) + " is missing; expected every class exactly once");
    return order;
  }

  value operator()(const schedules_parameter&) const {
    const cluster_view& cluster = known.all_classes();
    const auto& all = as<std::vector<schedule>>(given, "schedules");
    if (all.empty()) throw policy_error("expected at least one schedule, found none");
    for (std::size_t at = 0; at < all.size(); ++at) {
      const std::string which = "schedule " + std::to_string(at + 1);
      if (all[at].size() != cluster.class_count())
        throw policy_error(which + " has " + std::to_string(all[at].size()) + " classes; expected " +
                           std::to_string(cluster.class_count()));
      std::uint64_t cores = 0;
      for (const class_id id : cluster.classes())
        cores += std::uint64_t{cluster.need(id)} * all[at][static_cast<std::size_t>(id)];
      if (cores > cluster.all_cores())
        throw policy_error(which + " needs " + std::to_string(cores) + " cores; expected at most " +
                           std::to_string(cluster.all_cores()));
    }
    return all;
  }

  value operator()(const square_matrix_parameter&) const {
    const auto& rows = as<std::vector<std::vector<double>>>(given, "a matrix of numbers");
    for (const auto& row : rows) {
      if (row.size() != rows.size())
        throw policy_error("expected as many numbers in each row as there are rows, found " +
                           std::to_string(row.size()) + " numbers and " + std::to_string(rows.size()) + " rows");
      for (const double number : row)
        if (!(number >= 0.0 && std::isfinite(number)))
          throw policy_error("expected finite numbers >= 0, found " + shown_number(number));
    }
    return rows;
  }

  value operator()(const text_parameter&) const { return as<std::string>(given, "a text"); }

  value operator()(const tables_parameter& p) const {
    const std::vector<parameter> of_each = p.of_each();
    std::vector<named_settings> all;
    for (const auto& [name, values] : as<std::vector<named_settings>>(given, "tables")) {
      if (place_of(all, name)) throw policy_error(shown_name(name) + " is listed twice");
      all.push_back({name, complete_settings(shown_name(name), {}, of_each, {known.cores, nullptr}, values)});
    }
    return all;
  }
};

/// The default of a parameter; nothing: it has none.
struct default_of {
  const known_cluster& known;

  std::optional<value> operator()(const integer_parameter& p) const { return p.standard.at(known.cores); }
  std::optional<value> operator()(const number_parameter& p) const { return p.standard; }
  std::optional<value> operator()(const choice_parameter& p) const { return std::string{p.words.front()}; }
  std::optional<value> operator()(const class_order_parameter&) const {
    std::vector<class_id> order;
    for (const class_id id : known.all_classes().classes()) order.push_back(id);
    return order;
  }
  std::optional<value> operator()(const schedules_parameter&) const { return std::nullopt; }
  std::optional<value> operator()(const square_matrix_parameter&) const { return std::nullopt; }
  std::optional<value> operator()(const text_parameter&) const { return std::string{}; }
  std::optional<value> operator()(const tables_parameter&) const { return std::vector<named_settings>{}; }
};

}  // namespace

std::string shown_number(double number) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

const parameter* find_parameter(const std::vector<parameter>& parameters, std::string_view name) {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [name](const parameter& p) { return p.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

settings complete_settings(const std::string& whose, std::string_view policy, const std::vector<parameter>& of,
                           const known_cluster& known, const settings& given) {
  for (const auto& [called, v] : given.all()) {
    if (find_parameter(of, called)) continue;
    std::vector<std::string_view> names;
    names.reserve(of.size());
    for (const parameter& p : of) names.push_back(p.name);
    throw policy_error(whose + " has no parameter " + shown_name(called) +
                       (names.empty() ? "; it has no parameters" : "; expected one of: " + listed(names)));
  }
  if (const auto wrong = conflicts(of, given); !wrong.empty())
    throw policy_error(whose + ", " + std::string{wrong.front().parameter} + ": " + wrong.front().what);
  settings all{policy};
  for (const parameter& p : of) {
    try {
      if (given.has(p.name))
        all.set(p.name, std::visit(value_check{known, given.at(p.name)}, p.type));
      else if (auto standard = std::visit(default_of{known}, p.type); standard && has_effect(of, p, given))
        all.set(p.name, std::move(*standard));
    } catch (const policy_error& e) {
      throw policy_error(whose + ", " + std::string{p.name} + ": " + e.what());
    }
  }
  return all;
}

std::vector<setting_conflict> conflicts(const std::vector<parameter>& of, const settings& given) {
  std::vector<setting_conflict> all;
  for (const parameter& p : of) {
    if (!p.instead_of.empty()) {
      const std::string one{p.instead_of}, other{p.name};
      if (given.has(one) && given.has(other))
        all.push_back(
            {p.name, std::string{"found "}.append(one).append(" and ").append(other).append("; expected one of them")});
      else if (!given.has(one) && !given.has(other))
        all.push_back({p.instead_of, std::string{"missing; expected "}.append(one).append(" or ").append(other)});
    }
    if (given.has(p.name) && !has_effect(of, p, given))
      all.push_back({p.name, "has no effect with " + std::string{p.no_effect_with.parameter} + " '" +
                                 std::string{p.no_effect_with.word} + "'; expected no " + std::string{p.name} +
                                 " beside it"});
  }
  return all;
}

bool has_effect(const std::vector<parameter>& of, const parameter& p, const settings& given) {
  const auto& [choice, word] = p.no_effect_with;
  if (choice.empty()) return true;
  if (!given.has(choice)) return std::get<choice_parameter>(find_parameter(of, choice)->type).words.front() != word;
  const auto* chosen = std::get_if<std::string>(&given.at(choice));
  return !chosen || *chosen != word;
}

}  // namespace muster
