#include "platform/import/slurm/node_states.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>

#include <fmt/format.h>

#include "platform/log/line_stream.h"
#include "platform/log/log_text.h"

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
      if (!state || !nodes) {
        unused.add({path, lines.number()}, schedule_effect::possible, "states of nodes",
                   "expected columns STATE and NODELIST");
        return;
      }
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
