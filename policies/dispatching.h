#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "muster/policies/job.h"
#include "muster/policies/random_numbers.h"

namespace muster {

/// A job that has arrived at a front end, and what the front end knows of its schedulers.
struct dispatching_request {
  class_id type{};  ///< the class, as it was submitted
  /// Jobs in the system of each scheduler, those that wait and those in service, as they were one information delay
  /// ago. The job itself is not among them.
  const std::vector<std::uint64_t>& jobs;
};

/// Chooses the scheduler of each job, in the order of their arrival.
class dispatching_rule {
 public:
  virtual ~dispatching_rule() = default;
  /// @return number of the scheduler, from 0
  virtual std::uint32_t choose(const dispatching_request& request) = 0;
};

/// What a dispatching rule is made from.
struct dispatching_settings {
  std::uint32_t schedulers;  ///< how many there are, at least 1
  std::uint32_t choices;     ///< how many of them are looked at for each job, 1 to `schedulers`; for rules that look
  random_numbers& random;    ///< outlives the rule; for rules that draw
};

/// A rule by which jobs are dealt to several schedulers. A file NAME.cpp of dispatching/ defines
/// `const dispatching_entry NAME_dispatching`.
struct dispatching_entry {
  std::string_view name;   ///< letters, digits, `_` and `-`
  int order;               ///< in lists, ascending; the first is the default
  std::string_view about;  ///< a sentence, with its rule for equal schedulers
  std::unique_ptr<dispatching_rule> (*make)(const dispatching_settings& settings);
  bool looks_at_jobs = false;  ///< whether the rule depends on dispatching_request::jobs
  bool has_choices = false;    ///< whether the rule depends on dispatching_settings::choices
  bool by_class = false;       ///< whether all jobs of class n go to scheduler n modulo the number of schedulers
};

/// All dispatching rules, in their order.
const std::vector<const dispatching_entry*>& dispatching_catalogue();
/// The rule of that name, or null.
const dispatching_entry* find_dispatching(std::string_view name);

}  // namespace muster
