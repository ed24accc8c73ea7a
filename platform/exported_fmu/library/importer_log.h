#pragma once

#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>

#include "platform/exported_fmu/fmu_names.h"

namespace muster {

/// A call that could not be carried out and has changed nothing: the importer may try another one.
class discarded_call : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A call that the standard does not allow, by its arguments or in the present mode.
class illegal_call : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The messages of an instance to its importer.
class importer_log {
 public:
  /// @param callback may be null: no messages
  importer_log(fmi3LogMessageCallback callback, fmi3InstanceEnvironment environment, bool on);

  /// Switches categories. @param count 0: all of them
  /// @throws illegal_call if there is no such category
  void switch_categories(bool on, std::size_t count, const fmi3String categories[]);
  /// Hands a message to the importer. Errors are always told, others if their category is on.
  void tell(fmi3Status status, const fmu_log_category& category, const std::string& message) const;

 private:
  fmi3LogMessageCallback callback_;
  fmi3InstanceEnvironment environment_;
  std::set<std::string> on_;
};

}  // namespace muster
