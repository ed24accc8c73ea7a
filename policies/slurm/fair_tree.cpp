#include "muster/policies/slurm/fair_tree.h"

#include <algorithm>
#include <limits>

#include "muster/policies/slurm/account_tree.h"

namespace muster {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The first account with shares of its own from one on towards the root.
std::size_t with_shares(std::size_t account, const account_tree& tree, const settings& given) {
  const std::vector<named_settings>& all = given.tables("accounts");
  while (account > 0 && all[account - 1].values.integer("Fairshare") < 0) account = tree.above_accounts[account];
  return account;
}

}  // namespace

fair_tree::fair_tree(const settings& given) : accounts_(given.tables("accounts").size() + 1) {
  const std::vector<named_settings>& all = given.tables("accounts");
  const account_tree tree(given);
  for (std::size_t n = 0; n < all.size(); ++n)
    accounts_[n + 1].shares = static_cast<double>(all[n].values.integer("Fairshare"));
  for (std::size_t n = 1; n < accounts_.size(); ++n) {
    if (accounts_[n].shares < 0.0) continue;
    accounts_[n].parent = with_shares(tree.above_accounts[n], tree, given);
    accounts_[accounts_[n].parent].accounts.push_back(n);
  }
}

std::vector<fair_tree::user> fair_tree::described_users(const settings& given) {
  const account_tree tree(given);
  std::vector<user> users;
  users.reserve(tree.above_users.size());
  for (const auto& [name, values] : given.tables("users"))
    users.push_back({with_shares(tree.above_users[users.size()], tree, given),
                     static_cast<double>(values.integer("Fairshare")), 0.0, 1.0, true});
  return users;
}

void fair_tree::rank(std::vector<user>& users) {
  sum_up(users);
  const auto known =
      static_cast<std::size_t>(std::count_if(users.begin(), users.end(), [](const user& u) { return u.known; }));
  counter count{known, known, known};
  std::vector<member> members;
  add_members(accounts_.front(), false, users, members);
  rank(members, false, count, users);
}

// Finds the users of each account, what these and their accounts have used, and their shares.
void fair_tree::sum_up(const std::vector<user>& users) {
  for (account& a : accounts_) {
    a.usage = a.shares_within = 0.0;
    a.users.clear();
  }
  for (std::size_t n = 0; n < users.size(); ++n) {
    if (!users[n].known) continue;
    account& own = accounts_[users[n].account];
    own.users.push_back(n);
    own.shares_within += std::max(users[n].shares, 0.0);
    for (std::size_t above = users[n].account;; above = accounts_[above].parent) {
      accounts_[above].usage += users[n].usage;
      if (above == 0) break;
    }
  }
  for (account& a : accounts_)
    for (const std::size_t n : a.accounts) a.shares_within += accounts_[n].shares;
}

// Adds the users and accounts that have an account. Among those of several accounts, parts of shares and usage are
// compared, else shares and usage.
void fair_tree::add_members(const account& of, bool merged, const std::vector<user>& users,
                            std::vector<member>& to) const {
  const double scale = merged && of.usage > 0.0 ? of.shares_within / of.usage : 1.0;
  const auto order = [&](double usage, double shares) {
    if (shares < 0.0) return 0.0;
    return shares > 0.0 ? usage / shares * scale : infinite;
  };
  for (const std::size_t n : of.users) to.push_back({order(users[n].usage, users[n].shares), true, n});
  for (const std::size_t n : of.accounts) to.push_back({order(accounts_[n].usage, accounts_[n].shares), false, n});
}

// @param tied whether the first of them has the place of the user before
void fair_tree::rank(std::vector<member>& members, bool tied, counter& count, std::vector<user>& users) const {
  std::sort(members.begin(), members.end(), [](const member& a, const member& b) {
    if (a.order != b.order) return a.order < b.order;
    return a.is_user != b.is_user ? a.is_user : a.place < b.place;
  });
  for (std::size_t n = 0; n < members.size(); ++n) {
    const member first = members[n];
    const bool as_before = n == 0 ? tied : members[n - 1].order == first.order;
    if (first.is_user) {
      if (!as_before) count.rank = count.left;
      users[first.place].factor = static_cast<double>(count.rank) / static_cast<double>(count.all);
      --count.left;
      continue;
    }
    const auto is_tied = [&](std::size_t other) {
      return other < members.size() && !members[other].is_user && members[other].order == first.order;
    };
    const bool merged = is_tied(n + 1);
    std::vector<member> within;
    add_members(accounts_[first.place], merged, users, within);
    for (; is_tied(n + 1); ++n) add_members(accounts_[members[n + 1].place], merged, users, within);
    rank(within, as_before, count, users);
  }
}

}  // namespace muster
