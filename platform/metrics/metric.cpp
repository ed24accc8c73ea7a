#include "platform/metrics/metric.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/model/scenario.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"

namespace muster {

std::optional<metric_mistake> metric_entry::mistake(const scenario& model, const std::string& class_name) const {
  if (scope == metric_scope::study)
    return metric_mistake{false, fmt::format("{} is not measured in each replication, but {}", name, measured.words)};
  if (!measured.holds(model))
    return metric_mistake{false, fmt::format("{} is not measured in this scenario; it needs {}", name, measured.words)};
  const bool phase = is_phase(class_name), resource = is_resource(class_name);
  const char* why = nullptr;
  if (scope == metric_scope::phases && !phase) why = "measured of phases; expected one such as 'phase_1'";
  if (scope == metric_scope::all && class_name != "all") why = "measured of all classes together; expected 'all'";
  if (scope == metric_scope::resources && !resource) why = "measured of resources; expected one such as 'resource_gpu'";
  if (scope == metric_scope::classes && phase) why = "not measured of phases; expected a class or 'all'";
  if (scope == metric_scope::classes && resource) why = "not measured of resources; expected a class or 'all'";
  if (why) return metric_mistake{true, fmt::format("{} is {}, found {}", name, why, in_quotes(class_name))};
  return std::nullopt;
}

std::string metric_entry::unit_name(const std::string& time_unit) const {
  if (unit == "time") return time_unit;
  if (unit == "time^2") return time_unit + "^2";
  return unit == "1/time" ? "1/" + time_unit : std::string(unit);
}

double jain_index(const std::vector<double>& means) {
  double sum = 0.0, squares = 0.0;
  for (const double m : means) {
    sum += m;
    squares += m * m;
  }
  return squares > 0.0 ? sum * sum / (static_cast<double>(means.size()) * squares) : 1.0;
}

bool is_phase(std::string_view class_name) { return class_name.substr(0, 6) == "phase_"; }

bool is_resource(std::string_view class_name) { return class_name.substr(0, 9) == "resource_"; }

std::vector<std::string> metric_names() { return names_of(metric_catalogue()); }

namespace {

template <class Predicate>
const metric_entry* first_metric(Predicate holds) {
  const auto& all = metric_catalogue();
  const auto found = std::find_if(all.begin(), all.end(), holds);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

const metric_entry* find_metric(std::string_view name) {
  return first_metric([&](const metric_entry& m) { return m.name == name; });
}

const metric_entry& usual_metric(precision_default jobs) {
  return *first_metric([&](const metric_entry& m) { return m.usual == jobs; });
}

const metric_entry* approximation_of(std::string_view name) {
  return first_metric([&](const metric_entry& m) { return m.approximates == name; });
}

std::vector<std::string> metrics_with_column(bool metric_columns::*table, bool slotted_jobs) {
  std::vector<std::string> own, of_all;
  for (const metric_entry& m : metric_catalogue()) {
    if (!(m.columns.*table)) continue;
    if (m.measured.of_slotted_jobs == slotted_jobs)
      own.emplace_back(m.name);
    else if (slotted_jobs && table == &metric_columns::run && m.columns.run_of_slotted_jobs)
      of_all.emplace_back(m.name);
  }
  own.insert(own.end(), of_all.begin(), of_all.end());
  return own;
}

}  // namespace muster
