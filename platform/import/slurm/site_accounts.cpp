#include "platform/import/slurm/site_accounts.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
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

bool is_word_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return same_word(w, word); });
}

void list_key(const site_place& at, std::string_view of, std::string_view key, unused_values& unused) {
  if (is_word_of(key, {"Name", "Account", "Accounts", "Cluster", "Clusters", "DefaultAccount", "Description",
                       "Organization", "AdminLevel", "Coordinator", "Parent", "Where", "Set", "Names", "Partition"}))
    return unused.add(at, schedule_effect::none, fmt::format("{} of {}", key, of),
                      "has no effect on the schedule by itself");
  if (is_word_of(key, {"Fairshare", "Shares"}))
    return unused.add(at, schedule_effect::certain, fmt::format("{} of {}", key, of),
                      "shares are not imported yet: in the fair share of the policy slurm all users have equal ones");
  if (is_word_of(key, {"QOS", "DefaultQOS", "QOSLevel", "Priority", "Preempt", "PreemptMode", "Flags", "UsageFactor",
                       "GraceTime", "PreemptExemptTime", "UsageThreshold", "LimitFactor"}))
    return unused.add(at, schedule_effect::certain, fmt::format("{} of {}", key, of),
                      "priorities and preemption by QOS are not imported yet");
  const bool limit = is_word_of(key.substr(0, 3), {"Grp", "Max", "Min"});
  unused.add(at, limit ? schedule_effect::certain : schedule_effect::possible, fmt::format("{} of {}", key, of),
             limit ? "limits of accounts, users and QOS are not imported yet" : "muster does not know this key");
}

}  // namespace

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
    if (!dumped && !is_word_of(words.front(), {"add", "create", "modify", "remove", "delete"})) {
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
