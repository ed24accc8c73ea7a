#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "muster/policies/catalogue.h"

namespace muster {

/// The tree of accounts, in which users are leaves: the parameters `accounts` and `users` of the policy. Account 0 is
/// the root, which has no name, then come those of the settings in their order.
struct account_tree {
  /// @name The parameters of an account, and of a user
  /// @{
  static std::vector<parameter> account_parameters();
  static std::vector<parameter> user_parameters();
  /// @}
  /// Why there cannot be such a tree: an account is named that there is not, or that belongs to itself by way of
  /// others; nothing: there can. @param given complete settings of the policy
  static std::optional<setting_conflict> objection(const settings& given);

  /// @param given complete settings of the policy, to which there is no objection
  explicit account_tree(const settings& given);

  std::vector<std::size_t> above_accounts;  ///< the account to which each account belongs; the root is its own
  std::vector<std::size_t> above_users;     ///< the account to which each user belongs whom the settings describe
};

}  // namespace muster
