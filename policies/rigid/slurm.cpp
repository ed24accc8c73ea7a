#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "muster/policies/slurm/backfill_plan.h"
#include "muster/policies/slurm/pass_times.h"
#include "muster/policies/slurm/priorities.h"
#include "muster/policies/work_time.h"

namespace muster {

extern const placement_entry first_placement;

/// The scheduler of Slurm 22.05: main passes that start jobs in order, and backfill passes that plan. Sources: the
/// manual of slurm.conf; Yoo, Jette and Grondona, "SLURM: simple Linux utility for resource management" (JSSPP 2003).
///
/// Order: jobs of a partition of a higher PriorityTier first, then those of a higher priority, then by arrival. A class
/// is a partition; where jobs bring needs of their own, their classes here are one, by its name.
///
/// A main pass (main_times has its times): jobs in order. A job that does not fit blocks its partition, and all nodes
/// of it, for the rest of the pass.
///
/// A backfill pass (backfill_times has its times): jobs in order, each of which starts or gets a reservation
/// (backfill_plan).
///
/// Limits are the estimates: a running job is believed to end with its limit (start_search). A job starts on nodes with
/// a planned outage only if its limit ends before.
///
/// A pass is left out where it could start no job: where none that waits fits on what is free, or nothing has changed
/// since the pass before, by an event or by time.
class slurm final : public rigid_policy {
 public:
  slurm(const cluster_view& cluster, const settings& given)
      : set_(given, cluster.ticks_per_unit()),
        nodes_(cluster),
        search_(nodes_, set_.second, set_.bf_window_linear, set_.kill_wait),
        plan_(nodes_, search_, set_),
        priorities_(cluster, given, nodes_),
        main_(set_.sched_interval, set_.batch_sched_delay, set_.sched_min_interval, set_.second),
        backfill_(set_.bf_interval, set_.second) {
    std::vector<std::string> names;
    for (const class_id id : cluster.classes()) {
      const auto found = std::find(names.begin(), names.end(), cluster.name(id));
      const auto number = static_cast<std::size_t>(found - names.begin());
      if (found == names.end()) {
        names.push_back(cluster.name(id));
        nodes_of_partition_.emplace_back(nodes_.size());
      }
      nodes_of_partition_[number] |= nodes_.of_servers(id);
      partitions_.push_back(number);
      tiers_.push_back(static_cast<std::uint64_t>(cluster.parameters(id).integer("PriorityTier")));
      slowest_.push_back(cluster.slowest(id));
    }
    fitted_ = table<class_id, unsigned char>(cluster.class_count());
    by_time_ = next_by_time(0);
  }

  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    if (j.estimate == 0)
      throw policy_error("job " + std::to_string(j.id) + " of class '" + cluster.name(j.type) +
                         "' has no estimate; expected one of at least one tick");
    begin_event(cluster);
    slurm_job& own = jobs_[j.id];
    own.of = &j;
    own.cores = cluster.cores(j.type);
    own.partition = partitions_[j.type];
    own.tier = tiers_[j.type];
    priorities_.arrive(own);
    wait(own, cluster);
    main_.ask_background(cluster.now());
    end_event(cluster, decide);
  }
  void completed(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    begin_event(cluster);
    const auto found = jobs_.find(j.id);
    leave_nodes(found->second, cluster);
    jobs_.erase(found);
    ask_after_end(cluster);
    end_event(cluster, decide);
  }
  void interrupted(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    begin_event(cluster);
    slurm_job& own = jobs_.at(j.id);
    leave_nodes(own, cluster);
    wait(own, cluster);
    ask_after_end(cluster);
    end_event(cluster, decide);
  }
  void repaired(group_id, rigid_view cluster, rigid_decisions& decide) override {
    begin_event(cluster);
    ask_after_end(cluster);
    end_event(cluster, decide);
  }
  void woken(std::uint32_t, rigid_view cluster, rigid_decisions& decide) override {
    const ticks now = cluster.now();
    if (awaited_ <= now) awaited_ = end_of_clock;
    advance(cluster);
    if (set_.has_main_loop && main_.next() <= now) main_pass(cluster, decide);
    if (backfill_is_due(now)) backfill_pass(cluster, decide);
    end_event(cluster, decide);
  }

 private:
  using queue = std::set<slurm_job*, earlier_in_queue>;

  /// @name Events
  /// @{
  // Goes through what has happened by time alone.
  void advance(rigid_view cluster) {
    const ticks now = cluster.now();
    main_.advance(now);
    backfill_.advance(now);
    if (by_time_ > now) return;
    by_time_ = next_by_time(now);
    change(now);
    if (!priorities_.bring_up_to_date(now) || queue_.empty()) return;
    sorted_.assign(queue_.begin(), queue_.end());
    queue_.clear();
    for (slurm_job* j : sorted_) {
      j->priority = priorities_.of(*j, priorities_.computed_at());
      queue_.insert(j);
    }
  }
  void begin_event(rigid_view cluster) {
    advance(cluster);
    change(cluster.now());
  }
  void end_event(rigid_view cluster, rigid_decisions& decide) {
    backfill_.wait(!queue_.empty());
    await(cluster, decide);
  }
  void change(ticks now) {
    backfill_.change(now);
    backfill_changed_ = true;
    main_.ask_full(now);
  }
  void ask_after_end(rigid_view cluster) {
    if (set_.defer)
      main_.ask_background(cluster.now());
    else
      main_.ask_at_once(cluster.now());
  }
  // The next instant at which priorities change or an outage begins or ends.
  ticks next_by_time(ticks now) const {
    ticks next = priorities_.change() ? priorities_.next(now) : end_of_clock;
    for (const node_table::outage& o : nodes_.outages()) {
      if (o.from > now) next = std::min(next, o.from);
      if (o.until > now) next = std::min(next, o.until);
    }
    return next;
  }
  bool backfill_is_due(ticks now) const {
    return set_.backfills && backfill_.due(now) == now && backfill_changes_at(now) <= now;
  }
  // The instant from which on a backfill pass may differ from the latest one.
  ticks backfill_changes_at(ticks now) const {
    return backfill_changed_ ? now : std::min(stands_until_, search_.first_end());
  }
  static bool any_fits(rigid_view cluster) {
    const class_set& waiting = cluster.waiting_classes();
    for (class_id id = waiting.first(); id != class_set::none; id = waiting.next(id))
      if (cluster.fits(id)) return true;
    return false;
  }
  // Requests a call at the next pass that may start a job.
  void await(rigid_view cluster, rigid_decisions& decide) {
    if (queue_.empty() || !any_fits(cluster)) return;
    const ticks now = cluster.now();
    ticks next = by_time_;
    if (set_.has_main_loop) next = std::min(next, main_.next());
    if (set_.backfills) next = std::min(next, backfill_.due(std::max(now, backfill_changes_at(now))));
    if (next >= awaited_) return;
    awaited_ = next;
    decide.wake_at(next, 0);
  }
  /// @}

  /// @name Jobs
  /// @{
  void wait(slurm_job& j, rigid_view cluster) {
    const ticks left = j.of->estimate > j.of->done ? j.of->estimate - j.of->done : 1;
    j.limit = time_of_work(left, slowest_[j.of->type]);
    j.priority = priorities_.of(j, cluster.now());
    queue_.insert(&j);
  }
  void start(slurm_job& j, rigid_view cluster, rigid_decisions& decide) {
    j.held = nodes_.start(*j.of, search_.chosen(), decide);
    j.end = cluster.now() + j.limit;
    search_.add(j);
    priorities_.begin(j, cluster.now());
    ++running_of(j);
  }
  void leave_nodes(slurm_job& j, rigid_view cluster) {
    search_.remove(j);
    nodes_.end(j.held);
    priorities_.end(j, cluster.now());
    --running_of(j);
  }
  std::size_t& running_of(const slurm_job& j) { return running_of_user_[j.of->user]; }
  bool exceeds_limits(const slurm_job& j) {
    return set_.max_jobs_per_user < jobs_.size() && running_of(j) >= set_.max_jobs_per_user;
  }
  /// @}

  /// @name Passes
  /// @{
  void main_pass(rigid_view cluster, rigid_decisions& decide) {
    const ticks now = cluster.now();
    const std::size_t most = main_.is_full(now) ? queue_.size() : set_.default_queue_depth;
    main_.make(now);
    if (!any_fits(cluster)) return;
    nodes_.find_down(cluster);
    node_set open = nodes_.up();
    std::vector<bool> blocked(nodes_of_partition_.size());
    std::size_t tested = 0, started = 0;
    for (auto next = queue_.begin(); next != queue_.end(); ++tested) {
      if (tested == most) {
        main_.ask_full(now + 1);
        break;
      }
      slurm_job& j = **next;
      const auto here = next++;
      if (blocked[j.partition] || exceeds_limits(j)) continue;
      const class_id type = j.of->type;
      if (fits_now(j, open, now)) {
        if (!cluster.fits(type)) continue;  // what the cluster has as a whole does not suffice
        queue_.erase(here);
        start(j, cluster, decide);
        ++started;
      } else {
        blocked[j.partition] = true;
        open -= nodes_of_partition_[j.partition];
      }
    }
    cluster.count_examined(tested);
    if (started > 0) change_by_starts(now);
  }
  bool fits_now(const slurm_job& j, const node_set& open, ticks now) {
    node_set nodes = nodes_.usable(j.of->type);
    nodes &= open;
    for (const node_table::outage& o : nodes_.outages())
      if (o.from <= now + j.limit && now < o.until) nodes -= o.nodes;
    return search_.fits_now(j.of->type, nodes);
  }
  // Jobs that start leave their reservations, so that plans change.
  void change_by_starts(ticks now) {
    backfill_.change(now);
    backfill_changed_ = true;
  }

  void backfill_pass(rigid_view cluster, rigid_decisions& decide) {
    const ticks now = cluster.now();
    backfill_.make(now);
    backfill_changed_ = false;
    std::size_t candidates = 0;  // jobs that may start now
    fitting_.clear();
    for (const class_id id : cluster.classes()) {
      fitted_[id] = cluster.waiting(id) > 0 && cluster.fits(id);
      if (!fitted_[id]) continue;
      fitting_.push_back(id);
      candidates += cluster.waiting(id);
    }
    stands_until_ = end_of_clock;
    if (candidates == 0) return;
    nodes_.find_down(cluster);
    plan_.begin(now);
    of_user_.clear();
    of_partition_.assign(nodes_of_partition_.size(), 0);
    cluster.count_examined(std::min(queue_.size(), set_.bf_max_job_test));
    const ticks shortest = shortest_limit();
    std::size_t tested = 0, started = 0;
    for (auto next = queue_.begin(); next != queue_.end() && candidates > 0 && started < set_.bf_max_job_start;) {
      if (plan_.has_reserved() && !any_may_start(shortest)) break;
      if (tested++ == set_.bf_max_job_test) break;
      slurm_job& j = **next;
      const auto here = next++;
      if (fitted_[j.of->type]) --candidates;
      if (exceeds_limits(j) || is_beyond_limits_of_pass(j)) continue;
      if (!plan_.place(j) || !cluster.fits(j.of->type)) continue;
      queue_.erase(here);
      start(j, cluster, decide);
      ++started;
    }
    stands_until_ = plan_.stands_until();
    if (started > 0) change(now);
  }
  // The shortest limit of the jobs that may start now.
  ticks shortest_limit() const {
    ticks shortest = end_of_clock;
    for (const slurm_job* j : queue_)
      if (fitted_[j->of->type]) shortest = std::min(shortest, j->limit);
    return shortest;
  }
  // Whether there is room for some job beside what is reserved until its limit, of which the shortest is given.
  bool any_may_start(ticks shortest) {
    const node_set& open = plan_.open_until(shortest);
    return std::any_of(fitting_.begin(), fitting_.end(), [&](class_id id) {
      open_ = open;
      open_ &= nodes_.usable(id);
      return search_.has_room(id, open_);
    });
  }
  bool is_beyond_limits_of_pass(const slurm_job& j) {
    const bool of_user = set_.bf_max_job_user < queue_.size() && of_user_[j.of->user]++ >= set_.bf_max_job_user;
    return of_partition_[j.partition]++ >= set_.bf_max_job_part || of_user;
  }
  /// @}

  slurm_settings set_;
  node_table nodes_;
  start_search search_;
  backfill_plan plan_;
  priorities priorities_;
  main_times main_;
  backfill_times backfill_;
  std::vector<node_set> nodes_of_partition_;
  table<class_id, std::size_t> partitions_;
  table<class_id, std::uint64_t> tiers_;
  table<class_id, double> slowest_;
  std::unordered_map<std::uint64_t, slurm_job> jobs_;  // in the system, by id
  queue queue_;
  std::unordered_map<std::uint32_t, std::size_t> running_of_user_;
  bool backfill_changed_ = false;      // since the latest backfill pass
  ticks stands_until_ = end_of_clock;  // of the plan of the latest backfill pass
  ticks by_time_;                      // the next change that no event brings about
  ticks awaited_ = end_of_clock;       // the earliest of the times requested
  // Of a pass that is made:
  table<class_id, unsigned char> fitted_;  // whether jobs of the class fit, when the pass begins
  std::vector<class_id> fitting_;          // the classes of such jobs
  node_set open_;
  std::unordered_map<std::uint32_t, std::size_t> of_user_;
  std::vector<std::size_t> of_partition_;
  std::vector<slurm_job*> sorted_;
};

extern const policy_entry slurm_entry;
const policy_entry slurm_entry = [] {
  policy_entry entry;
  entry.name = "slurm";
  entry.about =
      "Main and backfill passes of Slurm 22.05 with its parameters: in order of priority, with reservations of whole "
      "nodes (manual of slurm.conf)";
  entry.parameters = slurm_parameters();
  entry.class_parameters = slurm_partition_parameters();
  entry.construct = [](const cluster_view& cluster, const settings& given,
                       random_numbers&) -> std::unique_ptr<rigid_policy> {
    return std::make_unique<slurm>(cluster, given);
  };
  entry.check_classes = [](const cluster_view& cluster) { return node_table::objection(cluster); };
  entry.uses_estimates = true;
  entry.any_needs = true;
  entry.any_resources = true;
  entry.places_by = &first_placement;
  entry.places_only_tasks = true;
  entry.counts_seconds = true;
  return entry;
}();

}  // namespace muster
