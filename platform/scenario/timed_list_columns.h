#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace muster
