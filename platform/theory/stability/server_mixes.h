#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "muster/policies/resource_layout.h"

namespace muster {

/// The number of tasks that a server holds together, by class.
using task_mix = std::vector<unsigned>;

/// What an idle server has for tasks of classes, those of different jobs together.
class server_room {
 public:
  /// @param types the cluster's resources, cores first
  /// @param of_server the amount of each, or the number of devices
  /// @param needs of a job, by class; null: the class may not use the server. They outlive the room.
  server_room(const std::vector<resource_type>& types, const amounts& of_server, std::vector<const task_need*> needs);

  /// Tasks of one class alone that the server holds at most: of any jobs, or of one that needs servers as a whole.
  const task_mix& alone() const { return alone_; }
  /// The mixes of tasks that fit on the server and have no room for a further task of any class; nothing if there are
  /// more than `most`, or if it takes too many steps to find them.
  std::optional<std::vector<task_mix>> maximal_mixes(std::size_t most) const;
  /// Measures of tasks, by class, whose sum is at most 1 for every mix that fits. Each resource has that of what a task
  /// takes of it, and those that dual feasible functions make of it, which round needs up to a share of the whole
  /// (Fekete and Schepers, "New classes of fast lower bounds for bin packing problems", 2001): two tasks that need more
  /// than half do not fit together. Devices have those by single devices, too.
  std::vector<std::vector<double>> measures() const;

 private:
  class lister;

  bool holds_whole_server(std::size_t c) const { return needs_[c] && needs_[c]->exclusive; }
  /// Amount of the whole server; of devices in parts.
  std::uint64_t whole(std::size_t resource) const { return layout_.free_of(resource, layout_.all()); }
  template <class Measure>
  std::vector<double> by_class(const Measure& of_need) const;

  resource_layout layout_;
  std::vector<const task_need*> needs_;
  task_mix alone_;
};

}  // namespace muster
