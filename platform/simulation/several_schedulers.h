#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "muster/modules/front/dispatcher.h"
#include "muster/modules/front/shared_servers.h"
#include "muster/modules/network/divided_bank.h"
#include "muster/modules/protocol/protocol_checker.h"
#include "muster/modules/scheduler/scheduler.h"
#include "platform/model/scenario.h"
#include "platform/model/scheduler_share.h"
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
                     const settings_maker& settings, bool check_protocol, shared_servers* shared)
      : dispatching_numbers_(model.run.seed, replication, "dispatching"),
        front("dispatcher", time,
              {model.schedulers.dispatching, model.schedulers.count, model.schedulers.choices,
               model.unit.to_ticks(model.schedulers.information_delay), &dispatching_numbers_, model.schedulers.steal}),
        model_(model),
        time_(time),
        check_protocol_(check_protocol),
        shared_(shared) {
    all_.push_back(&first);
    for (std::uint32_t n = 1; n < model.schedulers.count; ++n) {
      const std::string number = std::to_string(n);
      numbers& own = *numbers_.emplace_back(new numbers{{model.run.seed, replication, "decisions_" + number},
                                                        {model.run.seed, replication, "placement_" + number}});
      others_.push_back(std::make_unique<scheduler>(("scheduler_" + number).c_str(), time,
                                                    settings(n, own.decisions, own.placement)));
      all_.push_back(others_.back().get());
    }
    for (std::size_t n = 0; n < all_.size(); ++n)
      connect(front.out, all_[n]->submissions, fmt::format("dispatcher_to_scheduler_{}", n),
              protocol_checker::addresses::stay);
  }

  /// All schedulers, by number.
  const std::vector<scheduler*>& all() const { return all_; }
  /// Binds the schedulers that may use servers of an entry to what divides its bank, or lets them share it. Called for
  /// each entry, in their order.
  /// @return the module whose `out` is to be bound to the bank
  interconnect& divide(std::size_t entry) {
    if (shared_) {
      for (std::uint32_t n = 0; n < all_.size(); ++n)
        connect(all_[n]->dispatches, shared_->in,
                fmt::format("scheduler_{}_to_shared_{}", n, model_.servers[entry].name),
                protocol_checker::addresses::stay);
      return *shared_;
    }
    // The places of each scheduler's servers among all, in the order of its groups.
    const auto places = [&](std::uint32_t number) {
      std::vector<std::uint32_t> all;
      std::uint32_t before = 0;
      for (std::size_t s = 0; s < model_.servers.size(); before += model_.servers[s++].count) {
        const entry_share own = share_of_entry(model_, number, s);
        for (std::uint32_t n = 0; n < own.count; ++n) all.push_back(before + own.first + n * own.step);
      }
      return all;
    };
    const std::string& name = model_.servers[entry].name;
    std::vector<divided_bank::share> shares;
    for (std::uint32_t n = 0; n < all_.size(); ++n)
      if (const entry_share own = share_of_entry(model_, n, entry); own.count > 0)
        shares.push_back({own.first, own.step, own.count, places(n)});
    divided_bank& bank =
        *banks_.emplace_back(std::make_unique<divided_bank>(("divided_" + name).c_str(), time_, std::move(shares)));
    for (std::uint32_t n = 0; n < all_.size(); ++n)
      if (share_of_entry(model_, n, entry).count > 0)
        connect(all_[n]->dispatches, bank.in, fmt::format("scheduler_{}_to_divided_{}", n, name),
                protocol_checker::addresses::may_be_translated);
    return bank;
  }
  /// The account of a job's times, where times are accounted for: its scheduler's. @param job in the system
  time_account& account_of(const job_extension& job) {
    // A job of a blocking call has a payload of its scheduler's, which the dispatcher does not know. Its stages are
    // counted in the same way by any account.
    const std::uint32_t number = front.target_of(*job.transaction);
    return *all_[number < all_.size() ? number : 0]->times();
  }
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
  void connect(From& from, To& to, const std::string& hop, protocol_checker::addresses addresses) {
    if (!check_protocol_) {
      from.bind(to);
      return;
    }
    checkers_.push_back(std::make_unique<protocol_checker>(hop.c_str(), addresses));
    from.bind(checkers_.back()->in);
    checkers_.back()->out.bind(to);
  }

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
