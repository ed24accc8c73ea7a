#include "platform/import/slurm/site_policy.h"

#include <algorithm>

#include <fmt/format.h>

namespace muster {

namespace {

std::string as_key(const std::string& name) {
  std::string text = "\"";
  for (const char c : field_of(name)) text += c == '\\' ? "\\\\" : std::string(1, c);
  return text + '"';
}

}  // namespace

std::string field_of(std::string text) {
  for (char& c : text)
    if (c == ',' || c == '"' || c == ';' || static_cast<unsigned char>(c) < ' ') c = '_';
  return text;
}

std::string site_policy::qos_of(const site_job& job, double cores, double nodes) {
  if (job.qos.empty() || !settings_.backfill) return "";
  const site_qos* const qos = find_qos(accounts_.qos, job.qos);
  if (qos == nullptr) {
    unused_.add(job.at, schedule_effect::possible, fmt::format("QOS {}", job.qos),
                "no file describes it, as what sacctmgr -P show qos prints does; it has no limits and priority");
    if (has_qos()) undescribed_.insert(field_of(job.qos));
    return has_qos() ? field_of(job.qos) : "";
  }
  if (!qos->excludes(cores, nodes)) return field_of(qos->name);
  unused_.add(job.at, schedule_effect::certain, fmt::format("jobs of QOS {} beyond its limits", job.qos),
              "they would never start under it, and have no QOS");
  return "";
}

bool site_policy::refuses(const site_partition& partition, const site_job& job, double cores, double nodes) {
  if (!settings_.backfill) return false;
  site_limits of_qos;
  if (const site_qos* const qos = find_qos(accounts_.qos, partition.qos)) {
    if (qos->excludes(cores, nodes)) {
      unused_.add(job.at, schedule_effect::certain, fmt::format("jobs of partition {}", partition.name),
                  fmt::format("left out, as they need more than its QOS {} allows", qos->name));
      return true;
    }
    of_qos = qos->limits();
  }
  if (const site_qos* const qos = find_qos(accounts_.qos, job.qos); qos != nullptr && !qos->excludes(cores, nodes))
    of_qos.merge(qos->limits());
  const site_association* const association = accounts_.excluding(job.user, cores, nodes, of_qos);
  if (association == nullptr) return false;
  unused_.add(job.at, schedule_effect::certain, fmt::format("jobs of {}", job.user),
              fmt::format("left out, as they need more than the limits of {} allow", association->name));
  return true;
}

double site_policy::longest_of(const site_job& job) const {
  const site_qos* const qos = find_qos(accounts_.qos, job.qos);
  return qos == nullptr ? 0.0 : qos->longest;
}

std::string site_policy::of_partition(const site_partition& p) const {
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "" : ", ") + one; };
  if (p.tier != 1.0) add(fmt::format("PriorityTier = {:.0f}", p.tier));
  if (p.job_factor != 1.0) add(fmt::format("PriorityJobFactor = {:.0f}", p.job_factor));
  const bool preempts = settings_.policy.count("PreemptType") > 0;
  if (preempts && !p.preempt_mode.empty()) add(fmt::format("PreemptMode = \"{}\"", p.preempt_mode));
  if (preempts && p.grace > 0.0) add(fmt::format("GraceTime = {:.0f}", p.grace));
  if (p.least_loaded) add("LLN = \"yes\"");
  if (const site_qos* const qos = find_qos(accounts_.qos, p.qos))
    for (const auto& [name, value] : qos->limits()) add(fmt::format("{} = {}", name, value));
  else if (!p.qos.empty())
    unused_.add(p.at, schedule_effect::certain, fmt::format("QOS={}", p.qos),
                "no file describes it, as what sacctmgr -P show qos prints does");
  if (text.empty()) return text;
  if (settings_.backfill) return fmt::format("policy = {{ {} }}\n", text);
  unused_.add(p.at, schedule_effect::certain, text, "sched/builtin is taken as fcfs; jobs are in order of arrival");
  return "";
}

std::string site_policy::text() const {
  if (!settings_.backfill) {
    for (const auto& [name, set] : settings_.policy)
      unused_.add(set.at, schedule_effect::possible, set.given, "sched/builtin is taken as fcfs, without passes");
    return "name = \"fcfs\"  # of sched/builtin\n";
  }
  std::string text = "name = \"slurm\"\n";
  for (const auto& [name, set] : settings_.policy) text += fmt::format("{} = {}\n", name, set.text);
  return text + qos_text() + accounts_text();
}

std::string site_policy::qos_text() const {
  std::string text;
  for (const site_qos& qos : accounts_.qos) {
    text += fmt::format("\n[policy.qos.{}]\n", as_key(qos.name));
    for (const auto& [name, value] : qos.settings) {
      if (name != "Preempt") {
        text += fmt::format("{} = {}\n", name, value);
        continue;
      }
      std::string names;  // of those that are described: the policy knows no others
      for (const site_qos& other : accounts_.qos)
        if (("," + value + ",").find("," + other.name + ",") != std::string::npos)
          names += (names.empty() ? "" : ",") + field_of(other.name);
      if (!names.empty()) text += fmt::format("Preempt = \"{}\"\n", names);
    }
  }
  for (const std::string& name : undescribed_) text += fmt::format("\n[policy.qos.{}]\n", as_key(name));
  return text;
}

// Accounts and users, where their shares count or they have limits.
std::string site_policy::accounts_text() const {
  if (settings_.policy.count("PriorityWeightFairshare") == 0 && !accounts_.has_limits()) return "";
  std::string text;
  const auto add = [&](const char* table, const char* key, const site_association& one) {
    text += fmt::format("\n[policy.{}.{}]\n", table, as_key(one.name));
    if (!one.account.empty()) text += fmt::format("{} = {}\n", key, as_key(one.account));
    text += fmt::format("Fairshare = {:.0f}\n", one.shares);
    for (const auto& [name, value] : one.limits) text += fmt::format("{} = {}\n", name, value);
  };
  for (const site_association& account : accounts_.accounts) add("accounts", "parent", account);
  for (const site_association& user : accounts_.users) add("users", "account", user);
  return text;
}

}  // namespace muster
