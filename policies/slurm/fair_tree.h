#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "muster/policies/catalogue.h"

namespace muster {

/// Slurm's Fair Tree: users are leaves of a tree of accounts. Sources: its manual page fair_tree, and the loops of its
/// daemon.
///
/// Among those that have one account, each has a level: its part of their shares over its part of their usage. The
/// higher it is, the earlier they come, with all that belong to them; the users of accounts of equal levels are as
/// those of one account. The factor of a user is the place from the end, over the number of users. Equal levels give
/// equal places. Of equal levels users come before accounts, the first user of which then has their place. What belongs
/// to an account with Fairshare -1 belongs to the account above it, as such an account has no shares of its own.
class fair_tree {
 public:
  /// A user of the tree.
  struct user {
    std::size_t account = 0;
    double shares = 1.0;  ///< below 0: it has the highest level in its account
    double usage = 0.0;
    double factor = 1.0;
    bool known = false;  ///< whether it counts
  };

  /// @param given complete settings of the policy, of which an account_tree can be made
  explicit fair_tree(const settings& given);

  /// The users that the settings describe, by their numbers: all of them count. Others belong to no account.
  static std::vector<user> described_users(const settings& given);
  /// Computes the factors of those that count.
  void rank(std::vector<user>& users);

 private:
  /// An account; the first one has all others and the users without one.
  struct account {
    std::size_t parent = 0;
    double shares = 1.0;
    double usage = 0.0, shares_within = 0.0;  // of all below it; of those that have it as their account
    std::vector<std::size_t> accounts{}, users{};
  };
  /// A user or an account among those of equal place.
  struct member {
    double order = 0.0;  ///< usage over shares: the inverse of its level
    bool is_user = false;
    std::size_t place = 0;
  };
  struct counter {
    std::size_t all, left, rank;
  };

  void sum_up(const std::vector<user>& users);
  void add_members(const account& of, bool merged, const std::vector<user>& users, std::vector<member>& to) const;
  void rank(std::vector<member>& members, bool tied, counter& count, std::vector<user>& users) const;

  std::vector<account> accounts_;
};

}  // namespace muster
