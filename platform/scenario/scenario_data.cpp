#include <algorithm>

#include <fmt/format.h>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

// Reads a law of bytes, or a number of them, which is the same for all jobs. Nothing if the key is not there, or 0.
std::optional<distribution> read_bytes(table_reader& table, std::string_view key) {
  const toml_value* given = table.find(key);
  if (!given) return std::nullopt;
  if (given->as<toml_table>()) return read_distribution(table, key, "bytes");
  table.describe({key, number_key{zero_or_more, "bytes", clock_limit::none, most_bytes}, left_out{}, ""});
  const std::size_t before = table.problems();
  const double bytes = table.number(key);
  if (table.problems() != before || bytes == 0.0) return std::nullopt;
  return distribution::make("deterministic", {{"value", {bytes}}});
}

// Checks that data take a time of the clock over a bandwidth.
void check_bytes(table_reader& table, std::string_view key, const std::optional<distribution>& bytes,
                 const point_draft& point) {
  if (!bytes) return;
  for (const std::optional<double>& bandwidth : {point.data.storage.bandwidth, point.model.network.link.bandwidth})
    if (bandwidth) check_range(table, key, bytes->mean() / *bandwidth, "takes {} to move on average");
}

}  // namespace

void read_disk(table_reader& server, const server_spec& spec, point_draft& point) {
  if (!server.find("disk")) return;
  table_reader disk = server.table("disk");
  point.data.disks[spec.name] = {disk.optional_number("rate"), disk.number("cache")};
  disk.close();
}

void read_storage(table_reader& platform, point_draft& point) {
  if (!platform.find("storage")) return;
  table_reader storage = platform.table("storage");
  if (point.model.network.shape->name == "file")
    refuse(storage, {"bandwidth", "latency"}, "the file of the network has the edges of its storage");
  point.data.storage = {storage.number("latency"), storage.optional_number("bandwidth")};
  check_bandwidth(storage, "bandwidth", point.data.storage.bandwidth);
  storage.close();
}

void read_class_data(table_reader& table, const class_spec& spec, point_draft& point) {
  const auto is_given = [&](const char* key) { return table.find(key) != nullptr; };
  if (!point.rigid())
    return refuse(table, {"input", "output", "inputs", "input_skew", "broadcast", "overlap"},
                  "only rigid jobs have data");
  if (!is_given("input") && !is_given("output")) return;
  class_data data;
  data.input = read_bytes(table, "input");
  data.output = read_bytes(table, "output");
  check_bytes(table, "input", data.input, point);
  check_bytes(table, "output", data.output, point);
  if (is_given("inputs")) data.inputs = table.integer<std::uint64_t>("inputs");
  if (is_given("input_skew")) data.input_skew = table.number("input_skew");
  if (is_given("broadcast")) data.broadcast = table.truth("broadcast");
  if (is_given("overlap")) data.overlap = table.truth("overlap");
  point.data.classes[spec.name] = std::move(data);
}

void take_data(table_reader& document, point_draft& point) {
  const data_spec& data = point.data;
  table_reader platform = document.table("platform");
  if (data.classes.empty()) {
    if (platform.find("storage"))
      platform.complain("storage", "has no effect, because no class has data; expected input or output of a class");
  } else {
    const listed_network* const file = point.model.network.file.get();
    const auto is_storage = [](const auto& v) { return v.is == network_vertex::kind::storage; };
    if (file && std::none_of(file->vertices.begin(), file->vertices.end(), is_storage))
      platform.table("link").complain(
          "file", "has no vertex of kind storage, and classes have data; expected one from and to which they move");
    point.model.data = std::make_shared<data_spec>(data);
  }
  const bool shared =
      std::any_of(data.classes.begin(), data.classes.end(), [](const auto& c) { return c.second.inputs > 0; });
  if (!data.disks.empty() && !shared)
    platform.complain("servers", fmt::format("the disk of {} has no effect, because no jobs share inputs; expected "
                                             "'inputs' of a class",
                                             in_quotes(data.disks.begin()->first)));
}

}  // namespace muster
