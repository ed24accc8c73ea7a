#include <fmt/format.h>

#include "muster/modules/protocol/job_extension.h"
#include "muster/policies/table.h"
#include "platform/metrics/csv_field.h"
#include "platform/metrics/instrument_list.h"
#include "platform/model/class_table.h"
#include "platform/model/scenario.h"
#include "platform/trace/decimal_time.h"
#include "platform/trace/trace_file.h"
#include "platform/trace/trace_kind.h"

namespace muster {

namespace {

/// jobs.csv: one row for each job, when it leaves. Times are in the scenario's unit and read back to the same tick.
///
/// A job that has expired has completed nowhere: `completed` and `response` tell when it left. `started` is empty where
/// it never had a core, `utility` where jobs have none.
class jobs_writer final : public instrument {
 public:
  jobs_writer(const scenario& what, const std::filesystem::path& path)
      : unit_(what.unit), explains_(what.report.explain), exact_(decimal_time::of_unit(what.unit.ticks)), out_(path) {
    for (const std::size_t at : by_descending_need(what)) classes_.push_back(csv_field(what.classes[at].name));
    out_ << "id,class,arrival,started,completed,size,response,waiting,interruptions,migrations,preemptions,outcome,"
            "utility"
         << (explains_ ? ",time_running,time_overhead,time_network,time_decision,time_failure,wait_no_core,"
                         "wait_fragmentation,wait_behind_others\n"
                       : "\n");
  }

  void job_completes(ticks now, const job_extension& job) override {
    const job_extension::slotted_progress* slots = job.slots.get();
    out_ << job.id << ',' << classes_[job.type];
    constexpr std::size_t numbers = 9 + time_parts, words = 16;
    text_cursor to{out_.room((numbers + 1) * (decimal_time::longest + 1) + words)};
    const auto field = [&](ticks t, bool known = true) {
      to << ',';
      if (known) to.at = print(to.at, t);
    };
    field(job.arrival);
    field(job.started, job.begun);
    field(now);
    field(job.descriptor.size);
    field(now - job.arrival);
    field(job.waited(now));
    for (const std::uint64_t count : {job.interruptions, job.migrations, job.preemptions}) to << ',' << count;
    to << (slots && slots->expired ? std::string_view(",expired") : std::string_view(",completed"));
    if (slots)
      to.at = fmt::format_to(to.at, ",{}", static_cast<double>(slots->earned));
    else
      to << ',';
    if (explains_)
      for (const ticks spent : job.times->all()) field(spent);
    to << '\n';
    out_.advance_to(to.at);
  }

  void simulation_ends(ticks, const cluster_view&, const std::vector<slice_view>&) override { out_.flush(); }

 private:
  // Where the unit holds no power of ten of ticks, the shortest number that reads back as the same.
  char* print(char* to, ticks t) const {
    return exact_ ? exact_->print(to, t) : fmt::format_to(to, "{}", unit_.to_units(t));
  }

  time_unit unit_;
  bool explains_;
  std::optional<decimal_time> exact_;
  table<class_id, std::string> classes_;  // as fields of the table
  trace_file out_;
};

}  // namespace

extern const trace_kind jobs_trace{"jobs", "jobs", ".csv",
                                   "one row for each job as it leaves, for a spreadsheet, R or pandas",
                                   [](instrument_list& instruments, const scenario& point, const trace_request& trace) {
                                     instruments.add(std::make_unique<jobs_writer>(point, trace.file));
                                   }};

}  // namespace muster
