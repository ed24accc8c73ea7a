#pragma once

#include <utility>
#include <vector>

#include "muster/modules/network/interconnect.h"

namespace muster {

/// A bank of servers that is divided among several schedulers: stands between their sockets for the bank, which are
/// bound to `in`, and the bank, or a link to it, to which `out` is bound. To each scheduler the servers that are its
/// own are a bank with consecutive numbers from 0.
class divided_bank final : public interconnect {
 public:
  /// The servers of a scheduler: `first`, `first` + `step` and so on.
  struct share {
    std::uint32_t first = 0, step = 1;
    std::uint32_t count = 1;
    /// The place among all servers of the cluster of each server of the scheduler, all banks together, by the place
    /// that the scheduler knows. Empty: both are the same.
    std::vector<std::uint32_t> places{};
  };

  /// @param shares of the schedulers, in the order in which they are bound
  divided_bank(const sc_core::sc_module_name& name, timekeeper& time, std::vector<share> shares)
      : interconnect(name, time), shares_(std::move(shares)) {}

 private:
  std::uint32_t route(std::uint32_t from, payload& p) override;
  void call(std::uint32_t from, payload& p, sc_core::sc_time& delay) override;
  unsigned look(std::uint32_t from, payload& p) override;
  /// Replaces the scheduler's address by the bank's. @return false: the scheduler has no such server
  bool translate(std::uint32_t from, payload& p) const;

  const std::vector<share> shares_;
};

}  // namespace muster
