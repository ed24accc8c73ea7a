#pragma once

#include <string>
#include <vector>

#include "platform/import/slurm/site_qos.h"
#include "platform/import/slurm/unused_values.h"

namespace muster {

/// An account of a site, or a user in one.
struct site_association {
  static constexpr double of_parent = -1.0;

  std::string name;
  std::string account{};  ///< that it belongs to; empty: none but the root
  double shares = 1.0;    ///< `of_parent`: as Fairshare=parent says
  site_place at{};
};

/// What the accounting of a site tells of QOS, and of accounts and users with their shares.
struct site_accounts {
  std::vector<site_qos> qos;
  std::vector<site_association> accounts, users;
};

/// Reads what `sacctmgr dump` writes, or commands such as `add user`.
/// @param unused receives what no scenario has of it. Equal keys of a file are counted together
/// @throws std::runtime_error that says why the file cannot be read, but not its name
void read_accounts(const std::string& path, site_accounts& accounts, unused_values& unused);

/// Gives accounts with Fairshare=parent, which have no place of their own, to those above them. Called when all files
/// are read. @param unused receives accounts and users that belong to none that is known
void settle_accounts(site_accounts& accounts, unused_values& unused);

}  // namespace muster
