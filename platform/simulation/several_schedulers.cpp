#include "platform/simulation/several_schedulers.h"

#include <fmt/format.h>

#include "platform/model/scheduler_share.h"

namespace muster {

several_schedulers::several_schedulers(const scenario& model, std::uint32_t replication, timekeeper& time,
                                       scheduler& first, const settings_maker& settings, bool check_protocol,
                                       shared_servers* shared)
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
    others_.push_back(
        std::make_unique<scheduler>(("scheduler_" + number).c_str(), time, settings(n, own.decisions, own.placement)));
    all_.push_back(others_.back().get());
  }
  for (std::size_t n = 0; n < all_.size(); ++n)
    connect(front.out, all_[n]->submissions, fmt::format("dispatcher_to_scheduler_{}", n),
            protocol_checker::addresses::stay);
}

template <class From, class To>
void several_schedulers::connect(From& from, To& to, const std::string& hop, protocol_checker::addresses addresses) {
  if (!check_protocol_) {
    from.bind(to);
    return;
  }
  checkers_.push_back(std::make_unique<protocol_checker>(hop.c_str(), addresses));
  from.bind(checkers_.back()->in);
  checkers_.back()->out.bind(to);
}

// A job of a blocking call has a payload of its scheduler's, which the dispatcher does not know. Its stages are counted
// in the same way by any account.
time_account& several_schedulers::account_of(const job_extension& job) {
  const std::uint32_t number = front.target_of(*job.transaction);
  return *all_[number < all_.size() ? number : 0]->times();
}

interconnect& several_schedulers::divide(std::size_t entry) {
  if (shared_) {
    for (std::uint32_t n = 0; n < all_.size(); ++n)
      connect(all_[n]->dispatches, shared_->in, fmt::format("scheduler_{}_to_shared_{}", n, model_.servers[entry].name),
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

}  // namespace muster
