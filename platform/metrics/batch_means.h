#pragma once

#include <optional>
#include <vector>

namespace muster {

/// The half-width of the 95 % interval of a mean by overlapping batch means (Meketon and Schmeiser, 1984), from one
/// sequence of dependent values.
///
/// A batch begins at each of the means, and is a twentieth of the sequence long. Student's t has 1.5 (20 - 1) degrees
/// of freedom (Section 4 of that paper), half as many again as without overlap.
/// @param means of equal, successive parts of the sequence
/// @return none if there are fewer than 40 means
std::optional<double> overlapping_batch_means(const std::vector<double>& means);

}  // namespace muster
