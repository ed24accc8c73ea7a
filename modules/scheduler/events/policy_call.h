#pragma once

#include <atomic>

namespace muster {

/// A guard that records a call of one of the policy's functions, from its construction to its destruction. A signal
/// handler can read which function is being called in this process, to name it when a policy crashes or does not
/// return. The end of a nested call, of another cluster's policy, ends the record of the outer one too: keeping it
/// would cost time in each call.
class policy_call {
 public:
  /// @param function as messages name it, such as "arrived()"; a string literal
  explicit policy_call(const char* function) {
    latest.function.store(function, std::memory_order_relaxed);
    latest.looks.store(0, std::memory_order_relaxed);
  }
  ~policy_call() { latest.function.store(nullptr, std::memory_order_relaxed); }
  policy_call(const policy_call&) = delete;
  policy_call& operator=(const policy_call&) = delete;

  /// The function being called; null: none. Safe in signal handlers.
  static const char* under_way() { return latest.function.load(std::memory_order_relaxed); }
  /// Counts how often it has been called since the latest call of a policy's function began, this call included. Safe
  /// in signal handlers.
  static unsigned look() { return latest.looks.fetch_add(1, std::memory_order_relaxed) + 1; }

 private:
  struct call {
    std::atomic<const char*> function;
    std::atomic<unsigned> looks;
  };
  static inline call latest{};
};

/// Reports the exception being handled, which a function of the policy has thrown, as a fault.
/// @throws sc_core::sc_report of type /muster/scheduler; SystemC's own exceptions pass unchanged
[[noreturn, gnu::cold, gnu::noinline]] void report_thrown_in_policy(const char* function);

/// Calls a function of the policy.
/// @param function name of the function, see policy_call
/// @param call returns what the function returns
/// @throws sc_core::sc_report of type /muster/scheduler for any exception of the function, except SystemC's own, which
/// pass unchanged
template <class Call>
decltype(auto) call_policy(const char* function, const Call& call) {
  const policy_call under_way(function);
  try {
    return call();
  } catch (...) {
    report_thrown_in_policy(function);
  }
}

}  // namespace muster
