#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "muster/policies/policy.h"

namespace muster {

/// One end of an integer parameter's range: a number, or one that grows with the cores of the cluster.
struct bound {
  std::int64_t offset = 0;
  bool from_cores = false;  ///< counted from k, the cores of the whole cluster

  std::int64_t at(std::int64_t cores) const { return offset + (from_cores ? cores : 0); }
};

/// A whole number between two bounds, both included.
struct integer_parameter {
  bound lowest, highest, standard;
};

/// A number; without a standard it may be left out.
struct number_parameter {
  std::string_view range;  ///< for messages and help, such as "a number > 0"
  double lowest = 0.0;
  bool lowest_excluded = false;
  std::optional<double> standard;
};

/// One of several words; the first is the default.
struct choice_parameter {
  std::vector<std::string_view> words;
};

/// Every job class once, in an order of the user's; by default descending need.
struct class_order_parameter {};

/// A parameter of a policy. Parser, `list policies` and the resolved scenario are all fed from this.
struct parameter {
  std::string_view name;
  std::variant<integer_parameter, number_parameter, choice_parameter, class_order_parameter> type;
  std::string_view help;
  std::string_view instead_of = {};  ///< another parameter of the policy: exactly one of the two must be given
};

/// The parameters of one policy, complete and checked: defaults are filled in.
class settings {
 public:
  using value = std::variant<std::int64_t, double, std::string, std::vector<class_id>>;

  void set(std::string_view name, value v) { values_.insert_or_assign(std::string{name}, std::move(v)); }
  std::int64_t integer(std::string_view name) const { return std::get<std::int64_t>(at(name)); }
  bool has(std::string_view name) const { return values_.count(name) > 0; }
  double number(std::string_view name) const { return std::get<double>(at(name)); }
  const std::string& choice(std::string_view name) const { return std::get<std::string>(at(name)); }
  const std::vector<class_id>& order(std::string_view name) const { return std::get<std::vector<class_id>>(at(name)); }
  const value& at(std::string_view name) const { return values_.find(name)->second; }

 private:
  std::map<std::string, value, std::less<>> values_;
};

/// Everything the house needs to know of a policy.
struct policy_entry {
  std::string_view name;
  std::string_view about;  ///< a sentence, with the source
  std::vector<parameter> parameters;
  std::unique_ptr<policy> (*make)(const cluster_view&, const settings&);
  /// Why the policy cannot run these classes, if it cannot; null if it runs any.
  std::optional<std::string> (*unsuited)(const cluster_view&) = nullptr;
  progress jobs = progress::rigid;
  bool sees_deadlines = false;  ///< else unit_progress::deadline is 0 for it
};

/// All policies, in the order in which they are listed: muster's own, then those that were added.
const std::vector<const policy_entry*>& policy_catalogue();
/// Adds a policy to the catalogue. @param entry outlives all use of the catalogue
/// @return false if its name is taken; nothing is added then
bool add_policy(const policy_entry& entry);
/// The policy of that name, or null.
const policy_entry* find_policy(std::string_view name);

}  // namespace muster
