#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "muster/policies/job_kind.h"
#include "muster/policies/pooled_policy.h"
#include "muster/policies/random_numbers.h"
#include "muster/policies/rigid_policy.h"
#include "muster/policies/settings.h"
#include "muster/policies/slotted_policy.h"
#include "muster/policies/stability_rule.h"

namespace muster {

/// A bound of an integer parameter: a constant, or a constant added to the number of cores in the cluster.
struct bound {
  std::int64_t offset = 0;
  bool from_cores = false;  ///< added to k, the cores of the whole cluster

  /// @param cores of the whole cluster, see cluster_view::all_cores()
  std::int64_t at(std::int64_t cores) const { return offset + (from_cores ? cores : 0); }
};

/// A whole number between two bounds, both included.
struct integer_parameter {
  bound lowest, highest, standard;
};

/// A number; without a default (`standard`) it may be left out.
struct number_parameter {
  std::string_view range;  ///< for messages and help, such as "a number > 0"
  double lowest = 0.0;
  bool lowest_excluded = false;
  std::optional<double> standard;
  std::string_view unit = {};  ///< "time" or "1/time", in the scenario's own unit; empty: none
};

/// One of several words; the first is the default.
struct choice_parameter {
  std::vector<std::string_view> words;
};

/// Every job class once, in an order of the user's; by default descending need.
struct class_order_parameter {};

/// Schedules: of each the jobs of each class that are in service together. It may be left out.
struct schedules_parameter {};

/// A square matrix of numbers >= 0, by rows. It may be left out.
struct square_matrix_parameter {};

/// A text, by default none. settings::choice() has its value.
struct text_parameter {};

/// What the names of tables are names of. Tables of the names that jobs have come first, and in the order of their
/// numbers, see job_facts.
enum class table_names : std::uint8_t { any, qos, users };

struct parameter;

/// Tables of values, each by a name that the user chooses; by default none. Where a scenario has some of names that
/// jobs have, it has those of all of them.
struct tables_parameter {
  std::vector<parameter> (*of_each)();  ///< of any type except orders of classes, schedules and tables
  table_names names = table_names::any;
};

/// A word of a choice parameter.
struct chosen_word {
  std::string_view parameter, word;
};

/// A parameter of a policy, for parser, `list policies` and the resolved scenario.
struct parameter {
  std::string_view name;  ///< letters, digits, '_' and '-'; not "name", the key of the policy's name in a scenario
  std::variant<integer_parameter, number_parameter, choice_parameter, class_order_parameter, schedules_parameter,
               square_matrix_parameter, text_parameter, tables_parameter>
      type;
  std::string_view help;
  std::string_view instead_of = {};  ///< another parameter of the policy: exactly one of the two must be given
  /// With this choice the parameter has no effect and must not be given; empty: it always has an effect.
  chosen_word no_effect_with = {};
};

/// The reason why a parameter cannot be given, or is missing, with the others that were given.
struct setting_conflict {
  std::string_view parameter;
  std::string what;
};

/// Makes a policy of one kind of jobs from complete settings. The random numbers outlive the policy, which may draw
/// then and later.
template <class Policy>
using policy_constructor = std::unique_ptr<Policy> (*)(const cluster_view&, const settings&, random_numbers&);

/// Makes a policy; in the order of job_kind, so that the type of the function tells the kind of the jobs.
using policy_maker = std::variant<policy_constructor<rigid_policy>, policy_constructor<pooled_policy>,
                                  policy_constructor<slotted_policy>>;

/// The policy_maker of a policy that has no settings.
template <class Policy>
std::unique_ptr<typename Policy::of_kind> without_settings(const cluster_view&, const settings&, random_numbers&) {
  return std::make_unique<Policy>();
}

struct placement_entry;

/// The description of a policy, from which it is listed, checked, given its settings and made. Its fields are set by
/// name; those from `parameters` on, but for `construct`, may be left out.
struct policy_entry {
  std::string_view name;   ///< letters, digits, '_' and '-'
  std::string_view about;  ///< a sentence, with the source
  std::vector<parameter> parameters = {};
  policy_maker construct = {};  ///< called by make() only
  /// Returns why the policy cannot run these classes, if it cannot; null: it runs any classes.
  std::optional<std::string> (*check_classes)(const cluster_view&) = nullptr;
  /// Returns why the policy cannot run these classes with these complete settings, if it cannot, and the parameter that
  /// is to blame, or an empty name. Called only for classes to which `check_classes` has no objection; null: all do.
  std::optional<setting_conflict> (*check_settings)(const cluster_view&, const settings&) = nullptr;
  /// The parameters of each class, see cluster_view::parameters(); of any type except an order of classes and
  /// schedules.
  std::vector<parameter> class_parameters = {};
  bool sees_deadlines = false;  ///< false: unit_progress::deadline is 0 for the policy
  bool sees_sizes = false;      ///< false: job::size is 0 for the policy
  bool uses_estimates = false;  ///< false: job::estimate is 0 for the policy
  bool any_resources = false;   ///< false: only cores may count, see cluster_view::counts_tasks()
  /// Whether jobs of one class may differ in need, see cluster_view::several_needs(): for a policy that asks of each
  /// job whether it fits, and nothing of its class.
  bool any_needs = false;
  /// The rule by which the policy places its rigid jobs itself, one with scores that draws no random numbers, see
  /// rigid_view::placement_score(), or `first` where it calls rigid_decisions::start_on(); null: the user names a rule.
  const placement_entry* places_by = nullptr;
  bool places_only_tasks = false;  ///< `places_by` holds where tasks count; where only cores do, the user names a rule
  /// The policy calls rigid_decisions::preempt() or kill(), see preempts_with; whether a run does is may_preempt().
  bool preempts = false;
  bool loses_work = false;  ///< a policy that preempts does so by kill() alone: work is done again, no state is saved
  /// The policy decides by the queues and by what is free alone, so that other schedulers may have cores of the same
  /// servers, or take waiting jobs: of a running job it assumes nothing.
  bool shares_servers = false;
  bool counts_seconds = false;  ///< times among the parameters are in seconds, so that the unit of time is one
  /// The rule of stability of a policy for rigid or pooled jobs.
  stability_rule stable_up_to = stability_rule::not_known;
  /// The rule with complete settings, where it depends on them; null: stable_up_to.
  stability_rule (*stable_with)(const settings&) = nullptr;

  /// Whether a policy whose entry says `preempts` does so with complete settings; null: with any.
  bool (*preempts_with)(const settings&) = nullptr;
  /// Whether a policy that preempts may kill jobs of a class for good, see queue_place::nowhere, with complete settings
  /// of its own and of the class; null: it never does.
  bool (*kills_for_good)(const settings&, const settings& of_class) = nullptr;

  /// The kind of the policy's jobs.
  job_kind jobs() const { return static_cast<job_kind>(construct.index()); }

  /// The rule by which the policy places rigid jobs itself; null: the user names a rule.
  /// @param tasks whether tasks count
  const placement_entry* own_placement(bool tasks) const { return tasks || !places_only_tasks ? places_by : nullptr; }

  /// Makes the policy for a cluster.
  /// @param given values of parameters; what is left out has its default
  /// @param random for a policy that draws random numbers; outlives the policy
  /// @throws policy_error if the policy cannot run these classes or not with these settings, as complete() does, if
  /// the parameters() of a class are not as complete_classes() leaves them, and if its work_between_interruptions() is
  /// no time
  std::unique_ptr<policy> make(const cluster_view& cluster, const settings& given, random_numbers& random) const;
  /// Makes the policy without random numbers: drawing one throws a policy_error.
  std::unique_ptr<policy> make(const cluster_view& cluster, const settings& given) const;
  /// Checks the given values against the parameters, and adds the defaults.
  /// @throws policy_error for an unknown parameter, a value of another type, outside its range or not among the words,
  /// and for conflicts()
  settings complete(const cluster_view& cluster, const settings& given) const;
  /// Checks and completes the class parameters, before a cluster is made of the classes. Not needed for a policy
  /// without class parameters.
  /// @param all_cores cores of the cluster, busy or not
  void complete_classes(table<class_id, job_class>& classes, unsigned all_cores) const;

  /// @name Results of the functions of the entry that may be null
  /// @throws policy_error that names policy and function if the function throws any exception
  /// @{
  std::optional<std::string> objection_to_classes(const cluster_view& cluster) const;
  /// @param complete settings
  std::optional<setting_conflict> objection_to_settings(const cluster_view& cluster, const settings& complete) const;
  /// @param complete settings
  stability_rule rule_with(const settings& complete) const;
  /// Whether the policy may preempt jobs. @param complete settings
  bool may_preempt(const settings& complete) const;
  /// Whether the policy may kill jobs of a class for good. @param complete,of_class complete settings
  bool may_kill_for_good(const settings& complete, const settings& of_class) const;
  /// @}

  /// @throws policy_error if the entry is invalid
  void check() const;
};

/// @name Relations among parameters
/// @param of a policy's parameters, or its class_parameters
/// @param given settings; only which are given and the words of choices matter
/// @{
/// The conflicts among the given parameters.
std::vector<setting_conflict> conflicts(const std::vector<parameter>& of, const settings& given);
/// Whether the parameter has an effect with the given choices.
bool has_effect(const std::vector<parameter>& of, const parameter& p, const settings& given);
/// @}

/// All policies, in the order in which they are listed: muster's own, then those that were added.
const std::vector<const policy_entry*>& policy_catalogue();
/// Adds a policy to the catalogue. @param entry outlives all use of the catalogue
/// @throws policy_error if its name exists already, or as policy_entry::check() does; nothing is added then
void add_policy(const policy_entry& entry);
/// The policy of that name, or null.
const policy_entry* find_policy(std::string_view name);

}  // namespace muster
