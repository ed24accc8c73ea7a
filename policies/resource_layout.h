#pragma once

#include <cstddef>

#include "muster/policies/random_numbers.h"
#include "muster/policies/resources.h"

namespace muster {

/// How the resources of a server are counted: in places, one for its cores, one for each other amount, and one for each
/// of its devices, which counts the device's parts. Resources of the cluster have no place there, but in a layout of
/// their own, see of_cluster().
class resource_layout {
 public:
  /// A layout without places.
  resource_layout() = default;
  /// @param types the cluster's resources, cores first
  /// @param of_server the amount of each, or the number of devices
  resource_layout(const std::vector<resource_type>& types, const amounts& of_server);
  /// How the resources of the cluster as a whole are counted: in places, one for each amount and one for each device.
  static resource_layout of_cluster(const cluster_resources& resources);

  std::size_t resource_count() const { return resources_.size(); }
  /// The number of places, of a server at least one.
  std::size_t places() const { return all_.size(); }
  /// What a server has in each place when nothing is held.
  const amounts& all() const { return all_; }
  /// The places of a resource: from first() on, count() of them.
  std::size_t first(std::size_t resource) const { return resources_[resource].first; }
  std::size_t count(std::size_t resource) const { return resources_[resource].count; }
  /// Parts of each device; 0: not devices.
  std::uint64_t parts(std::size_t resource) const { return resources_[resource].parts; }
  /// What is free of a resource, all its places together.
  std::uint64_t free_of(std::size_t resource, const amounts& free) const;

  /// How many tasks of a need a server can hold at once. @param free in each place @return at most need.tasks
  unsigned tasks_that_fit(const amounts& free, const task_need& need) const;
  /// How many tasks a server could hold at once if it had enough of all resources but one. An exclusive job needs the
  /// resource whole. @param free in each place @return at most need.tasks
  unsigned tasks_by_resource(std::size_t resource, const amounts& free, const task_need& need) const;
  /// Takes the places of tasks that fit: of devices those with the fewest free parts that suffice, the lowest first.
  /// @param free from which they are taken
  /// @param taken what is taken in each place is added to it
  /// @param random draws any of the devices that suffice; null: see above
  void take(amounts& free, const task_need& need, unsigned tasks, amounts& taken,
            random_numbers* random = nullptr) const;

  /// How many times what a job needs, beside its tasks, can be taken. @param free in each place
  /// @param wanted of each resource @return at most `most`
  std::uint64_t times_that_fit(const amounts& free, const amounts& wanted, std::uint64_t most) const;
  bool fits(const amounts& free, const amounts& wanted) const { return times_that_fit(free, wanted, 1) > 0; }
  /// Whether a part of a device, whole devices or an amount of one resource can be taken. @param wanted > 0
  bool fits_of(std::size_t resource, const amounts& free, std::uint64_t wanted) const {
    return tasks_in(resources_[resource], free, wanted, 1) > 0;
  }
  /// Takes what a job needs beside its tasks, and fits, by the rule of take().
  /// @param wanted of each resource
  void take_of_job(amounts& free, const amounts& wanted, amounts& taken, random_numbers* random = nullptr) const;

 private:
  struct places_of {
    std::size_t first = 0, count = 0;
    std::uint64_t parts = 0;
  };

  void add(const resource_type& type, std::size_t count, std::uint64_t amount);
  void take_of(std::size_t resource, std::uint64_t wanted, unsigned tasks, amounts& free, amounts& taken,
               random_numbers* random) const;
  static unsigned most_tasks(const task_need& need);
  static std::uint64_t tasks_in(const places_of& at, const amounts& free, std::uint64_t wanted, std::uint64_t most);
  void take_devices(const places_of& devices, std::uint64_t parts, amounts& free, amounts& taken,
                    random_numbers* random) const;
  static std::size_t tightest(const places_of& devices, std::uint64_t parts, const amounts& free);
  static std::size_t any_device(const places_of& devices, std::uint64_t parts, const amounts& free,
                                random_numbers& random);

  std::vector<places_of> resources_;
  amounts all_;
};

}  // namespace muster
