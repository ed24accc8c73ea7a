#pragma once

#include <string>
#include <vector>

#include "platform/store/verdict.h"

namespace muster {

/// What a contest says, in a sentence without a full stop.
std::string sentence_of(const contest& c, const std::string& unit);

/// By how much a policy that is worse than the best is so: "+14 % (+11 % to +17 %)", "at least +80 %", "unstable".
std::string lead_text(const entrant& c);

/// Over all contests, a sentence each: where the lead changes along the verdict's key, what the other keys change, and
/// which policies have no steady state.
std::vector<std::string> verdict_sentences(const verdict& v);

}  // namespace muster
