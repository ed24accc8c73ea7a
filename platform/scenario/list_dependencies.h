#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/scenario/dependency_finder.h"
#include "platform/scenario/text_field.h"

namespace muster {

/// Which jobs of a list wait for which, as its lines tell. All that cannot be honoured is an error.
class list_dependencies {
 public:
  /// What a line tells of its job.
  struct values {
    std::optional<job_number> own{};          ///< by which others name the job; nothing: none does
    text_field after{};                       ///< which jobs it waits for; empty: for none
    double think = job_dependency::no_think;  ///< see job_dependency
  };

  /// Adds a line. @return what is wrong with the jobs that it names; empty: nothing
  std::string add(const values& told);
  /// Finds all dependencies, when all lines are there.
  /// @param lines of the jobs in the list's order, by the order in which they were added @param first place of the
  ///   first of them in the list
  /// @param complain receives what is wrong, and where
  std::shared_ptr<const job_dependencies> find(
      const std::vector<std::uint32_t>& lines, std::size_t first,
      const std::function<void(const text_field&, const std::string&)>& complain);

 private:
  struct line {
    values told;
    std::size_t first_wait = 0;  // in `preceding_`
  };

  std::vector<line> lines_;
  std::vector<job_number> preceding_;  // that the lines name, one line after the other
};

}  // namespace muster
