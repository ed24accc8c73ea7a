#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/range/iterator_range_core.hpp>

#include "muster/policies/class_set.h"
#include "muster/policies/job.h"
#include "muster/policies/prefetch.h"
#include "muster/policies/settings.h"
#include "muster/policies/simulated_clock.h"
#include "muster/policies/table.h"
#include "muster/policies/utility.h"
#include "muster/policies/virtual_queue.h"

namespace muster {

/// What the scheduler knows of a job class.
struct job_class {
  std::string name;
  unsigned need = 1;             ///< cores that a job holds at once
  std::vector<group_id> groups;  ///< compatible servers, in the order in which cores are taken from them
  unsigned drawn = 0;            ///< how many of the groups each job draws for itself, to use only these; 0: all
  std::uint64_t state = 0;       ///< bytes of a job's state, which a migration moves
  /// Utility of the units of slotted jobs; null: the jobs are rigid or pooled, or each submits its own.
  std::shared_ptr<const utility> worth = nullptr;

  /// @name As declared, in units of time; nothing: not known, as for jobs from a list
  /// @{
  std::optional<double> mean_size = std::nullopt;     ///< work of a job: time on capacity 1, on all cores that it needs
  std::optional<double> arrival_rate = std::nullopt;  ///< arrivals per unit of time
  /// The class's share of all arrivals; where it is left out, it is computed if all classes declare their rates.
  std::optional<double> arrival_share = std::nullopt;
  /// @}

  settings parameters = {};  ///< the policy's parameters of this class, see policy_entry::complete_classes()
};

/// Queue, running jobs and free cores as a policy sees them: read only, every query cheap.
///
/// No query visits all jobs or all servers; queries over classes visit those that have a job waiting.
class cluster_view {
 public:
  /// @name Classes, in descending order of need
  /// @{
  std::size_t class_count() const { return classes_.size(); }
  id_range<class_id> classes() const { return id_range<class_id>{classes_.size()}; }
  const std::string& name(class_id id) const { return classes_[id].name; }
  unsigned need(class_id id) const { return rows_[id].need; }
  /// All cores of the servers compatible with the class, busy or not (the paper's k).
  unsigned usable_cores(class_id id) const { return usable_[id]; }
  /// All cores of the platform, busy or not, whoever may use them.
  unsigned all_cores() const { return all_cores_; }
  /// How many jobs of the class can be in service at once: floor(k / need).
  unsigned places(class_id id) const { return usable_[id] / need(id); }
  /// The policy's parameters of the class, by name, see policy_entry::class_parameters. Each look-up compares names:
  /// read values that are needed at every event once, when the policy is made.
  const settings& parameters(class_id id) const { return classes_[id].parameters; }
  /// @}

  /// @name What is declared of future jobs; nothing where it is not known, as for jobs from a list. Rates and sizes are
  /// in units of time, not in ticks.
  /// @{
  /// Mean work of the class's jobs: units of time on capacity 1, on all cores that they need.
  std::optional<double> mean_size(class_id id) const { return classes_[id].mean_size; }
  /// Arrivals of the class per unit of time; nothing where the number of jobs is finite.
  std::optional<double> arrival_rate(class_id id) const { return classes_[id].arrival_rate; }
  /// The class's share of all arrivals, in the long run.
  std::optional<double> arrival_share(class_id id) const { return classes_[id].arrival_share; }
  /// @}

  /// @name Time
  /// @{
  /// The present instant; constant during a call of the policy. Where decisions take time, it is when the scheduler
  /// begins to process the event, which may have waited, and before the time of the decision has passed.
  ticks now() const { return clock_ ? clock_->now() : 0; }
  /// Ticks of one unit of time, such as a scenario's time_unit.
  ticks ticks_per_unit() const { return ticks_per_unit_; }
  /// @}

  /// @name The queue
  /// @{
  bool anyone_waits() const { return !waiting_classes_.empty(); }
  std::size_t waiting(class_id id) const { return rows_[id].waiting; }
  /// The first job waiting in the class, or null.
  const job* first(class_id id) const { return handed_out(rows_[id].head); }
  /// The earliest arrival among the waiting jobs, or null.
  const job* earliest() const {
    const class_id first = waiting_classes_.first();
    if (first == class_set::none) return nullptr;
    return waiting_classes_.next(first) == class_set::none ? handed_out(*rows_[first].head) : earliest_of_classes();
  }
  /// The earliest arrival among the waiting jobs that fit into the free cores, or null.
  const job* earliest_fitting() const;
  /// The waiting job of the largest need (equal needs: the earliest arrival), or null.
  const job* largest() const;
  /// The waiting job of the largest need among those that fit (equal needs: as in largest()), or null.
  const job* largest_fitting() const {
    if (!same_servers_) return largest_fitting_of_any();
    const class_id id = first_that_may_fit();
    return id == class_set::none ? nullptr : earliest_of_equal_need(id, true);
  }
  const class_set& waiting_classes() const { return waiting_classes_; }
  /// @}

  /// @name Service
  /// @{
  std::size_t in_service(class_id id) const { return rows_[id].in_service; }
  std::size_t in_service() const { return in_service_; }
  /// How many of the class's rigid jobs in service are leaving: they still hold cores, and will wait again.
  std::size_t leaving(class_id id) const { return rows_[id].leaving; }
  /// The first of the class's running jobs, including those that are leaving; the next one is its `behind`. Null if
  /// none runs. Rigid jobs are in descending order of arrival, others in no particular order.
  const job* running(class_id id) const {
    handed_out_ += rows_[id].in_service;
    return rows_[id].served;
  }
  const class_set& served_classes() const { return served_classes_; }
  /// Idle cores on the servers compatible with the class.
  unsigned free_cores(class_id id) const;
  bool fits(class_id id) const { return need(id) <= free_cores(id); }
  bool fits(const job& j) const { return fits(j.type); }
  /// @}

  /// @name Pooled jobs. They are in one virtual queue from arrival (or interruption) to completion, waiting or in
  /// service; for each group of servers it shows the jobs that may use the group.
  /// @{
  /// The groups that a job may use, to loop over.
  boost::iterator_range<const group_id*> servers(const job& j) const { return {j.groups, j.groups + j.group_count}; }
  /// The first job in the queue that may use the group, or null.
  const job* first(group_id servers) const { return handed_out(pool_.first(servers)); }
  /// Whether some server of the group is idle.
  bool idle(group_id servers) const { return free_[servers] > 0; }
  /// @}

  /// @name Slotted jobs. A job waits in slots in which it has no core.
  /// @{
  /// Cores that can be given to jobs in the slot that begins, whether or not a job holds them now.
  unsigned slot_cores() const { return slot_cores_; }
  /// Units that are not complete: the job can use at most as many cores.
  static unsigned units_left(const job& j) { return j.units->worth->units() - j.units->done; }
  /// The utility that a unit adds. @param ahead units to be done before it, less than units_left()
  static double gain(const job& j, unsigned ahead = 0) { return j.units->worth->gain(j.units->done + ahead); }
  /// The largest mean gain over any number of units after those ahead, see utility::steepest().
  static double steepest_gain(const job& j, unsigned ahead = 0) {
    return j.units->worth->steepest(j.units->done + ahead);
  }
  /// @}

 protected:
  /// @param handed_out counts the jobs that queries return; outlives the view
  explicit cluster_view(std::uint64_t& handed_out) : handed_out_(handed_out) {}
  ~cluster_view() = default;
  cluster_view(const cluster_view&) = delete;
  cluster_view& operator=(const cluster_view&) = delete;

  static constexpr std::uint64_t no_job = std::numeric_limits<std::uint64_t>::max();

  /// What changes with every event, stored together in one cache line.
  struct alignas(cache_line) class_row {
    job* head = nullptr;
    job* tail = nullptr;
    job* served = nullptr;
    job* requeued_before = nullptr;  ///< the waiting job ahead of which one was requeued last; null: it has left
    std::uint64_t head_id = no_job;  ///< copy of head->id, so that a comparison of classes reads these rows only
    std::uint32_t waiting = 0;
    std::uint32_t in_service = 0;
    std::uint32_t leaving = 0;
    unsigned need = 1;
    group_id only_group{};
    bool single_group = false;
    bool need_of_next = false;  ///< the next class needs as many cores
  };

  /// The first waiting class that may fit; where all classes use the same servers, the first that does.
  class_id first_that_may_fit() const {
    return waiting_classes_.from(same_servers_ ? first_of_need_at_most(free_cores(class_id{0})) : 0);
  }
  /// The number of the first class that needs no more cores; that of all classes if there is none.
  std::size_t first_of_need_at_most(unsigned cores) const {
    std::size_t first = first_by_digits_[digits(cores)];
    while (first < rows_.size() && rows_[static_cast<class_id>(first)].need > cores) ++first;
    return first;
  }
  /// Binary digits of a number of cores.
  static unsigned digits(unsigned cores) { return cores == 0 ? 0 : 32 - static_cast<unsigned>(__builtin_clz(cores)); }
  /// The first job of the class, or of one of those behind it that need as many cores.
  const job* earliest_of_equal_need(class_id id, bool that_fit) const {
    return rows_[id].need_of_next ? earliest_of_several(id, that_fit) : handed_out(*rows_[id].head);
  }
  const job* earliest_of_several(class_id id, bool that_fit) const;
  const job* earliest_of_classes() const;
  const job* largest_fitting_of_any() const;
  unsigned free_cores_of_groups(class_id id) const;

  table<class_id, job_class> classes_;
  table<class_id, unsigned> usable_;
  table<class_id, class_row> rows_;
  table<group_id, unsigned> free_;
  virtual_queue pool_;
  class_set waiting_classes_;
  class_set served_classes_;
  std::size_t in_service_ = 0;
  unsigned slot_cores_ = 0;
  unsigned all_cores_ = 0;
  std::array<std::uint32_t, 33> first_by_digits_{};  // number of the first class whose need has no more binary digits
  bool same_servers_ = false;  // every class may use the same servers: the free cores are the same for all

  const simulated_clock* clock_ = nullptr;
  ticks ticks_per_unit_ = 1;

  const job* handed_out(const job* j) const {
    handed_out_ += j ? 1 : 0;
    return j;
  }
  const job* handed_out(const job& j) const {
    ++handed_out_;
    return &j;
  }

 private:
  std::uint64_t& handed_out_;
};

inline unsigned cluster_view::free_cores(class_id id) const {
  const class_row& row = rows_[id];
  return row.single_group ? free_[row.only_group] : free_cores_of_groups(id);
}

}  // namespace muster
