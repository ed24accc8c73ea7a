#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <protozero/pbf_reader.hpp>

namespace muster {

/// A trace in Perfetto's format, read as the trace processor does it: events are sorted by their time, those of the
/// same time stay in the order of the file, and the slices of a track nest as they begin and end. Numbers of fields are
/// those of Perfetto's published schema. Throws at whatever is not as it says there, or not as muster writes it.
class perfetto_events {
 public:
  struct track {
    std::string name;
    std::uint64_t parent = 0;  ///< 0: it is a process
    bool is_thread = false, is_counter = false;
  };
  /// Or an instant, which lasts no time.
  struct slice {
    std::int64_t from = 0, to = 0;  ///< in nanoseconds
    std::string name;
    std::uint64_t on = 0;  ///< its track
    int depth = 0;
    bool instant = false, ended = false;
    std::map<std::string, std::string> arguments;
  };
  struct change {
    std::int64_t time, value;
  };

  std::map<std::uint64_t, track> tracks;
  std::vector<slice> slices;  ///< in the order in which they begin
  std::map<std::string, std::vector<change>> counters;
  std::vector<std::pair<std::size_t, std::size_t>> arrows;  ///< between positions in `slices`
  std::size_t open_flows = 0;                               ///< that have not come to their last event

  explicit perfetto_events(const std::string& text) {
    protozero::pbf_reader trace(text);
    while (trace.next()) read_packet(expect(trace, 1, "Trace.packet"));
    std::stable_sort(events_.begin(), events_.end(), [](const event& a, const event& b) { return a.time < b.time; });
    for (const event& e : events_) happen(e);
    open_flows = flows_.size();
  }

  /// The name of a track behind that of its parent, such as "node/core 1" or "cluster/light".
  std::string name_of(std::uint64_t on) const {
    const track& found = tracks.at(on);
    return found.parent == 0 ? found.name : tracks.at(found.parent).name + "/" + found.name;
  }
  bool of_job(const slice& s) const {
    const track& on = tracks.at(s.on);
    return on.parent != 0 && !on.is_thread && on.name != "phases" && !s.instant;
  }
  bool on_core(const slice& s) const {
    const track& on = tracks.at(s.on);
    return on.is_thread && tracks.at(on.parent).name != "network" && !s.instant;
  }
  bool on_edge(const slice& s) const { return tracks.at(s.on).is_thread && !on_core(s) && !s.instant; }
  int count_instants(const std::string& name) const {
    return static_cast<int>(
        std::count_if(slices.begin(), slices.end(), [&](const slice& s) { return s.instant && s.name == name; }));
  }
  std::set<std::string> names_of_threads(const std::string& process) const {
    std::set<std::string> names;
    for (const auto& [uuid, t] : tracks)
      if (t.is_thread && tracks.at(t.parent).name == process) names.insert(t.name);
    return names;
  }

 private:
  using reader = protozero::pbf_reader;
  struct event {
    std::int64_t time = 0, value = 0;
    int type = 0;
    std::uint64_t on = 0;
    std::string name;
    std::vector<std::uint64_t> flows, last_of_flows;
    std::map<std::string, std::string> arguments;
  };

  [[noreturn]] static void fail(const std::string& what) { throw std::runtime_error(what); }
  static reader expect(reader& from, std::uint32_t field, const char* name) {
    if (from.tag() != field) fail("field " + std::to_string(from.tag()) + ", expected " + name);
    return from.get_message();
  }
  static const std::string& look_up(const std::map<std::uint64_t, std::string>& names, std::uint64_t iid) {
    const auto found = names.find(iid);
    if (iid == 0 || found == names.end()) fail("no name with iid " + std::to_string(iid));
    return found->second;
  }

  // TracePacket
  void read_packet(reader packet) {
    std::optional<std::int64_t> time;
    std::optional<reader> data;
    std::uint32_t sequence = 0, flags = 0, content = 0;
    while (packet.next()) switch (packet.tag()) {
        case 8: time = static_cast<std::int64_t>(packet.get_uint64()); break;
        case 10: sequence = packet.get_uint32(); break;
        case 13: flags = packet.get_uint32(); break;
        case 11:  // track_event
        case 12:  // interned_data
        case 60:  // track_descriptor
          if (data) fail("a packet with two contents");
          content = packet.tag();
          data = packet.get_message();
          break;
        default: fail("unknown field of TracePacket: " + std::to_string(packet.tag()));
      }
    if (sequence != 1) fail("a packet of another sequence");
    // SEQ_INCREMENTAL_STATE_CLEARED, then SEQ_NEEDS_INCREMENTAL_STATE
    if (flags != (begun_ ? 2u : 1u)) fail("wrong flags: " + std::to_string(flags));
    begun_ = true;
    if (!data || time.has_value() != (content == 11)) fail("a packet without its content or time");
    if (content == 11) read_event(*time, *data);
    if (content == 12) read_names(*data);
    if (content == 60) read_track(*data);
  }

  // InternedData: EventName and DebugAnnotationName
  void read_names(reader data) {
    while (data.next()) {
      if (data.tag() != 2 && data.tag() != 3) fail("unknown field of InternedData");
      auto& names = data.tag() == 2 ? event_names_ : annotation_names_;
      reader entry = data.get_message();
      std::uint64_t iid = 0;
      std::string name;
      while (entry.next()) {
        if (entry.tag() == 1)
          iid = entry.get_uint64();
        else if (entry.tag() == 2)
          name = entry.get_string();
        else
          fail("unknown field of EventName");
      }
      if (names.emplace(iid, name).first->second != name) fail("two names with one iid");
    }
  }

  // TrackDescriptor
  void read_track(reader descriptor) {
    track found;
    std::uint64_t uuid = 0;
    while (descriptor.next()) switch (descriptor.tag()) {
        case 1: uuid = descriptor.get_uint64(); break;
        case 2: found.name = descriptor.get_string(); break;
        case 3:  // ProcessDescriptor: pid 1, legacy_sort_index 3, process_name 6
          read_owner(descriptor.get_message(), 0, 6, found);
          break;
        case 4:  // ThreadDescriptor: pid 1, tid 2, legacy_sort_index 3, thread_name 5
          found.is_thread = true;
          read_owner(descriptor.get_message(), 2, 5, found);
          break;
        case 5: found.parent = descriptor.get_uint64(); break;
        case 8: {
          found.is_counter = true;
          reader counter = descriptor.get_message();  // CounterDescriptor: unit 3, UNIT_COUNT
          if (!counter.next(3) || counter.get_enum() != 2 || counter.next()) fail("a counter without its unit");
          break;
        }
        default: fail("unknown field of TrackDescriptor: " + std::to_string(descriptor.tag()));
      }
    if (found.name.empty() || uuid == 0) fail("a track without name or uuid");
    if (found.parent != 0 && tracks.count(found.parent) == 0) fail("no parent of track " + found.name);
    if (!tracks.emplace(uuid, found).second) fail("a track is described twice");
  }
  void read_owner(reader owner, std::uint32_t tid_field, std::uint32_t name_field, track& found) {
    int pid = 0, tid = 0, sorted = 0;
    while (owner.next()) {
      if (owner.tag() == 1)
        pid = owner.get_int32();
      else if (owner.tag() == tid_field)
        tid = owner.get_int32();
      else if (owner.tag() == 3)
        sorted = owner.get_int32();
      else if (owner.tag() == name_field)
        found.name = owner.get_string();
      else
        fail("unknown field of ProcessDescriptor or ThreadDescriptor");
    }
    if (sorted != (found.is_thread ? tid : pid)) fail("sorted otherwise than numbered");
    if (!numbers_.insert(sorted).second) fail("a pid or tid is used twice");
    if (found.is_thread) found.parent = processes_.at(pid);
    if (!found.is_thread) processes_[pid] = static_cast<std::uint64_t>(pid);
  }

  // TrackEvent
  void read_event(std::int64_t time, reader data) {
    event e;
    e.time = time;
    while (data.next()) switch (data.tag()) {
        case 4: read_annotation(data.get_message(), e); break;
        case 9: e.type = data.get_enum(); break;
        case 10: e.name = look_up(event_names_, data.get_uint64()); break;
        case 11: e.on = data.get_uint64(); break;
        case 23: e.name = data.get_string(); break;
        case 30: e.value = data.get_int64(); break;
        case 47: e.flows.push_back(data.get_fixed64()); break;
        case 48: e.last_of_flows.push_back(data.get_fixed64()); break;
        default: fail("unknown field of TrackEvent: " + std::to_string(data.tag()));
      }
    const auto found = tracks.find(e.on);
    if (found == tracks.end()) fail("no track " + std::to_string(e.on));
    if (found->second.is_counter != (e.type == 4)) fail("a track of another kind: " + found->second.name);
    if ((e.type == 1 || e.type == 3) == e.name.empty()) fail("a name that is missing, or one too many");
    std::int64_t& written = written_[e.on];
    if (e.time < written) fail("not in order of time: " + found->second.name);
    written = e.time;
    events_.push_back(std::move(e));
  }
  void read_annotation(reader annotation, event& e) const {
    std::string name, value;
    while (annotation.next()) {
      if (annotation.tag() == 1)
        name = look_up(annotation_names_, annotation.get_uint64());
      else if (annotation.tag() == 3)
        value = std::to_string(annotation.get_uint64());
      else if (annotation.tag() == 6)
        value = annotation.get_string();
      else
        fail("unknown field of DebugAnnotation");
    }
    e.arguments[name] = value;
  }

  void happen(const event& e) {
    std::vector<std::size_t>& open = open_[e.on];
    switch (e.type) {
      case 1:
      case 3:
        slices.push_back({e.time, e.time, e.name, e.on, static_cast<int>(open.size()), e.type == 3, e.type == 3, {}});
        if (e.type == 1) open.push_back(slices.size() - 1);
        for (const auto& [name, value] : e.arguments) slices.back().arguments[name] = value;
        follow(e);
        break;
      case 2:
        if (open.empty()) fail("an end without a begin on " + name_of(e.on));
        slices[open.back()].to = e.time;
        slices[open.back()].ended = true;
        for (const auto& [name, value] : e.arguments) slices[open.back()].arguments[name] = value;
        open.pop_back();
        break;
      case 4: counters[tracks.at(e.on).name].push_back({e.time, e.value}); break;
      default: fail("unknown type of TrackEvent");
    }
  }
  void follow(const event& e) {
    const std::size_t here = slices.size() - 1;
    for (const std::uint64_t flow : e.flows) {
      const auto [from, first] = flows_.emplace(flow, here);
      if (!first) arrows.emplace_back(from->second, here);
      from->second = here;
    }
    for (const std::uint64_t flow : e.last_of_flows) {
      const auto from = flows_.find(flow);
      if (from == flows_.end()) fail("the end of a flow that has none");
      arrows.emplace_back(from->second, here);
      flows_.erase(from);
    }
  }

  bool begun_ = false;
  std::map<std::uint64_t, std::string> event_names_, annotation_names_;
  std::map<int, std::uint64_t> processes_;
  std::set<int> numbers_;
  std::vector<event> events_;
  std::map<std::uint64_t, std::int64_t> written_;           // by track: the latest time so far
  std::map<std::uint64_t, std::vector<std::size_t>> open_;  // by track: slices
  std::map<std::uint64_t, std::size_t> flows_;              // by id: the latest slice
};

}  // namespace muster
