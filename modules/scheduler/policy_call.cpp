#include "muster/modules/scheduler/policy_call.h"

#include <exception>
#include <stdexcept>
#include <typeinfo>

#include <cxxabi.h>
#include <fmt/format.h>
#include <boost/core/demangle.hpp>
#include <systemc>

namespace muster {

std::string thrown_text() {
  try {
    throw;
  } catch (const std::exception& e) {
    return fmt::format("{}: {}", boost::core::demangle(typeid(e).name()), e.what());
  } catch (int number) {
    return fmt::format("int {}", number);
  } catch (const char* text) {
    return fmt::format("const char* '{}'", text);
  } catch (const std::string& text) {
    return fmt::format("std::string '{}'", text);
  } catch (...) {
    return boost::core::demangle(abi::__cxa_current_exception_type()->name());
  }
}

namespace {

// Of a type that is not SystemC's.
[[noreturn]] void report_foreign(const char* function) {
  const std::string what = fmt::format("the policy's {} ended with an exception, {}", function, thrown_text());
  SC_REPORT_ERROR("/muster/scheduler", what.c_str());
  throw std::runtime_error(what);  // if SystemC's own exception has been disabled
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
