#pragma once

#include <string>
#include <string_view>

namespace muster {

/// A description of the exception being handled: its type, and its text or number where it has any.
std::string thrown_text();

/// Reports the exception being handled, which a function of that policy has thrown.
/// @throws policy_error that names policy and function; an exception that is a policy_error passes unchanged
[[noreturn]] void rethrow_named(std::string_view policy, const char* function);

/// Calls a function of a policy or of its entry. @param function name of the function in messages, such as
/// "check_classes()"
/// @throws policy_error for any exception of the function, see rethrow_named()
template <class Call>
decltype(auto) call_named(std::string_view policy, const char* function, const Call& call) {
  try {
    return call();
  } catch (...) {
    rethrow_named(policy, function);
  }
}

}  // namespace muster
