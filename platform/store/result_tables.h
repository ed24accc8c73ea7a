#pragma once

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/metrics/replication_result.h"
#include "platform/store/stored_table.h"
#include "platform/store/study_estimates.h"

namespace muster {

/// Numbers to the last bit, with spaces between them.
inline std::string in_words(const std::vector<double>& parts) { return fmt::format("{}", fmt::join(parts, " ")); }

/// The numbers that in_words() has put together.
inline std::vector<double> parts_in(const std::string& words) {
  std::istringstream in(words);
  std::vector<double> parts;
  for (std::string word; in >> word;) parts.push_back(std::strtod(word.c_str(), nullptr));
  return parts;
}

/// The row of a replication, beside its measurements.
struct replication_row {
  std::uint64_t jobs = 0, events = 0;
  double simulated_time = 0.0, seconds = 0.0;
  bool protocol_checked = false, in_parts = false;
};

/// A complete trace of a replication.
struct trace_row {
  std::string file;
};

/// The layout of a measurement: its value is empty where the measurement has none.
inline stored_layout<measurement> measurement_layout() {
  stored_layout<measurement> layout("measurements", "class", &measurement::class_name, "metric", &measurement::metric);
  layout.has_values("value", column_kind::number, &measurement::value_if_any, [](measurement& m, const cell& value) {
    m.has_value = !value.is_empty();
    take_value(m.value, value);
  });
  return layout.has("jobs", &measurement::jobs, "half_width", &measurement::half_width, "marks",
                    text_member{&measurement::marks, &cautions::words, &cautions::of_words}, "parts",
                    text_member{&measurement::parts, in_words, parts_in});
}

/// The tables of results.sqlite but for those of stored_pictures.h and study_estimates.h.
struct result_tables {
  using pair = std::pair<std::string, std::string>;
  const std::vector<std::string> of_replication{"point", "replication"}, numbered{"point", "replication", "row"};

  const stored_table<pair> facts{{"study", column("key").as_key(), &pair::first, "value", &pair::second}};
  const stored_table<pair> code{{"code", column("name").as_key(), &pair::first, "build", &pair::second}};
  const stored_table<pair> points{{"points", column("key").as_key(), &pair::first, "value", &pair::second}, {"point"}};
  const stored_table<replication_row> replications{
      {"replications", "jobs", &replication_row::jobs, "events", &replication_row::events, "simulated_time",
       &replication_row::simulated_time, "seconds", &replication_row::seconds, "protocol_checked",
       &replication_row::protocol_checked, "in_parts", &replication_row::in_parts},
      of_replication};
  const stored_table<measurement> measurements{measurement_layout(), numbered};
  const stored_table<control_variate> controls{
      {"control_variates", "name", &control_variate::name, "deviation", &control_variate::deviation, "parts",
       text_member{&control_variate::parts, in_words, parts_in}},
      numbered};
  const stored_table<remark> notes{{"notes", "note", &remark::text, "class", &remark::class_name}, numbered};
  const stored_table<presence_sample> presence{{"jobs_in_system", "time", &presence_sample::time, "class",
                                                &presence_sample::class_name, "jobs", &presence_sample::jobs},
                                               numbered};
  const stored_table<trace_row> traces{{"traces", column("file").as_key(), &trace_row::file}, of_replication};
  const stored_table<found_warm_up> warm_ups{
      {"warm_ups", "jobs", &found_warm_up::jobs, "settled", &found_warm_up::settled}, {"point"}};
  const std::vector<const table_of_cells*> of_replications{&replications, &measurements, &controls,
                                                           &notes,        &presence,     &traces};
};

}  // namespace muster
