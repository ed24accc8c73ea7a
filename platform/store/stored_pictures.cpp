#include "platform/store/stored_pictures.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "platform/metrics/packed_slices.h"
#include "platform/model/class_table.h"
#include "platform/model/joined_servers.h"
#include "platform/model/resource_places.h"
#include "platform/store/picture_tables.h"

namespace muster {

namespace {

const picture_tables tables_of_pictures;

// Selects the rows of a point's first replication.
std::string of_first(const table_of_cells& table) { return "WHERE point = ? AND replication = 0 " + table.in_order(); }

template <class Row>
std::vector<Row> rows_of_first(const database& db, const stored_table<Row>& table, std::size_t point) {
  return table.rows(db, of_first(table), point);
}

// The places of a scenario's classes, by name.
class class_places {
 public:
  explicit class_places(const scenario& model) {
    for (const class_spec& c : model.classes) places_.emplace(c.name, places_.size());
  }

  std::size_t count() const { return places_.size(); }
  // @param table that has the name
  std::size_t of(database& db, const std::string& table, const std::string& class_name) const {
    const auto found = places_.find(class_name);
    if (found == places_.end()) refuse_table(db, table, "classes of scenario.toml");
    return found->second;
  }

 private:
  std::unordered_map<std::string_view, std::size_t> places_;
};

// @param rows of servers
void check_shares(database& db, const char* table, const server_shares& shares, std::size_t rows) {
  if (shares.size() != rows) refuse_table(db, table, "as servers a number up to 1000 for each row of servers");
}

// Puts the numbers of classes that a table has into the vectors of the rows of another table.
template <class Row>
void read_of_classes(database& db, const stored_table<of_class>& from, const char* of_table, std::size_t point,
                     const class_places& classes, std::vector<Row>& into, std::vector<double> Row::*values) {
  for (Row& row : into) (row.*values).resize(classes.count());
  from.read(
      db, of_first(from),
      [&](const row_places& at, const of_class& found) {
        if (at[2] >= into.size()) refuse_table(db, from.name(), fmt::format("rows of the table {}", of_table));
        (into[at[2]].*values)[classes.of(db, from.name(), found.class_name)] = found.value;
      },
      point);
}

std::vector<time_bin> read_bins(database& db, std::size_t point, const scenario& model, const class_places& classes) {
  std::vector<time_bin> all = rows_of_first(db, tables_of_pictures.bins, point);
  const std::size_t rows = joined_servers(model).count();
  for (const time_bin& bin : all) check_shares(db, "bins", bin.servers, rows);
  read_of_classes(db, tables_of_pictures.jobs_in_bins, "bins", point, classes, all, &time_bin::jobs);
  return all;
}

// The number of devices of a server, or of the cluster.
std::size_t devices_of(std::uint64_t server, const scenario& model) {
  std::uint64_t servers = 0;
  const auto entry = std::find_if(model.servers.begin(), model.servers.end(),
                                  [&](const server_spec& s) { return server < (servers += s.count); });
  if (entry == model.servers.end()) return devices_in_pictures(model).size();
  return device_names(places_of_server(model, *entry)).size();
}

// Checks that a slice holds devices that its server, or the cluster, has.
void check_devices(database& db, const core_slice& slice, const scenario& model) {
  if (slice.devices.empty()) return;
  const std::size_t count = devices_of(slice.server, model);
  for (const held_device& d : slice.devices)
    if (d.number >= count || d.share == 0 || d.share > 1000)
      refuse_table(db, "slices",
                   "as devices numbers of devices of the server, or of the cluster, with thousandths from 1 to 999");
}

// Checks that the packed slices of a log are slices.
void check_packed(database& db, const core_window& window, const scenario& model) {
  std::string_view rest = window.packed;
  for (packed_slice slice; !rest.empty();)
    if (!take(rest, slice) || slice.server >= window.servers || slice.type >= model.classes.size() || slice.cores == 0)
      refuse_table(db, "windows", "as packed slices of classes of scenario.toml on its servers");
}

core_window read_cores(database& db, std::size_t point, const scenario& model, const class_places& classes) {
  core_window all =
      tables_of_pictures.windows.row(db, of_first(tables_of_pictures.windows), point).value_or(core_window{});
  if (all.servers > total_servers(model) || !(all.begin <= all.end))
    refuse_table(db, "windows", "servers of scenario.toml and an end that is not before the beginning");
  check_packed(db, all, model);
  all.slices = rows_of_first(db, tables_of_pictures.slices, point);
  for (const core_slice& s : all.slices) {
    classes.of(db, "slices", s.class_name);
    const bool of_cluster = s.server == total_servers(model) && s.count == 0;
    if (s.server >= all.servers && !of_cluster) refuse_table(db, "slices", "servers of the table windows");
    check_devices(db, s, model);
  }
  all.bins = rows_of_first(db, tables_of_pictures.window_bins, point);
  const std::size_t rows = joined_servers(model).count();
  for (const server_bin& bin : all.bins) check_shares(db, "window_bins", bin.servers, rows);
  return all;
}

std::vector<long_wait> read_waits(database& db, std::size_t point, const class_places& classes) {
  std::vector<long_wait> all = rows_of_first(db, tables_of_pictures.waits, point);
  for (const long_wait& wait : all) classes.of(db, "waits", wait.class_name);
  read_of_classes(db, tables_of_pictures.running_in_waits, "waits", point, classes, all, &long_wait::running);
  return all;
}

}  // namespace

void create_tables_of_pictures(database& db) {
  for (const table_of_cells* table : tables_of_pictures.of_replications) table->create(db);
  tables_of_pictures.quantiles.create(db);
}

void write_pictures(database& db, const row_places& at, const replication_pictures& all) {
  // Writes the numbers of classes that each of some rows has.
  const auto write_of_classes = [&](const stored_table<of_class>& table, const auto& rows, const auto values) {
    table.write_each(db, "INSERT", [&](const auto& add) {
      for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t n = 0; n < (rows[row].*values).size(); ++n)
          add({at[0], at[1], row}, {all.responses.at(n).class_name, (rows[row].*values)[n]});
    });
  };
  tables_of_pictures.responses.write_numbered(db, all.responses, at);
  tables_of_pictures.bins.write_numbered(db, all.bins, at);
  write_of_classes(tables_of_pictures.jobs_in_bins, all.bins, &time_bin::jobs);
  if (!all.cores.bins.empty()) {
    tables_of_pictures.windows.write(db, all.cores, at);
    tables_of_pictures.slices.write_numbered(db, all.cores.slices, at);
    tables_of_pictures.window_bins.write_numbered(db, all.cores.bins, at);
  }
  tables_of_pictures.waits.write_numbered(db, all.waits, at);
  write_of_classes(tables_of_pictures.running_in_waits, all.waits, &long_wait::running);
  tables_of_pictures.queue.write_numbered(db, all.queue, at);
  tables_of_pictures.slowdowns.write_numbered(db, all.slowdowns, at);
}

void remove_pictures(database& db, const row_places& at) {
  for (const table_of_cells* table : tables_of_pictures.of_replications) table->remove(db, at);
}

void write_quantiles(database& db, const std::vector<std::vector<class_quantiles>>& by_point) {
  tables_of_pictures.quantiles.clear(db);
  tables_of_pictures.quantiles.write_each(db, "INSERT", [&](const auto& add) {
    for (std::size_t p = 0; p < by_point.size(); ++p) {
      std::size_t row = 0;
      for (const class_quantiles& of : by_point[p])
        for (std::size_t n = 0; n < of.times.size(); ++n)
          add({p, row++}, {of.class_name, quantile_shares()[n], of.times[n]});
    }
  });
}

std::vector<class_responses> read_responses(database& db, std::size_t point, std::uint32_t count) {
  std::vector<class_responses> all;
  tables_of_pictures.responses.read(
      db, "WHERE point = ? AND replication < ? ORDER BY replication, row",
      [&](const row_places& at, class_responses&& found) {
        if (at[2] > all.size() || (at[2] < all.size() && all[at[2]].class_name != found.class_name))
          refuse_table(db, "responses", "the same classes everywhere");
        if (at[2] == all.size())
          all.push_back(std::move(found));
        else
          all[at[2]].times.merge(found.times);
      },
      point, count);
  return all;
}

std::vector<replication_pictures> read_pictures(database& db, const study& s) {
  std::vector<replication_pictures> all;
  for (std::size_t p = 0; p < std::min(s.points.size(), most_drawn_points); ++p) {
    const scenario& model = s.points[p].model;
    const class_places classes(model);
    all.push_back({{},
                   read_bins(db, p, model, classes),
                   read_cores(db, p, model, classes),
                   read_waits(db, p, classes),
                   rows_of_first(db, tables_of_pictures.queue, p),
                   rows_of_first(db, tables_of_pictures.slowdowns, p)});
  }
  return all;
}

std::vector<std::vector<class_quantiles>> read_quantiles(database& db, std::size_t points) {
  std::vector<std::vector<class_quantiles>> all(points);
  tables_of_pictures.quantiles.read(
      db, tables_of_pictures.quantiles.in_order(), [&](const row_places& at, const quantile_row& found) {
        if (at[0] >= points) refuse_table(db, "response_quantiles", "points of scenario.toml");
        std::vector<class_quantiles>& of_point = all[at[0]];
        if (of_point.empty() || of_point.back().class_name != found.class_name)
          of_point.push_back({found.class_name, {}});
        std::vector<double>& times = of_point.back().times;
        if (times.size() >= quantile_shares().size() || found.share != quantile_shares()[times.size()])
          refuse_table(db, "response_quantiles", "other shares");
        times.push_back(found.time);
      });
  return all;
}

}  // namespace muster
