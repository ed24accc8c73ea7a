#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "platform/import/slurm/site_scenario.h"
#include "platform/import/slurm/unused_values.h"

namespace muster {

/// A kind of file of a site.
enum class site_file_kind : std::uint8_t {
  slurm_conf,
  gres_conf,
  topology_conf,
  accounts,    ///< `sacctmgr dump`, or commands of sacctmgr
  qos,         ///< `sacctmgr -P show qos`
  nodes,       ///< `scontrol show node`
  partitions,  ///< `scontrol show partition`
  jobs,        ///< `scontrol show job`
  states,      ///< `sinfo`
  log,         ///< jobs that have ended, or that wait or run: any format of logs
};

/// The kind of a file by its content, or else by its name; none: it is none of a site.
std::optional<site_file_kind> site_file_kind_of(std::string_view begin, std::string_view name);

/// What is asked of the files of a site.
struct site_request {
  std::vector<std::string> paths;
  std::string name;        ///< of the scenario
  bool allocated = false;  ///< whether processors are those that jobs had, else those requested
};

/// The scenario of a site, and what of its files it does not have.
struct imported_site {
  site_scenario scenario;
  unused_values unused;
};

/// A file of a site that cannot be read; what() begins with its name, and its line if there is one.
struct site_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether files are those of a site: several ones, or one that is no log.
bool is_site(const std::vector<std::string>& paths);

/// Reads the files of a site and makes a scenario of them.
/// @throws site_error
imported_site import_site(const site_request& request);

}  // namespace muster
