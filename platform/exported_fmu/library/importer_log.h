#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "platform/exported_fmu/fmu_names.h"

namespace muster {

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
