#include "platform/theory/stability/examinations.h"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "platform/model/job_kind.h"
#include "platform/model/scheduler_share.h"

namespace muster {

namespace {

// The shares of schedulers that differ from each other: those with as many servers of each entry, and with jobs of the
// same classes, are as one.
std::vector<scenario> different_shares(const scenario& model) {
  std::vector<scenario> shares;
  std::set<std::vector<std::uint32_t>> seen;
  for (std::uint32_t k = 0; k < model.schedulers.count; ++k) {
    std::vector<std::uint32_t> servers;
    for (std::size_t entry = 0; entry < model.servers.size(); ++entry)
      servers.push_back(share_of_entry(model, k, entry).count);
    if (model.schedulers.dispatching->by_class) servers.push_back(k);
    if (!seen.insert(std::move(servers)).second) continue;
    scenario share = share_of_scheduler(model, k);
    // A class that the scheduler never gets takes part in no limit.
    auto& classes = share.classes;
    classes.erase(std::remove_if(classes.begin(), classes.end(), [](const class_spec& c) { return c.rate == 0.0; }),
                  classes.end());
    if (!classes.empty()) shares.push_back(std::move(share));
  }
  return shares;
}

// The limits of the scheduler that reaches its own first, as rates of all arrivals together.
void limit_by_each(const scenario& model, limit_search search, examination examine, stability& s) {
  double exact = std::numeric_limits<double>::infinity();
  double stable = exact, unstable = exact;
  bool all_exact = true;
  for (const scenario& share : different_shares(model)) {
    const stability own = examine(share, search);
    const double factor = s.rate / own.rate;  // of all arrivals to those that the scheduler gets
    if (own.unstable_from * factor < unstable) s.condition = own.condition;
    s.work = std::max(s.work, own.work);
    stable = std::min(stable, own.stable_below * factor);
    unstable = std::min(unstable, own.unstable_from * factor);
    all_exact = all_exact && own.policy_rate_is_exact();
    if (own.policy_rate) exact = std::min(exact, *own.policy_rate * factor);
  }
  s.work_rate = s.rate / s.work;
  s.stable_below = stable;
  s.unstable_from = unstable;
  if (all_exact) {
    s.policy_rate = exact;
    s.known_by = limit_evidence::exact;
  } else if (stable > 0.0) {
    s.policy_rate = stable;
    s.known_by = limit_evidence::bound;
  }
  s.condition = fmt::format("each of {} schedulers by itself, with its share of servers and arrivals: {}",
                            model.schedulers.count, s.condition);
}

}  // namespace

stability examine_schedulers(const scenario& model, limit_search search, examination examine) {
  // All servers under one scheduler of any policy, which decides as fast as all of them do together: no split of the
  // servers bears more.
  scenario joined = model;
  joined.schedulers = {};
  if (kind_of_jobs(model) == job_kind::rigid) joined.policy = {};
  joined.decision.fixed /= model.schedulers.count;
  joined.decision.per_dispatch /= model.schedulers.count;
  stability s = examine(joined, limit_search::quick);
  if (model.arrivals.jobs) return s;  // which come to an end
  s.policy_rate.reset();
  s.known_by = limit_evidence::bound;
  s.rule = stability_rule::not_known;
  s.stable_below = 0.0;
  if (model.schedulers.share_servers) {
    s.condition = "not known where schedulers share the servers: the work bound of all servers together is necessary";
  } else if (model.schedulers.steal) {
    s.condition =
        "not known where schedulers take jobs from each other: the work bound of all servers together is necessary";
  } else if (!model.schedulers.dispatching->looks_at_jobs) {
    limit_by_each(model, search, examine, s);
  } else {
    s.condition =
        "not known where jobs go to the scheduler with the fewest: the work bound of all servers together is necessary";
  }
  s.answer = verdict_of(s);
  return s;
}

}  // namespace muster
