#include "tests/oracles/slotted_places.h"

#include <algorithm>
#include <map>

namespace muster::oracle {

namespace {

struct placed {
  std::uint64_t units_left = 0, migrations = 0;
  std::vector<std::size_t> on{}, holds_state{};  // servers
  bool gone = false;
};

class places_by_deadline {
 public:
  places_by_deadline(std::uint64_t servers, std::uint64_t slot, const std::vector<slotted_job>& jobs, state_order order)
      : slot_(slot), jobs_(jobs), order_(order), idle_(servers, true) {
    for (const slotted_job& j : jobs) states_.push_back({j.gains.size(), 0});
  }

  std::vector<std::uint64_t> run() {
    for (begin_ = 0; left_.size() < jobs_.size(); begin_ += slot_) {
      for (; arrived_ < jobs_.size() && jobs_[arrived_].arrival <= begin_; ++arrived_) present_.push_back(arrived_);
      for (const std::size_t j : present_)
        if (jobs_[j].deadline > 0 && jobs_[j].deadline * slot_ <= begin_) leave(j);
      forget_those_gone();
      serve();
      forget_those_gone();
    }
    return left_;
  }

 private:
  void leave(std::size_t job) {
    states_[job].gone = true;
    for (const std::size_t server : states_[job].on) idle_[server] = true;
    left_.push_back(states_[job].migrations);
  }

  void forget_those_gone() {
    present_.erase(std::remove_if(present_.begin(), present_.end(), [&](std::size_t j) { return states_[j].gone; }),
                   present_.end());
  }

  void serve() {
    const auto deadline = [&](std::size_t j) { return jobs_[j].deadline > 0 ? jobs_[j].deadline : UINT64_MAX; };
    std::vector<std::size_t> present = present_;
    std::stable_sort(present.begin(), present.end(),
                     [&](std::size_t a, std::size_t b) { return deadline(a) < deadline(b); });
    std::map<std::size_t, std::size_t> cores;
    std::size_t to_give = idle_.size();
    for (const std::size_t j : present) {
      cores[j] = std::min<std::size_t>(states_[j].units_left, to_give);
      to_give -= cores[j];
    }
    for (const std::size_t j : present)
      while (states_[j].on.size() > cores[j]) lose_core(j);
    for (const std::size_t j : present)
      while (states_[j].on.size() < cores[j]) take_core(j);
    for (const std::size_t j : present)
      if ((states_[j].units_left -= cores[j]) == 0) leave(j);
  }

  void lose_core(std::size_t job) {
    placed& p = states_[job];
    const std::size_t server = p.on.back();
    p.on.pop_back();
    idle_[server] = true;
    const auto known = std::find(p.holds_state.begin(), p.holds_state.end(), server);
    if (known != p.holds_state.end()) {
      if (order_ == state_order::added_last) return;
      p.holds_state.erase(known);
    }
    p.holds_state.push_back(server);
  }

  void take_core(std::size_t job) {
    placed& p = states_[job];
    const auto known =
        std::find_if(p.holds_state.rbegin(), p.holds_state.rend(), [&](std::size_t server) { return idle_[server]; });
    const auto first_idle = static_cast<std::size_t>(std::find(idle_.begin(), idle_.end(), true) - idle_.begin());
    const std::size_t server = known != p.holds_state.rend() ? *known : first_idle;
    p.migrations += known == p.holds_state.rend() && !p.holds_state.empty();
    idle_[server] = false;
    p.on.push_back(server);
  }

  const std::uint64_t slot_;
  const std::vector<slotted_job>& jobs_;
  const state_order order_;
  std::vector<bool> idle_;
  std::vector<placed> states_;
  std::vector<std::size_t> present_;
  std::size_t arrived_ = 0;
  std::vector<std::uint64_t> left_;
  std::uint64_t begin_ = 0;
};

}  // namespace

std::vector<std::uint64_t> migrations_by_deadline(std::uint64_t servers, std::uint64_t slot,
                                                  const std::vector<slotted_job>& jobs, state_order order) {
  return places_by_deadline(servers, slot, jobs, order).run();
}

}  // namespace muster::oracle
