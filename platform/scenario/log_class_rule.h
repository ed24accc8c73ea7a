#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/scenario/log_file.h"

namespace muster {

/// The rule of `arrivals.class_by`, by which jobs of a log become classes.
class log_class_rule {
 public:
  /// @param text `need`, `user`, `partition`, `queue`, `all`, or ranges such as `cores: 1, 2-16, 17-` or `run: 1h, 12h`
  /// @param wrong gets what is wrong with the text
  static std::optional<log_class_rule> of_text(std::string_view text, std::string& wrong);

  /// The number of the class of a job; nothing: none of the ranges has it.
  /// @param cores that it needs
  std::optional<std::uint64_t> number_of(const log_file::job& job, std::uint32_t cores) const;
  /// The name of a class, of letters, digits and "_-." alone. Classes of other numbers may have the same.
  std::string name_of(std::uint64_t number, const log_file& log) const;

 private:
  enum class kind { need, user, partition, queue, all, cores, run };
  struct range {
    double first, last;  // of cores, both included; of run times the last one excluded, in seconds
    std::string name;
  };

  explicit log_class_rule(kind by) : by_(by) {}

  std::string read_cores(std::string_view ranges);
  std::string read_runs(std::string_view limits);

  kind by_;
  std::vector<range> ranges_{};
};

}  // namespace muster
