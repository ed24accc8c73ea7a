#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/import/slurm/site_limits.h"
#include "platform/import/slurm/unused_values.h"

namespace muster {

/// A QOS of a site, as far as a scenario has it.
struct site_qos {
  std::string name;
  site_place at;
  /// Parameters of a QOS of the policy `slurm`, as text of a scenario, by name.
  site_limits settings{};
  double longest = 0.0;  ///< MaxWall, in seconds; 0: none is set

  /// Its limits of cores alone or of jobs of a partition, which a partition can have, too.
  site_limits limits() const;
  /// Whether a job is beyond a limit by itself. @param nodes the most that it may hold
  bool excludes(double cores, double nodes) const { return muster::excludes(settings, cores, nodes); }
};

/// The QOS of a name; null: there is none.
const site_qos* find_qos(const std::vector<site_qos>& all, std::string_view name);

/// Takes a value of a QOS by its key in commands of sacctmgr, or its head in what `sacctmgr show qos` prints.
/// @param unused receives what the policy does not have
void take_qos_value(site_qos& qos, const site_place& at, std::string_view key, std::string_view value,
                    unused_values& unused);

/// Reads what `sacctmgr -P show qos` prints: heads, then a QOS a line, parted by `|`.
/// @throws std::runtime_error that says why the file cannot be read, but not its name
void read_qos_table(const std::string& path, std::vector<site_qos>& all, unused_values& unused);

}  // namespace muster
