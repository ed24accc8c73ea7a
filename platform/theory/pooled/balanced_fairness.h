#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "platform/model/compatibility_graph.h"

namespace muster {

/// The most classes of the recursion, which then holds 2^24 sets in 256 MiB and takes some seconds.
inline constexpr std::size_t most_balanced_classes = 24;

/// Mean service rates gamma under balanced fairness (Balanced fairness paper, Section 5) for any compatibility graph:
/// work done per unit of time and job in the system. With them a class of load a has a / gamma jobs in the system on
/// average, and a job of mean size sigma stays for sigma / gamma.
///
/// By recursion over the sets of active classes (those that have a job), after Shah and de Veciana, references 22 and
/// 23 of the paper.
/// @param graph of at most most_balanced_classes classes, with the load of each set of classes below the capacity of
///   its servers
/// @return one for each vertex of a class; not positive and finite where the loads are so near the limit that numbers
///   of double precision do not distinguish
std::vector<double> balanced_service_rates(const compatibility_graph& graph);

/// Mean service rates gamma of two classes in closed form: the tree network of equations 10 and 11.
/// @param own capacities of the servers that only the one, only the other class may use
/// @param shared capacity of the servers that both may use
std::pair<double, double> tree_service_rates(std::pair<double, double> own, double shared,
                                             std::pair<double, double> loads);

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
