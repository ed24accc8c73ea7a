#include "platform/import/slurm/site_lines.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "platform/log/line_stream.h"
#include "platform/log/log_text.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr std::size_t deepest_include = 8;
constexpr std::size_t longest_joined_line = std::size_t{1} << 22;

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view without_leading_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

// A line without its comment. A hash behind a backslash begins none.
std::string without_comment(std::string_view line) {
  std::string kept;
  for (std::size_t n = 0; n < line.size() && line[n] != '#'; ++n) {
    if (line[n] == '\\' && n + 1 < line.size() && line[n + 1] == '#') ++n;
    kept += line[n];
  }
  return kept;
}

/// Reads a file and those that it includes.
class site_line_reader {
 public:
  site_line_reader(unused_values& unused, std::vector<std::string>& read) : unused_(unused), read_(read) {}

  void read(const std::string& path, std::size_t depth) {
    line_stream lines(path);
    std::error_code error;
    read_.push_back(std::filesystem::weakly_canonical(path, error).string());
    std::string joined;
    site_place at{path, 0};
    bool goes_on = false;
    while (lines.next()) {
      if (!goes_on) {
        joined.clear();
        at.line = lines.number();
      }
      if (lines.too_long())
        unused_.add({path, lines.number()}, schedule_effect::certain, "a line of more than 1 MiB", "it is cut there");
      std::string line = without_comment(lines.line());
      const std::size_t last = line.find_last_not_of(" \t\r");
      goes_on = last != std::string::npos && line[last] == '\\' && joined.size() < longest_joined_line;
      if (goes_on) line.resize(last);
      joined += line;
      if (!goes_on) take(joined, at, depth);
    }
    if (goes_on) take(joined, at, depth);
    if (!lines.bytes().flaw().empty())
      unused_.add({path, lines.number()}, schedule_effect::certain, "the end of the file", lines.bytes().flaw());
  }

  std::vector<site_line> all() { return std::move(all_); }

 private:
  void take(std::string_view text, const site_place& at, std::size_t depth) {
    text = without_blanks(text);
    if (text.empty()) return;
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    if (same_word(text.substr(0, end), "include")) return include(without_blanks(text.substr(end)), at, depth);
    site_line line{at, {}};
    const std::string_view rest = split_words(text, line.words);
    if (!rest.empty())
      unused_.add(at, schedule_effect::certain, rest, "expected Key=Value; the rest of the line is not read");
    if (!line.words.empty()) all_.push_back(std::move(line));
  }

  void include(std::string_view name, const site_place& at, std::size_t depth) {
    const std::filesystem::path path = std::filesystem::path{at.file}.parent_path() / std::string(name);
    const std::string what = fmt::format("Include {}", name);
    if (depth >= deepest_include)
      return unused_.add(at, schedule_effect::certain, what, "includes are more than 8 deep");
    try {
      read(path.string(), depth + 1);
    } catch (const std::runtime_error& e) {
      unused_.add(at, schedule_effect::certain, what, e.what());
    }
  }

  unused_values& unused_;
  std::vector<std::string>& read_;
  std::vector<site_line> all_;
};

}  // namespace

const std::string* site_line::value(std::string_view key) const {
  const auto found =
      std::find_if(words.rbegin(), words.rend(), [&](const auto& word) { return same_word(word.first, key); });
  return found == words.rend() ? nullptr : &found->second;
}

std::string_view site_line::first_value(std::string_view key) const {
  const auto found =
      std::find_if(words.begin(), words.end(), [&](const auto& word) { return same_word(word.first, key); });
  return found == words.end() ? std::string_view{} : std::string_view{found->second};
}

bool site_line::begins_with(std::string_view key) const { return same_word(words.front().first, key); }

std::string_view split_words(std::string_view text, std::vector<std::pair<std::string, std::string>>& words) {
  while (!(text = without_leading_blanks(text)).empty()) {
    std::size_t end = 0;
    const auto in_key = [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '/' || c == ':';
    };
    while (end < text.size() && in_key(text[end])) ++end;
    std::string_view rest = without_leading_blanks(text.substr(end));
    if (!rest.empty() && (rest.front() == '+' || rest.front() == '-') && rest.size() > 1 && rest[1] == '=')
      rest.remove_prefix(1);
    if (end == 0 || rest.empty() || rest.front() != '=') return text;
    rest = without_leading_blanks(rest.substr(1));
    std::string_view value;
    if (!rest.empty() && rest.front() == '"') {
      const std::size_t quote = rest.find('"', 1);
      if (quote == std::string_view::npos) return text;
      value = rest.substr(1, quote - 1);
      rest.remove_prefix(quote + 1);
    } else {
      value = rest.substr(0, rest.find_first_of(" \t\r\n\v\f"));
      rest.remove_prefix(value.size());
    }
    words.emplace_back(text.substr(0, end), value);
    text = rest;
  }
  return {};
}

std::vector<site_line> read_site_lines(const std::string& path, unused_values& unused, std::vector<std::string>& read) {
  site_line_reader reader(unused, read);
  reader.read(path, 0);
  return reader.all();
}

}  // namespace muster
