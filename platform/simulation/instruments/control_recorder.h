#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/modules/protocol/job_extension.h"
#include "muster/policies/table.h"
#include "platform/metrics/instrument.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/scenario.h"
#include "platform/simulation/busy_age.h"
#include "platform/simulation/weighted_deviations.h"

namespace muster {

/// A single server that serves all work, or that of some classes, in the order of arrival: M/G/1. Runs beside the
/// cluster on the same jobs.
struct coupled_queue {
  std::string name;
  std::uint64_t classes = all_classes;  ///< a bit for each class that it serves: all, or some of at most 64
  double capacity = 1.0;                ///< work per unit of time
  /// The mean time that the work in the system takes, as Poisson arrivals see it (Pollaczek and Khinchine).
  double expected = 0.0;

  static constexpr std::uint64_t all_classes = ~std::uint64_t{0};
  bool serves(std::size_t id) const { return classes == all_classes || (classes >> id & 1) != 0; }
};

/// The coupled queues of a scenario, of which none is saturated: one with the capacity of all servers for all jobs, and
/// for each class of few one with the capacity that it can use. For few classes of rigid jobs also one for those that
/// need no more, and one for those that need no less, than a class; for pooled ones one for the set of classes that is
/// pressed hardest. The queues for all jobs and for the hardest pressed set are also there with less capacity in two
/// steps, as a policy that leaves cores idle has it, where the warm-up is long enough for them. There is no queue
/// without Poisson arrivals, or where the variance of the work is infinite.
std::vector<coupled_queue> coupled_queues(const scenario& model);

/// Finds control variates: means over arrivals of what the arrivals and sizes of a replication determine, and whose
/// expectation is known: the time between arrivals, the work of a job, and the work in coupled_queues(). Of rigid jobs
/// also their weighted_deviations, which count the jobs in the system, too, and the busy_age, where its mean is known.
///
/// Each mean is taken over a fixed number of arrivals, and so has that expectation exactly, but for the queues' empty
/// beginning, which the warm-up removes as it does for the cluster.
class control_recorder final : public instrument {
 public:
  /// Whether control variates help at a point, unless it is unstable: its means have no limit. They do not help for
  /// slotted jobs, and where the sizes of a class have a heavy tail or a squared coefficient of variation above 10:
  /// regression on few replications, without the rare large jobs, is biased then, and intervals have been measured to
  /// cover 82 to 92 % instead of 95.
  static bool possible(const scenario& model);
  /// @param model such that window_parts::wanted()
  explicit control_recorder(const scenario& model);

  void job_arrives(ticks now, const job_extension& job) override {
    if (next_end_ > 0) record(now, static_cast<std::uint32_t>(job.descriptor.type), job.descriptor.size);
  }
  void job_completes(ticks, const job_extension& job) override {
    if (weighted_) weighted_->complete(static_cast<class_id>(job.descriptor.type));
  }
  /// Adds the control variates. All parts have ended, as at least as many jobs have arrived as have completed.
  void add_to(replication_result& result) override;

 private:
  /// Coupled queues whose numbers stand side by side, so that the compiler can handle several at once.
  static constexpr std::size_t side_by_side = 4;
  using numbers = std::array<double, side_by_side>;
  struct queue_block {
    numbers capacity{};  // work per tick
    numbers work{}, sum{};
  };

  void record(ticks now, std::uint32_t type, ticks size) {
    const auto gap = static_cast<double>(static_cast<std::int64_t>(now - last_));
    const double work = cores_[static_cast<class_id>(type)] * static_cast<double>(static_cast<std::int64_t>(size));
    last_ = now;
    work_ += work;
    if (weighted_) weighted_->arrive(static_cast<class_id>(type), gap, work);
    if (age_) age_->arrive(now, static_cast<class_id>(type), size);
    const numbers* served = served_.data() + type * queues_.size();  // there may be no queue
    for (queue_block& q : queues_) {
      const numbers share = *served++;
      numbers waiting = q.work;
      for (std::size_t i = 0; i < side_by_side; ++i) waiting[i] -= gap * q.capacity[i];
      for (double& w : waiting) w = w > 0.0 ? w : 0.0;
      for (std::size_t i = 0; i < side_by_side; ++i) q.sum[i] += waiting[i];
      for (std::size_t i = 0; i < side_by_side; ++i) waiting[i] += work * share[i];
      q.work = waiting;
    }
    if (++arrivals_ == next_end_) close_part();
  }
  void close_part();
  void open_part();

  const scenario& model_;
  const std::vector<coupled_queue> coupled_;
  table<class_id, double> cores_;  // cores for which a job's size counts, by class
  std::vector<queue_block> queues_;
  std::vector<numbers> served_;  // blocks of each class in turn: 1 where a queue serves its jobs, else 0
  std::optional<weighted_deviations> weighted_;
  std::optional<busy_age> age_;
  ticks last_ = 0, part_begin_ = 0;
  double work_ = 0.0;  // work since the part began, in ticks
  std::uint64_t arrivals_ = 0, part_first_ = 0;
  std::uint64_t next_end_;  // the arrival with which the present part ends; 0: all have ended
  bool warm_ = false;       // the present part is measured
  std::vector<control_variate> variates_;
  std::vector<std::uint64_t> lengths_;  // lengths of the parts that have ended, in arrivals
};

}  // namespace muster
