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

}  // namespace muster
