#include "platform/report/stored_results.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "platform/toml/diagnostics.h"
#include "platform/toml/text_file.h"

namespace muster {

namespace {

constexpr std::size_t largest_file = std::size_t{1} << 30;

std::string content(const result_directory& directory, const std::string& name, const char* kind) {
  const std::string file = directory.file(name).string();
  try {
    return read_text_file(file, kind, std::min<std::size_t>(largest_file, std::filesystem::file_size(file)));
  } catch (const std::filesystem::filesystem_error& e) {
    throw output_error(fmt::format("{}: cannot be read: {}", file, e.code().message()));
  } catch (const std::runtime_error& e) {
    throw output_error(fmt::format("{}: {}", file, e.what()));
  }
}

csv_table table(const result_directory& directory, const std::string& name) {
  return read_csv(content(directory, name, "CSV table"), directory.file(name).string());
}

std::optional<csv_table> table_if_there(const result_directory& directory, const std::string& name) {
  std::error_code ignored;
  if (!std::filesystem::exists(directory.file(name), ignored)) return std::nullopt;
  return table(directory, name);
}

class table_check {
 public:
  table_check(const csv_table& checked, std::string file, const study& s)
      : table_(checked), file_(std::move(file)), study_(s) {}

  std::size_t column(const std::string& name) const {
    if (const auto at = table_.column(name)) return *at;
    throw output_error(fmt::format("{}: line 1: expected a column {}", file_, in_quotes(name)));
  }

  void sweep_keys() const {
    for (const std::string& key : study_.keys) column(key);
  }

  void points(std::size_t at) const {
    for (std::size_t r = 0; r < table_.rows.size(); ++r) {
      const std::string& field = table_.rows[r][at];
      const bool digits = !field.empty() && field.size() < 10 && field.find_first_not_of("0123456789") == field.npos;
      if (!digits || std::stoul(field) >= study_.points.size())
        fail(r, at, fmt::format("a point of scenario.toml, 0 to {}", study_.points.size() - 1));
    }
  }

  // They become names of files.
  void names(std::size_t at) const {
    for (std::size_t r = 0; r < table_.rows.size(); ++r) {
      const std::string& field = table_.rows[r][at];
      const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c == '.'; };
      if (field.empty() || !std::all_of(field.begin(), field.end(), fits)) fail(r, at, "a name");
    }
  }

  void numbers(std::size_t at, bool may_be_empty) const {
    for (std::size_t r = 0; r < table_.rows.size(); ++r) {
      const std::string& field = table_.rows[r][at];
      if (!(field.empty() && may_be_empty) && !number_of(field))
        fail(r, at, may_be_empty ? "a number or nothing" : "a number");
    }
  }

 private:
  [[noreturn]] void fail(std::size_t row, std::size_t at, const std::string& expected) const {
    throw output_error(fmt::format("{}: line {}, column {}: expected {}, found {}", file_, table_.lines[row],
                                   table_.columns[at], expected, in_quotes(table_.rows[row][at])));
  }

  const csv_table& table_;
  std::string file_;
  const study& study_;
};

estimate_table estimates(csv_table text, const std::string& file, const study& s) {
  const table_check check(text, file, s);
  check.sweep_keys();
  const std::size_t point = check.column("point");
  const std::size_t estimate = check.column("estimate");
  const std::size_t low = check.column("ci_low");
  const std::size_t high = check.column("ci_high");
  check.points(point);
  for (const std::size_t at : {estimate, low, high}) check.numbers(at, true);
  const std::size_t class_name = check.column("class");
  const std::size_t metric = check.column("metric");
  for (const std::size_t at : {class_name, metric}) check.names(at);
  check.column("unit");
  const std::optional<std::size_t> note = text.column("note");
  return {std::move(text), point, class_name, metric, estimate, low, high, note};
}

}  // namespace

stored_results read_stored_results(const result_directory& directory, const study& s) {
  const auto file = [&](const char* name) { return directory.file(name).string(); };
  stored_results stored;
  stored.results = estimates(table(directory, "results.csv"), file("results.csv"), s);
  if (auto known = table_if_there(directory, "theory.csv"))
    stored.known = estimates(std::move(*known), file("theory.csv"), s);
  stored.differences = table_if_there(directory, "differences.csv");
  stored.presence = table_if_there(directory, "jobs_in_system.csv");
  if (stored.presence) {
    const table_check check(*stored.presence, file("jobs_in_system.csv"), s);
    check.points(check.column("point"));
    check.column("class");
    for (const char* name : {"time", "jobs"}) check.numbers(check.column(name), false);
  }
  stored.manifest = content(directory, "manifest.json", "JSON file");
  if (!nlohmann::json::accept(stored.manifest))
    throw output_error(fmt::format("{}: is not JSON; expected what muster run has written", file("manifest.json")));
  return stored;
}

}  // namespace muster
