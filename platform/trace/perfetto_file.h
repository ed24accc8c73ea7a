#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "platform/trace/perfetto_schema.h"
#include "platform/trace/trace_file.h"
#include "platform/trace/track_event.h"

namespace muster {

/// A file in Perfetto's format: a stream of TracePackets, all of one sequence. It needs no end, so that one that breaks
/// off can be read as far as its packets are whole.
class perfetto_file {
 public:
  /// A track's uuid; of a process it is the pid, of a thread the tid.
  using track = std::uint64_t;

  /// @param event_names, annotation_names that events refer to, numbered from 1
  /// @throws std::runtime_error if it cannot be made
  perfetto_file(const std::filesystem::path& path, const std::vector<std::string_view>& event_names,
                const std::vector<std::string_view>& annotation_names);

  /// One more name of events. It may come again with the same number.
  void write_name(std::uint64_t number, std::string_view name);
  void describe_process(track process, const std::string& name);
  void describe_thread(track thread, track process, const std::string& name);
  /// A track of a process that is no thread.
  void describe(track what, track process, const std::string& name, bool is_counter = false);
  /// The track has been described.
  void put(const track_event& event, track on) { out_.advance_to(event.write(out_.room(track_event::longest), on)); }
  void flush() { out_.flush(); }

 private:
  template <class Fill>
  void write_packet(perfetto_schema::trace_packet::sequence_flag flag, perfetto_schema::field content, Fill fill);
  template <class Fill>
  void write_descriptor(track what, Fill fill);

  std::string packet_;  // memory for one
  trace_file out_;
};

}  // namespace muster
