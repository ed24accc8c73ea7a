#include "muster/modules/scheduler/events/policy_call.h"

#include <stdexcept>

#include <fmt/format.h>
#include <systemc>

#include "muster/policies/thrown_text.h"

namespace muster {

namespace {

// Reports an exception of a type that is not SystemC's.
[[noreturn]] void report_foreign(const char* function) {
  const std::string message = fmt::format("the policy's {} ended with an exception, {}", function, thrown_text());
  SC_REPORT_ERROR("/muster/scheduler", message.c_str());
  throw std::runtime_error(message);  // if SystemC's own exception has been disabled
}

}  // namespace

void report_thrown_in_policy(const char* function) {
  try {
    throw;
  } catch (const sc_core::sc_report&) {
    throw;
  } catch (const sc_core::sc_unwind_exception&) {
    throw;
  } catch (...) {
    report_foreign(function);
  }
}

}  // namespace muster
