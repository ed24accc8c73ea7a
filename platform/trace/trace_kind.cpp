#include "platform/trace/trace_kind.h"

#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include "platform/model/scenario.h"
#include "platform/trace/trace_writer.h"

namespace muster {

namespace {

// Before the names of traces where the scenario has a file that is called so: that one keeps its name.
constexpr const char* apart = "recorded_";

// Whether it is STEM.EXTENSION or STEM_NUMBER.EXTENSION, after that prefix.
bool is_name_of(const trace_kind& kind, const std::string& prefix, const std::string& name) {
  return std::regex_match(name, std::regex(fmt::format(R"({}{}(_[0-9]+)?\{})", prefix, kind.stem, kind.extension)));
}

}  // namespace

const std::vector<trace_kind>& trace_catalogue() {
  static const std::vector<trace_kind> all{
      {"jobs", "jobs", ".csv", "one row for each job as it leaves, for a spreadsheet, R or pandas", make_job_trace},
      {"perfetto", "trace", ".pftrace",
       "cores, jobs, phases, interruptions and messages over time, for https://ui.perfetto.dev", make_perfetto_trace,
       true, true, true},
      {"vcd", "trace", ".vcd", "waves of idle, overhead and running cores and of queue lengths, for gtkwave",
       make_vcd_trace, true}};
  return all;
}

const trace_kind* find_trace_kind(std::string_view name) {
  const auto& all = trace_catalogue();
  const auto found = std::find_if(all.begin(), all.end(), [&](const trace_kind& k) { return k.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string trace_file_name(const trace_kind& kind, std::size_t point, const study& s) {
  const bool taken = std::any_of(s.files.begin(), s.files.end(), [&](const auto& named) {
    return is_name_of(kind, "", std::filesystem::path(named.first).lexically_normal().begin()->string());
  });
  const std::string number = s.points.size() > 1 ? fmt::format("_{}", point) : "";
  return fmt::format("{}{}{}{}", taken ? apart : "", kind.stem, number, kind.extension);
}

bool is_trace_file_name(const std::string& name) {
  const auto& all = trace_catalogue();
  return std::any_of(all.begin(), all.end(),
                     [&](const trace_kind& k) { return is_name_of(k, fmt::format("({})?", apart), name); });
}

}  // namespace muster
