#include "platform/experiment/result_bytes.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

namespace muster {

namespace {

using nlohmann::json;

// The members of each part of a result, in the order in which they are written.
constexpr auto members(const remark* /*of*/) { return std::tuple(&remark::text, &remark::class_name); }
constexpr auto members(const class_balance* /*of*/) {
  return std::tuple(&class_balance::class_name, &class_balance::left, &class_balance::present);
}
constexpr auto members(const presence_sample* /*of*/) {
  return std::tuple(&presence_sample::time, &presence_sample::class_name, &presence_sample::jobs);
}
constexpr auto members(const measurement* /*of*/) {
  using m = measurement;
  return std::tuple(&m::class_name, &m::metric, &m::has_value, &m::value, &m::jobs, &m::half_width, &m::marks,
                    &m::parts);
}
constexpr auto members(const control_variate* /*of*/) {
  return std::tuple(&control_variate::name, &control_variate::deviation, &control_variate::parts);
}
constexpr auto members(const class_responses* /*of*/) {
  return std::tuple(&class_responses::class_name, &class_responses::times);
}
constexpr auto members(const time_bin* /*of*/) {
  using b = time_bin;
  return std::tuple(&b::begin, &b::end, &b::utilization, &b::overhead_share, &b::jobs, &b::servers);
}
constexpr auto members(const held_device* /*of*/) { return std::tuple(&held_device::number, &held_device::share); }
constexpr auto members(const core_slice* /*of*/) {
  using s = core_slice;
  return std::tuple(&s::server, &s::class_name, &s::job, &s::cores, &s::count, &s::begun, &s::works, &s::saves,
                    &s::ended, &s::devices);
}
constexpr auto members(const server_bin* /*of*/) {
  return std::tuple(&server_bin::begin, &server_bin::end, &server_bin::servers);
}
constexpr auto members(const core_window* /*of*/) {
  using w = core_window;
  return std::tuple(&w::begin, &w::end, &w::servers, &w::slices, &w::packed, &w::bins);
}
constexpr auto members(const long_wait* /*of*/) {
  using w = long_wait;
  return std::tuple(&w::class_name, &w::job, &w::arrival, &w::wait, &w::until, &w::has_left, &w::running);
}
constexpr auto members(const queue_bin* /*of*/) {
  return std::tuple(&queue_bin::begin, &queue_bin::end, &queue_bin::used, &queue_bin::wanted);
}
constexpr auto members(const slowdown_cell* /*of*/) {
  using c = slowdown_cell;
  return std::tuple(&c::cores, &c::run_below, &c::jobs, &c::slowdown);
}
constexpr auto members(const replication_pictures* /*of*/) {
  using p = replication_pictures;
  return std::tuple(&p::responses, &p::bins, &p::cores, &p::waits, &p::queue, &p::slowdowns);
}
constexpr auto members(const replication_result* /*of*/) {
  using r = replication_result;
  return std::tuple(&r::measurements, &r::balances, &r::presence, &r::pictures, &r::notes, &r::controls, &r::in_parts,
                    &r::jobs, &r::events, &r::simulated_time, &r::seconds);
}

// Calls act(member) for each of them.
template <class Of, class Act>
void for_each_member(Of& of, const Act& act) {
  std::apply([&](auto... member) { (act(of.*member), ...); }, members(&of));
}

// What is written in place of a class that shows no members.
std::string written(const cautions& marks) { return marks.words(); }
std::string written(const coarse_sketch& times) { return to_text(times); }
void read_written(const std::string& text, cautions& marks) { marks = cautions::of_words(text); }
void read_written(const std::string& text, coarse_sketch& times) { times = sketch_from_text(text); }

template <class T>
constexpr bool has_no_members = std::is_same_v<T, cautions> || std::is_same_v<T, coarse_sketch>;

void write(std::string& to, const std::string& text);
template <class T>
void write(std::string& to, const std::optional<T>& value);
template <class T>
void write(std::string& to, const std::vector<T>& values);

template <class T>
void write(std::string& to, const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    to.append(bytes, sizeof bytes);
  } else if constexpr (has_no_members<T>) {
    write(to, written(value));
  } else {
    for_each_member(value, [&](const auto& member) { write(to, member); });
  }
}
void write(std::string& to, const std::string& text) {
  write(to, text.size());
  to += text;
}
template <class T>
void write(std::string& to, const std::optional<T>& value) {
  write(to, value.has_value());
  if (value) write(to, *value);
}
template <class T>
void write(std::string& to, const std::vector<T>& values) {
  write(to, values.size());
  for (const T& value : values) write(to, value);
}

// Takes the first bytes off those that are still to be read. @param count of bytes
std::string_view take(std::string_view& from, std::size_t count) {
  if (count > from.size()) throw std::runtime_error("the bytes of a result end too early");
  const std::string_view taken = from.substr(0, count);
  from.remove_prefix(count);
  return taken;
}

void read(std::string_view& from, std::string& text);
template <class T>
void read(std::string_view& from, std::optional<T>& value);
template <class T>
void read(std::string_view& from, std::vector<T>& values);

template <class T>
void read(std::string_view& from, T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    std::memcpy(&value, take(from, sizeof value).data(), sizeof value);
  } else if constexpr (has_no_members<T>) {
    std::string text;
    read(from, text);
    read_written(text, value);
  } else {
    for_each_member(value, [&](auto& member) { read(from, member); });
  }
}
std::size_t read_size(std::string_view& from) {
  std::size_t size = 0;
  read(from, size);
  return size;
}
void read(std::string_view& from, std::string& text) { text = take(from, read_size(from)); }
template <class T>
void read(std::string_view& from, std::optional<T>& value) {
  bool has_value = false;
  read(from, has_value);
  value.reset();
  if (has_value) read(from, value.emplace());
}
template <class T>
void read(std::string_view& from, std::vector<T>& values) {
  const std::size_t size = read_size(from);
  if (size > from.size()) take(from, size);  // each value has a byte at least
  values.resize(size);
  for (T& value : values) read(from, value);
}

template <class T>
json json_of(const std::optional<T>& value);
template <class T>
json json_of(const std::vector<T>& values);

// JSON has no number for what is none: it is null there.
template <class T>
json json_of(const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(value) ? json(value) : json(nullptr);
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (has_no_members<T>) {
    return written(value);
  } else {
    json all = json::array();
    for_each_member(value, [&](const auto& member) { all.push_back(json_of(member)); });
    return all;
  }
}
template <class T>
json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : json(nullptr);
}
template <class T>
json json_of(const std::vector<T>& values) {
  json all = json::array();
  for (const T& value : values) all.push_back(json_of(value));
  return all;
}

template <class T>
void read_json(const json& from, std::optional<T>& value);
template <class T>
void read_json(const json& from, std::vector<T>& values);

template <class T>
void read_json(const json& from, T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    value = from.is_null() ? std::numeric_limits<T>::quiet_NaN() : from.get<T>();
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    value = from.get<T>();
  } else if constexpr (has_no_members<T>) {
    read_written(from.get<std::string>(), value);
  } else {
    std::size_t at = 0;
    for_each_member(value, [&](auto& member) { read_json(from.at(at++), member); });
  }
}
template <class T>
void read_json(const json& from, std::optional<T>& value) {
  value.reset();
  if (!from.is_null()) read_json(from, value.emplace());
}
template <class T>
void read_json(const json& from, std::vector<T>& values) {
  values.resize(from.size());
  for (std::size_t at = 0; at < values.size(); ++at) read_json(from.at(at), values[at]);
}

}  // namespace

std::string to_bytes(const replication_result& result) {
  std::string bytes;
  write(bytes, result);
  return bytes;
}

replication_result replication_from_bytes(const std::string& bytes) {
  replication_result result;
  std::string_view rest = bytes;
  read(rest, result);
  return result;
}

std::string to_text(const replication_result& result) {
  return json_of(result).dump(-1, ' ', false, json::error_handler_t::replace);
}

replication_result replication_from_text(const std::string& text) {
  replication_result result;
  read_json(json::parse(text), result);
  return result;
}

}  // namespace muster
