#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/study.h"
#include "platform/store/verdict.h"
#include "platform/tables/table_document.h"
#include "platform/theory/theory.h"

namespace muster {

/// What `muster run` prints at its end: a line for each finished point, the main metrics with their 95 % half-widths.
/// Where some point has a known answer, its response time stands beside the measured one. No text if no point is
/// finished.
/// @param estimates,answers by point
table_document run_text(const study& s, const std::vector<std::vector<estimate>>& estimates,
                        const std::vector<theory>& answers);

/// The verdict, with which a run ends: for each metric a table with the best policy, those that cannot be told apart
/// from it, and the next one; then what the other keys change. Rows of the other keys are left out where they change no
/// best policy, and of many rows the first stand here; the page and the formats for programs have more. Nothing if the
/// study does not compare policies.
table_document verdict_text(const study& s, const verdict& v);

/// Lines for a terminal, such as "note: SENTENCE": the first five sentences, and where the others are.
std::string first_few(std::string_view word, const std::vector<std::string>& sentences, std::string_view where);

/// A line that names the points which have missed their precision; empty if there are none.
std::string imprecise_points(const std::vector<std::size_t>& imprecise, std::size_t points);

}  // namespace muster
