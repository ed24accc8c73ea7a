#include "platform/experiment/trial_store.h"

#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "platform/toml/number_in.h"

namespace muster {

namespace {

// Without its end of line; nothing where it is not whole.
std::optional<std::string> whole_line(std::istream& from) {
  std::string line;
  if (!std::getline(from, line) || from.eof()) return std::nullopt;
  return line;
}

std::string in_a_line(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

trial_store::trial_store(const std::filesystem::path& file, const std::string& question) {
  const std::string first = in_a_line(question);
  std::ifstream from(file, std::ios::binary);
  if (whole_line(from) == first)
    while (const auto line = whole_line(from)) {
      const std::size_t tab = line->find('\t'), second = line->find('\t', tab + 1);
      if (second == std::string::npos) break;
      const auto replication = number_in<std::uint32_t>(std::string_view(*line).substr(tab + 1, second - tab - 1));
      if (!replication) break;
      found_[{line->substr(0, tab), *replication}] = line->substr(second + 1);
    }
  taken_over_ = found_.size();
  to_.open(file, std::ios::binary | std::ios::trunc);
  to_ << first << '\n';
  for (const auto& [key, text] : found_) to_ << key.first << '\t' << key.second << '\t' << text << '\n';
  to_.flush();
  if (!to_) throw std::runtime_error(fmt::format("cannot write {}", file.string()));
}

const std::string* trial_store::find(const std::string& candidate, std::uint32_t replication) const {
  const auto at = found_.find({candidate, replication});
  return at == found_.end() ? nullptr : &at->second;
}

void trial_store::add(const std::string& candidate, std::uint32_t replication, const std::string& found) {
  found_[{candidate, replication}] = found;
  to_ << candidate << '\t' << replication << '\t' << found << '\n' << std::flush;
  if (!to_) throw std::runtime_error("cannot write the store of trials");
}

}  // namespace muster
