#pragma once

#include <optional>
#include <vector>

namespace muster {

/// Half-width of the 95 % interval of a mean by overlapping batch means (Meketon and Schmeiser, 1984), from one
/// sequence of dependent values.
///
/// The overlapping batches begin at every one of the means given, and are a twentieth of the sequence long. Student's t
/// with 1.5 (20 - 1) degrees of freedom (there, Section 4): half as many again as without overlap.
/// @param means of equal, successive parts of the sequence
/// @return none if there are fewer than 40
std::optional<double> overlapping_batch_means(const std::vector<double>& means);

}  // namespace muster
