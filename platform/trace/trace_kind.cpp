#include "platform/trace/trace_kind.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "platform/model/scenario.h"

namespace muster {

namespace {

struct name_parts {
  trace_kind kind;
  std::string_view stem, extension;
};

constexpr name_parts file_names[] = {{trace_kind::jobs, "jobs", ".csv"},
                                     {trace_kind::perfetto, "trace", ".pftrace"},
                                     {trace_kind::vcd, "trace", ".vcd"}};

// Before the names of traces where the scenario has a file that is called so: that one keeps its name.
constexpr std::string_view apart = "recorded_";

bool begins_with(std::string_view text, std::string_view begin) { return text.substr(0, begin.size()) == begin; }

// Whether it is STEM.EXTENSION or STEM_NUMBER.EXTENSION.
bool is_name_of(const name_parts& p, std::string_view name) {
  if (!begins_with(name, p.stem) || name.size() < p.stem.size() + p.extension.size()) return false;
  const std::string_view rest = name.substr(p.stem.size());
  const std::string_view number = rest.substr(0, rest.size() - p.extension.size());
  if (rest.substr(number.size()) != p.extension) return false;
  return number.empty() || (number.size() > 1 && number.front() == '_' &&
                            number.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

}  // namespace

const std::vector<std::string>& trace_names() {
  static const std::vector<std::string> names{"jobs", "perfetto", "vcd"};  // in the order of trace_kind
  return names;
}

std::optional<trace_kind> find_trace_kind(const std::string& name) {
  const auto& all = trace_names();
  const auto found = std::find(all.begin(), all.end(), name);
  if (found == all.end()) return std::nullopt;
  return static_cast<trace_kind>(found - all.begin());
}

std::string trace_file_name(trace_kind kind, std::size_t point, const study& s) {
  const auto& parts = *std::find_if(std::begin(file_names), std::end(file_names),
                                    [kind](const name_parts& p) { return p.kind == kind; });
  const bool taken = std::any_of(s.files.begin(), s.files.end(), [&](const auto& named) {
    return is_name_of(parts, std::filesystem::path(named.first).lexically_normal().begin()->string());
  });
  std::string name{taken ? apart : std::string_view{}};
  name += parts.stem;
  if (s.points.size() > 1) name += "_" + std::to_string(point);
  return name.append(parts.extension);
}

bool is_trace_file_name(const std::string& name) {
  std::string_view rest{name};
  if (begins_with(rest, apart)) rest.remove_prefix(apart.size());
  return std::any_of(std::begin(file_names), std::end(file_names),
                     [&](const name_parts& p) { return is_name_of(p, rest); });
}

}  // namespace muster
