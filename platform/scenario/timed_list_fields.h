#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "platform/scenario/dependency_finder.h"
#include "platform/scenario/listed_needs.h"
#include "platform/scenario/named_file.h"
#include "platform/scenario/timed_list_columns.h"

namespace muster {

/// Reads the fields of a list of rigid or pooled jobs. What is wrong with one is reported by its line and column, and
/// a value that is valid stands in its place.
class timed_list_fields {
 public:
  /// @param model,columns,report_to outlive it @param longest end of the clock, in units of time
  timed_list_fields(const scenario& model, double longest, const timed_list_columns& columns, named_file& report_to)
      : model_(model), longest_(longest), columns_(columns), report_(report_to) {}

  void complain(const text_field& f, std::size_t column, const std::string& message);

  std::uint64_t id(const text_field& f, std::size_t column);
  std::uint64_t number_of_tasks(const text_field& f, std::size_t column);
  /// A time in units of time. @param from_zero whether it may be 0
  double time(const text_field& f, std::size_t column, bool from_zero);
  /// The place of the class that a field names.
  std::uint32_t job_class(const text_field& f, std::size_t column);
  /// How a job uses servers. What its class says is meant where the field is empty, or wrong, which is reported.
  submitted_values::use use_of_servers(const text_field& f, std::size_t column);
  /// An amount of a resource, of devices in parts. Nothing: it is not told, or wrong.
  std::optional<std::uint64_t> amount(const text_field& f, std::size_t column);
  /// The number by which other jobs name one. Nothing: none does, or it is wrong.
  std::optional<job_number> number_of_job(const text_field& f, std::size_t column);

 private:
  void expect(const text_field& f, std::size_t column, const std::string& expected);
  std::uint64_t whole(const text_field& f, std::size_t column, std::uint64_t lowest, std::uint64_t highest,
                      const std::string& expected);

  const scenario& model_;
  double longest_;
  const timed_list_columns& columns_;
  named_file& report_;
};

}  // namespace muster
