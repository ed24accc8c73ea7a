#pragma once

#include "muster/policies/algorithms/availability_profile.h"
#include "muster/policies/backfilling/earliest_so_far.h"
#include "muster/policies/backfilling/outage_steps.h"
#include "muster/policies/backfilling/reservation_plan.h"

namespace muster {

/// The plan where only cores count, and all classes may use the same servers: their cores are one pool.
///
/// In a planned outage the pool lacks all cores of the server. Where jobs still run there, as it drains, the plan
/// counts their cores as of other servers: what it believes to be free is never more than what is.
class core_plan final : public reservation_plan {
 public:
  explicit core_plan(const cluster_view& cluster);

  change advance(rigid_view cluster) override;
  void pass_time(ticks now) override;
  ticks longest_from_now(class_id type) const override;
  bool fits_now(const planned_job& j) override;
  bool reserve(planned_job& j) override;
  bool reserve_now(planned_job& j) override;
  bool reserve_anew(planned_job& j) override;
  void withdraw(planned_job& j) override;
  void start(planned_job& j, rigid_decisions& decide) override;
  void extend(planned_job& j, ticks end) override;
  void end(planned_job& j, ticks now) override;
  void withdraw_all(const std::vector<planned_job*>& jobs, const running_jobs& running) override;

 private:
  /// What is known of jobs of a class as long as nothing is given back.
  struct known_of_class {
    earliest_so_far earliest;
    std::uint64_t given_back = 0;  // when it was found
  };

  earliest_so_far& known(class_id type);
  void hold(planned_job& j, ticks begin);
  std::int64_t need(class_id type) const { return needs_[type]; }

  availability_profile free_;
  const std::vector<planned_outage> planned_;
  outage_steps outages_;
  table<class_id, std::int64_t> needs_;
  table<class_id, known_of_class> known_;
  std::uint64_t given_back_ = 0;  // how often something has been
  ticks now_ = 0;
  std::int64_t up_ = 0;      // cores of servers that are up, or out as planned
  std::int64_t out_ = 0;     // cores of servers that are out as planned
  std::int64_t in_use_ = 0;  // cores of the running jobs
};

}  // namespace muster
