#include "muster/modules/scheduler/events/phase_reporter.h"

#include <fmt/format.h>

#include "muster/modules/scheduler/events/policy_call.h"
#include "muster/modules/scheduler/events/scheduler_error.h"
#include "muster/policies/catalogue.h"

namespace muster {

phase_reporter::phase_reporter(const timekeeper& time, const policy& rules)
    : time_(time), policy_(rules), phases_(call_policy("phases()", [&] { return rules.phases(); })) {
  constexpr unsigned most = 1'000;  // each has statistics of its own
  if (phases_ > most)
    scheduler_fault(
        time, fmt::format("policy '{}': its phases() is {}; expected at most {}", rules.entry()->name, phases_, most));
}

void phase_reporter::report() {
  seen_ = policy_.phases_begun();
  if (policy_.phase() > phases_) refuse();
  if (observer_) observer_->phase_begins(time_.now(), policy_.phase());
}

void phase_reporter::refuse() const {
  const std::string expected =
      phases_ == 0 ? "none, as its phases() is 0" : fmt::format("at most its {} phases()", phases_);
  scheduler_fault(
      time_, fmt::format("policy '{}' began phase {}; expected {}", policy_.entry()->name, policy_.phase(), expected));
}

}  // namespace muster
