#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include <protozero/buffer_fixed.hpp>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>

#include "platform/trace/perfetto_schema.h"

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
  track_event& name(std::uint64_t iid) {
    fields_.add_uint64(schema::name_iid, iid);
    return *this;
  }
  /// @param text of at most `longest_name` bytes
  track_event& name(std::string_view text) {
    fields_.add_string(schema::name, text.data(), text.size());
    return *this;
  }
  track_event& value(std::uint64_t count) {
    fields_.add_int64(schema::counter_value, static_cast<std::int64_t>(count));
    return *this;
  }
  track_event& flow(std::uint64_t id) {
    fields_.add_fixed64(schema::flow_ids, id);
    return *this;
  }
  track_event& last_of_flow(std::uint64_t id) {
    fields_.add_fixed64(schema::terminating_flow_ids, id);
    return *this;
  }
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

}  // namespace muster
