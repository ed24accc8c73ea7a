#pragma once

#include <cstddef>
#include <vector>

namespace muster {

/// A class whose jobs draw their servers uniformly at random.
struct drawing_class {
  double load = 0.0;      ///< work per unit of time
  std::size_t drawn = 1;  ///< servers that each job draws, 1 .. number of servers
};

/// Probability that all servers that a job draws are among b given ones, C(b, d) / C(S, d).
/// @param drawn d, 1 .. servers
/// @return for b = 0 .. servers
std::vector<double> chance_within(std::size_t servers, std::size_t drawn);

/// Mean service rates gamma under balanced fairness when jobs draw their servers among like ones (Balanced fairness
/// paper, Section 5, "Large system with random assignment"). For one class this is the formula of Gardner et al.,
/// "Redundancy-d", reference 10 of the paper: sum of r_i / (1 - r_i) jobs in the system, i = d .. S, with
/// r_i = load C(i, d) / (C(S, d) i capacity).
/// @param capacity of each server; the classes' load is below that of all servers
/// @return one for each class
std::vector<double> random_assignment_rates(std::size_t servers, double capacity,
                                            const std::vector<drawing_class>& classes);

}  // namespace muster
