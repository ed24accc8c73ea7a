#include "muster/policies/slurm/account_tree.h"

#include <string>

#include "muster/policies/slurm/running_limits.h"

namespace muster {

namespace {

// The place of an account: 0 is the root, which has no name.
std::optional<std::size_t> find_account(const std::vector<named_settings>& accounts, const std::string& name) {
  if (name.empty()) return 0;
  const auto place = place_of(accounts, name);
  return place ? std::optional(*place + 1) : std::nullopt;
}

setting_conflict unknown_account(const std::string& user, const std::string& account) {
  return {"users",
          "'" + user + "' belongs to the account '" + account + "', which there is not; expected a name of accounts"};
}

std::vector<parameter> with_limits(std::vector<parameter> all) {
  for (const parameter& limit : running_limits::association_parameters()) all.push_back(limit);
  return all;
}

}  // namespace

std::vector<parameter> account_tree::account_parameters() {
  return with_limits(
      {{"parent", text_parameter{}, "name of the account that it belongs to; none: the root"},
       {"Fairshare", integer_parameter{{-1}, {1'000'000'000}, {1}}, "shares among those of this account; -1: parent"}});
}

std::vector<parameter> account_tree::user_parameters() {
  return with_limits(
      {{"account", text_parameter{}, "name of the account that it belongs to; none: the root"},
       {"Fairshare", integer_parameter{{-1}, {1'000'000'000}, {1}}, "shares in the account; -1: parent"}});
}

std::optional<setting_conflict> account_tree::objection(const settings& given) {
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

account_tree::account_tree(const settings& given) : above_accounts(1) {
  const std::vector<named_settings>& accounts = given.tables("accounts");
  above_accounts.reserve(accounts.size() + 1);
  for (const auto& [name, values] : accounts)
    above_accounts.push_back(find_account(accounts, values.choice("parent")).value_or(0));
  above_users.reserve(given.tables("users").size());
  for (const auto& [name, values] : given.tables("users"))
    above_users.push_back(find_account(accounts, values.choice("account")).value_or(0));
}

}  // namespace muster
