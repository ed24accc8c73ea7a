#pragma once

#include <string>
#include <vector>

#include "platform/store/verdict.h"

namespace muster {

/// The outcome of a contest, in a sentence without a full stop.
std::string sentence_of(const contest& c, const std::string& unit);

/// The distance of a worse policy from the best: "+14 % (+11 % to +17 %)", "at least +80 %", "unstable".
std::string lead_text(const entrant& c);

/// The sentences over all contests: where the lead changes along the verdict's key, what the other keys change, and
/// which policies have no steady state.
std::vector<std::string> verdict_sentences(const verdict& v);

}  // namespace muster
