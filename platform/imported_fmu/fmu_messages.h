#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "platform/imported_fmu/fmu_archive.h"

namespace muster {

/// What an FMU has logged.
///
/// Messages that go with no failure are kept for said(): of those that differ in nothing but their numbers the first,
/// of different ones the first `most_told`.
class fmu_messages {
 public:
  enum class severity { ok, warning, failure };
  static constexpr std::size_t most_told = 5;

  /// Takes a message. One that goes with a failure stays until the next such one.
  void add(const std::string& text, severity of);
  /// Reports that a call has failed. @throws fmu_error always
  [[noreturn]] void report(const char* function, const char* status) const;
  /// Reports that a function has made no instance. @throws fmu_error always
  [[noreturn]] void report_no_instance(const char* function) const;

  /// Sentences about the messages that went with no failure, such as "warns: 'the fan is slow'". In one that has come
  /// with several numbers, `#` stands in their place.
  std::vector<std::string> said() const;

 private:
  struct told {
    std::string text;   // as it came first
    std::string shape;  // with # in place of numbers
    bool warns = false;
    bool varies = false;  // it has come with other numbers, too
  };

  std::string in_words() const;

  std::string latest_, latest_of_failure_;
  std::vector<told> told_;
  std::size_t left_out_ = 0;  // messages of other shapes
};

}  // namespace muster
