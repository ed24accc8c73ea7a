#pragma once

#include <string>
#include <vector>

#include "muster/policies/catalogue.h"
#include "platform/model/scenario.h"

namespace muster {

/// A number among the parameters of a policy, of which the policy takes another value while it runs.
struct replaceable_number {
  std::string name;  ///< of the parameter
  std::string unit;  ///< "s" or "1/s"; empty: none
  std::string help;
  bool whole = false;
  double start = 0.0;  ///< its value now, in its unit, as are the bounds
  double least = 0.0;  ///< the policy may refuse the bound itself
  double most = 0.0;   ///< infinite: there is no upper bound
  double scale = 1.0;  ///< the unit in those of the parameter itself: value of the parameter = scale * value

  /// The value in its unit. @param all parameters of the policy; the start where they have none of the name
  double in(const settings& all) const;
  /// The value of the parameter. @param value in its unit; of a whole number one
  settings::value setting(double value) const;
};

/// The numbers that may be replaced, in the order of the entry.
/// @param runs a policy that the entry has made, for a cluster, from these settings
std::vector<replaceable_number> replaceable_numbers(const policy_entry& entry, const cluster_view& cluster,
                                                    const policy& runs, const settings& given, const time_unit& unit);
/// The numbers that may be replaced where the model runs; of several schedulers those of the first. None if the policy
/// is unknown, or refuses the model.
std::vector<replaceable_number> replaceable_numbers(const scenario& model);

/// What is known of a variable of a cluster before there is one, see cluster_variable.
struct shown_variable {
  std::string name;
  std::string unit{};     ///< of the SI; empty: a count or a share
  bool is_input = false;  ///< it is set, else read
  bool whole = false;     ///< a whole number
};

/// The variables that the cluster of a scenario will have, if it is controlled: those of cluster_variables, in its
/// order.
std::vector<shown_variable> shown_variables(const scenario& model);

}  // namespace muster
