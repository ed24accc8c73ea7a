#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "platform/imported_fmu/fmu_instance.h"
#include "platform/imported_fmu/fmu_messages.h"

namespace muster {

/// The shared library of an FMU, which is loaded as long as this object lives.
class fmu_binary {
 public:
  /// @throws fmu_error if it cannot be loaded
  explicit fmu_binary(const std::string& file);

  /// A function of the library. @tparam Function its type @throws fmu_error if there is none of that name
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;

  struct closer {
    void operator()(void* library) const;
  };
  std::unique_ptr<void, closer> library_;
};

/// The value as an integer of 32 bits. @throws fmu_error that names the variable if it is none
std::int32_t to_integer(const fmu_variable& variable, double value);
/// The value as an integer of 64 bits. @throws fmu_error likewise, or if it is beyond largest_whole_number
std::int64_t to_long_integer(const fmu_variable& variable, double value);

/// @name Makers of instances
/// @param folder into which the FMU has been unpacked @throws fmu_error as load_fmu() does
/// @{
std::unique_ptr<fmu_instance> make_fmi2_instance(const fmu_description& description, const std::string& folder,
                                                 const std::string& name);
std::unique_ptr<fmu_instance> make_fmi3_instance(const fmu_description& description, const std::string& folder,
                                                 const std::string& name);
/// @}

}  // namespace muster
