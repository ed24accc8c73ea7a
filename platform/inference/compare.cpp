#include "platform/inference/compare.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/metrics/sample.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

using metric_key = std::pair<std::string, std::string>;  // class, metric

bool same_number(const measurement& a, const measurement& b) {
  const auto all = [](const measurement& m) { return std::tie(m.class_name, m.metric, m.has_value, m.value, m.jobs); };
  return all(a) == all(b);
}

bool same_numbers(const std::vector<replication_result>& a, const std::vector<replication_result>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const replication_result& x, const replication_result& y) {
                      return std::equal(x.measurements.begin(), x.measurements.end(), y.measurements.begin(),
                                        y.measurements.end(), same_number);
                    });
}

// The difference over the replications that both have, where there are any; else over all.
difference difference_of(const metric_series& a, const metric_series& b, bool paired) {
  if (!paired) return welch_difference(a.values(), b.values());
  std::vector<double> first, second;
  for (const auto& pair : in_common({&a, &b})) {
    first.push_back(pair[0]->value);
    second.push_back(pair[1]->value);
  }
  if (!first.empty()) return students_difference(first, second);
  return {mean_of(b.values()) - mean_of(a.values()), {}, {}, {}};
}

std::string words(const std::map<std::string, std::string>& values, const std::vector<std::string>& keys) {
  std::string text = keys.empty() ? "the point" : "point";
  for (const std::string& key : keys)
    text += fmt::format("{} {} = {}", key == keys.front() ? "" : ",", key, values.at(key));
  return text;
}

std::string words(const metric_key& metric, std::size_t points) {
  return fmt::format("{} of {} at {} point{}", metric.second, metric.first, points, points == 1 ? "" : "s");
}

/// Compares two runs from point to point.
class side_by_side {
 public:
  side_by_side(stored_run& a, stored_run& b) : a_(a), b_(b) {}

  comparison all() {
    const std::set<std::string> keys_of_a(a_.keys().begin(), a_.keys().end());
    const std::set<std::string> keys_of_b(b_.keys().begin(), b_.keys().end());
    if (a_.scenario() != b_.scenario())
      throw results_error(fmt::format("nothing in common: the scenarios are {} and {}", in_quotes(a_.scenario()),
                                      in_quotes(b_.scenario())));
    if (keys_of_a != keys_of_b)
      throw results_error(
          fmt::format("nothing in common: one sweeps {}, the other {}", list(a_.keys()), list(b_.keys())));
    if (a_.time_unit() != b_.time_unit())
      throw results_error(fmt::format("nothing in common: the times of one are in {}, those of the other in {}",
                                      a_.time_unit(), b_.time_unit()));
    result_.scenario = a_.scenario();
    result_.keys = a_.keys();
    result_.changed = scenario_differences(a_.resolved(), b_.resolved());
    result_.identical = true;
    std::map<std::map<std::string, std::string>, std::size_t> of_b;
    for (std::size_t p = 0; p < b_.points().size(); ++p) of_b[b_.points()[p].values] = p;
    for (std::size_t p = 0; p < a_.points().size(); ++p) {
      const auto other = of_b.find(a_.points()[p].values);
      if (other == of_b.end()) {
        result_.only_in_a.push_back(words(a_.points()[p].values, a_.keys()));
        continue;
      }
      add_point(p, other->second);
      of_b.erase(other);
    }
    for (const auto& [values, p] : of_b) result_.only_in_b.push_back(words(values, a_.keys()));
    if (result_.compared() == 0) throw results_error("nothing in common: no point has results in both");
    for (const auto& [m, points] : only_a_) result_.only_in_a.push_back(words(m, points));
    for (const auto& [m, points] : only_b_) result_.only_in_b.push_back(words(m, points));
    result_.identical = result_.identical && result_.only_in_a.empty() && result_.only_in_b.empty();
    judge();
    return std::move(result_);
  }

 private:
  static std::string list(const std::vector<std::string>& keys) {
    return keys.empty() ? "nothing" : fmt::format("{}", fmt::join(keys, ", "));
  }

  void add_point(std::size_t of_a, std::size_t of_b) {
    const stored_run::point& point = a_.points()[of_a];
    std::vector<replication_result> a = a_.replications(of_a), b = b_.replications(of_b);
    result_.identical = result_.identical && same_numbers(a, b);
    const std::string where = words(point.values, a_.keys());
    if (a.empty() != b.empty()) (a.empty() ? result_.only_in_b : result_.only_in_a).push_back(where);
    if (a.empty() || b.empty()) return;
    compared_point next;
    for (const std::string& key : a_.keys()) next.values.push_back(point.values.at(key));
    next.paired = point.seed == b_.points()[of_b].seed;
    const measured_point in_a(std::move(a)), in_b(std::move(b));
    for (const metric_series& series : in_b.series())
      if (has_values(&series) && !has_values(in_a.find(series.class_name, series.metric))) count(only_b_, series);
    for (const metric_series& series : in_a.series()) {
      if (!has_values(&series)) continue;
      const metric_series* other = in_b.find(series.class_name, series.metric);
      if (has_values(other))
        next.estimates.push_back(
            {series.to_estimate(), other->to_estimate(), difference_of(series, *other, next.paired), {}, false});
      else
        count(only_a_, series);
    }
    result_.points.push_back(std::move(next));
  }

  static bool has_values(const metric_series* series) { return series && !series->values().empty(); }
  static void count(std::map<metric_key, std::size_t>& points, const metric_series& series) {
    ++points[{series.class_name, series.metric}];
  }

  // Judges all rows as one family: the probability of any false difference is at most 5 %.
  void judge() {
    std::vector<compared_estimate*> family;
    std::vector<double> p;
    for (compared_point& point : result_.points)
      for (compared_estimate& e : point.estimates)
        if (e.apart.p) {
          family.push_back(&e);
          p.push_back(*e.apart.p);
        }
    const std::vector<double> adjusted = holm(p);
    for (std::size_t i = 0; i < family.size(); ++i) {
      family[i]->p = adjusted[i];
      family[i]->differs = adjusted[i] <= family_wise_error;
    }
  }

  stored_run &a_, &b_;
  std::map<metric_key, std::size_t> only_a_, only_b_;  // number of points in both, by metric
  comparison result_;
};

template <class Predicate>
std::size_t count(const comparison& c, Predicate holds) {
  std::size_t n = 0;
  for (const compared_point& point : c.points)
    n += static_cast<std::size_t>(std::count_if(point.estimates.begin(), point.estimates.end(), holds));
  return n;
}

}  // namespace

std::size_t comparison::compared() const {
  return count(*this, [](const compared_estimate&) { return true; });
}

std::size_t comparison::judged() const {
  return count(*this, [](const compared_estimate& e) { return e.p.has_value(); });
}

std::size_t comparison::differing() const {
  return count(*this, [](const compared_estimate& e) { return e.differs; });
}

comparison compare(stored_run& a, stored_run& b) { return side_by_side(a, b).all(); }

}  // namespace muster
