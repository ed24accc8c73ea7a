#include "muster/policies/slurm/fair_tree.h"

#include <algorithm>
#include <limits>
#include <string>

namespace muster {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The place of an account: 0 is that of all, which has no name.
std::optional<std::size_t> find_account(const std::vector<named_settings>& accounts, const std::string& name) {
  if (name.empty()) return 0;
  const auto place = place_of(accounts, name);
  return place ? std::optional(*place + 1) : std::nullopt;
}

setting_conflict unknown_account(const std::string& user, const std::string& account) {
  return {"users",
          "'" + user + "' belongs to the account '" + account + "', which there is not; expected a name of accounts"};
}

}  // namespace

std::vector<parameter> fair_tree::account_parameters() {
  return {{"parent", text_parameter{}, "name of the account that it belongs to; none: the root"},
          {"Fairshare", integer_parameter{{0}, {1'000'000'000}, {1}}, "shares among those of this account"}};
}

std::vector<parameter> fair_tree::user_parameters() {
  return {{"account", text_parameter{}, "name of the account that it belongs to; none: the root"},
          {"Fairshare", integer_parameter{{-1}, {1'000'000'000}, {1}}, "shares in the account; -1: parent"}};
}

std::optional<setting_conflict> fair_tree::objection(const settings& given) {
  const std::vector<named_settings>& accounts = given.tables("accounts");
  for (const auto& [name, values] : given.tables("users"))
    if (const std::string& of = values.choice("account"); !find_account(accounts, of)) return unknown_account(name, of);
  for (const auto& [name, values] : accounts) {
    const std::string* above = &values.choice("parent");
    for (std::size_t steps = 0; !above->empty(); ++steps) {
      const auto place = find_account(accounts, *above);
      if (!place)
        return setting_conflict{"accounts", "the parent '" + *above + "' of '" + name +
                                                "', or of one above it, is none; expected a name of accounts"};
      if (steps == accounts.size())
        return setting_conflict{"accounts", "'" + name +
                                                "' belongs to itself, or to such an account, by way of parents; "
                                                "expected parents without a circle"};
      above = &accounts[*place - 1].values.choice("parent");
    }
  }
  return std::nullopt;
}

fair_tree::fair_tree(const settings& given) : accounts_(given.tables("accounts").size() + 1) {
  const std::vector<named_settings>& all = given.tables("accounts");
  for (std::size_t n = 0; n < all.size(); ++n) {
    account& own = accounts_[n + 1];
    own.parent = find_account(all, all[n].values.choice("parent")).value_or(0);
    own.shares = static_cast<double>(all[n].values.integer("Fairshare"));
    accounts_[own.parent].accounts.push_back(n + 1);
  }
}

std::vector<fair_tree::user> fair_tree::described_users(const settings& given) {
  std::vector<user> users;
  users.reserve(given.tables("users").size());
  for (const auto& [name, values] : given.tables("users"))
    users.push_back({find_account(given.tables("accounts"), values.choice("account")).value_or(0),
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
  for (const account& a : accounts_)
    if (&a != &accounts_.front()) accounts_[a.parent].shares_within += a.shares;
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
