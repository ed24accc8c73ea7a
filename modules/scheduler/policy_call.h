#pragma once

#include <atomic>
#include <string>

#include <systemc>

namespace muster {

/// A call of one of the policy's functions, from its construction to its destruction. It may be asked from a signal
/// handler which function is under way in this process, so that a policy that crashes or does not return can be named.
/// A call within another, of another cluster's policy, ends both: to keep the outer one would cost each call more.
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

  /// The function under way; null: none. Safe in signal handlers.
  static const char* under_way() { return latest.function.load(std::memory_order_relaxed); }
  /// @return how often this has been called since the latest call of a policy's function began. Safe in signal handlers
  static unsigned look() { return latest.looks.fetch_add(1, std::memory_order_relaxed) + 1; }

 private:
  struct call {
    std::atomic<const char*> function;
    std::atomic<unsigned> looks;
  };
  static inline call latest{};
};

/// The exception being handled, in words: its type, and its text or number where it has any.
std::string thrown_text();

/// Reports the exception being handled, which has left that function of the policy, as a fault.
/// @throws sc_core::sc_report of type /muster/scheduler
[[noreturn]] void report_thrown_in_policy(const char* function);

/// Calls a function of the policy.
/// @param function its name, see policy_call
/// @param call returns what the function returns
/// @throws sc_core::sc_report of type /muster/scheduler for whatever leaves the function; what is SystemC's own passes
template <class Call>
decltype(auto) call_policy(const char* function, const Call& call) {
  const policy_call under_way(function);
  try {
    return call();
  } catch (const sc_core::sc_report&) {
    throw;
  } catch (const sc_core::sc_unwind_exception&) {
    throw;
  } catch (...) {
    report_thrown_in_policy(function);
  }
}

}  // namespace muster
