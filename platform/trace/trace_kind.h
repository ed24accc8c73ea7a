#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "platform/metrics/instrument.h"

namespace muster {

struct scenario;
struct study;
struct trace_request;

/// A kind of trace: what is called NAME_trace in platform/trace/kinds/NAME.cpp. `--trace`, `muster list traces`, names
/// of files, recording and mending use this description.
struct trace_kind {
  std::string_view name;             ///< as the command line spells it
  std::string_view stem, extension;  ///< stem and extension of its file's name
  std::string_view about;            ///< contents of the trace, and the tool that opens it
  /// Adds the trace's writer to the instruments of a replication.
  /// @throws std::runtime_error if the file cannot be made
  void (*add_to)(instrument_list& instruments, const scenario& point, const trace_request& trace);
  bool has_packets = false;  ///< the file is a stream of protobuf packets; else of lines
};

/// A trace that a replication is to write.
struct trace_request {
  const trace_kind* kind;
  std::filesystem::path file;  ///< replaced if it exists
};

/// Adds a Writer, which is made from the point and the trace's file, to the instruments of a replication.
template <class Writer>
void add_writer(instrument_list& instruments, const scenario& point, const trace_request& trace) {
  instruments.add(std::make_unique<Writer>(point, trace.file));
}

/// Makes a trace readable whose writer was interrupted, by keeping the whole lines or packets. A complete trace stays
/// as it is; one without a whole line or packet is removed.
void mend_trace(const trace_request& trace);

/// All kinds, by name.
const std::vector<trace_kind>& trace_catalogue();
/// The kind of that name, or null.
const trace_kind* find_trace_kind(std::string_view name);

/// The name of a trace in a directory of results: STEM_POINT.EXTENSION, without the number where there is only one
/// point. Files of the scenario keep their names there: if one has the name of a trace of that kind, the traces' names
/// begin with "recorded_".
std::string trace_file_name(const trace_kind& kind, std::size_t point, const study& s);
/// Whether trace_file_name() can return that name.
bool is_trace_file_name(const std::string& name);

}  // namespace muster
