#include "platform/toml/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>

namespace muster {

namespace {

constexpr std::size_t longest_file_name = 4096;
constexpr std::size_t longest_key = 200;

std::string lines(const std::vector<diagnostic>& diagnostics) {
  std::string all;
  for (const diagnostic& d : diagnostics) (all += all.empty() ? "" : "\n") += to_string(d);
  return all;
}

}  // namespace

std::string to_string(const diagnostic& d) {
  return fmt::format("{}:{}:{}: {}: {}", printable(d.file, longest_file_name), d.line, d.column,
                     printable(d.key, longest_key), d.message);
}

scenario_error::scenario_error(std::vector<diagnostic> diagnostics)
    : std::runtime_error(lines(diagnostics)), diagnostics_(std::move(diagnostics)) {}

std::uint32_t findings::source(const std::string& name) {
  const auto found = std::find(sources_.begin(), sources_.end(), name);
  if (found != sources_.end()) return static_cast<std::uint32_t>(found - sources_.begin());
  sources_.push_back(name);
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

std::vector<diagnostic> findings::list() const {
  std::vector<diagnostic> all;
  for (const auto& [source, line, column, key, message] : all_)
    all.push_back({sources_[source], line, column, key, message});
  return all;
}

void findings::throw_if_any() const {
  if (!all_.empty()) throw scenario_error(list());
}

std::string printable(std::string_view text, std::size_t limit) {
  const auto continues_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u; };
  std::size_t end = std::min(text.size(), limit);
  if (end < text.size())
    while (end > 0 && continues_character(text[end])) --end;
  std::string shown;
  for (const char c : text.substr(0, end)) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n')
      shown += "\\n";
    else if (code < 0x20 || code == 0x7f)
      shown += fmt::format("\\x{:02x}", code);
    else
      shown += c;
  }
  return end < text.size() ? shown + "..." : shown;
}

std::string in_quotes(std::string_view text) { return "'" + printable(text) + "'"; }

std::string shortest(double number) { return fmt::format("{}", number); }

}  // namespace muster
