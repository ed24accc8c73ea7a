#include "platform/import/slurm/unused_files.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "platform/log/line_stream.h"
#include "platform/log/log_text.h"
#include "platform/log/slurm_text.h"

namespace muster {

namespace {

// Whether a node in this state takes no jobs: `DOWN*`, `IDLE+DRAIN`, `mix-` and the like.
bool is_away(std::string_view state) {
  std::string all(state);
  std::transform(all.begin(), all.end(), all.begin(), [](unsigned char c) { return std::toupper(c); });
  for (const char* away : {"DOWN", "DRAIN", "DRNG", "FAIL", "MAINT", "UNK", "NO_RESPOND", "POWER_DOWN", "FUTURE"})
    if (all.find(away) != std::string::npos) return true;
  return false;
}

constexpr std::string_view away = "it takes no jobs now, but is there in the scenario from the beginning";

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

void list_key(const site_place& at, std::string_view of, std::string_view key, unused_values& unused) {
  const auto list = [&, what = fmt::format("{} of {}", key, of)](schedule_effect effect, std::string_view why) {
    unused.add(at, effect, what, why);
  };
  if (has_word("Name Account Accounts Cluster Clusters DefaultAccount Description Organization AdminLevel Coordinator "
               "Parent Where Set Names Partition",
               key))
    return list(schedule_effect::none, "has no effect on the schedule by itself");
  if (has_word("Fairshare Shares", key))
    return list(schedule_effect::certain,
                "shares are not imported yet: in the fair share of the policy slurm all users have equal ones");
  if (has_word("QOS DefaultQOS QOSLevel Priority Preempt PreemptMode Flags UsageFactor GraceTime PreemptExemptTime "
               "UsageThreshold LimitFactor",
               key))
    return list(schedule_effect::certain, "priorities and preemption by QOS are not imported yet");
  const bool limit = has_word("Grp Max Min", key.substr(0, 3));
  list(limit ? schedule_effect::certain : schedule_effect::possible,
       limit ? "limits of accounts, users and QOS are not imported yet" : "muster does not know this key");
}

}  // namespace

void check_gres(const std::vector<site_line>& lines, const site_hardware& hardware, unused_values& unused) {
  std::map<std::string, const site_nodes*> by_name;
  for (const site_nodes& nodes : hardware.nodes)
    for (const std::string& name : nodes.names) by_name.emplace(name, &nodes);
  std::map<std::pair<std::string, std::string>, std::pair<double, site_place>> told;  // of a node and a name
  for (const site_line& line : lines) {
    const std::string* name = line.value("Name");
    for (const auto& [key, value] : line.words) {
      if (has_word("NodeName Name Count File Type", key)) continue;
      unused.add(line.at, has_word("AutoDetect Flags", key) ? schedule_effect::none : schedule_effect::possible,
                 fmt::format("{}={}", key, value),
                 has_word("Cores CPUs Links", key) ? "devices are not bound to cores, nor to each other"
                                                   : "the devices of slurm.conf are taken");
    }
    if (name == nullptr) continue;
    double number = 1.0;
    if (const std::string* count = line.value("Count"))
      number = memory_of(*count).value_or(0.0);
    else if (const std::string* file = line.value("File"))
      if (const auto files = names_in_node_list(*file, most_nodes_of_site)) number = static_cast<double>(files->size());
    const std::string* list = line.value("NodeName");
    std::vector<std::string> names;
    if (list == nullptr)
      for (const auto& [node, nodes] : by_name) {
        if (nodes->gres.count(*name) != 0) names.push_back(node);
      }
    else if (const auto listed = names_in_node_list(*list, most_nodes_of_site))
      names = *listed;
    else
      unused.add(line.at, schedule_effect::possible, "NodeName=" + *list, "expected a list of nodes such as n[01-10]");
    for (const std::string& node : names) told.try_emplace({node, *name}, 0.0, line.at).first->second.first += number;
  }
  for (const auto& [what, number] : told) {
    const auto found = by_name.find(what.first);
    const auto own = found == by_name.end()                        ? 0.0
                     : found->second->gres.count(what.second) != 0 ? found->second->gres.at(what.second)
                                                                   : 0.0;
    if (own != number.first)
      unused.add(number.second, schedule_effect::certain,
                 fmt::format("{} {} on node {}", number.first, what.second, what.first),
                 fmt::format("slurm.conf has {}, which is taken", own));
  }
}

void list_states(const std::vector<site_line>& blocks, unused_values& unused) {
  for (const site_line& block : blocks)
    if (const std::string_view state = block.first_value("State"); is_away(state))
      unused.add(block.at, schedule_effect::certain, fmt::format("{} {}", block.first_value("NodeName"), state), away);
}

void list_sinfo(const std::string& path, unused_values& unused) {
  constexpr std::size_t most_words = 100;
  line_stream lines(path);
  std::vector<std::string_view> words;
  std::optional<std::size_t> state, nodes;
  std::size_t heads = 0;
  bool barred = false;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (without_blanks(line).empty()) continue;
    if (heads == 0) barred = line.find('|') != std::string_view::npos;
    if (barred)
      split(line, '|', words);
    else
      words_of(line, most_words, words);
    if (heads == 0) {
      heads = words.size();
      for (std::size_t n = 0; n < heads; ++n) {
        const std::string_view head = without_blanks(words[n]);
        if (same_word(head, "STATE")) state = n;
        if (same_word(head, "NODELIST")) nodes = n;
      }
      if (!state || !nodes)
        return unused.add({path, lines.number()}, schedule_effect::possible, "states of nodes",
                          "expected columns STATE and NODELIST");
    } else if (words.size() != heads) {
      unused.add({path, lines.number()}, schedule_effect::possible, "a line with more or fewer fields than heads",
                 "left out");
    } else if (is_away(words[*state])) {
      unused.add({path, lines.number()}, schedule_effect::certain,
                 fmt::format("{} {}", without_blanks(words[*nodes]), without_blanks(words[*state])), away);
    }
  }
}

void list_accounts(const std::string& path, unused_values& unused) {
  line_stream lines(path);
  while (lines.next()) {
    const std::string_view line = without_blanks(lines.line());
    const site_place at{path, lines.number()};
    if (line.empty() || line.front() == '#') continue;
    const std::size_t dash = line.find(" - ");
    const std::size_t blank = line.find(' ');
    const bool dumped = dash != std::string_view::npos && dash == blank;
    bool closed = true;
    const std::vector<std::string> words = words_in(dumped ? line.substr(dash + 3) : line, dumped ? ':' : ' ', closed);
    const std::string of(dumped ? line.substr(0, dash) : words.size() > 1 ? std::string_view{words[1]} : line);
    if (!closed) {
      unused.add(at, schedule_effect::possible, "a line whose quotes do not end", "it is cut short, and not read");
      continue;
    }
    if (!dumped && !has_word("add create modify remove delete", words.front())) {
      unused.add(at, schedule_effect::possible, line, "expected a line of sacctmgr dump, or a command of sacctmgr");
      continue;
    }
    for (const std::string& word : words) {
      const std::size_t equals = word.find('=');
      if (equals != std::string::npos)
        list_key(at, of, std::string_view{word}.substr(0, equals), unused);
      else if (dumped && &word != &words.front())
        unused.add(at, schedule_effect::possible, word, "expected Key=Value; the dump may be cut short");
    }
  }
}

}  // namespace muster
