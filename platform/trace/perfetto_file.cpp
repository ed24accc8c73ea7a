#include "platform/trace/perfetto_file.h"

#include <protozero/pbf_writer.hpp>

namespace muster {

namespace schema = perfetto_schema;

namespace {

// An EventName, or a DebugAnnotationName, which has the same fields.
void add_name(protozero::pbf_writer& data, schema::field field, std::uint64_t number, std::string_view name) {
  protozero::pbf_writer entry{data, field};
  entry.add_uint64(schema::event_name::iid, number);
  entry.add_string(schema::event_name::name, name.data(), name.size());
}

}  // namespace

perfetto_file::perfetto_file(const std::filesystem::path& path, const std::vector<std::string_view>& event_names,
                             const std::vector<std::string_view>& annotation_names)
    : out_(path) {
  using data = schema::interned_data;
  write_packet(schema::trace_packet::incremental_state_cleared, schema::trace_packet::interned_data, [&](auto& names) {
    std::uint64_t number = 0;
    for (const std::string_view name : event_names) add_name(names, data::event_names, ++number, name);
    number = 0;
    for (const std::string_view name : annotation_names) add_name(names, data::debug_annotation_names, ++number, name);
  });
}

template <class Fill>
void perfetto_file::write_packet(schema::trace_packet::sequence_flag flag, schema::field content, Fill fill) {
  packet_.clear();
  {
    protozero::pbf_writer trace{packet_}, packet{trace, schema::trace::packet};
    packet.add_uint32(schema::trace_packet::trusted_packet_sequence_id, packet_head::sequence);
    packet.add_uint32(schema::trace_packet::sequence_flags, flag);
    protozero::pbf_writer inside{packet, content};
    fill(inside);
  }
  out_ << packet_;
}

void perfetto_file::write_name(std::uint64_t number, std::string_view name) {
  write_packet(schema::trace_packet::needs_incremental_state, schema::trace_packet::interned_data,
               [&](auto& names) { add_name(names, schema::interned_data::event_names, number, name); });
}

template <class Fill>
void perfetto_file::write_descriptor(track what, Fill fill) {
  write_packet(schema::trace_packet::needs_incremental_state, schema::trace_packet::track_descriptor, [&](auto& text) {
    text.add_uint64(schema::track_descriptor::uuid, what);
    fill(text);
  });
}

void perfetto_file::describe_process(track process, const std::string& name) {
  using fields = schema::process_descriptor;
  write_descriptor(process, [&](auto& descriptor) {
    protozero::pbf_writer inside{descriptor, schema::track_descriptor::process};
    inside.add_int32(fields::pid, static_cast<std::int32_t>(process));
    inside.add_int32(fields::legacy_sort_index, static_cast<std::int32_t>(process));
    inside.add_string(fields::process_name, name);
  });
}

void perfetto_file::describe_thread(track thread, track process, const std::string& name) {
  using fields = schema::thread_descriptor;
  write_descriptor(thread, [&](auto& descriptor) {
    protozero::pbf_writer inside{descriptor, schema::track_descriptor::thread};
    inside.add_int32(fields::pid, static_cast<std::int32_t>(process));
    inside.add_int32(fields::tid, static_cast<std::int32_t>(thread));
    inside.add_int32(fields::legacy_sort_index, static_cast<std::int32_t>(thread));
    inside.add_string(fields::thread_name, name);
  });
}

void perfetto_file::describe(track what, track process, const std::string& name, bool is_counter) {
  write_descriptor(what, [&](auto& descriptor) {
    descriptor.add_uint64(schema::track_descriptor::parent_uuid, process);
    descriptor.add_string(schema::track_descriptor::name, name);
    if (!is_counter) return;
    protozero::pbf_writer counter{descriptor, schema::track_descriptor::counter};
    counter.add_enum(schema::counter_descriptor::unit, schema::counter_descriptor::count);
  });
}

}  // namespace muster
