#include "muster/policies/backfilling/backfilling.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "muster/policies/work_time.h"

namespace muster {

extern const placement_entry first_placement;

namespace {

// Why the policies cannot run these classes, if they cannot.
std::optional<std::string> objection(const cluster_view& cluster) {
  if (cluster.counts_tasks()) {
    if (!cluster.inventory().groups.empty()) return std::nullopt;
    return "it plans what each server has free, but the cluster has no inventory; expected one";
  }
  const auto servers = [&](class_id id) {
    auto groups = cluster.groups(id);
    std::sort(groups.begin(), groups.end());
    return groups;
  };
  for (const class_id id : cluster.classes())
    if (servers(id) != servers(class_id{0}))
      return "it plans all cores as one pool, but classes '" + cluster.name(class_id{0}) + "' and '" +
             cluster.name(id) + "' may use different servers; expected the same for all, or tasks";
  return std::nullopt;
}

}  // namespace

backfilling::backfilling(const cluster_view& cluster, const settings& given, const limits& most)
    : order_(backfill_order_of(given.choice("order"))),
      at_each_event_(given.choice("pass") == "each_event"),
      most_jobs_(cluster.counts_tasks() ? most.of_tasks : most.on_cores),
      plan_(plan_for(cluster)) {
  for (const class_id id : cluster.classes()) slowest_.push_back(cluster.slowest(id));
  for (const planned_outage& o : cluster.planned_outages())
    if (o.until < end_of_clock) returns_.push_back(o.until);
  std::sort(returns_.begin(), returns_.end(), std::greater<>{});
}

parameter backfilling::order_parameter() {
  return {"order", choice_parameter{backfill_orders()}, "of the waiting jobs, ties by arrival"};
}

parameter backfilling::pass_parameter() {
  return {"pass", choice_parameter{{"each_instant", "each_event"}},
          "whether all events of an instant are known before jobs start, or one after the other"};
}

void backfilling::share_traits(policy_entry& entry) {
  entry.check_classes = objection;
  entry.uses_estimates = true;
  entry.any_needs = true;
  entry.any_resources = true;
  entry.places_by = &first_placement;
  entry.places_only_tasks = true;
}

void backfilling::arrived(const job& j, rigid_view cluster, rigid_decisions& decide) {
  if (j.estimate == 0)
    throw policy_error("job " + std::to_string(j.id) + " of class '" + cluster.name(j.type) +
                       "' has no estimate; expected one of at least one tick");
  planned_job& own = jobs_[j.id];
  own.of = &j;
  own.cores = cluster.cores(j.type);
  if (cluster.counts_tasks()) own.named = decide.named_servers(j);
  wait(own);
  schedule(cluster, decide);
}

void backfilling::completed(const job& j, rigid_view cluster, rigid_decisions& decide) {
  const auto found = jobs_.find(j.id);
  planned_job& own = found->second;
  since_.early_end = since_.early_end || own.end > cluster.now();
  leave_servers(own, cluster);
  jobs_.erase(found);
  schedule(cluster, decide);
}

void backfilling::interrupted(const job& j, rigid_view cluster, rigid_decisions& decide) {
  planned_job& own = jobs_.at(j.id);
  since_.interrupted = true;
  leave_servers(own, cluster);
  wait(own);
  schedule(cluster, decide);
}

void backfilling::wait(planned_job& j) {
  const ticks left = j.of->estimate > j.of->done ? j.of->estimate - j.of->done : 1;
  j.duration = time_of_work(left, slowest_[j.of->type]);
  joins(j);
}

void backfilling::leave_servers(planned_job& j, rigid_view cluster) {
  running_.erase(&j);
  usage_.end(j.of->user, j.cores, cluster.now());
  plan_->end(j, cluster.now());
}

void backfilling::start(planned_job& j, rigid_view cluster, rigid_decisions& decide) {
  leaves(j);
  plan_->start(j, decide);
  usage_.begin(j.of->user, j.cores, cluster.now());
  running_.insert(&j);
}

backfilling::changes backfilling::bring_up_to_date(rigid_view cluster) {
  const reservation_plan::change up = plan_->advance(cluster);
  since_.less_is_up = up == reservation_plan::change::less;
  since_.more_is_up = up == reservation_plan::change::more;
  while (!running_.empty() && (*running_.begin())->end <= cluster.now()) {
    planned_job& late = **running_.begin();
    running_.erase(running_.begin());
    plan_->extend(late, expected_end(late.begin, late.duration, cluster.now()));
    running_.insert(&late);
    since_.overrun = true;
  }
  return std::exchange(since_, {});
}

// Makes a pass, or requests one after all events of this instant.
void backfilling::schedule(rigid_view cluster, rigid_decisions& decide) {
  if (at_each_event_)
    make_pass(cluster, decide);
  else if (!std::exchange(requested_, true))
    decide.wake_at(cluster.now(), 0);
}

// A time that was requested for a reservation cannot be withdrawn: the reservation may have become another one.
void backfilling::woken(std::uint32_t, rigid_view cluster, rigid_decisions& decide) {
  if (awaited_ <= cluster.now()) awaited_ = end_of_clock;
  if (!requested_ && next_time() > cluster.now() && next_end_ <= cluster.now()) go_on(cluster);
  if (requested_ || next_time() <= cluster.now())
    make_pass(cluster, decide);
  else
    await(std::min(next_time(), next_end_), decide);
}

// A pass follows only if some job has its reservation now: it begins when it would if none had been left out.
void backfilling::go_on(rigid_view cluster) {
  plan_->pass_time(cluster.now());
  plan_more(cluster);
  find_next_end(cluster.now());
}

void backfilling::find_next_end(ticks now) {
  next_end_ = end_of_clock;
  if (!has_left_out_jobs()) return;
  const auto next = std::find_if(running_.begin(), running_.end(), [&](const planned_job* j) { return j->end > now; });
  if (next != running_.end()) next_end_ = (*next)->end;
}

void backfilling::make_pass(rigid_view cluster, rigid_decisions& decide) {
  requested_ = false;
  pass(cluster, decide);
  while (!returns_.empty() && returns_.back() <= cluster.now()) returns_.pop_back();
  find_next_end(cluster.now());
  await(std::min(next_time(), next_end_), decide);
}

// The time of the next pass that nothing else brings about: of a reservation, or of a planned return of a server, of
// which nobody is told where all its cores are in use.
ticks backfilling::next_time() const {
  return returns_.empty() ? next_reservation() : std::min(next_reservation(), returns_.back());
}

void backfilling::await(ticks at, rigid_decisions& decide) {
  if (at >= awaited_) return;
  awaited_ = at;
  decide.wake_at(at, 0);
}

}  // namespace muster
