#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/scenario/dependency_finder.h"
#include "platform/scenario/named_file.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/scenario/text_field.h"

namespace muster {

/// What a column of a list of rigid or pooled jobs tells of a job.
enum class list_column_kind {
  id,
  arrival,
  size,
  class_name,
  tasks,
  exclusive,
  at_most_per_server,
  requested,
  user,
  qos,
  job,
  after,
  think,
  start,
  amount
};

struct list_column {
  std::string name;
  list_column_kind kind = list_column_kind::id;
  std::size_t resource = 0;  ///< of an amount; cores are the first
};

/// The columns of a list of rigid or pooled jobs, in its own order.
class timed_list_columns {
 public:
  /// Reads the header. @param report_to receives what is wrong with it
  void read(const std::vector<text_field>& header, const point_draft& point, named_file& report_to);

  std::size_t size() const { return columns_.size(); }
  const list_column& operator[](std::size_t n) const { return columns_[n]; }
  /// Whether needs are told in tasks: by a column for them, or for a resource beside cores.
  bool tell_tasks() const;
  /// Whether a column tells which servers a job shares with others, or with its own tasks.
  bool tell_sharing() const { return has(list_column_kind::exclusive) || has(list_column_kind::at_most_per_server); }
  /// Whether a column tells which jobs others wait for.
  bool tell_dependencies() const { return has(list_column_kind::after); }
  /// Whether a column tells numbers by which jobs name each other, which are else the ids.
  bool tell_numbers() const { return has(list_column_kind::job); }
  /// The column to blame for a dependency, which must be there.
  std::size_t of_dependency() const;
  /// The column to blame for a need: that of the resource, or of the number of tasks, or else the first of an amount,
  /// or else the first that tells something of a need, which must be there.
  std::size_t of_need(std::optional<std::size_t> resource) const;

 private:
  bool has(list_column_kind kind) const;

  std::vector<list_column> columns_;
};

/// The part of a job's line that tells its need.
struct submitted_values {
  /// Whether the job shares its servers with others or holds them whole.
  enum class use : std::uint8_t { as_class, shared, whole };

  std::uint64_t tasks = 0;  ///< 0: as the class has it
  std::vector<std::optional<std::uint64_t>> amount;
  use of_servers = use::as_class;
  std::uint64_t at_most_per_server = 0;  ///< 0: as the class has it
  bool of_amounts = false;               ///< whether tasks or an amount are told

  bool any() const { return of_amounts || of_servers != use::as_class || at_most_per_server > 0; }
};

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
