#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// Limits of a QOS or an association, as text of a scenario, by the names of parameters of the policy `slurm`.
using site_limits = std::map<std::string, std::string>;

/// A key of sacctmgr that sets limits.
struct limit_key {
  std::string_view key;
  std::string_view parameter;   ///< of its number, or of cpu in its list
  std::string_view of_nodes{};  ///< of node in its list; empty: its value is a number
};

/// Takes a limit, or another whole number: -1 stands for none.
/// @return the parts of the value that are not taken, as they stand there; empty: all are
std::vector<std::string_view> take_limit(const limit_key& key, std::string_view value, site_limits& limits);

/// Whether something that needs so much alone is beyond a limit. @param nodes the most that it may hold
bool excludes(const site_limits& limits, double cores, double nodes);

}  // namespace muster
