#include "muster/policies/slurm/slurm_scheduler.h"

#include <algorithm>
#include <string>
#include <utility>

#include "muster/policies/work_time.h"

namespace muster {

slurm_scheduler::slurm_scheduler(const cluster_view& cluster, const settings& given)
    : set_(given, cluster.ticks_per_unit()),
      qos_(given),
      nodes_(cluster),
      completing_(nodes_.size(), set_.completing_time),
      search_(nodes_, node_orders_of(cluster, given), set_.second, set_.bf_window_linear, set_.kill_wait),
      preempting_(nodes_, search_, set_, qos_),
      terms_(cluster, given, set_.second),
      grace_(set_.second, set_.main_phase),
      plan_(nodes_, completing_, search_, preempting_, set_),
      priorities_(cluster, given, nodes_, qos_),
      main_(set_.sched_interval, set_.batch_sched_delay, set_.sched_min_interval, set_.second, set_.main_phase),
      backfill_(set_.bf_interval, set_.second),
      candidates_(nodes_, search_, cluster.class_count()) {
  std::vector<std::string> names;
  for (const class_id id : cluster.classes()) {
    const auto found = std::find(names.begin(), names.end(), cluster.name(id));
    const auto number = static_cast<std::size_t>(found - names.begin());
    if (found == names.end()) {
      names.push_back(cluster.name(id));
      nodes_of_partition_.emplace_back(nodes_.size());
      limits_.add_partition(cluster.parameters(id));
    }
    nodes_of_partition_[number] |= nodes_.of_servers(id);
    partitions_.push_back(number);
    tiers_.push_back(static_cast<std::uint64_t>(cluster.parameters(id).integer("PriorityTier")));
    slowest_.push_back(cluster.slowest(id));
  }
  sorts_by_qos_ = set_.preempts_by_qos &&
                  (set_.backfills || priorities_.change() ||
                   std::any_of(tiers_.begin(), tiers_.end(), [&](std::uint64_t t) { return t != *tiers_.begin(); }));
  limits_.add_no_qos();
  for (const auto& [name, values] : given.tables("qos")) limits_.add_qos(values, values.choice("OverPartQOS") == "yes");
  limits_.add_associations(given);
  fitted_ = table<class_id, unsigned char>(cluster.class_count());
  by_time_ = next_by_time(0);
}

void slurm_scheduler::arrived(const job& j, rigid_view cluster, rigid_decisions& decide) {
  if (j.estimate == 0)
    throw policy_error("job " + std::to_string(j.id) + " of class '" + cluster.name(j.type) +
                       "' has no estimate; expected one of at least one tick");
  begin_event(cluster);
  slurm_job& own = add(j, cluster);
  priorities_.arrive(own);
  wait(own, cluster);
  test_submitted(own, cluster.now());
  if (const auto named = nodes_.named_for(j, cluster, decide); !named.empty()) {
    queue_.erase(own);
    start(own, named, cluster, decide);
  }
  main_.ask_background(cluster.now());
  end_event(cluster, decide);
}

slurm_job& slurm_scheduler::add(const job& j, rigid_view cluster) {
  slurm_job& own = jobs_[j.id];
  own.of = &j;
  own.cores = cluster.cores(j.type);
  own.nodes = static_cast<unsigned>(nodes_.fewest_nodes(j.type));
  own.partition = partitions_[j.type];
  own.qos = qos_.row_of(j);
  own.qos_level = sorts_by_qos_ ? qos_.level(own.qos) : 0;
  own.tier = tiers_[j.type];
  // Slurm keeps 16 bits of a QOS's priority here.
  own.gives_way_by = set_.preempts_by_qos ? std::min<std::uint64_t>(qos_.priority(own.qos), 0xffff) : own.tier;
  own.terms = terms_.of(j.type, own.qos);
  if (limits_.excludes(own))
    throw policy_error("job " + std::to_string(j.id) + " of class '" + cluster.name(j.type) + "' needs " +
                       std::to_string(own.cores) + " cores on " + std::to_string(own.nodes) +
                       " nodes, more than the limits of its partition" +
                       (own.qos > 0 ? " and of QOS '" + qos_.name(own.qos) + "'" : "") +
                       (limits_.has_association(own) ? " and of its user and accounts" : "") +
                       " allow; expected a job that keeps them");
  return own;
}

void slurm_scheduler::completed(const job& j, rigid_view cluster, rigid_decisions& decide) {
  begin_event(cluster);
  slurm_job& own = jobs_.at(j.id);
  const bool is_cancelled = own.is_leaving && own.terms->is_cancelled;
  leave_nodes(own, cluster);
  jobs_.erase(j.id);
  if (is_cancelled)
    ask_after_preemption(cluster.now());
  else
    ask_after_end(cluster.now());
  end_event(cluster, decide);
}

void slurm_scheduler::interrupted(const job& j, rigid_view cluster, rigid_decisions& decide) {
  begin_event(cluster);
  slurm_job& own = jobs_.at(j.id);
  leave_nodes(own, cluster);
  wait(own, cluster);
  ask_after_end(cluster.now());
  end_event(cluster, decide);
}

void slurm_scheduler::repaired(group_id, rigid_view cluster, rigid_decisions& decide) {
  begin_event(cluster);
  ask_after_end(cluster.now());
  end_event(cluster, decide);
}

void slurm_scheduler::woken(std::uint32_t, rigid_view cluster, rigid_decisions& decide) {
  const ticks now = cluster.now();
  if (awaited_ <= now) awaited_ = end_of_clock;
  advance(cluster);
  end_grace_periods(now, decide);
  if (set_.has_main_loop && main_.next() <= now) main_pass(cluster, decide);
  if (pass_.resumes <= now)
    resume_long_pass(cluster, decide);
  else if (backfill_is_due(cluster))
    backfill_pass(cluster, decide);
  end_event(cluster, decide);
}

// Goes through what has happened by time alone.
void slurm_scheduler::advance(rigid_view cluster) {
  const ticks now = cluster.now();
  while (completing_.next_change() <= now) clean_up(completing_.next_change());
  main_.advance(now);
  backfill_.advance(now);
  if (by_time_ > now) return;
  change(now);
  if (priorities_.bring_up_to_date(now) && !queue_.empty())
    queue_.reorder([&](const slurm_job& j) { return priorities_.of(j, priorities_.computed_at()); });
  end_waits_apart(cluster);
  by_time_ = next_by_time(now);
}

// Goes on to an instant at which nodes are no longer completing.
void slurm_scheduler::clean_up(ticks at) {
  main_.advance(at);
  backfill_.advance(at);
  completing_.advance(at);
  change(at);
  ask_after_end(at);
}

void slurm_scheduler::begin_event(rigid_view cluster) {
  advance(cluster);
  change(cluster.now());
}

void slurm_scheduler::end_event(rigid_view cluster, rigid_decisions& decide) {
  backfill_.wait(!queue_.empty());
  await(cluster, decide);
}

void slurm_scheduler::change(ticks now) {
  backfill_.change(now);
  backfill_changed_ = true;
  main_.ask_full(now);
}

void slurm_scheduler::ask_after_end(ticks at) {
  if (set_.defer)
    main_.ask_background(at);
  else
    main_.ask_at_once(at);
}

// The next instant at which priorities change, an outage begins or ends, or a job has waited apart from the queue.
ticks slurm_scheduler::next_by_time(ticks now) const {
  ticks next = priorities_.change() ? priorities_.next(now) : end_of_clock;
  for (const node_table::outage& o : nodes_.outages()) {
    if (o.from > now) next = std::min(next, o.from);
    if (o.until > now) next = std::min(next, o.until);
  }
  if (!apart_.empty()) next = std::min(next, apart_.begin()->first);
  return next;
}

bool slurm_scheduler::backfill_is_due(rigid_view cluster) const {
  const ticks now = cluster.now();
  return set_.backfills && !queue_.empty() && !pass_.is_open() && backfill_.due(now) == now &&
         backfill_changes_at(cluster) <= now;
}

// The instant from which on a backfill pass may differ from the latest one.
ticks slurm_scheduler::backfill_changes_at(rigid_view cluster) const {
  const ticks now = cluster.now();
  return backfill_changed_ || each_pass_counts(cluster) ? now : std::min(stands_until_, search_.first_end());
}

// Whether no pass is left out that could start no job: jobs may have to give way, which depends on time, or a pass may
// change the weights of nodes, which count for the next one. Where no job runs and no node is completing, all passes
// are alike, and a run whose jobs can never start ends.
bool slurm_scheduler::each_pass_counts(rigid_view cluster) const {
  if (queue_.empty()) return false;
  if (preempting_.concerns(queue_)) return true;
  const bool any_runs = jobs_.size() > queue_.size() + apart_.size();
  if (!nodes_.any_needs_devices() || (!any_runs && completing_.empty())) return false;
  if (search_.weights().any()) return true;
  const class_set& waiting = cluster.waiting_classes();
  for (class_id id = waiting.first(); id != class_set::none; id = waiting.next(id))
    if (nodes_.needs_devices(id)) return true;
  return false;
}

bool slurm_scheduler::any_fits(rigid_view cluster) {
  const class_set& waiting = cluster.waiting_classes();
  for (class_id id = waiting.first(); id != class_set::none; id = waiting.next(id))
    if (cluster.fits(id)) return true;
  return false;
}

// Requests a call at the next pass that may start or preempt a job, when a pass goes on, when a job joins the queue,
// and when a GraceTime is over.
void slurm_scheduler::await(rigid_view cluster, rigid_decisions& decide) {
  ticks next = std::min({pass_.resumes, grace_.next(), apart_.empty() ? end_of_clock : apart_.begin()->first});
  if (!queue_.empty() && (any_fits(cluster) || each_pass_counts(cluster)))
    next = std::min(next, next_of_queue(cluster));
  if (next >= awaited_) return;
  awaited_ = next;
  decide.wake_at(next, 0);
}

// The next instant at which a pass may do anything for the jobs of the queue.
ticks slurm_scheduler::next_of_queue(rigid_view cluster) const {
  ticks next = std::min(by_time_, completing_.next_change());
  if (set_.has_main_loop) next = std::min(next, main_.next());
  if (set_.backfills && !pass_.is_open())
    next = std::min(next, backfill_.due(std::max(cluster.now(), backfill_changes_at(cluster))));
  return next;
}

void slurm_scheduler::wait(slurm_job& j, rigid_view cluster) {
  const ticks left = j.of->estimate > j.of->done ? j.of->estimate - j.of->done : 1;
  j.limit = time_of_work(left, slowest_[j.of->type]);
  j.priority = priorities_.of(j, cluster.now());
  queue_.insert(j);
}

void slurm_scheduler::start(slurm_job& j, const std::vector<node_share>& where, rigid_view cluster,
                            rigid_decisions& decide) {
  j.held = nodes_.start(*j.of, where, decide);
  j.end = cluster.now() + j.limit;
  search_.add(j);
  preempting_.add(j);
  priorities_.begin(j, cluster.now());
  limits_.begin(j);
  ++running_of(j);
}

void slurm_scheduler::leave_nodes(slurm_job& j, rigid_view cluster) {
  if (!std::exchange(j.is_leaving, false)) preempting_.remove(j);
  grace_.end(j);
  search_.remove(j);
  nodes_.end(j.held);
  completing_.add(j, cluster.now());
  priorities_.end(j, cluster.now());
  limits_.end(j);
  --running_of(j);
}

}  // namespace muster
