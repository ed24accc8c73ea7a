#pragma once

#include <map>
#include <random>
#include <utility>
#include <vector>

#include "muster/modules/server/fault_clock.h"

namespace muster {

/// Each server fails at given times and is down for given times; afterwards never again. Servers are numbered through
/// all banks.
class script final : public fault_clock {
 public:
  struct fault {
    ticks at, down;
    bool drains = false;
  };
  explicit script(std::map<std::uint32_t, std::vector<fault>> faults) : faults_(std::move(faults)) {}

  ticks to_failure(std::uint32_t server) override {
    ticks& repaired = repaired_[server];
    const auto& all = faults_[server];
    const std::size_t n = next_[server];
    return n < all.size() ? all[n].at - repaired : end_of_clock / 2;
  }
  ticks to_repair(std::uint32_t server) override {
    const auto& all = faults_[server];
    const fault& f = all.at(next_[server]++);
    repaired_[server] = f.at + f.down;
    return f.down;
  }
  bool drains(std::uint32_t server) override { return faults_[server].at(next_[server]).drains; }

 private:
  std::map<std::uint32_t, std::vector<fault>> faults_;
  std::map<std::uint32_t, std::size_t> next_;
  std::map<std::uint32_t, ticks> repaired_;
};

/// The faults of one bank, whose servers follow `first` others.
class script_of_bank final : public fault_clock {
 public:
  script_of_bank(fault_clock& all, std::uint32_t first) : all_(all), first_(first) {}
  ticks to_failure(std::uint32_t server) override { return all_.to_failure(first_ + server); }
  ticks to_repair(std::uint32_t server) override { return all_.to_repair(first_ + server); }
  bool drains(std::uint32_t server) override { return all_.drains(first_ + server); }

 private:
  fault_clock& all_;
  std::uint32_t first_;
};

/// Faults at random times. @param drains whether every second one is none, but the server drains
inline script random_faults(unsigned seed, std::uint32_t servers, bool drains = false) {
  std::mt19937_64 random{seed};
  std::map<std::uint32_t, std::vector<script::fault>> faults;
  for (std::uint32_t n = 0; n < servers; ++n)
    for (ticks at = 1 + random() % 200; at < 20'000; at += 1 + random() % 400) {
      const ticks down = 1 + random() % 100;
      faults[n].push_back({at, down, drains && faults[n].size() % 2 == 1});
      at += down;
    }
  return script{faults};
}

}  // namespace muster
