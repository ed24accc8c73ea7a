#pragma once

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/metrics/quantile_sketch.h"
#include "platform/metrics/replication_pictures.h"
#include "platform/store/stored_table.h"

namespace muster {

inline std::string as_text(const server_shares& shares) { return fmt::format("{}", fmt::join(shares, " ")); }

// The shares that a text has, as as_text() writes them; none if it has anything else.
inline server_shares shares_in(const std::string& text) {
  if (text.empty()) return {};
  std::istringstream in(text);
  server_shares shares;
  for (std::uint16_t share; in >> share && share <= 1000;) shares.push_back(share);
  return as_text(shares) == text ? shares : server_shares{};
}

// Such as "0 1 4:250": a device that is held in part has the thousandths behind it.
inline std::string as_devices(const std::vector<held_device>& devices) {
  std::string text;
  for (const held_device& d : devices) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", d.number);
    if (d.share < 1000) text += fmt::format(":{}", d.share);
  }
  return text;
}

// The devices that a text has, as as_devices() writes them; one without a share if it has anything else.
inline std::vector<held_device> devices_in(const std::string& text) {
  if (text.empty()) return {};  // nearly all slices
  std::istringstream in(text);
  std::vector<held_device> devices;
  for (held_device d; in >> d.number; devices.push_back(std::exchange(d, {})))
    if (in.peek() == ':') in.ignore(1) >> d.share;
  return as_devices(devices) == text ? devices : std::vector<held_device>{{0, 0}};
}

// A number of a class, such as of its jobs.
struct of_class {
  std::string class_name;
  double value = 0.0;
};

struct quantile_row {
  std::string class_name;
  double share = 0.0, time = 0.0;
};

inline stored_layout<core_slice> slice_layout() {
  using row = core_slice;
  return stored_layout<row>("slices", "server", &row::server, "class", &row::class_name, "job", &row::job, "cores",
                            &row::cores, "count", &row::count, "begun", &row::begun, "works", &row::works, "saves",
                            &row::saves, "ended", &row::ended, "devices",
                            text_member{&row::devices, as_devices, devices_in});
}

/// The tables of stored_pictures.h.
struct picture_tables {
  const std::vector<std::string> of_replication{"point", "replication"}, numbered{"point", "replication", "row"};

  const stored_table<class_responses> responses{{"responses", "class", &class_responses::class_name, "counts",
                                                 text_member{&class_responses::times, to_text, sketch_from_text}},
                                                numbered};
  const stored_table<time_bin> bins{
      {"bins", "begin", &time_bin::begin, "end", &time_bin::end, "utilization", &time_bin::utilization,
       "overhead_share", &time_bin::overhead_share, "servers", text_member{&time_bin::servers, as_text, shares_in}},
      numbered};
  const stored_table<of_class> jobs_in_bins{
      {"jobs_in_bins", column("class").as_key(), &of_class::class_name, "jobs", &of_class::value},
      {"point", "replication", "bin"}};
  const stored_table<core_window> windows{{"windows", "begin", &core_window::begin, "end", &core_window::end, "servers",
                                           &core_window::servers, "packed", &core_window::packed},
                                          of_replication};
  const stored_table<server_bin> window_bins{{"window_bins", "begin", &server_bin::begin, "end", &server_bin::end,
                                              "servers", text_member{&server_bin::servers, as_text, shares_in}},
                                             numbered};
  const stored_table<core_slice> slices{slice_layout(), numbered};
  const stored_table<long_wait> waits{
      {"waits", "class", &long_wait::class_name, "job", &long_wait::job, "arrival", &long_wait::arrival, "wait",
       &long_wait::wait, "until", &long_wait::until, "has_left", &long_wait::has_left},
      numbered};
  const stored_table<of_class> running_in_waits{
      {"running_in_waits", column("class").as_key(), &of_class::class_name, "share", &of_class::value},
      {"point", "replication", "wait"}};
  const stored_table<queue_bin> queue{{"queue", "begin", &queue_bin::begin, "end", &queue_bin::end, "used",
                                       &queue_bin::used, "wanted", &queue_bin::wanted},
                                      numbered};
  const stored_table<slowdown_cell> slowdowns{
      {"slowdowns", "cores", &slowdown_cell::cores, "run_below", &slowdown_cell::run_below, "jobs",
       &slowdown_cell::jobs, "slowdown", &slowdown_cell::slowdown},
      numbered};
  const stored_table<quantile_row> quantiles{{"response_quantiles", "class", &quantile_row::class_name, "share",
                                              &quantile_row::share, "time", &quantile_row::time},
                                             {"point", "row"}};
  const std::vector<const table_of_cells*> of_replications{
      &responses, &bins, &jobs_in_bins, &windows, &window_bins, &slices, &waits, &running_in_waits, &queue, &slowdowns};
};

}  // namespace muster
