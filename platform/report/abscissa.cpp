#include "platform/report/abscissa.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "platform/model/study_families.h"
#include "platform/toml/number_in.h"

namespace muster {

namespace {

constexpr std::size_t long_value = 40;

// Numbers that can be told apart on an axis: 0, 0.1 and 1000000 stand side by side as categories.
bool is_numeric(const study& s, std::size_t key) {
  constexpr double widest = 1000.0;
  double least = 0.0, most = 0.0;
  bool logarithm_exists = true;
  for (const study::point& p : s.points) {
    const auto value = number_in<double>(p.values[key]);
    if (!value || !std::isfinite(*value)) return false;
    const double size = std::abs(*value);
    logarithm_exists = logarithm_exists && *value > 0.0;
    most = std::max(most, size);
    if (size > 0.0 && (least == 0.0 || size < least)) least = size;
  }
  return logarithm_exists || most <= widest * least;
}

std::string name_of(const std::string& value) { return value.substr(0, value.find('(')); }

/// By point.
std::vector<std::string> short_values(const study& s, std::size_t key) {
  std::map<std::string, std::set<std::string>> by_name;
  for (const study::point& p : s.points) by_name[name_of(p.values[key])].insert(p.values[key]);
  std::vector<std::string> values;
  for (const study::point& p : s.points) {
    const std::string& value = p.values[key];
    const std::string name = name_of(value);
    values.push_back(value.size() > long_value && !name.empty() && by_name.at(name).size() == 1 ? name : value);
  }
  return values;
}

/// The place of a value among those seen before; it is added if it is new.
class ranking {
 public:
  explicit ranking(std::vector<std::string>& values) : values_(values) {}
  std::size_t of(const std::string& value) {
    const auto [at, is_new] = ranks_.emplace(value, values_.size());
    if (is_new) values_.push_back(value);
    return at->second;
  }

 private:
  std::vector<std::string>& values_;
  std::map<std::string, std::size_t> ranks_;
};

/// Where no policies are compared, or they stand on the axis, colour and marker are those of the series' number.
void set_styles(const study& s, abscissa& over) {
  std::vector<std::string> policies, others;
  ranking of_policies(policies), of_others(others);
  over.styles.resize(over.labels.size());
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    std::string other;
    for (std::size_t k = 0; k < s.keys.size(); ++k)
      if (k != over.key && !is_policy_key(s.keys[k])) other += s.points[p].values[k] + ",";
    over.styles[over.series[p]] = {of_policies.of(policy_of(s, p)), of_others.of(other)};
  }
  // The turn of the markers against the colours tells series apart that have one colour.
  if (policies.size() < 2 || (over.key && is_policy_key(s.keys[*over.key])))
    for (std::size_t n = 0; n < over.styles.size(); ++n) over.styles[n] = {n, n + n / series_colours};
  else if (others.size() < 2)
    for (series_style& style : over.styles) style.marker = style.colour + style.colour / series_colours;
}

}  // namespace

std::string short_key(const study& s, std::size_t key) {
  const auto last = [](const std::string& dotted) { return dotted.substr(dotted.rfind('.') + 1); };
  const std::string own = last(s.keys[key]);
  const auto same = std::count_if(s.keys.begin(), s.keys.end(), [&](const auto& other) { return last(other) == own; });
  return same == 1 ? own : s.keys[key];
}

abscissa abscissa_over(const study& s, std::optional<std::size_t> key) {
  abscissa over{key, key && is_numeric(s, *key), {}, {}, {}, {}, {}, {}};
  std::vector<std::vector<std::string>> in_short;
  for (std::size_t k = 0; k < s.keys.size(); ++k) in_short.push_back(short_values(s, k));
  ranking values(over.values), labels(over.labels);
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    const std::string value = key ? in_short[*key][p] : "";
    const std::size_t rank = values.of(value);
    over.places.push_back(rank);
    over.x.push_back(over.numeric ? *number_in<double>(value) : static_cast<double>(rank));
    std::string label;
    for (std::size_t k = 0; k < s.keys.size(); ++k) {
      if (k == key) continue;
      const std::string& other = in_short[k][p];
      label += (label.empty() ? "" : ", ") + (number_in<double>(other) ? short_key(s, k) + " = " + other : other);
    }
    over.series.push_back(labels.of(label));
  }
  set_styles(s, over);
  return over;
}

abscissa usual_abscissa(const study& s) {
  abscissa usual = abscissa_over(s, s.keys.empty() ? std::nullopt : std::optional(s.keys.size() - 1));
  for (std::size_t key = 0; key < s.keys.size(); ++key) {
    abscissa over = abscissa_over(s, key);
    const bool varies = over.values.size() > 1;
    const bool better = over.numeric || !usual.numeric || usual.values.size() < 2;
    if (varies && better) usual = std::move(over);
    if (varies && usual.numeric && (s.keys[key] == "arrivals.rate" || s.keys[key] == "arrivals.load")) return usual;
  }
  return usual;
}

}  // namespace muster
