#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "muster/modules/protocol/job_extension.h"
#include "muster/policies/name.h"
#include "muster/policies/table.h"
#include "platform/model/class_table.h"
#include "platform/model/job_kind.h"
#include "platform/model/scenario.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/quantity.h"
#include "platform/trace/trace_file.h"
#include "platform/trace/trace_kind.h"

namespace muster {

namespace {

/// jobs.swf: a log in the Standard Workload Format 2.2 of the Parallel Workloads Archive (Feitelson, Tsafrir, Krakov,
/// JPDC 2014), one line for each job that has left, in the order of arrival. Times are in seconds, with a fraction
/// where they have one. The executable's number is that of the class in the scenario, the user's the one that is its
/// name, or where any name is no number its place among the users. The requested time is there where estimates are of
/// requests. The status is 1, of a job that was killed 0, of an expired one 5.
///
/// A line waits until all jobs that arrived before have left, or 10,000 others wait with it: memory is bounded, and the
/// line of a job that so many overtake comes behind theirs.
class log_writer final : public instrument {
 public:
  log_writer(const scenario& model, const std::filesystem::path& path)
      : seconds_(-model.unit.resolution_exponent),
        jobs_(model.arrivals.jobs ? model.arrivals.jobs : model.arrivals.initial_jobs),
        knows_requests_(model.arrivals.estimates.are_of_requests()),
        users_(numbers_of(model.arrivals.users)),
        out_(path) {
    const bool is_rigid = kind_of_jobs(model) == job_kind::rigid;
    for (const std::size_t at : by_descending_need(model)) {
      const class_spec& c = model.classes[at];
      class_in_log& type = classes_[classes_.push_back({at + 1, {is_rigid ? std::to_string(c.need) : "-1"}})];
      for (std::size_t n = 1; n < c.listed.size(); ++n)
        type.processors.push_back(std::to_string(c.listed[n].need.cores));
    }
    out_ << fmt::format("; Version: 2.2\n; Computer: simulated, scenario {}\n; MaxNodes: {}\n; MaxProcs: {}\n",
                        model.name, total_servers(model), total_cores(model));
    out_ << "; Note: times may have fractions of a second; wait time is all the time without a core\n";
    for (std::size_t at = 0; at < model.classes.size(); ++at)
      out_ << fmt::format("; Note: executable {} is class {}\n", at + 1, model.classes[at].name);
    for (std::size_t at = 0; at < users_.size(); ++at)
      if (users_[at] != model.arrivals.users[at])
        out_ << fmt::format("; Note: user {} is {}\n", users_[at], printable(model.arrivals.users[at], longest_name));
  }

  void job_completes(ticks now, const job_extension& job) override {
    waiting_lines_.emplace(job.id, line(now, job));
    while (!waiting_lines_.empty() && (waiting_lines_.begin()->first <= next_ || waiting_lines_.size() > most_waiting))
      write_first();
  }
  void simulation_ends(ticks, const cluster_view&, const std::vector<slice_view>&) override {
    while (!waiting_lines_.empty()) write_first();
    out_.flush();
  }

 private:
  static constexpr std::size_t most_waiting = 10'000;

  struct class_in_log {
    std::size_t number;
    std::vector<std::string> processors;  // of a job, by its need; -1: as many as the policy gives it
  };

  std::string line(ticks now, const job_extension& job) const {
    const ticks wait = job.begun ? job.waited(now) : now - job.arrival;
    const class_in_log& type = classes_[job.declared_class()];
    const std::string& processors =
        type.processors[jobs_ && job.listed < jobs_->size() ? (*jobs_)[job.listed].need : 0];
    const bool expired = job.slots && job.slots->expired;
    const bool has_request = knows_requests_ && job.requested > 0;
    return fmt::format("{} {} {} {} {} -1 -1 {} {} -1 {} {} -1 {} -1 -1 -1 -1\n", job.id + 1, text(job.arrival),
                       text(wait), text(now - job.arrival - wait), processors, processors,
                       has_request ? text(job.requested) : "-1",
                       expired             ? 5
                       : job.ended_early() ? 0
                                           : 1,
                       job.user < users_.size() ? users_[job.user] : "-1", type.number);
  }
  // The numbers of users: their names, where these are all numbers, else from 1 on.
  static std::vector<std::string> numbers_of(const std::vector<std::string>& names) {
    if (std::all_of(names.begin(), names.end(), [](const std::string& n) { return number_in<std::uint32_t>(n); }))
      return names;
    std::vector<std::string> numbers;
    for (std::size_t at = 1; at <= names.size(); ++at) numbers.push_back(std::to_string(at));
    return numbers;
  }
  std::string text(ticks time) const {
    char digits[decimal_time::longest];
    return {digits, seconds_.print(digits, time)};
  }
  void write_first() {
    next_ = std::max(next_, waiting_lines_.begin()->first + 1);
    out_ << waiting_lines_.begin()->second;
    waiting_lines_.erase(waiting_lines_.begin());
  }

  decimal_time seconds_;
  std::shared_ptr<const timed_jobs> jobs_;  // of a list, or the first of endless arrivals; null: neither
  bool knows_requests_;
  std::vector<std::string> users_;  // their numbers
  table<class_id, class_in_log> classes_;
  std::map<std::uint64_t, std::string> waiting_lines_;
  std::uint64_t next_ = 0;  // number of the job whose line is due
  trace_file out_;
};

}  // namespace

extern const trace_kind swf_trace{"swf", "jobs", ".swf",
                                  "a log of the jobs in the Standard Workload Format, for other simulators and tools",
                                  add_writer<log_writer>};

}  // namespace muster
