#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "platform/model/scenario.h"

namespace muster {

/// The most bytes that a job reads or writes; what a law draws above is cut to it.
inline constexpr double most_bytes = 1e18;

/// What jobs of a class read before their work and write after it.
struct class_data {
  std::optional<distribution> input{}, output{};  ///< bytes of a job, rounded to whole ones; none: no byte
  std::uint64_t inputs = 0;                       ///< data sets of which each job reads one; 0: each has its own input
  double input_skew = 0.0;  ///< set n, from 1, is drawn in proportion to n^-input_skew; 0: all alike
  bool broadcast = false;   ///< whether each server of a gang reads all of the input, and not its share
  bool overlap = false;     ///< whether the work begins while the input is on its way
};

/// The disk of each server of an entry, which keeps inputs that several jobs read.
struct disk_spec {
  std::optional<double> rate{};  ///< bytes read per unit of time, one read after the other; none: unlimited
  double cache = 0.0;            ///< bytes that it holds
};

/// What jobs read and write, and where it is kept.
struct data_spec {
  edge_spec storage{};                        ///< from the scheduler to the storage; of no meaning with a file
  std::map<std::string, class_data> classes;  ///< by name; those that have data
  std::map<std::string, disk_spec> disks;     ///< by name of the entry of servers; those that have one
};

}  // namespace muster
