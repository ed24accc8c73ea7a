#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "muster/policies/policy.h"
#include "muster/policies/random_numbers.h"
#include "muster/policies/settings.h"

namespace muster {

/// One end of an integer parameter's range: a number, or one that grows with the cores of the cluster.
struct bound {
  std::int64_t offset = 0;
  bool from_cores = false;  ///< counted from k, the cores of the whole cluster

  /// @param cores of the whole cluster, see cluster_view::all_cores()
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

/// A word that a choice parameter may have.
struct chosen_word {
  std::string_view parameter, word;
};

/// A parameter of a policy. Parser, `list policies` and the resolved scenario are all fed from this.
struct parameter {
  std::string_view name;  ///< letters, digits, '_' and '-'; but not "name", which a scenario has beside it
  std::variant<integer_parameter, number_parameter, choice_parameter, class_order_parameter> type;
  std::string_view help;
  std::string_view instead_of = {};  ///< another parameter of the policy: exactly one of the two must be given
  /// Beside that choice the parameter has no effect, and must not be given; empty: it always has one.
  chosen_word no_effect_with = {};
};

/// Why a parameter of a policy cannot be given, or must be, beside the others.
struct setting_conflict {
  std::string_view parameter;
  std::string what;
};

/// Everything the house needs to know of a policy.
struct policy_entry {
  std::string_view name;   ///< letters, digits, '_' and '-'
  std::string_view about;  ///< a sentence, with the source
  std::vector<parameter> parameters;
  /// Makes the policy from settings that are complete; for make() alone. The random numbers outlive the policy, which
  /// may draw then and later.
  std::unique_ptr<policy> (*construct)(const cluster_view&, const settings&, random_numbers&);
  /// Why the policy cannot run these classes, if it cannot; null if it runs any.
  std::optional<std::string> (*unsuited)(const cluster_view&) = nullptr;
  progress jobs = progress::rigid;
  bool sees_deadlines = false;  ///< else unit_progress::deadline is 0 for it
  bool sees_sizes = false;      ///< else job::size is 0 for it
  /// What it wants to know of each class, see cluster_view::parameters(); of any type but an order of classes.
  std::vector<parameter> class_parameters = {};

  /// Makes the policy for a cluster.
  /// @param given values of parameters; what is left out has its default
  /// @param random for a policy that draws; outlives the policy
  /// @throws policy_error if the policy cannot run these classes, or as complete() does, and where parameters() of a
  /// class are not those of complete_classes()
  std::unique_ptr<policy> make(const cluster_view& cluster, const settings& given, random_numbers& random) const;
  /// The same without random numbers: to draw one is a policy_error.
  std::unique_ptr<policy> make(const cluster_view& cluster, const settings& given) const;
  /// Checks the values that were given against the parameters, and fills the defaults in.
  /// @throws policy_error for a parameter that the policy does not have, a value that is of another type, not within
  /// its range or none of the words, and for conflicts() among them
  settings complete(const cluster_view& cluster, const settings& given) const;
  /// The same for the class parameters: to be called before a cluster is made of the classes. Of a policy that has no
  /// such parameters there is nothing to do.
  /// @param all_cores of the cluster, busy or not
  void complete_classes(table<class_id, job_class>& classes, unsigned all_cores) const;

  /// @throws policy_error if the entry is not one that can be listed, given settings and made
  void check() const;
};

/// @name Relations among parameters
/// @param of all of them: a policy's parameters, or its class_parameters
/// @param given only words matter among its values
/// @{
/// What is wrong with giving these parameters and no others.
std::vector<setting_conflict> conflicts(const std::vector<parameter>& of, const settings& given);
/// Whether one of the parameters has an effect beside the words that were given.
bool has_effect(const std::vector<parameter>& of, const parameter& p, const settings& given);
/// @}

/// All policies, in the order in which they are listed: muster's own, then those that were added.
const std::vector<const policy_entry*>& policy_catalogue();
/// Adds a policy to the catalogue. @param entry outlives all use of the catalogue
/// @throws policy_error if its name is taken, or as policy_entry::check() does; nothing is added then
void add_policy(const policy_entry& entry);
/// The policy of that name, or null.
const policy_entry* find_policy(std::string_view name);

}  // namespace muster
