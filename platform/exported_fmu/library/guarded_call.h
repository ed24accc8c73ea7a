#pragma once

#include <exception>
#include <stdexcept>

#include "platform/exported_fmu/library/exported_instance.h"

namespace muster {

/// Carries out a function of FMI: what it throws becomes its status and a message, as no exception leaves the library.
/// A call that is not allowed leaves the instance as it was; a fault of the cluster ends its simulation.
/// @param call takes the instance, an exported_instance&
template <class Call>
fmi3Status guarded(fmi3Instance instance, const char* function, Call&& call) noexcept {
  if (instance == nullptr) return fmi3Error;
  auto& of = *static_cast<exported_instance*>(instance);
  const auto tell = [&](fmi3Status status, const fmu_log_category& category, const std::exception& e) {
    of.log().tell(status, category, of.name() + ": " + function + ": " + e.what());
    return status;
  };
  try {
    call(of);
    return fmi3OK;
  } catch (const discarded_call& e) {
    return tell(fmi3Discard, discard_category, e);
  } catch (const std::invalid_argument& e) {  // of the cluster, which refuses an input that was set
    return tell(fmi3Discard, discard_category, e);
  } catch (const illegal_call& e) {
    return tell(fmi3Error, error_category, e);
  } catch (const std::exception& e) {
    of.fail();
    return tell(fmi3Error, error_category, e);
  }
}

}  // namespace muster
