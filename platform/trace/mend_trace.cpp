#include <string_view>

#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <protozero/pbf_reader.hpp>

#include "platform/trace/trace_kind.h"

namespace muster {

namespace fs = std::filesystem;

namespace {

std::size_t size_of_whole_lines(std::string_view content) { return content.rfind('\n') + 1; }  // 0 if there is none

// The size of the whole packets, whose ends only their lengths show.
std::size_t size_of_whole_packets(std::string_view content) {
  protozero::pbf_reader packets(content.data(), content.size());
  std::size_t left = content.size();
  try {
    for (; packets.next(); left = packets.data().size()) packets.skip();
  } catch (const protozero::exception&) {  // the last packet is not whole
  }
  return content.size() - left;
}

// @param size of the trace's file
std::uintmax_t whole_size(const trace_request& trace, std::uintmax_t size) {
  if (size == 0) return 0;
  namespace shared = boost::interprocess;
  const shared::file_mapping mapping(trace.file.c_str(), shared::read_only);
  const shared::mapped_region region(mapping, shared::read_only);
  const std::string_view content(static_cast<const char*>(region.get_address()), region.get_size());
  return trace.kind->has_packets ? size_of_whole_packets(content) : size_of_whole_lines(content);
}

}  // namespace

void mend_trace(const trace_request& trace) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(trace.file, error);
  if (error) return;
  const std::uintmax_t kept = whole_size(trace, size);
  if (kept == 0)
    fs::remove(trace.file, error);
  else if (kept < size)
    fs::resize_file(trace.file, kept, error);
}

}  // namespace muster
