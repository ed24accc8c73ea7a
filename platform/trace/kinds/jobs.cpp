#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "muster/modules/protocol/job_extension.h"
#include "muster/policies/catalogue.h"
#include "muster/policies/table.h"
#include "platform/model/class_table.h"
#include "platform/model/scenario.h"
#include "platform/tables/writers.h"
#include "platform/trace/trace_file.h"
#include "platform/trace/trace_kind.h"

namespace muster {

namespace {

// A job as it leaves.
struct leaving_job {
  ticks now;
  const job_extension& job;
  std::string_view class_name;  // the class's name as a field of the table
  std::string_view user;        // the user's name likewise; empty: not known

  const slotted_report* slots() const { return job.slots.get(); }
  std::optional<double> utility() const {
    return slots() ? std::optional(static_cast<double>(slots()->earned)) : std::nullopt;
  }
};

// A time, which is written in the scenario's unit.
struct time_value {
  ticks value;
};

// A column, and the function of a job that gives its value: a time, a count, a text, or nothing.
template <class Value>
struct job_column {
  std::string_view name;
  Value of;
};
template <class Value>
job_column(std::string_view, Value) -> job_column<Value>;

constexpr std::tuple columns{
    job_column{"id", [](const leaving_job& j) { return j.job.id; }},
    job_column{"class", [](const leaving_job& j) { return j.class_name; }},
    job_column{"arrival", [](const leaving_job& j) { return time_value{j.job.arrival}; }},
    job_column{
        "started",
        [](const leaving_job& j) { return j.job.begun ? std::optional(time_value{j.job.started}) : std::nullopt; }},
    job_column{"completed", [](const leaving_job& j) { return time_value{j.now}; }},
    job_column{"size", [](const leaving_job& j) { return time_value{j.job.descriptor.size}; }},
    job_column{"response", [](const leaving_job& j) { return time_value{j.now - j.job.arrival}; }},
    job_column{"waiting", [](const leaving_job& j) { return time_value{j.job.waited(j.now)}; }},
    job_column{"interruptions", [](const leaving_job& j) { return std::uint64_t{j.job.interruptions}; }},
    job_column{"migrations", [](const leaving_job& j) { return std::uint64_t{j.job.migrations}; }},
    job_column{"preemptions", [](const leaving_job& j) { return std::uint64_t{j.job.preemptions}; }},
    job_column{"outcome",
               [](const leaving_job& j) -> std::string_view {
                 if (j.slots() && j.slots()->expired) return "expired";
                 return j.job.ended_early() ? "killed" : "completed";
               }},
    job_column{"utility", [](const leaving_job& j) { return j.utility(); }}};

template <time_part Part>
time_value time_on(const leaving_job& j) {
  return {(*j.job.times)[Part]};
}

// Further columns where the times of jobs are recorded.
constexpr std::tuple explaining_columns{
    job_column{"time_running", time_on<time_part::running>},
    job_column{"time_overhead", time_on<time_part::overhead>},
    job_column{"time_network", time_on<time_part::network>},
    job_column{"time_decision", time_on<time_part::decision>},
    job_column{"time_failure", time_on<time_part::failure>},
    job_column{"wait_no_core", [](const leaving_job& j) { return time_value{j.job.times->short_of(0)}; }},
    job_column{"wait_fragmentation", time_on<time_part::fragmentation>},
    job_column{"wait_behind_others", time_on<time_part::behind_others>}};

// Further columns where they are known.
constexpr job_column user_column{"user", [](const leaving_job& j) { return j.user; }};
constexpr job_column estimate_column{"estimate", [](const leaving_job& j) { return time_value{j.job.estimate}; }};
constexpr job_column requested_column{"requested", [](const leaving_job& j) { return time_value{j.job.requested}; }};

bool knows_estimates(const scenario& model) {
  const policy_entry* const policy = find_policy(model.policy.name);
  return policy && policy->uses_estimates;
}

/// Writes jobs.csv, a row for each job when it leaves. Times are in the scenario's unit and read back to the same tick.
///
/// Where waits are explained and there are resources beside cores, each of these has a column `wait_no_RESOURCE`.
///
/// Where users are known there is a column `user`, where the policy uses estimates `estimate`, that of the scheduler,
/// and where the jobs have requests `requested`.
///
/// `completed` and `response` of an expired job are those of its leaving. `started` is empty where the job never had a
/// core, `utility` where jobs have none.
class jobs_writer final : public instrument {
 public:
  jobs_writer(const scenario& model, const std::filesystem::path& path)
      : unit_(model.unit),
        explains_(model.report.explain),
        exact_(decimal_time::of_unit(model.unit.ticks)),
        resources_(explains_ && model.counts_tasks() ? model.resources.types.size() : 0),
        knows_estimates_(knows_estimates(model)),
        knows_requests_(model.arrivals.estimates.are_of_requests()),
        out_(path) {
    for (const std::size_t at : by_descending_need(model)) classes_.push_back(csv_field(model.classes[at].name));
    for (const std::string& user : model.arrivals.users) {
      users_.push_back(csv_field(user));
      longest_user_ = std::max(longest_user_, users_.back().size());
    }
    std::string head;
    const auto add = [&head](const auto&... all) { ((head += (head.empty() ? "" : ","), head += all.name), ...); };
    std::apply(add, columns);
    if (explains_) std::apply(add, explaining_columns);
    for (std::size_t r = 1; r < resources_; ++r) head += ",wait_no_" + model.resources.types[r].name;
    if (!users_.empty()) add(user_column);
    if (knows_estimates_) add(estimate_column);
    if (knows_requests_) add(requested_column);
    out_ << head + "\n";
  }

  void job_completes(ticks now, const job_extension& job) override {
    const std::string& class_name = classes_[job.declared_class()];
    constexpr std::size_t numbers = std::tuple_size_v<decltype(columns)> + time_parts + 3;
    char* to = out_.room((numbers + resources_) * (decimal_time::longest + 1) + class_name.size() + longest_user_);
    const leaving_job row{now, job, class_name, job.user < users_.size() ? users_[job.user] : std::string_view{}};
    const auto add = [&](const auto&... all) { ((to = print(to, all.of(row)), *to++ = ','), ...); };
    std::apply(add, columns);
    if (explains_) std::apply(add, explaining_columns);
    for (std::size_t r = 1; r < resources_; ++r)
      add(job_column{"", [r](const leaving_job& j) { return time_value{j.job.times->short_of(r)}; }});
    if (!users_.empty()) add(user_column);
    if (knows_estimates_) add(estimate_column);
    if (knows_requests_) add(requested_column);
    to[-1] = '\n';
    out_.advance_to(to);
  }

  void simulation_ends(ticks, const cluster_view&, const std::vector<slice_view>&) override { out_.flush(); }

 private:
  /// @name A value as text
  /// @param to has room for the value @return the end of the value
  /// @{
  // Prints a time; where the unit holds no power of ten of ticks, as the shortest number that reads back as the same.
  char* print(char* to, time_value t) const {
    return exact_ ? exact_->print(to, t.value) : fmt::format_to(to, "{}", unit_.to_units(t.value));
  }
  char* print(char* to, std::string_view text) const { return (text_cursor{to} << text).at; }
  char* print(char* to, std::uint64_t count) const { return (text_cursor{to} << count).at; }
  char* print(char* to, double number) const { return fmt::format_to(to, "{}", number); }
  template <class Value>
  char* print(char* to, const std::optional<Value>& value) const {
    return value ? print(to, *value) : to;
  }
  /// @}

  time_unit unit_;
  bool explains_;
  std::optional<decimal_time> exact_;
  std::size_t resources_;  // where waits are explained by resource: how many there are, with cores
  bool knows_estimates_, knows_requests_;
  table<class_id, std::string> classes_;  // names of the classes, as fields of the table
  std::vector<std::string> users_;        // names of the users likewise; empty: not known
  std::size_t longest_user_ = 0;          // characters of the longest of them
  trace_file out_;
};

}  // namespace

extern const trace_kind jobs_trace{"jobs", "jobs", ".csv",
                                   "one row for each job as it leaves, for a spreadsheet, R or pandas",
                                   add_writer<jobs_writer>};

}  // namespace muster
