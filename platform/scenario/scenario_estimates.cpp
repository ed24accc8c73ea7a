#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "platform/scenario/scenario_reader.h"

// Estimates of the sizes of rigid jobs, and whether jobs are killed at them.

namespace muster {

namespace {

using rule = estimate_spec::rule;

// The rules that are words, in the order of the enumeration.
const word_key& rules() {
  static const word_key all{"estimate", {"exact", "requested", "learnt"}};
  return all;
}

/// How many jobs of a list have a request.
struct requests {
  std::size_t jobs = 0, known = 0;

  explicit requests(const arrival_spec& arrivals) {
    if (!arrivals.jobs) return;
    jobs = arrivals.jobs->size();
    known = static_cast<std::size_t>(std::count_if(arrivals.jobs->begin(), arrivals.jobs->end(),
                                                   [](const timed_job& j) { return j.requested > 0.0; }));
  }
  bool all() const { return jobs > 0 && known == jobs; }
};

// Reports a rule that takes what the jobs do not have.
void check_rule(table_reader& arrivals, const arrival_spec& of, const requests& found) {
  if (of.estimates.from == rule::exact || of.estimates.from == rule::factor) return;
  const std::string word = rules().words[static_cast<std::size_t>(of.estimates.from)];
  if (!of.jobs)
    arrivals.complain(
        "estimate", fmt::format("{} needs what users have requested, which jobs of process '{}' do not tell; expected "
                                "\"exact\" or {{ factor = 2.0 }}",
                                word, of.entry->name));
  else if (!found.all())
    arrivals.complain("estimate", fmt::format("{} needs a request of every job, in the column requested; {} of {} jobs "
                                              "have one",
                                              word, found.known, found.jobs));
  else if (of.estimates.from == rule::learnt && of.users.empty())
    arrivals.complain("estimate", "learnt needs to know whose the jobs are; expected a column user");
}

void check_kill(table_reader& arrivals, const arrival_spec& of, const requests& found) {
  if (!of.estimates.kill) return;
  if (of.estimates.from == rule::factor && of.estimates.factor < 1.0)
    arrivals.complain("kill_at_estimate",
                      fmt::format("every job would be killed, as it is estimated at {} of its size; expected a factor "
                                  ">= 1, or no kill_at_estimate",
                                  of.estimates.factor));
  else if (of.estimates.from != rule::factor && found.known == 0)
    arrivals.complain("kill_at_estimate",
                      "has no effect without requests; expected a list of jobs with a column requested");
}

}  // namespace

void read_estimates(table_reader& arrivals, point_draft& point) {
  estimate_spec& to = point.model.arrivals.estimates;
  const toml_value* const given = arrivals.find("estimate");
  if (given && given->as<toml_table>()) {
    table_reader table = arrivals.table("estimate");
    to.from = rule::factor;
    to.factor = table.number("factor");
    table.close();
  } else if (given && given->as<std::string>()) {
    arrivals.describe({"estimate", rules(), required{}, ""});
    to.from = arrivals.choice<rule>("estimate");
  } else if (given) {
    arrivals.complain("estimate", fmt::format("expected exact, requested, learnt or {{ factor = 2.0 }}, found {}",
                                              given->type_name()));
  }
  if (arrivals.find("kill_at_estimate")) to.kill = arrivals.truth("kill_at_estimate");
}

void check_estimates(table_reader& arrivals, point_draft& point) {
  arrival_spec& of = point.model.arrivals;
  if (!point.rigid()) {
    refuse(arrivals, {"estimate", "kill_at_estimate"}, "only sizes of rigid jobs are estimated");
    of.estimates = {};
    return;
  }
  if (point.finite() && !of.jobs) return;  // something is wrong with the jobs, which has been reported
  const requests found(of);
  if (!arrivals.find("estimate") && found.all()) {
    of.estimates.from = rule::requested;
    arrivals.took("estimate", std::string{"requested"});
  }
  check_rule(arrivals, of, found);
  check_kill(arrivals, of, found);
}

}  // namespace muster
