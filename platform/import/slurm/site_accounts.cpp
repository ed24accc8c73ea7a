#include "platform/import/slurm/site_accounts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/log/line_stream.h"
#include "platform/log/log_text.h"

namespace muster {

namespace {

// The words of a line: parted by blanks in commands, by colons in a dump. Quotes hold a word together.
std::vector<std::string> words_in(std::string_view line, char separator, bool& closed) {
  std::vector<std::string> words(1);
  char quote = 0;
  for (const char c : line) {
    if (quote != 0 ? c == quote : c == '\'' || c == '"')
      quote = quote != 0 ? '\0' : c;
    else if (quote == 0 && c == separator)
      words.emplace_back();
    else
      words.back() += c;
  }
  closed = quote == 0;
  return words;
}

/// What a line tells of.
enum class entity { cluster, parent, account, user, qos, other };

entity entity_of(std::string_view word) {
  if (has_word("Cluster Clusters", word)) return entity::cluster;
  if (same_word(word, "Parent")) return entity::parent;
  if (has_word("Account Accounts acct", word)) return entity::account;
  if (has_word("User Users", word)) return entity::user;
  return has_word("QOS qoss", word) ? entity::qos : entity::other;
}

constexpr std::string_view expected_limit =
    "a scenario has GrpTRES of cpu and node, GrpJobs and MaxJobs of users, and of accounts below the root; "
    "expected whole numbers";
constexpr limit_key limits_of_associations[] = {{"GrpTRES", "GrpCPUs", "GrpNodes"},
                                                {"GrpCPUs", "GrpCPUs"},
                                                {"GrpNodes", "GrpNodes"},
                                                {"GrpJobs", "GrpJobs"},
                                                {"MaxJobs", "MaxJobs"}};
// Keys of limits that refuse a job, or hold it for ever.
constexpr std::string_view keys_of_submission =
    "MaxSubmitJobs MaxSubmit GrpSubmitJobs GrpSubmit MaxTRES MaxTRESPerJob MaxTRESPerNode MaxCPUs MaxCPUsPerJob "
    "MaxNodes MaxNodesPerJob";

void list_key(const site_place& at, std::string_view of, std::string_view key, unused_values& unused) {
  if (has_word("Name Account Accounts Cluster Clusters DefaultAccount Description Organization AdminLevel Coordinator "
               "Parent Where Set Names Partition",
               key))
    return unused.add(at, schedule_effect::none, fmt::format("{} of {}", key, of),
                      "has no effect on the schedule by itself");
  if (has_word("Fairshare Shares", key))
    return unused.add(at, schedule_effect::none, fmt::format("{} of {}", key, of),
                      "shares of accounts and users are compared, those of clusters not");
  if (has_word("QOS DefaultQOS QOSLevel", key))
    return unused.add(at, schedule_effect::possible, fmt::format("{} of {}", key, of),
                      "the QOS of a job is that which its own line tells");
  if (has_word(keys_of_submission, key))
    return unused.add(at, schedule_effect::none, fmt::format("{} of {}", key, of),
                      "has no effect on jobs that were accepted");
  const bool limit = has_word("Grp Max Min", key.substr(0, 3)) || same_word(key, "Priority");
  unused.add(at, limit ? schedule_effect::certain : schedule_effect::possible, fmt::format("{} of {}", key, of),
             limit ? expected_limit : "muster does not know this key");
}

/// Reads the lines of a file, of which `Parent` is for those that follow.
class accounts_reader {
 public:
  accounts_reader(site_accounts& accounts, unused_values& unused) : accounts_(accounts), unused_(unused) {}

  void take(const site_place& at, std::string_view line) {
    const std::size_t dash = line.find(" - ");
    const bool dumped = dash != std::string_view::npos && dash == line.find(' ');
    bool closed = true;
    words_ = words_in(dumped ? line.substr(dash + 3) : line, dumped ? ':' : ' ', closed);
    at_ = at;
    if (!closed)
      unused_.add(at, schedule_effect::possible, "a line whose quotes do not end", "it is cut short, and not read");
    else if (dumped)
      take_dumped(line.substr(0, dash));
    else if (has_word("add create modify remove delete", words_.front()))
      take_command(line);
    else
      unused_.add(at, schedule_effect::possible, line, "expected a line of sacctmgr dump, or a command of sacctmgr");
  }

 private:
  void take_dumped(std::string_view of) {
    const entity what = entity_of(of);
    if (what == entity::parent) parent_ = words_.front();
    for (const std::string& word : words_)
      if (&word != &words_.front() && word.find('=') == std::string::npos)
        unused_.add(at_, schedule_effect::possible, word, "expected Key=Value; the dump may be cut short");
    take_values(what, of, words_.front(), parent_);
  }

  void take_command(std::string_view line) {
    const std::string of(words_.size() > 1 ? std::string_view{words_[1]} : line);
    std::string name = value_of({"Name", "Names"});
    if (name.empty() && words_.size() > 2 && words_[2].find('=') == std::string::npos &&
        !has_word("where set", words_[2]))
      name = words_[2];
    const entity what = entity_of(of);
    if (has_word("remove delete", words_.front())) {
      if (what == entity::qos) remove(accounts_.qos, name);
      if (what == entity::account) remove(accounts_.accounts, name);
      if (what == entity::user) remove(accounts_.users, name);
      return;
    }
    const std::string account = value_of({"Account", "Accounts", "DefaultAccount"});
    take_values(what, of, name, what == entity::account ? value_of({"Parent"}) : account);
  }

  template <class Entry>
  static void remove(std::vector<Entry>& from, const std::string& name) {
    from.erase(std::remove_if(from.begin(), from.end(), [&](const Entry& e) { return same_word(e.name, name); }),
               from.end());
  }

  // The value of the first of some keys; empty: none of them stands there.
  std::string value_of(std::initializer_list<std::string_view> keys) const {
    for (const std::string_view key : keys)
      for (const std::string& word : words_)
        if (const std::size_t sign = word.find('=');
            sign != std::string::npos && same_word(std::string_view{word}.substr(0, sign), key))
          return word.substr(sign + 1);
    return {};
  }

  void take_values(entity what, std::string_view of, const std::string& name, const std::string& account) {
    site_qos* const qos = what == entity::qos && !name.empty() ? &own(accounts_.qos, name) : nullptr;
    if (qos != nullptr && qos->at.line == 0) qos->at = at_;
    const bool is_association = (what == entity::account || what == entity::user) && !name.empty();
    site_association* const one = is_association ? take_association(what == entity::user, name, account) : nullptr;
    for (const std::string& word : words_) {
      const std::size_t sign = word.find('=');
      if (sign == std::string::npos) continue;
      const std::string_view text = word, key = text.substr(0, sign), value = text.substr(sign + 1);
      if (qos != nullptr)
        take_qos_value(*qos, at_, key, value, unused_);
      else if (is_association && has_word("Fairshare Shares", key))
        take_shares(one, value);
      else if (one == nullptr || !take_association_limit(*one, key, value))
        list_key(at_, of, key, unused_);
    }
  }

  // @return whether the key is that of a limit which associations have
  bool take_association_limit(site_association& one, std::string_view key, std::string_view value) {
    const auto* const limit = std::find_if(std::begin(limits_of_associations), std::end(limits_of_associations),
                                           [&](const limit_key& k) { return same_word(k.key, key); });
    if (limit == std::end(limits_of_associations)) return false;
    for (const std::string_view left : take_limit(*limit, value, one.limits))
      unused_.add(at_, schedule_effect::certain, fmt::format("{}={} of {}", key, left, one.name), expected_limit);
    return true;
  }

  template <class Entry>
  static Entry& own(std::vector<Entry>& all, const std::string& name) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Entry& e) { return same_word(e.name, name); });
    if (found != all.end()) return *found;
    Entry added{};
    added.name = name;
    return all.emplace_back(std::move(added));
  }

  // The association of an account or a user; null: it is the root, or another one of a user who has several.
  site_association* take_association(bool user, const std::string& name, const std::string& given) {
    const std::string account = same_word(given, "root") ? "" : given.substr(0, given.find(','));
    if (same_word(name, "root") && !user) return nullptr;
    site_association& one = own(user ? accounts_.users : accounts_.accounts, name);
    const bool is_new = one.at.line == 0;
    if (is_new) one.at = at_;
    if (is_new || one.account.empty()) one.account = account;
    if (account.empty() || (one.account == account && account.size() == given.size())) return &one;
    unused_.add(at_, schedule_effect::certain, fmt::format("{} in account {}", name, given),
                fmt::format("it belongs to several accounts; {} is taken", one.account));
    return one.account == account ? &one : nullptr;
  }

  void take_shares(site_association* one, std::string_view shares) {
    if (one == nullptr || shares.empty()) return;
    const double number = number_of(shares).value_or(-1.0);
    if (same_word(shares, "parent"))
      one->shares = site_association::of_parent;
    else if (number >= 0.0 && number <= 1e9 && number == std::floor(number))
      one->shares = number;
    else
      unused_.add(at_, schedule_effect::certain, fmt::format("Fairshare={} of {}", shares, one->name),
                  "expected a whole number from 0 to 1000000000, or parent");
  }

  site_accounts& accounts_;
  unused_values& unused_;
  site_place at_;
  std::vector<std::string> words_;
  std::string parent_;
};

const site_association* find(const std::vector<site_association>& all, const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const site_association& a) { return same_word(a.name, name); });
  return found == all.end() ? nullptr : &*found;
}

// Finds the account to which something belongs.
void settle_account(site_association& of, const site_accounts& accounts, unused_values& unused) {
  if (of.account.empty()) return;
  const site_association* const above = find(accounts.accounts, of.account);
  if (above == nullptr)
    unused.add(of.at, schedule_effect::certain, fmt::format("account {} of {}", of.account, of.name),
               "no file describes it; the root is taken");
  of.account = above == nullptr ? "" : above->name;
}

// Whether an account belongs to itself by way of those above it.
bool is_in_circle(const site_association& account, const std::vector<site_association>& all) {
  const site_association* above = &account;
  for (std::size_t steps = 0; above != nullptr && !above->account.empty(); ++steps) {
    if (steps > all.size()) return true;
    above = find(all, above->account);
  }
  return false;
}

}  // namespace

void read_accounts(const std::string& path, site_accounts& accounts, unused_values& unused) {
  line_stream lines(path);
  accounts_reader reader(accounts, unused);
  while (lines.next()) {
    const std::string_view line = without_blanks(lines.line());
    if (!line.empty() && line.front() != '#') reader.take({path, lines.number()}, line);
  }
}

bool site_accounts::has_limits() const {
  const auto has = [](const site_association& a) { return !a.limits.empty(); };
  return std::any_of(accounts.begin(), accounts.end(), has) || std::any_of(users.begin(), users.end(), has);
}

const site_association* site_accounts::excluding(const std::string& user, double cores, double nodes,
                                                 const site_limits& of_qos) const {
  for (const site_association* a = find(users, user); a != nullptr; a = find(accounts, a->account)) {
    site_limits own = a->limits;
    for (const auto& [name, value] : of_qos) own.erase(name);
    if (excludes(own, cores, nodes)) return a;
  }
  return nullptr;
}

void settle_accounts(site_accounts& accounts, bool enforced, unused_values& unused) {
  for (auto* all : {&accounts.accounts, &accounts.users})
    for (site_association& one : *all) {
      settle_account(one, accounts, unused);
      if (enforced) continue;
      for (const auto& [name, value] : one.limits)
        unused.add(one.at, schedule_effect::none, fmt::format("{}={} of {}", name, value, one.name),
                   "AccountingStorageEnforce has no limits");
      one.limits.clear();
    }
  for (site_association& one : accounts.accounts) {
    if (!is_in_circle(one, accounts.accounts)) continue;
    unused.add(one.at, schedule_effect::certain, fmt::format("account {} of {}", one.account, one.name),
               "it belongs to itself; the root is taken");
    one.account.clear();
  }
}

}  // namespace muster
