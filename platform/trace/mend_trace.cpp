#include "platform/trace/mend_trace.h"

#include <algorithm>
#include <fstream>

#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <protozero/pbf_reader.hpp>

#include "platform/trace/trace_file.h"

namespace muster {

namespace fs = std::filesystem;

namespace {

// Up to its last line break. Lines are much shorter than what is looked at.
std::uintmax_t size_of_whole_lines(const fs::path& file, std::uintmax_t size) {
  std::string end(static_cast<std::size_t>(std::min<std::uintmax_t>(size, trace_file::most)), '\0');
  std::ifstream(file, std::ios::binary)
      .seekg(static_cast<std::streamoff>(size - end.size()))
      .read(end.data(), static_cast<std::streamsize>(end.size()));
  const std::size_t whole = end.rfind('\n') + 1;  // 0 if there is none
  return whole == 0 ? 0 : size - (end.size() - whole);
}

// Only their lengths say where packets end.
std::uintmax_t size_of_whole_packets(const fs::path& file, std::uintmax_t size) {
  if (size == 0) return 0;
  namespace shared = boost::interprocess;
  const shared::file_mapping mapping(file.c_str(), shared::read_only);
  const shared::mapped_region content(mapping, shared::read_only);
  protozero::pbf_reader packets(static_cast<const char*>(content.get_address()), content.get_size());
  std::uintmax_t left = size;
  try {
    for (; packets.next(); left = packets.data().size()) packets.skip();
  } catch (const protozero::exception&) {  // the last one is not whole
  }
  return size - left;
}

}  // namespace

void mend_trace(const trace_request& trace) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(trace.file, error);
  if (error) return;
  const auto whole = trace.kind->has_packets ? size_of_whole_packets : size_of_whole_lines;
  const std::uintmax_t kept = whole(trace.file, size);
  if (kept == 0)
    fs::remove(trace.file, error);
  else if (kept < size)
    fs::resize_file(trace.file, kept, error);
}

}  // namespace muster
