#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <protozero/pbf_writer.hpp>

#include "platform/trace/perfetto_schema.h"
#include "platform/trace/trace_file.h"
#include "platform/trace/track_event.h"

namespace muster {

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
