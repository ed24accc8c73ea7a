#pragma once

#include <cstdint>
#include <optional>

#include "muster/modules/protocol/protocol.h"
#include "muster/policies/cluster_state.h"
#include "muster/policies/policy.h"

namespace muster {

/// The registers of a scheduler that can be read, at the addresses of scheduler_register.
class scheduler_registers {
 public:
  /// @param state,rules outlive the registers; rules is the policy
  scheduler_registers(const cluster_state& state, const policy& rules) : state_(state), policy_(rules) {}

  /// @return nothing: there is no register at that address
  std::optional<std::uint64_t> value(std::uint64_t address) const {
    switch (address) {
      case scheduler_register::jobs_waiting: {
        std::uint64_t waiting = 0;
        for (const class_id id : state_.classes()) waiting += state_.waiting(id);
        return waiting;
      }
      case scheduler_register::jobs_in_service: return state_.in_service();
      case scheduler_register::phase: return policy_.phase();
      case scheduler_register::idle_cores: {
        if (state_.counts_tasks()) return std::nullopt;
        std::uint64_t idle = 0;
        for (const group_id g : id_range<group_id>{state_.group_count()}) idle += state_.free_in(g);
        return idle;
      }
      default: return std::nullopt;
    }
  }

 private:
  const cluster_state& state_;
  const policy& policy_;
};

}  // namespace muster
