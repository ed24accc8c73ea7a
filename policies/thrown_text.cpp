#include "muster/policies/thrown_text.h"

#include <exception>
#include <typeinfo>

#include <cxxabi.h>
#include <boost/core/demangle.hpp>

#include "muster/policies/name.h"
#include "muster/policies/settings.h"

namespace muster {

std::string thrown_text() {
  try {
    throw;
  } catch (const std::exception& e) {
    return boost::core::demangle(typeid(e).name()) + ": " + e.what();
  } catch (int number) {
    return "int " + std::to_string(number);
  } catch (const char* text) {
    return std::string{"const char* '"} + text + "'";
  } catch (const std::string& text) {
    return "std::string '" + text + "'";
  } catch (...) {
    return boost::core::demangle(abi::__cxa_current_exception_type()->name());
  }
}

void rethrow_named(std::string_view policy, const char* function) {
  try {
    throw;
  } catch (const policy_error&) {
    throw;
  } catch (...) {
    throw policy_error("policy " + shown_name(policy) + ": its " + function + " ended with an exception, " +
                       thrown_text());
  }
}

}  // namespace muster
