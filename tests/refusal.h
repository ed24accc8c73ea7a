#pragma once

#include <string>

namespace muster {

/// What the error says that `act` throws; empty if it throws none.
template <class Error, class Act>
std::string refusal(const Act& act) {
  try {
    act();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace muster
