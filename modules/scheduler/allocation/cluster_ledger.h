#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/modules/protocol/held_time.h"
#include "muster/modules/scheduler/allocation/amount_level.h"
#include "muster/policies/resource_layout.h"

namespace muster {

/// What jobs hold of the resources that the cluster has as a whole: of each amount how much, of each device how many of
/// its parts, each with its integral over time.
class cluster_ledger {
 public:
  explicit cluster_ledger(const cluster_resources& resources)
      : layout_(resource_layout::of_cluster(resources)),
        free_(layout_.all()),
        held_(layout_.places()),
        given_back_(layout_.places()) {}

  const resource_layout& layout() const { return layout_; }
  /// Whether a job can have what it needs now. @param wanted of each resource; empty: nothing
  bool fits(const amounts& wanted) const { return layout_.fits(free_, wanted); }
  /// Whether a job can have what it needs of one resource now.
  bool fits(std::size_t resource, std::uint64_t wanted) const;

  /// Takes what a job needs, which fits.
  /// @param held receives what is taken in each place; empty: nothing
  /// @param random see resource_layout::take()
  void take(ticks now, const amounts& wanted, amounts& held, random_numbers* random);
  /// Takes what a policy has chosen. @param held in each place, without an objection
  void take_chosen(ticks now, const amounts& held);
  /// Why a job cannot hold what a policy has chosen, and what was expected; nothing: it can.
  /// @param held in each place
  std::optional<std::string> objection(const amounts& wanted, const amounts& held) const;
  /// Gives back what a job has held. @param held in each place; empty: nothing
  void give_back(ticks now, const amounts& held, const held_time& times);

  /// What jobs hold of a resource now, of devices in parts.
  std::uint64_t held_now(std::size_t resource) const {
    return layout_.free_of(resource, layout_.all()) - layout_.free_of(resource, free_);
  }
  /// The integral over time, until now, of what jobs hold of a resource: amount times ticks, of devices in parts.
  tick_sum held(std::size_t resource, ticks now) const;
  /// The part of held() in one of the resource's places: a device, or the amount. @param place from 0 on
  tick_sum held(std::size_t resource, std::size_t place, ticks now) const {
    return held_[layout_.first(resource) + place].until(now);
  }
  /// The part of held() that jobs have given back, of one of the resource's places: while they ran, and in overhead.
  const held_integral& given_back(std::size_t resource, std::size_t place) const {
    return given_back_[layout_.first(resource) + place];
  }

 private:
  resource_layout layout_;
  amounts free_;                           // in each place
  std::vector<amount_level> held_;         // in each place
  std::vector<held_integral> given_back_;  // in each place, of what has been given back
};

}  // namespace muster
