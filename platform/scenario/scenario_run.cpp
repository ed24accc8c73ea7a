#include <fmt/format.h>

#include <limits>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

constexpr number_range below_one{"a number >= 0 and < 1", 0.0, false, 1.0, true};
constexpr number_range no_warm_up{"0, because the arrivals are finite", 0.0, false, 0.0};
constexpr std::int64_t most_replications = 100'000;

// Finite arrivals are all of them simulated, and all of them measured.
std::uint64_t finite_jobs(table_reader& run, const scenario& what) {
  if (run.find("jobs")) run.complain("jobs", "expected no jobs here, because the arrivals are finite");
  std::uint64_t jobs = what.arrivals.list.size();
  for (const class_spec& c : what.classes) jobs += c.slotted ? c.slotted->jobs : 0;
  return jobs;
}

void read_warm_up(table_reader& run, const slotted_form& form, run_spec& spec) {
  const toml_value* given = run.find("warm_up");
  if (!form.finite() && given && given->as<std::string>()) {
    spec.warm_up_by_mser5 = run.word("warm_up", "rule", {"mser5"}) == "mser5";
    spec.warm_up = 0.0;
    return;
  }
  spec.warm_up = run.number("warm_up", form.finite() ? no_warm_up : below_one, form.finite() ? 0.0 : 0.1);
}

}  // namespace

void read_run(table_reader& document, const slotted_form& form, scenario& what, bool classes_known) {
  table_reader run = document.table("run");
  what.run.jobs = form.finite() ? finite_jobs(run, what)
                                : static_cast<std::uint64_t>(run.integer("jobs", 1, 1'000'000'000'000, 1'000'000));
  what.run.batch_means =
      run.word("intervals", "kind of intervals", {"replications", "batch_means"}, "replications") == "batch_means";
  if (what.run.batch_means && form.finite())
    run.complain("intervals", "expected 'replications', because the arrivals are finite");
  what.run.replications =
      static_cast<std::uint32_t>(run.integer("replications", 1, most_replications, what.run.batch_means ? 1 : 10));
  if (what.run.batch_means && what.run.replications > 1)
    run.complain("replications",
                 fmt::format("expected 1, because run.intervals are 'batch_means', found {}", what.run.replications));
  what.run.seed = static_cast<std::uint64_t>(run.integer("seed", 0, std::numeric_limits<std::int64_t>::max(), 1));
  read_warm_up(run, form, what.run);
  what.run.precision = read_precision(run, form, what, classes_known);
  if (what.run.precision)
    what.run.precision->most_replications =
        static_cast<std::uint32_t>(run.integer("most_replications", 10, most_replications, 1'000));
  else if (run.find("most_replications"))
    run.complain("most_replications", "has no effect without run.precision");
  if (what.run.precision && what.run.precision->most_replications < what.run.replications)
    run.complain("most_replications", fmt::format("expected at least run.replications, which is {}, found {}",
                                                  what.run.replications, what.run.precision->most_replications));
  run.close();
  if (what.arrivals.rate == 0.0) return;
  const clock_range clock = clock_of(what);
  if (const double time = static_cast<double>(what.run.jobs) / what.arrivals.rate; !(time < clock.longest))
    run.complain("jobs", fmt::format("{} jobs take about {:.3g} {}; expected less than {:.3g} {}, the range of the "
                                     "clock",
                                     what.run.jobs, time, clock.unit, clock.longest, clock.unit));
}

}  // namespace muster
