#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "platform/import/slurm/site_accounts.h"
#include "platform/import/slurm/site_hardware.h"
#include "platform/import/slurm/site_jobs.h"
#include "platform/import/slurm/site_settings.h"
#include "platform/import/slurm/unused_values.h"

namespace muster {

/// What is known of a site.
struct slurm_site {
  std::string name;  ///< of the scenario
  site_settings settings;
  site_accounts accounts;
  site_hardware hardware;
  site_jobs jobs;
};

/// A scenario of a site, with the files that it names. Empty: it needs no such file.
struct site_scenario {
  std::string toml;
  std::string jobs;   ///< NAME_jobs.csv: a list of the jobs that have ended
  std::string queue;  ///< NAME_queue.csv: the jobs that wait or run at time 0
  std::vector<std::string> sentences;
  std::size_t jobs_with_start = 0;  ///< of those that have ended
  std::size_t waiting = 0;          ///< jobs that wait at time 0
};

/// Writes the scenario of a site.
/// @param unused receives jobs and nodes that it does not have
/// @throws std::invalid_argument that says what the site lacks
site_scenario scenario_of(const slurm_site& site, unused_values& unused);

}  // namespace muster
