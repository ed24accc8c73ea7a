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

/// What instances of both versions have in common: the binary, and what its functions return.
/// @tparam Status of the version: 0 to 4 are OK, Warning, Discard, Error and Fatal, 5 of FMI 2.0 is Pending
/// @tparam version of FMI, 2 or 3
template <class Status, int version>
class checked_instance : public fmu_instance {
 public:
  std::vector<std::string> said() const override { return messages_.said(); }

 protected:
  explicit checked_instance(const std::string& file) : binary_(file) {}

  static fmu_messages::severity severity_of(Status status) {
    using severity = fmu_messages::severity;
    return status == 0 ? severity::ok : status == 1 ? severity::warning : severity::failure;
  }
  bool goes_on() const { return status_ <= 1; }
  bool is_there() const { return status_ != 4; }
  /// Notes how a call has ended. @throws fmu_error if it has failed
  void check(const char* function, Status status) {
    static constexpr const char* words[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
    constexpr int known = version == 2 ? 6 : 5;
    status_ = status;
    if (!goes_on())
      messages_.report(function, status < known ? words[status]
                                 : version == 2 ? "that FMI 2.0 does not have"
                                                : "that FMI 3.0 does not have");
  }

  fmu_binary binary_;
  fmu_messages messages_;

 private:
  Status status_{};  // of the latest call
};

/// @name Makers of instances
/// @param folder into which the FMU has been unpacked @throws fmu_error as load_fmu() does
/// @{
std::unique_ptr<fmu_instance> make_fmi2_instance(const fmu_description& description, const std::string& folder,
                                                 const std::string& name);
std::unique_ptr<fmu_instance> make_fmi3_instance(const fmu_description& description, const std::string& folder,
                                                 const std::string& name);
/// @}

}  // namespace muster
