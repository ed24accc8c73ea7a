#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "muster/modules/front/dispatcher.h"
#include "muster/modules/front/shared_servers.h"
#include "muster/modules/network/divided_bank.h"
#include "muster/modules/protocol/protocol_checker.h"
#include "muster/modules/scheduler/scheduler.h"
#include "platform/model/scenario.h"
#include "platform/random/policy_numbers.h"

namespace muster {

/// The modules that a cluster has beside those of a cluster with one scheduler: the dispatcher, the other schedulers,
/// and for each bank of servers what divides it. It is made within a module, whose children they are.
class several_schedulers {
 public:
  /// Makes the settings of a scheduler. @param scheduler its number
  using settings_maker =
      std::function<scheduler_settings(std::uint32_t scheduler, random_numbers& decisions, random_numbers& placement)>;

  /// @param model with several schedulers; outlives this object
  /// @param first scheduler of number 0
  /// @param shared what all schedulers share; null: each has servers of its own
  several_schedulers(const scenario& model, std::uint32_t replication, timekeeper& time, scheduler& first,
                     const settings_maker& settings, bool check_protocol, shared_servers* shared);

  /// All schedulers, by number.
  const std::vector<scheduler*>& all() const { return all_; }
  /// Binds the schedulers that may use servers of an entry to what divides its bank, or lets them share it. Called for
  /// each entry, in their order.
  /// @return the module whose `out` is to be bound to the bank
  interconnect& divide(std::size_t entry);
  /// The account of a job's times, where times are accounted for: its scheduler's. @param job in the system
  time_account& account_of(const job_extension& job);
  /// Passes stages of slices on to the account of their job.
  stage_observer& stages() { return stages_; }

 private:
  policy_numbers dispatching_numbers_;

 public:
  dispatcher front;

 private:
  struct numbers {
    policy_numbers decisions, placement;
  };

  struct stage_router final : stage_observer {
    explicit stage_router(several_schedulers& of) : own(of) {}
    void slice_moves(ticks now, const job_extension& holder, slice_stage from, slice_stage to) override {
      own.account_of(holder).slice_moves(now, holder, from, to);
    }
    several_schedulers& own;
  };

  template <class From, class To>
  void connect(From& from, To& to, const std::string& hop, protocol_checker::addresses addresses);

  const scenario& model_;
  timekeeper& time_;
  bool check_protocol_;
  shared_servers* shared_;  // null: each scheduler has servers of its own
  stage_router stages_{*this};
  std::vector<std::unique_ptr<numbers>> numbers_;
  std::vector<std::unique_ptr<scheduler>> others_;
  std::vector<scheduler*> all_;
  std::vector<std::unique_ptr<divided_bank>> banks_;
  std::vector<std::unique_ptr<protocol_checker>> checkers_;  // of hops from the dispatcher, and to divided banks
};

}  // namespace muster
