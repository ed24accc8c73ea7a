#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "muster/modules/scheduler/services/rigid_service.h"

namespace muster {

/// A service of rigid jobs some of which have servers of their own, see scheduler_settings::named_places. Such a job is
/// there when it is first started, whatever the placement or the policy has chosen, if there is room; else, and when it
/// is resumed, it is placed as any other.
/// @tparam Service rigid_service or a class derived from it
template <class Service>
class service_of_named_places : public Service {
 public:
  /// @param places of the first jobs to arrive
  service_of_named_places(const scheduler_parts& parts, rigid_policy& rules, std::vector<job_places> places)
      : Service(parts, rules), places_(std::move(places)) {}

 private:
  void start(const job& waiting) override {
    if (!start_where_named(waiting)) Service::start(waiting);
  }
  void start_on(const job& waiting, const std::vector<task_placement>& where) override {
    if (!start_where_named(waiting)) Service::start_on(waiting, where);
  }

  // Starts a job on servers of its own. @return whether it has some, with room
  bool start_where_named(const job& waiting) {
    if (waiting.id >= places_.size() || places_[static_cast<std::size_t>(waiting.id)].empty()) return false;
    job_extension& j = this->checked(waiting);
    const job_places where = std::exchange(places_[static_cast<std::size_t>(waiting.id)], {});
    const unsigned slices = this->cores_.place_where_named(waiting, where);
    if (slices > 0) this->send_placed(j, slices);
    return slices > 0;
  }

  std::vector<job_places> places_;  // by number of the job; empty: it has none, or has been started
};

}  // namespace muster
