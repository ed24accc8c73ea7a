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
  site_limits limits{};
  site_place at{};
};

/// What the accounting of a site tells of QOS, and of accounts and users with their shares and limits.
struct site_accounts {
  std::vector<site_qos> qos;
  std::vector<site_association> accounts, users;

  /// Whether accounts or users have any limit.
  bool has_limits() const;
  /// The first one, of a user and the accounts above, whose limits a job exceeds alone; null: it keeps all.
  /// @param of_qos those of its QOS, which hold before others of the same name
  const site_association* excluding(const std::string& user, double cores, double nodes,
                                    const site_limits& of_qos) const;
};

/// Reads what `sacctmgr dump` writes, or commands such as `add user`.
/// @param unused receives what no scenario has of it. Equal keys of a file are counted together
/// @throws std::runtime_error that says why the file cannot be read, but not its name
void read_accounts(const std::string& path, site_accounts& accounts, unused_values& unused);

/// Lets accounts and users that belong to none that is known belong to the root. Called when all files are read.
/// @param enforced whether limits hold, as AccountingStorageEnforce says: else there are none
/// @param unused receives what is left out
void settle_accounts(site_accounts& accounts, bool enforced, unused_values& unused);

}  // namespace muster
