#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <protozero/buffer_fixed.hpp>
#include <protozero/pbf_writer.hpp>
#include <protozero/types.hpp>
#include <protozero/varint.hpp>

#include "platform/trace/trace_file.h"

/// Numbers of the fields that muster writes, as Perfetto's published schema has them. The path above each message is
/// below protos/perfetto/trace/ there.
namespace muster::perfetto_schema {

using field = protozero::pbf_tag_type;

// trace.proto
struct trace {
  static constexpr field packet = 1;
};

// trace_packet.proto
struct trace_packet {
  static constexpr field timestamp = 8, trusted_packet_sequence_id = 10, track_event = 11, interned_data = 12,
                         sequence_flags = 13, track_descriptor = 60;
  enum sequence_flag : unsigned { incremental_state_cleared = 1, needs_incremental_state = 2 };
};

// track_event/track_event.proto
struct track_event {
  static constexpr field debug_annotations = 4, type = 9, name_iid = 10, track_uuid = 11, name = 23, counter_value = 30,
                         flow_ids = 47, terminating_flow_ids = 48;
  enum class kind { slice_begin = 1, slice_end = 2, instant = 3, counter = 4 };
};
struct event_name {  // also DebugAnnotationName, which has the same fields
  static constexpr field iid = 1, name = 2;
};

// track_event/debug_annotation.proto
struct debug_annotation {
  static constexpr field name_iid = 1, uint_value = 3, string_value = 6;
};

// interned_data/interned_data.proto
struct interned_data {
  static constexpr field event_names = 2, debug_annotation_names = 3;
};

// track_event/track_descriptor.proto
struct track_descriptor {
  static constexpr field uuid = 1, name = 2, process = 3, thread = 4, parent_uuid = 5, counter = 8;
};

// track_event/process_descriptor.proto
struct process_descriptor {
  static constexpr field pid = 1, legacy_sort_index = 3, process_name = 6;
};

// track_event/thread_descriptor.proto
struct thread_descriptor {
  static constexpr field pid = 1, tid = 2, legacy_sort_index = 3, thread_name = 5;
};

// track_event/counter_descriptor.proto
struct counter_descriptor {
  static constexpr field unit = 3;
  static constexpr int count = 2;  // a unit
};

}  // namespace muster::perfetto_schema

namespace muster {

/// The beginning of the packets of an instant's events, up to the event's fields. The two lengths are set later.
class packet_head {
 public:
  static constexpr std::uint32_t sequence = 1;  ///< all packets are of one sequence

  explicit packet_head(std::uint64_t nanoseconds) {
    using packet = perfetto_schema::trace_packet;
    using wire = protozero::pbf_wire_type;
    char* to = bytes_;
    *to++ = key(perfetto_schema::trace::packet, wire::length_delimited);
    ++to;
    *to++ = key(packet::timestamp, wire::varint);
    to += protozero::add_varint_to_buffer(to, nanoseconds);
    *to++ = key(packet::trusted_packet_sequence_id, wire::varint);
    *to++ = static_cast<char>(sequence);
    *to++ = key(packet::sequence_flags, wire::varint);
    *to++ = static_cast<char>(packet::needs_incremental_state);
    *to++ = key(packet::track_event, wire::length_delimited);
    size_ = static_cast<std::size_t>(++to - bytes_);
  }
  std::size_t size() const { return size_; }
  /// @param to has room for 32 bytes
  void copy(char* to) const { std::memcpy(to, bytes_, sizeof bytes_); }

  /// The key of a field, whose number is at most 15.
  static char key(perfetto_schema::field number, protozero::pbf_wire_type type) {
    return static_cast<char>(number << 3 | static_cast<unsigned>(type));
  }

 private:
  char bytes_[32] = {};
  std::size_t size_;
};

/// A TracePacket with a TrackEvent that lacks its track, so that the same event can be put on several.
///
/// Its length takes one byte: a name, a flow and a short annotation fit, or three annotations.
/// @throws std::length_error from what does not fit
class track_event {
  using schema = perfetto_schema::track_event;

 public:
  using kind = schema::kind;
  static constexpr std::size_t longest = 129;  ///< the longest packet, in bytes
  static constexpr std::size_t longest_name = 85;

  track_event(const packet_head& head, kind type)
      : head_size_(head.size()), buffer_(bytes_ + head_size_ + 2, sizeof bytes_ - head_size_ - 2) {
    head.copy(bytes_);
    bytes_[head_size_] = packet_head::key(schema::type, protozero::pbf_wire_type::varint);
    bytes_[head_size_ + 1] = static_cast<char>(type);
  }
  track_event(const track_event&) = delete;
  track_event& operator=(const track_event&) = delete;

  /// @param iid of a name in InternedData
  track_event& name(std::uint64_t iid) { return fields_.add_uint64(schema::name_iid, iid), *this; }
  /// @param text of at most `longest_name` bytes
  track_event& name(std::string_view text) { return fields_.add_string(schema::name, text.data(), text.size()), *this; }
  track_event& value(std::uint64_t count) {
    return fields_.add_int64(schema::counter_value, static_cast<std::int64_t>(count)), *this;
  }
  track_event& flow(std::uint64_t id) { return fields_.add_fixed64(schema::flow_ids, id), *this; }
  track_event& last_of_flow(std::uint64_t id) { return fields_.add_fixed64(schema::terminating_flow_ids, id), *this; }
  /// @param iid below 128, of an annotation's name in InternedData
  track_event& annotation(std::uint64_t iid, std::uint64_t number) {
    using protozero::pbf_wire_type;
    using annotation = perfetto_schema::debug_annotation;
    char inside[13] = {packet_head::key(annotation::name_iid, pbf_wire_type::varint), static_cast<char>(iid),
                       packet_head::key(annotation::uint_value, pbf_wire_type::varint)};
    const int size = 3 + protozero::add_varint_to_buffer(inside + 3, number);
    fields_.add_message(schema::debug_annotations, inside, static_cast<std::size_t>(size));
    return *this;
  }
  track_event& annotation(std::uint64_t iid, std::string_view text) {
    protozero::basic_pbf_writer<buffer> inside{fields_, schema::debug_annotations};
    inside.add_uint64(perfetto_schema::debug_annotation::name_iid, iid);
    inside.add_string(perfetto_schema::debug_annotation::string_value, text.data(), text.size());
    return *this;
  }

  /// @param to has room for `longest` bytes, of which those behind the packet may be overwritten
  /// @return the end of the packet
  char* write(char* to, std::uint64_t track) const {
    constexpr std::size_t block = 64;
    const auto size = static_cast<std::size_t>(buffer_.cend() - bytes_);
    std::memcpy(to, bytes_, block);
    if (size > block) std::memcpy(to + block, bytes_ + block, sizeof bytes_ - block);
    char* end = to + size;
    *end++ = packet_head::key(schema::track_uuid, protozero::pbf_wire_type::varint);
    end += protozero::add_varint_to_buffer(end, track);
    char* const fields = to + head_size_;
    to[1] = static_cast<char>(end - (to + 2));
    fields[-1] = static_cast<char>(end - fields);
    return end;
  }

 private:
  using buffer = protozero::fixed_size_buffer_adaptor;
  static constexpr std::size_t track_field = 11;

  char bytes_[longest - track_field];
  std::size_t head_size_;
  buffer buffer_;
  protozero::basic_pbf_writer<buffer> fields_{buffer_};
};

/// A file in Perfetto's format: a stream of TracePackets of one sequence. It needs no end: whole packets are readable.
class perfetto_file {
 public:
  /// A track's uuid, which for a process is the pid, for a thread the tid.
  using track = std::uint64_t;

  /// @param event_names, annotation_names that events refer to, numbered from 1
  /// @throws std::runtime_error if the file cannot be made
  perfetto_file(const std::filesystem::path& path, const std::vector<std::string_view>& event_names,
                const std::vector<std::string_view>& annotation_names)
      : out_(path) {
    using data = perfetto_schema::interned_data;
    write_packet(packet::incremental_state_cleared, packet::interned_data, [&](auto& names) {
      std::uint64_t number = 0;
      for (const std::string_view name : event_names) add_name(names, data::event_names, ++number, name);
      number = 0;
      for (const std::string_view name : annotation_names)
        add_name(names, data::debug_annotation_names, ++number, name);
    });
  }

  /// Adds a name of events. It may come again with the same number.
  void write_name(std::uint64_t number, std::string_view name) {
    write_packet(packet::needs_incremental_state, packet::interned_data,
                 [&](auto& names) { add_name(names, perfetto_schema::interned_data::event_names, number, name); });
  }

  void describe_process(track process, const std::string& name) {
    using fields = perfetto_schema::process_descriptor;
    write_descriptor(process, [&](auto& descriptor) {
      protozero::pbf_writer inside{descriptor, perfetto_schema::track_descriptor::process};
      inside.add_int32(fields::pid, static_cast<std::int32_t>(process));
      inside.add_int32(fields::legacy_sort_index, static_cast<std::int32_t>(process));
      inside.add_string(fields::process_name, name);
    });
  }
  void describe_thread(track thread, track process, const std::string& name) {
    using fields = perfetto_schema::thread_descriptor;
    write_descriptor(thread, [&](auto& descriptor) {
      protozero::pbf_writer inside{descriptor, perfetto_schema::track_descriptor::thread};
      inside.add_int32(fields::pid, static_cast<std::int32_t>(process));
      inside.add_int32(fields::tid, static_cast<std::int32_t>(thread));
      inside.add_int32(fields::legacy_sort_index, static_cast<std::int32_t>(thread));
      inside.add_string(fields::thread_name, name);
    });
  }
  /// Describes a track of a process that is no thread.
  void describe(track number, track process, const std::string& name, bool is_counter = false) {
    write_descriptor(number, [&](auto& descriptor) {
      descriptor.add_uint64(perfetto_schema::track_descriptor::parent_uuid, process);
      descriptor.add_string(perfetto_schema::track_descriptor::name, name);
      if (!is_counter) return;
      protozero::pbf_writer counter{descriptor, perfetto_schema::track_descriptor::counter};
      counter.add_enum(perfetto_schema::counter_descriptor::unit, perfetto_schema::counter_descriptor::count);
    });
  }

  /// Writes an event on a track that has been described.
  void put(const track_event& event, track on) { out_.advance_to(event.write(out_.room(track_event::longest), on)); }
  void flush() { out_.flush(); }

 private:
  using packet = perfetto_schema::trace_packet;

  template <class Fill>
  void write_packet(packet::sequence_flag flag, perfetto_schema::field content, Fill fill) {
    packet_.clear();
    {
      protozero::pbf_writer trace{packet_}, head{trace, perfetto_schema::trace::packet};
      head.add_uint32(packet::trusted_packet_sequence_id, packet_head::sequence);
      head.add_uint32(packet::sequence_flags, flag);
      protozero::pbf_writer inside{head, content};
      fill(inside);
    }
    out_ << packet_;
  }

  template <class Fill>
  void write_descriptor(track number, Fill fill) {
    write_packet(packet::needs_incremental_state, packet::track_descriptor, [&](auto& descriptor) {
      descriptor.add_uint64(perfetto_schema::track_descriptor::uuid, number);
      fill(descriptor);
    });
  }

  static void add_name(protozero::pbf_writer& data, perfetto_schema::field field, std::uint64_t number,
                       std::string_view name) {
    protozero::pbf_writer entry{data, field};
    entry.add_uint64(perfetto_schema::event_name::iid, number);
    entry.add_string(perfetto_schema::event_name::name, name.data(), name.size());
  }

  std::string packet_;  // memory for one packet
  trace_file out_;
};

}  // namespace muster
