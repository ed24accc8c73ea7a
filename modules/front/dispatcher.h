#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "muster/modules/front/work_stealing.h"
#include "muster/modules/kernel/parameter_list.h"
#include "muster/modules/network/interconnect.h"
#include "muster/policies/dispatching.h"

namespace muster {

/// The front end of several schedulers: stands between the sources of jobs and the schedulers, and passes each job to
/// one of them, which a dispatching rule chooses when the job arrives. `in` is a target for any number of submitters,
/// as scheduler::submissions is; `out` has an initiator for each scheduler.
///
/// The rule sees the number of jobs in the system of each scheduler as it was one information delay ago: those that
/// have been passed to it and not been answered. What changes at one instant is seen as many ticks later as the delay
/// has, by all jobs that arrive from then on in the order of the events of that instant.
///
/// A read of jobs_waiting or jobs_in_service is answered with the sum over the schedulers, any other read by the first
/// scheduler. An invalid submission is refused by the scheduler to which it is passed. A blocking call returns when its
/// job is complete.
///
/// With work stealing, schedulers take waiting jobs from each other over the dispatcher, see work_stealing. A job that
/// is taken counts as one of the scheduler that takes it, for the dispatching rule, too. Jobs of blocking calls, and of
/// submitters without muster's extension, stay where they are.
///
/// The delay of a foreign submitter's call is awaited: the rule chooses when the job arrives. Of a blocking call with
/// a delay the rule chooses at once.
class dispatcher final : public interconnect, public listed_module, private work_stealing::front_end {
 public:
  struct settings {
    const dispatching_entry* rule = dispatching_catalogue().front();
    std::uint32_t schedulers = 1;
    std::uint32_t choices = 2;         ///< see dispatching_settings
    ticks information_delay = 0;       ///< age of the numbers that the rule sees, and that stealing goes by
    random_numbers* random = nullptr;  ///< for rules that draw; outlives the dispatcher
    bool steals = false;               ///< whether schedulers take waiting jobs from each other
  };

  /// Invalid settings are a SystemC error of type /muster/dispatcher, and so is another number of schedulers.
  dispatcher(const sc_core::sc_module_name& name, timekeeper& time, const settings& given);

  /// Jobs that have been passed to a scheduler and not been answered.
  std::uint64_t jobs_in_system(std::uint32_t scheduler) const { return now_[scheduler]; }
  /// Jobs that have been passed to a scheduler so far.
  std::uint64_t jobs_dispatched(std::uint32_t scheduler) const { return dispatched_[scheduler]; }
  /// Jobs that a scheduler has taken from others so far.
  std::uint64_t jobs_stolen(std::uint32_t scheduler) const { return stealing_ ? stealing_->jobs_stolen(scheduler) : 0; }
  /// Lists the settings and counts, see list_parameters().
  void list_into(parameter_list& all) const override;

 private:
  /// A change of the number of jobs in a system that the rule does not see yet.
  struct change {
    ticks seen;
    std::uint32_t scheduler;
    std::int64_t by;
  };

  void before_end_of_elaboration() override;
  std::uint32_t route(std::uint32_t from, payload& p) override;
  bool responds(std::uint32_t from, payload& p) override;
  void own_answered(std::uint32_t from, payload& p) override;
  void call(std::uint32_t from, payload& p, sc_core::sc_time& delay) override;
  unsigned look(std::uint32_t from, payload& p) override;
  std::uint64_t read(std::uint32_t scheduler, std::uint64_t address) override;
  void send_withdrawal(std::uint32_t scheduler, payload& p) override { send_own(p, scheduler); }
  void pass_stolen(std::uint32_t scheduler, payload& job) override;
  std::uint32_t choose(const payload& p);
  void count(std::uint32_t scheduler, std::int64_t by);
  bool read_sum(payload& p);
  std::uint64_t sum(std::uint64_t address);
  [[noreturn]] void misuse(const std::string& message) const;

  const settings settings_;
  std::unique_ptr<dispatching_rule> rule_;
  std::vector<std::uint64_t> dispatched_, now_, seen_;
  std::unique_ptr<work_stealing> stealing_;  // null: jobs stay where they are
  std::deque<change> unseen_;                // in the order of their times; empty where the rule looks at no jobs
};

}  // namespace muster
