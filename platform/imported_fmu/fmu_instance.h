#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/imported_fmu/fmu_description.h"

namespace muster {

/// An instance of an FMU for co-simulation that has been loaded. Calls come in this order: set() of parameters,
/// enter_initialization(), set() of inputs, exit_initialization(), then any number of step(), set() of inputs and
/// get().
///
/// Every call throws an fmu_error, if the FMU reports that it has failed, with the function, the status and the latest
/// message of the FMU. Nothing but the destructor may be called then.
class fmu_instance {
 public:
  virtual ~fmu_instance() = default;

  /// Begins the initialization at time 0.
  virtual void enter_initialization() = 0;
  virtual void exit_initialization() = 0;
  /// Sets a variable of any kind but other. @param value of an integer a whole number, of a long one within
  /// largest_whole_number; of a boolean 0 or 1
  virtual void set(const fmu_variable& variable, double value) = 0;
  /// The value of such a variable. Long integers beyond largest_whole_number are rounded.
  virtual double get(const fmu_variable& variable) = 0;
  /// Computes from one communication point to the next. @param at,length seconds
  virtual void step(double at, double length) = 0;
  /// Sentences about the messages that the FMU has logged without a failure, see fmu_messages.
  virtual std::vector<std::string> said() const = 0;
};

/// Loads the binary of an FMU and makes an instance of it.
/// @param folder into which the FMU has been unpacked; stays until the instance has ended
/// @param name of the instance
/// @throws fmu_error if the binary cannot be loaded, lacks functions, or makes no instance
std::unique_ptr<fmu_instance> load_fmu(const fmu_description& description, const std::string& folder,
                                       const std::string& name);

}  // namespace muster
