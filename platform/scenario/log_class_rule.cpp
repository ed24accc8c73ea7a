#include "platform/scenario/log_class_rule.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "muster/policies/name.h"
#include "platform/log/log_text.h"
#include "platform/model/time_unit.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr const char* forms =
    "expected need, user, partition, queue, all, or ranges such as 'cores: 1, 2-16, 17-' or 'run: 1h, 12h'";

// A name with `_` in place of what names of classes may not have.
std::string valid_name(const std::string& prefix, std::string_view name) {
  std::string valid = prefix + std::string{name.substr(0, longest_name - prefix.size())};
  for (char& c : valid)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-' && c != '.') c = '_';
  return valid;
}

std::string cores_text(std::string_view range) { return fmt::format("{}_{}", range, range == "1" ? "core" : "cores"); }

}  // namespace

std::optional<log_class_rule> log_class_rule::of_text(std::string_view text, std::string& wrong) {
  constexpr std::array<std::pair<std::string_view, kind>, 5> words{{{"need", kind::need},
                                                                    {"user", kind::user},
                                                                    {"partition", kind::partition},
                                                                    {"queue", kind::queue},
                                                                    {"all", kind::all}}};
  for (const auto& [word, by] : words)
    if (word == text) return log_class_rule(by);
  const std::size_t colon = text.find(':');
  const std::string_view by = without_blanks(text.substr(0, colon));
  if (colon == std::string_view::npos || (by != "cores" && by != "run")) {
    wrong = fmt::format("{}, found {}", forms, in_quotes(text));
    return std::nullopt;
  }
  log_class_rule rule(by == "cores" ? kind::cores : kind::run);
  const std::string_view rest = text.substr(colon + 1);
  wrong = by == "cores" ? rule.read_cores(rest) : rule.read_runs(rest);
  return wrong.empty() ? std::optional(std::move(rule)) : std::nullopt;
}

// Reads `1, 2-16, 17-`. @return what is wrong with it
std::string log_class_rule::read_cores(std::string_view ranges) {
  std::vector<std::string_view> parts;
  split(ranges, ',', parts);
  for (std::string_view part : parts) {
    part = without_blanks(part);
    const std::size_t dash = part.find('-');
    const auto first = number_in<std::uint32_t>(without_blanks(part.substr(0, dash)));
    const std::string_view end =
        dash == std::string_view::npos ? std::string_view{} : without_blanks(part.substr(dash + 1));
    const auto last = dash == std::string_view::npos ? first : number_in<std::uint32_t>(end);
    const bool open = dash != std::string_view::npos && end.empty();
    if (!first || *first == 0 || (!open && (!last || *last < *first)))
      return fmt::format("expected ranges of cores such as '1, 2-16, 17-', found {}", in_quotes(part));
    if (!ranges_.empty() && ranges_.back().last >= *first)
      return fmt::format("expected ranges of cores in ascending order, found {} too late", in_quotes(part));
    ranges_.push_back({static_cast<double>(*first), open ? no_limit : static_cast<double>(*last),
                       open ? fmt::format("from_{}_cores", *first) : cores_text(part)});
  }
  return "";
}

// Reads `1h, 12h`: the limits between classes. @return what is wrong with it
std::string log_class_rule::read_runs(std::string_view limits) {
  const std::vector<unit_of_measure> units = units_beside(time_unit{});  // a log's times are in seconds
  std::vector<std::string_view> parts;
  split(limits, ',', parts);
  double from = 0.0;
  std::string name_of_from;
  for (std::string_view part : parts) {
    part = without_blanks(part);
    const auto given = quantity_in(part);
    const auto limit = given ? in_own_unit(*given, units) : std::nullopt;
    if (!limit || !(*limit > from))
      return fmt::format("expected ascending times with units such as '1h, 12h', found {}", in_quotes(part));
    std::string name{part};
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    ranges_.push_back({from, *limit, from > 0.0 ? fmt::format("run_{}-{}", name_of_from, name) : "run_below_" + name});
    from = *limit;
    name_of_from = name;
  }
  ranges_.push_back({from, no_limit, "run_from_" + name_of_from});
  return "";
}

std::optional<std::uint64_t> log_class_rule::number_of(const log_file::job& job, std::uint32_t cores) const {
  switch (by_) {
    case kind::need: return cores;
    case kind::user: return job.user;
    case kind::partition: return job.partition;
    case kind::queue: return job.queue;
    case kind::all: return 0;
    case kind::cores:
    case kind::run: break;
  }
  const bool runs = by_ == kind::run;
  const double x = runs ? job.run : cores;
  const auto found = std::find_if(ranges_.begin(), ranges_.end(),
                                  [&](const range& r) { return x >= r.first && (runs ? x < r.last : x <= r.last); });
  if (found == ranges_.end()) return std::nullopt;
  return static_cast<std::uint64_t>(found - ranges_.begin());
}

std::string log_class_rule::name_of(std::uint64_t number, const log_file& log) const {
  const auto named = [&](const char* prefix, const std::vector<std::string>& names) {
    return valid_name(prefix, number < names.size() ? std::string_view{names[number]} : "unknown");
  };
  switch (by_) {
    case kind::need: return cores_text(std::to_string(number));
    case kind::user: return named("user_", log.users);
    case kind::partition: return named("partition_", log.partitions);
    case kind::queue: return named("queue_", log.queues);
    case kind::all: return "job";
    case kind::cores:
    case kind::run: break;
  }
  return valid_name("", ranges_[number].name);
}

}  // namespace muster
