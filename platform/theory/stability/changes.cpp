#include "platform/theory/stability/examinations.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace muster {

namespace {

// The greatest speed that a server keeps after all events while all its cores are busy.
double greatest_last_speed(const scenario& model) {
  double greatest = 0.0;
  for (const server_spec& s : model.servers) {
    const bool governed = s.changes_frequency();
    std::vector<double> last(s.count,
                             governed ? s.frequencies->table[s.frequencies->row(s.cores, s.cores)].speed : 1.0);
    for (const speed_event& e : s.speeds) last[e.server] = e.speed;
    for (const double speed : last) greatest = std::max(greatest, speed);
  }
  return greatest;
}

// Takes back a limit of the policy. @param why in words what is known instead
void forget_limit(stability& s, const char* why) {
  s.policy_rate.reset();
  s.known_by = limit_evidence::bound;
  s.stable_below = 0.0;
  s.condition = why;
}

// Takes back what does not hold where the cluster goes at other speeds than 1.
// @param of_finite what is to be said of arrivals that end
// @param speedup the most work that can be done, over that at speed 1
void limit_by(const scenario& model, stability& s, const char* of_finite, double speedup, const char* otherwise) {
  if (model.arrivals.jobs || model.arrivals.finite()) {
    s.condition += of_finite;
    return;
  }
  forget_limit(s, otherwise);
  s.unstable_from = s.work_rate * speedup;
  s.answer = s.rate >= s.unstable_from ? stability::verdict::unstable : stability::verdict::unknown;
}

// Judges by the rate that the arrivals keep after all events.
void judge_last_rate(const scenario& model, stability& s) {
  if (!model.rate_changes()) return;
  const double factor = model.arrivals.changes.back().factor;
  stability last = s;
  last.rate *= factor;
  last.work *= factor;
  s.answer = verdict_of(last);
  s.condition += fmt::format("; it is held against the last rate, {:g} times that at first", factor);
}

// Takes back what does not hold where an FMU may change speeds, servers and the rate of arrivals in any way.
void leave_open_beside_fmus(const scenario& model, stability& s) {
  if (!model.fmus_control() || model.arrivals.finite()) return;
  forget_limit(s, "not known where an FMU changes the cluster: loads and the bound are those without the changes");
  s.answer = stability::verdict::unknown;
}

}  // namespace

void limit_by_changes(const scenario& model, stability& limits) {
  // Exchange may slow jobs, and nothing else does more work.
  if (model.exchanges_data())
    limit_by(model, limits, "; it is the load without the time that exchange of data takes", 1.0,
             "not known where jobs exchange data while they work: the work bound without exchange is necessary");
  // In the long run no server does more work than all would at the greatest speed that one of them keeps.
  if (model.speeds_change())
    limit_by(model, limits, "; it is the load at speed 1, as changes of the servers' speeds are not counted",
             greatest_last_speed(model),
             "not known where the speeds of servers change: loads are those at speed 1; the work bound with all "
             "servers at the greatest speed that one of them keeps is necessary");
  judge_last_rate(model, limits);
  leave_open_beside_fmus(model, limits);
}

}  // namespace muster
