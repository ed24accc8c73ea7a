#include <fmt/format.h>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

// Finite arrivals are all of them simulated, and all of them measured.
std::uint64_t finite_jobs(table_reader& run, const scenario& what) {
  refuse(run, {"jobs"}, "the arrivals are finite");
  std::uint64_t jobs = what.arrivals.list.size();
  for (const class_spec& c : what.classes) jobs += c.slotted ? c.slotted->jobs : 0;
  return jobs;
}

void read_warm_up(table_reader& run, bool finite, run_spec& spec) {
  constexpr number_range none{"0, because the arrivals are finite", 0.0, false, 0.0};
  spec.warm_up_by_mser5 = !finite && run.find_text("warm_up");
  if (spec.warm_up_by_mser5)
    run.word("warm_up", "rule", {"mser5"});
  else
    spec.warm_up = finite ? run.number("warm_up", none, 0.0) : run.number("warm_up");
}

void check_replications(table_reader& run, const run_spec& spec) {
  if (spec.batch_means && spec.replications > 1)
    run.complain("replications",
                 fmt::format("expected 1, because run.intervals are 'batch_means', found {}", spec.replications));
  if (spec.precision && spec.precision->most_replications < spec.replications)
    run.complain("most_replications", fmt::format("expected at least run.replications, which is {}, found {}",
                                                  spec.replications, spec.precision->most_replications));
}

}  // namespace

void read_run(table_reader& document, point_draft& point) {
  table_reader run = document.table("run");
  run_spec& spec = point.what.run;
  spec.jobs = point.finite() ? finite_jobs(run, point.what) : run.integer<std::uint64_t>("jobs");
  spec.batch_means = run.word("intervals") == "batch_means";
  if (spec.batch_means && point.finite())
    run.complain("intervals", "expected 'replications', because the arrivals are finite");
  spec.replications = run.integer<std::uint32_t>("replications", spec.batch_means ? 1 : 10);
  spec.seed = run.integer<std::uint64_t>("seed");
  read_warm_up(run, point.finite(), spec);
  spec.precision = read_precision(run, point);
  if (spec.precision) spec.precision->most_replications = run.integer<std::uint32_t>("most_replications");
  check_replications(run, spec);
  run.close();
  if (point.what.arrivals.rate > 0.0)
    check_range(run, "jobs", static_cast<double>(spec.jobs) / point.what.arrivals.rate,
                fmt::format("{} jobs take about {{}}", spec.jobs));
}

}  // namespace muster
