#pragma once

#include <string>

namespace muster {

/// Announces a SystemC warning or error that the running test provokes. Every other one fails the test, and so does one
/// that was announced and does not come.
/// @param text without the time in brackets at its end, unless that matters
void expect_report(std::string type, std::string text);

}  // namespace muster
