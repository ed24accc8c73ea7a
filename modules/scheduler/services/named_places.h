#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "muster/modules/scheduler/services/rigid_service.h"

namespace muster {

/// A service of rigid jobs some of which have servers of their own, see scheduler_settings::named_places. Such a job is
/// there when it is first started, whatever the placement would choose, if there is room; else, and when it is resumed,
/// it is placed as any other. A policy that chooses servers itself knows these and is obeyed: its plans rely on where
/// jobs are.
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
    Service::start_on(waiting, where);
    if (!has_places(waiting)) return;
    if (are_elsewhere(where, take_places(waiting))) this->cores_.note_other_places();
  }
  std::vector<named_tasks> named_servers(const job& waiting) const override {
    std::vector<named_tasks> named;
    if (has_places(waiting))
      for (const placement& at : places_[static_cast<std::size_t>(waiting.id)])
        named.push_back({at.group, at.server, at.cores});
    return named;
  }

  // Starts a job on servers of its own. @return whether it has some, with room
  bool start_where_named(const job& waiting) {
    if (!has_places(waiting)) return false;
    job_extension& j = this->checked(waiting);
    const job_places where = take_places(waiting);
    const unsigned slices = this->cores_.place_where_named(waiting, where);
    if (slices > 0) this->send_placed(j, slices);
    return slices > 0;
  }

  bool has_places(const job& waiting) const {
    return waiting.id < places_.size() && !places_[static_cast<std::size_t>(waiting.id)].empty();
  }
  job_places take_places(const job& waiting) {
    return std::exchange(places_[static_cast<std::size_t>(waiting.id)], {});
  }
  static bool are_elsewhere(const std::vector<task_placement>& where, const job_places& named) {
    return !std::all_of(named.begin(), named.end(), [&](const placement& at) {
      return std::any_of(where.begin(), where.end(),
                         [&](const task_placement& t) { return t.group == at.group && t.server == at.server; });
    });
  }

  std::vector<job_places> places_;  // by number of the job; empty: it has none, or has been started
};

}  // namespace muster
