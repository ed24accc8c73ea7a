#include "platform/import/slurm/site_hardware.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "platform/log/log_text.h"
#include "platform/log/slurm_text.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

constexpr std::uint32_t most_cores_of_node = 1'000'000;

std::string small(std::string_view text) {
  std::string all(text);
  std::transform(all.begin(), all.end(), all.begin(), [](unsigned char c) { return std::tolower(c); });
  return all;
}

std::string_view text_of(const std::map<std::string, std::string>& words, const char* key) {
  const auto found = words.find(key);
  return found == words.end() ? std::string_view{} : std::string_view{found->second};
}

// The name and the number of a list such as `gpu:tesla:2(S:0-1),nic:1`. A number is 1 where there is none.
std::map<std::string, double> gres_of(std::string_view list) {
  std::map<std::string, double> all;
  std::vector<std::string_view> entries, parts;
  split(list, ',', entries);
  for (std::string_view entry : entries) {
    entry = without_blanks(entry.substr(0, entry.find('(')));
    if (entry.empty() || same_word(entry, "none")) continue;
    split(entry, ':', parts);
    const auto number = parts.size() > 1 ? memory_of(parts.back()) : std::nullopt;
    all[std::string(parts.front())] += number.value_or(1.0);
  }
  return all;
}

// Lists the words of a line that are none of those that are used.
void list_unused(const site_line& line, std::string_view used, const std::vector<words_with_reason>& reasons,
                 unused_values& unused) {
  for (const auto& [key, value] : line.words) {
    if (has_word(used, key)) continue;
    const auto why = reason_of(reasons, key);
    const bool harmless = why && why->rfind("has no effect", 0) == 0;
    unused.add(line.at,
               harmless ? schedule_effect::none
               : why    ? schedule_effect::certain
                        : schedule_effect::possible,
               fmt::format("{}={}", key, value), why.value_or("muster does not know this key"));
  }
}

// Takes PreemptMode or GraceTime of a partition. @return false: it is none that a scenario has
bool take_terms(site_partition& partition, std::string_view key, std::string_view value) {
  if (same_word(key, "gracetime")) {
    const double seconds = number_of(value).value_or(-1.0);
    const bool taken = seconds >= 0.0 && seconds <= 365.0 * 86400.0 && seconds == std::floor(seconds);
    if (taken) partition.grace = seconds;
    return taken;
  }
  for (const char* mode : {"off", "requeue", "cancel"})
    if (same_word(mode, value)) partition.preempt_mode = mode;
  return !partition.preempt_mode.empty();
}

}  // namespace

double slurm_time(std::string_view text) {
  constexpr double minute = 60.0, day = 86400.0, hour = 3600.0;
  text = without_blanks(text);
  if (same_word(text, "UNLIMITED") || same_word(text, "INFINITE") || same_word(text, "NONE")) return 0.0;
  if (const auto minutes = number_of(text); minutes && *minutes >= 0.0) return *minutes * minute;
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return duration_of(text).value_or(-1.0);
  const auto days = number_of(text.substr(0, dash));
  std::vector<std::string_view> parts;
  split(text.substr(dash + 1), ':', parts);
  if (!days || *days < 0.0 || parts.size() > 3) return -1.0;
  double sum = *days * day, unit = hour;
  for (const std::string_view part : parts) {
    const auto number = number_of(part);
    if (!number || *number < 0.0) return -1.0;
    sum += *number * unit;
    unit /= minute;
  }
  return sum;
}

bool hardware_reader::take(const site_line& line) {
  if (line.begins_with("NodeName")) return take_nodes(line), true;
  if (line.begins_with("NodeSet")) return take_node_set(line), true;
  if (line.begins_with("PartitionName")) return take_partition(line), true;
  return false;
}

bool hardware_reader::over_defaults(const site_line& line, words& defaults, words& all) const {
  const bool is_default = same_word(line.words.front().second, "DEFAULT");
  all = defaults;
  for (const auto& [key, value] : line.words) all[small(key)] = value;
  if (is_default) defaults = all;
  return !is_default;
}

void hardware_reader::take_nodes(const site_line& line) {
  constexpr std::string_view used =
      "nodename cpus procs boards sockets socketsperboard corespersocket threadspercore feature gres realmemory "
      "corespeccount memspeclimit features";
  static const std::vector<words_with_reason> reasons{
      {"weight", "which nodes are taken first is up to the policy's placement"},
      {"state", "all nodes are there from the beginning; take out those that are not"},
      {"nodeaddr nodehostname port reason bcastaddr", "has no effect on the schedule"},
      {"tmpdisk", "jobs have no need of local disks"},
      {"cpuspeclist", "cores are not told apart; CoreSpecCount is read"},
  };
  list_unused(line, used, reasons, unused_);
  words all;
  const auto memory_key = line.value("RealMemory");
  if (memory_key != nullptr && !number_of(*memory_key))
    unused_.add(line.at, schedule_effect::certain, fmt::format("RealMemory={}", *memory_key),
                "expected a number of megabytes; 1 is taken");
  if (!over_defaults(line, node_defaults_, all)) return;
  const auto whole = [&](const char* key) {
    const std::string_view text = text_of(all, key);
    const auto number = number_in<std::uint32_t>(text);
    if (!text.empty() && (!number || *number > most_cores_of_node)) {
      unused_.add(line.at, schedule_effect::certain, fmt::format("{}={}", key, text), "expected a number; 1 is taken");
      return std::optional<std::uint32_t>(1);
    }
    return number;
  };
  site_nodes nodes;
  nodes.at = line.at;
  const auto names = names_in_node_list(line.words.front().second, most_nodes_of_site);
  if (!names)
    return unused_.add(line.at, schedule_effect::certain, "NodeName=" + line.words.front().second,
                       "expected a list of nodes such as n[01-10,12]; the nodes are left out");
  nodes.names = *names;
  auto cores = whole("cpus");
  if (!cores) cores = whole("procs");
  if (!cores) {
    const double sockets =
        whole("sockets").value_or(whole("socketsperboard").value_or(1) * whole("boards").value_or(1));
    const double product = sockets * whole("corespersocket").value_or(1) * whole("threadspercore").value_or(1);
    cores = static_cast<std::uint32_t>(std::min<double>(product, most_cores_of_node));
  }
  const std::uint32_t special = whole("corespeccount").value_or(0);
  nodes.cores = std::max<std::uint32_t>(*cores, 1);
  if (special < nodes.cores) nodes.cores -= special;
  if (const std::uint32_t threads = whole("threadspercore").value_or(1); threads > 1 && nodes.cores % threads == 0)
    unused_.add(line.at, schedule_effect::certain, fmt::format("ThreadsPerCore={}", threads),
                "each thread is a core of the scenario, held by itself");
  const double megabytes = number_of(text_of(all, "realmemory")).value_or(1.0);
  const double kept = number_of(text_of(all, "memspeclimit")).value_or(0.0);
  nodes.memory = std::max(megabytes - kept, 1.0) * bytes_of_megabyte;
  nodes.gres = gres_of(text_of(all, "gres"));
  std::vector<std::string_view> features;
  split(text_of(all, all.count("feature") != 0 ? "feature" : "features"), ',', features);
  for (const std::string_view feature : features) nodes.features.emplace_back(without_blanks(feature));
  hardware_.nodes.push_back(std::move(nodes));
}

void hardware_reader::take_node_set(const site_line& line) {
  list_unused(line, "nodeset nodes feature", {}, unused_);
  std::vector<std::string>& set = hardware_.sets[line.words.front().second];
  if (const std::string* list = line.value("Nodes")) {
    if (const auto names = names_in_node_list(*list, most_nodes_of_site))
      set.insert(set.end(), names->begin(), names->end());
    else
      unused_.add(line.at, schedule_effect::certain, "Nodes=" + *list, "expected a list of nodes such as n[01-10,12]");
  }
  if (const std::string* feature = line.value("Feature"))
    for (const site_nodes& nodes : hardware_.nodes)
      if (std::find(nodes.features.begin(), nodes.features.end(), *feature) != nodes.features.end())
        set.insert(set.end(), nodes.names.begin(), nodes.names.end());
}

void hardware_reader::take_partition(const site_line& line) {
  constexpr std::string_view used =
      "partitionname nodes default maxtime defaulttime defmempercpu defmempernode prioritytier priorityjobfactor qos "
      "preemptmode gracetime lln";
  static const std::vector<words_with_reason> reasons{
      {"priority", "is not taken; PriorityTier and PriorityJobFactor are"},
      {"state", "the partition takes jobs throughout"},
      {"allowqos denyqos allowaccounts denyaccounts allowgroups allocnodes maxnodes minnodes maxmempercpu "
       "maxmempernode",
       "has no effect on jobs that were accepted"},
      {"hidden rootonly disablerootjobs cpubind", "has no effect on the schedule"},
      {"tresbillingweights", "the fair share of the policy slurm counts the time of cores alone"},
      {"oversubscribe shared", "nodes are shared by the cores that jobs hold; only EXCLUSIVE is imported"},
      {"maxcpuspernode maxcpuspersocket", "a job may hold all cores of a node"},
      {"exclusiveuser", "users share nodes"},
      {"exclusivetopo", "jobs share switches"},
      {"overtimelimit", "jobs end as the log says"},
      {"reqresv", "there are no reservations of Slurm in a scenario"},
      {"resumetimeout suspendtime suspendtimeout powerdownonidle", "nodes are not switched off"},
      {"selecttypeparameters", "the parameters of the cluster are taken"},
      {"jobdefaults", "defaults of jobs are those in the log"},
      {"alternate", "jobs stay in their partition"},
  };
  site_line listed = line;
  const auto harmless = [](const auto& word) {
    const auto is = [&](std::string_view keys, std::string_view values) {
      return has_word(keys, word.first) && has_word(values, word.second);
    };
    return is("OverSubscribe Shared", "NO EXCLUSIVE") || is("ExclusiveUser ReqResv PowerDownOnIdle", "NO") ||
           is("State", "UP");
  };
  listed.words.erase(std::remove_if(listed.words.begin(), listed.words.end(), harmless), listed.words.end());
  list_unused(listed, used, reasons, unused_);
  words all;
  if (!over_defaults(line, partition_defaults_, all)) return;
  site_partition partition;
  partition.at = line.at;
  partition.name = line.words.front().second;
  const std::string_view list = text_of(all, "nodes");
  if (const auto names = names_in_node_list(list, most_nodes_of_site))
    partition.nodes = *names;
  else if (!list.empty())
    unused_.add(line.at, schedule_effect::certain, fmt::format("Nodes={}", list),
                "expected a list of nodes such as n[01-10,12]; the partition has none of them");
  partition.is_default = same_word(text_of(all, "default"), "YES");
  partition.qos = text_of(all, "qos");
  partition.exclusive =
      same_word(text_of(all, "oversubscribe"), "EXCLUSIVE") || same_word(text_of(all, "shared"), "EXCLUSIVE");
  const auto time = [&](const char* key) {
    const std::string_view text = text_of(all, key);
    const double seconds = text.empty() ? 0.0 : slurm_time(text);
    if (seconds < 0.0)
      unused_.add(line.at, schedule_effect::possible, fmt::format("{}={}", key, text),
                  "expected a time such as 2-12:00:00; none is taken");
    return std::max(seconds, 0.0);
  };
  partition.longest = time("maxtime");
  partition.usual = time("defaulttime");
  partition.memory_of_core = number_of(text_of(all, "defmempercpu")).value_or(0.0) * bytes_of_megabyte;
  partition.memory_of_node = number_of(text_of(all, "defmempernode")).value_or(0.0) * bytes_of_megabyte;
  const auto priority = [&](const char* key) {
    const std::string_view text = text_of(all, key);
    const double value = text.empty() ? 1.0 : number_of(text).value_or(-1.0);
    if (value >= 0.0 && value <= 65533.0 && value == std::floor(value)) return value;
    unused_.add(line.at, schedule_effect::certain, fmt::format("{}={}", key, text),
                "expected a whole number from 0 to 65533; 1 is taken");
    return 1.0;
  };
  partition.tier = priority("prioritytier");
  partition.job_factor = priority("priorityjobfactor");
  for (const char* key : {"preemptmode", "gracetime"})
    if (const std::string_view text = text_of(all, key); !text.empty() && !take_terms(partition, key, text))
      unused_.add(line.at, schedule_effect::certain, fmt::format("{}={}", key, text),
                  same_word(key, "gracetime") ? "expected a whole number of seconds; none is taken"
                                              : "expected OFF, REQUEUE or CANCEL; that of the cluster is taken");
  partition.least_loaded = same_word(text_of(all, "lln"), "YES");
  hardware_.partitions.push_back(std::move(partition));
}

std::vector<std::string> site_hardware::nodes_of(const site_partition& partition, unused_values& unused) const {
  std::set<std::string> known;
  std::vector<std::string> every, all;
  for (const site_nodes& group : nodes)
    for (const std::string& name : group.names)
      if (known.insert(name).second) every.push_back(name);
  for (const std::string& name : partition.nodes) {
    const auto set = sets.find(name);
    if (same_word(name, "ALL"))
      all = every;
    else if (set != sets.end())
      all.insert(all.end(), set->second.begin(), set->second.end());
    else if (known.count(name) != 0)
      all.push_back(name);
    else
      unused.add(partition.at, schedule_effect::certain, fmt::format("node {} of partition {}", name, partition.name),
                 "no line has a node of this name");
  }
  return all;
}

}  // namespace muster
