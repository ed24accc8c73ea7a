#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/model/scenario.h"

namespace muster {

/// The ways in which the point leaves the model of the balanced-fairness paper, in which exponential sizes give the
/// same state distribution whatever the number of interruptions (Sections 2 and 4); empty if it does not leave it.
///
/// Sizes must be exponential with one mean for all classes: with several the queue is not order independent, as a
/// single server shows, which is then an M/G/1 queue.
std::vector<std::string> departures_from_pooled_model(const scenario& model);

/// A set of classes and the servers that it may use. Of a class that draws servers, the jobs that drew within them
/// count.
struct pooled_set {
  std::vector<std::size_t> classes;  ///< positions in scenario.classes, ascending
  std::vector<std::size_t> servers;  ///< number of servers of each entry of scenario.servers
  double load = 0.0;                 ///< work per unit of time that the set brings
  double capacity = 0.0;             ///< mu(A): work per unit of time that its servers can do
};

/// The classes and servers of a set, such as "a, b on left, node (2 of 4)".
std::string to_words(const pooled_set& set, const scenario& model);

/// The set with the largest load / capacity.
struct hardest_pressed {
  pooled_set set;
  bool sure = true;  ///< false: there are too many sets to look at, and one may be pressed harder
};

/// Finds the set of classes with the largest load over capacity: by maximum flow; where all classes draw their servers,
/// over the slowest b servers for every b: no other b servers have less capacity for the same load. With classes of
/// both kinds up to 1000 draws are distinguished.
/// @param work of a job, by class; empty: its mean size
hardest_pressed find_hardest_pressed(const scenario& model, const std::vector<double>& work = {});

/// The service that a class can get.
struct pooled_class {
  std::string name;
  double overhead = 0.0;  ///< demand::overhead
  double load = 0.0;      ///< work per unit of time, the overhead included
  double capacity = 0.0;  ///< capacity of the servers that its jobs may use or draw
  double fastest = 0.0;   ///< largest service rate of one job: on all servers that it may use
  std::optional<double>
      highest_rate;  ///< arrival rate at which the first set reaches its capacity, the other classes' rates being kept
};

/// Examines each class, in the order of the scenario.
std::vector<pooled_class> examine_pooled_classes(const scenario& model);

/// The capacity set (Corollary 1): every set of classes, for at most four classes that do not draw. Else empty.
std::vector<pooled_set> capacity_set(const scenario& model);

}  // namespace muster
