#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

class batch_series;
struct class_record;
struct scenario;
struct time_series;
struct time_unit;

/// What a metric is measured of.
enum class metric_scope {
  classes,    ///< each class, and all classes together
  all,        ///< all classes together
  phases,     ///< each phase of the policy
  resources,  ///< each resource of servers beside cores
  study       ///< no single replication: a pilot, several points, or nothing, where theory alone knows it
};

/// A condition on a scenario for its replications to measure a metric.
struct metric_condition {
  bool (*holds)(const scenario& model);
  std::string_view words;        ///< such as "servers with faults"; in the scope `study`: the source of the metric
  bool of_slotted_jobs = false;  ///< jobs of other kinds never have the metric
};

/// The direction in which values of a metric are better.
enum class metric_preference { smaller, larger, none };

/// The tables in the terminal that have a column of a metric.
struct metric_columns {
  bool run = false, verdict = false, theory = false;
  bool run_of_slotted_jobs = false;  ///< the run's table has it for slotted jobs, too, although other jobs have it
  bool run_beside_theory = false;    ///< the run's table also has a column of the metric by theory
};

/// The kind of scenarios in which run.precision without a metric means this one.
enum class precision_default {
  none,
  all,            ///< any scenario for which no other value applies
  slotted,        ///< slotted jobs without end, with intervals from replications
  slotted_finite  ///< a finite number of slotted jobs
};

/// Sums over the jobs of a class, or of all classes, in the window of measurement.
struct class_totals {
  const class_record& jobs;
  double window;  ///< length of the window, in units of time
  const time_unit& unit;
};

/// A metric's value in a replication. No value: there is nothing to estimate it from.
struct metric_value {
  std::optional<double> value;
  std::uint64_t jobs;  ///< completions behind the value
};

/// The reason why a metric is not measured of a class in a scenario.
struct metric_mistake {
  bool of_class;  ///< the metric is measured of another class
  std::string message;
};

/// The values that a metric can take.
struct metric_range {
  double least = 0.0, most = std::numeric_limits<double>::infinity();

  bool contains(double value) const { return value >= least && value <= most; }
};

/// A metric: its name in results, and everything that other parts need to know of the metric.
struct metric_entry {
  std::string_view name;
  std::string_view unit;  ///< "time": the scenario's time unit; "1/time", "time^2"; "": none
  metric_scope scope;
  metric_condition measured;
  std::string_view about;
  metric_columns columns{};
  metric_preference better = metric_preference::smaller;
  bool of_completed = false;  ///< jobs still in the system are left out: biased where those are many
  /// Computes the metric from sums over jobs; null where it needs more than these.
  metric_value (*of_jobs)(const class_totals& totals) = nullptr;
  /// The sequence whose batch means give an interval; null: there is none.
  batch_series time_series::*in_order = nullptr;
  precision_default usual = precision_default::none;
  /// The metric of which this one, of theory, is an approximation, shown where theory has no exact value; empty: none.
  std::string_view approximates{};
  metric_range range{};
  /// Whether control variates may be taken out of the metric. They are not taken out of completions per unit of time, a
  /// ratio whose bias in a short window would stay while its scatter goes.
  bool controlled = true;
  /// Whether its true value is a whole number. Between two of them the mean of replications may stay for long windows,
  /// with little scatter, so that the interval ends at whole numbers.
  bool whole_numbers = false;
  /// The metric of the denominator, where this one is a ratio of two time averages: its replications are weighted by
  /// that, because the mean of their ratios is biased. Empty: no such ratio.
  std::string_view denominator{};
  /// Computes the metric from the mean response times of the classes; null where it is not a function of them.
  double (*of_class_means)(const std::vector<double>& means) = nullptr;

  /// @param class_name of a class of the scenario, `all`, or of a phase or a resource, such as `phase_1`,
  /// `resource_gpu`
  /// @return nothing if each replication measures the metric of that class
  std::optional<metric_mistake> mistake(const scenario& model, const std::string& class_name) const;
  /// The name of the metric's unit. @param time_unit name of the scenario's unit of time
  std::string unit_name(const std::string& time_unit) const;
};

/// Jain's index of numbers >= 0: 1 where all are equal. @param means at least one
double jain_index(const std::vector<double>& means);

/// Whether a class of results is a phase of the policy: `phase_1` and so on.
bool is_phase(std::string_view class_name);
/// Whether a class of results is a resource of servers: `resource_` and its name.
bool is_resource(std::string_view class_name);
/// Whether a class of results is one of jobs.
inline bool is_of_jobs(std::string_view class_name) { return !is_phase(class_name) && !is_resource(class_name); }

/// All metrics, in the order of pages and tables and, for those computed from sums over jobs, of results.csv.
const std::vector<metric_entry>& metric_catalogue();
std::vector<std::string> metric_names();
/// The metric of that name, or null.
const metric_entry* find_metric(std::string_view name);
/// The metric that is meant where none is named. @param jobs not `none`
const metric_entry& usual_metric(precision_default jobs);
/// The metric that approximates another one by theory; null if there is none.
const metric_entry* approximation_of(std::string_view name);
/// The metrics that a table in the terminal has columns of. @param slotted whether the jobs are
std::vector<std::string> metrics_with_column(bool metric_columns::*table, bool slotted);

}  // namespace muster
