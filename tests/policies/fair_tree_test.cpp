#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "muster/policies/slurm/account_tree.h"
#include "muster/policies/slurm/fair_tree.h"

// Slurm's Fair Tree by hand, and against an order of users by the levels on their way from the root.

namespace muster {
namespace {

struct drawn_account {
  std::string name, parent;
  std::int64_t shares;
};
struct drawn_user {
  std::string name, account;
  std::int64_t shares;
  double usage;
};

settings settings_of_tree(const std::vector<drawn_account>& accounts, const std::vector<drawn_user>& users) {
  std::vector<named_settings> all_accounts, all_users;
  for (const drawn_account& a : accounts) {
    settings& own = all_accounts.emplace_back(named_settings{a.name, {}}).values;
    own.set("parent", a.parent);
    own.set("Fairshare", a.shares);
  }
  for (const drawn_user& u : users) {
    settings& own = all_users.emplace_back(named_settings{u.name, {}}).values;
    own.set("account", u.account);
    own.set("Fairshare", u.shares);
  }
  settings all;
  all.set("accounts", all_accounts);
  all.set("users", all_users);
  return all;
}

std::vector<double> factors_of(const std::vector<drawn_account>& accounts, const std::vector<drawn_user>& users) {
  const settings given = settings_of_tree(accounts, users);
  EXPECT_FALSE(account_tree::objection(given));
  std::vector<fair_tree::user> all = fair_tree::described_users(given);
  for (std::size_t n = 0; n < users.size(); ++n) all[n].usage = users[n].usage;
  fair_tree(given).rank(all);
  std::vector<double> factors;
  factors.reserve(all.size());
  for (const fair_tree::user& u : all) factors.push_back(u.factor);
  return factors;
}

// The levels are 1 / 30 of a and 2 / 30 of b; in a, 3 / 20 and 1 / 10.
TEST(fair_tree, ranks_accounts_by_shares_over_usage_then_users_within_them) {
  EXPECT_EQ(factors_of({{"a", "", 1}, {"b", "", 2}},
                       {{"a1", "a", 3, 20}, {"a2", "a", 1, 10}, {"b1", "b", 1, 10}, {"b2", "b", 1, 20}}),
            (std::vector<double>{2 / 4.0, 1 / 4.0, 4 / 4.0, 3 / 4.0}));
}

// Accounts a and b have used 10 of equal shares. The user of a has used all of it by all shares, those of b 0.4 and 0.6
// by half of the shares each.
TEST(fair_tree, ranks_users_of_accounts_of_equal_levels_as_those_of_one_account) {
  EXPECT_EQ(factors_of({{"a", "", 1}, {"b", "", 1}}, {{"a1", "a", 1, 10}, {"b1", "b", 1, 4}, {"b2", "b", 1, 6}}),
            (std::vector<double>{2 / 3.0, 3 / 3.0, 1 / 3.0}));
}

TEST(fair_tree, gives_equal_levels_equal_places_and_puts_users_of_no_share_last) {
  // Unused, with the share of the parent, used, without a share, unused.
  EXPECT_EQ(factors_of({}, {{"u", "", 1, 0}, {"p", "", -1, 50}, {"v", "", 1, 5}, {"z", "", 0, 0}, {"w", "", 7, 0}}),
            (std::vector<double>{5 / 5.0, 5 / 5.0, 2 / 5.0, 1 / 5.0, 5 / 5.0}));
}

// The user of the root is before the account of an equal level, whose first user has the same place.
TEST(fair_tree, ranks_a_user_before_an_account_of_an_equal_level) {
  EXPECT_EQ(factors_of({{"a", "", 1}}, {{"a1", "a", 1, 4}, {"r", "", 1, 10}, {"a2", "a", 1, 6}}),
            (std::vector<double>{3 / 3.0, 3 / 3.0, 1 / 3.0}));
}

TEST(fair_tree, gives_what_belongs_to_an_account_without_shares_of_its_own_to_the_one_above_it) {
  EXPECT_EQ(factors_of({{"a", "", 1}, {"b", "", 2}, {"free", "a", -1}, {"freer", "free", -1}, {"c", "freer", 2}},
                       {{"a1", "a", 3, 20}, {"a2", "freer", 1, 10}, {"c1", "c", 1, 10}, {"b1", "b", 1, 20}}),
            factors_of({{"a", "", 1}, {"b", "", 2}, {"c", "a", 2}},
                       {{"a1", "a", 3, 20}, {"a2", "a", 1, 10}, {"c1", "c", 1, 10}, {"b1", "b", 1, 20}}));
}

TEST(fair_tree, orders_users_of_random_trees_by_the_levels_on_their_way_from_the_root) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 bits(seed);
    std::vector<drawn_account> accounts;
    std::vector<drawn_user> users;
    accounts.reserve(8);
    users.reserve(20);
    for (std::size_t n = 0; n < 1 + seed % 8; ++n)
      accounts.push_back({"a" + std::to_string(n), n == 0 || bits() % 3 == 0 ? "" : accounts[bits() % n].name,
                          static_cast<std::int64_t>(1 + bits() % 1000)});
    for (std::size_t n = 0; n < 20; ++n)
      users.push_back({"u" + std::to_string(n), bits() % 8 == 0 ? "" : accounts[bits() % accounts.size()].name,
                       static_cast<std::int64_t>(1 + bits() % 1000), 1.0 + static_cast<double>(bits() % 1'000'000)});
    const auto parent_of = [&](const std::string& name) {
      return std::find_if(accounts.begin(), accounts.end(), [&](const auto& a) { return a.name == name; })->parent;
    };
    const auto belongs_to = [&](std::string name, const std::string& account) {
      while (name != account && !name.empty()) name = parent_of(name);
      return name == account;
    };
    const auto usage_below = [&](const std::string& account) {
      double all = 0.0;
      for (const drawn_user& u : users) all += belongs_to(u.account, account) ? u.usage : 0.0;
      return all;
    };
    const auto shares_in = [&](const std::string& account) {
      double all = 0.0;
      for (const drawn_account& a : accounts) all += a.parent == account ? static_cast<double>(a.shares) : 0.0;
      for (const drawn_user& u : users) all += u.account == account ? static_cast<double>(u.shares) : 0.0;
      return all;
    };
    const auto level = [&](double shares, double usage, const std::string& parent) {
      return usage > 0.0 ? shares / shares_in(parent) / (usage / usage_below(parent)) : 1e300;
    };
    std::vector<std::vector<double>> ways;
    for (const drawn_user& u : users) {
      std::vector<double> way{level(static_cast<double>(u.shares), u.usage, u.account)};
      for (std::string name = u.account; !name.empty(); name = parent_of(name)) {
        const auto& a =
            *std::find_if(accounts.begin(), accounts.end(), [&](const auto& one) { return one.name == name; });
        way.insert(way.begin(), level(static_cast<double>(a.shares), usage_below(name), a.parent));
      }
      ways.push_back(way);
    }
    std::vector<double> expected;
    expected.reserve(ways.size());
    for (const auto& way : ways)
      expected.push_back(static_cast<double>(
                             std::count_if(ways.begin(), ways.end(), [&](const auto& other) { return other <= way; })) /
                         20.0);
    EXPECT_EQ(factors_of(accounts, users), expected);
  }
}

TEST(fair_tree, refuses_accounts_that_there_are_not_and_those_that_belong_to_themselves) {
  EXPECT_EQ(account_tree::objection(settings_of_tree({}, {{"ann", "physik", 1, 0}}))->what,
            "'ann' belongs to the account 'physik', which there is not; expected a name of accounts");
  EXPECT_EQ(account_tree::objection(settings_of_tree({{"a", "b", 1}, {"b", "c", 1}}, {}))->what,
            "the parent 'c' of 'a', or of one above it, is none; expected a name of accounts");
  EXPECT_EQ(account_tree::objection(settings_of_tree({{"a", "b", 1}, {"b", "a", 1}}, {}))->what,
            "'a' belongs to itself, or to such an account, by way of parents; expected parents without a circle");
}

}  // namespace
}  // namespace muster
