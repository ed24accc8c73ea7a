#pragma once

#include <string>

#include "platform/metrics/quantile_sketch.h"

namespace muster {

/// A sketch as text: the number of the first bucket that has counts, then the counts from there on. Empty: no values.
std::string to_text(const coarse_sketch& sketch);
/// The sketch of such a text. @throws std::runtime_error if the text is no sketch
coarse_sketch sketch_from_text(const std::string& text);

}  // namespace muster
