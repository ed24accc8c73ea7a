#include <algorithm>
#include <utility>

#include "muster/policies/backfilling/server_plan.h"

namespace muster {

void server_plan::place(planned_job& j, ticks begin) {
  const planned_class& own = type(j);
  begin_placing(j, begin);
  unsigned left = own.need.tasks;
  for (auto server = own.servers.begin(); left > 0; ++server)
    left -= place_on(j, *server, std::min(left, room_on(*server, own, {j.begin, j.end}).tasks));
  end_placing(j);
}

void server_plan::begin_placing(planned_job& j, ticks begin) {
  const interval when = at(begin, j);
  j.begin = when.from;
  j.end = when.until;
  j.placed = given_back_.count();
  j.where.clear();
}

// Chooses what tasks of a job hold of a server on which they fit. @return how many they are
unsigned server_plan::place_on(planned_job& j, std::uint32_t server, unsigned tasks) {
  if (tasks == 0) return 0;
  planned_server& s = servers_[server];
  task_placement part{s.name.group, s.name.server, amounts(s.layout->places())};
  s.free.least(j.begin, j.end, least_);
  s.layout->take(least_, type(j).need, tasks, part.held);
  ++s.holds;
  j.where.push_back(std::move(part));
  return tasks;
}

void server_plan::end_placing(planned_job& j) {
  if (type(j).of_cluster) place_on_cluster(j);
  hold(j, j.begin, j.end);
}

void server_plan::place_on_cluster(planned_job& j) {
  task_placement part{whole_cluster, 0, amounts(cluster_layout_->places())};
  of_cluster_.least(j.begin, j.end, least_);
  cluster_layout_->take_of_job(least_, type(j).need.per_job, part.held);
  j.where.push_back(std::move(part));
}

bool server_plan::reserve_where_named(planned_job& j) {
  if (j.named.empty() || !fits_where_named(j)) return false;
  begin_placing(j, now_);
  for (const named_tasks& part : j.named) place_on(j, number(part.group, part.server), part.tasks);
  end_placing(j);
  return true;
}

}  // namespace muster
