#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace muster {

struct study;

/// What `--trace` writes.
enum class trace_kind {
  jobs,      ///< a table of the jobs as they leave (CSV)
  perfetto,  ///< cores, jobs, phases and interruptions over time for Perfetto's viewer (its own format)
  vcd        ///< waves of core occupancy and queue lengths for a wave viewer (value change dump, IEEE 1364)
};

/// A trace that a replication is to write.
struct trace_request {
  trace_kind kind;
  std::filesystem::path file;  ///< replaced if it exists
};

/// As the command line spells the kinds.
const std::vector<std::string>& trace_names();
/// @return nothing if no kind has that name
std::optional<trace_kind> find_trace_kind(const std::string& name);

/// The name of a trace in a directory of results: jobs_POINT.csv, trace_POINT.pftrace, trace_POINT.vcd, without the
/// number where there is only one point. Files of the scenario keep their names there: if one is called like a trace of
/// that kind, the traces' names begin with "recorded_".
std::string trace_file_name(trace_kind kind, std::size_t point, const study& s);
/// Whether trace_file_name() could have answered that.
bool is_trace_file_name(const std::string& name);

}  // namespace muster
