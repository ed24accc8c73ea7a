#pragma once

#include <protozero/types.hpp>

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
