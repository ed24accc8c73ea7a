#include "platform/trace/trace_kind.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <protozero/pbf_reader.hpp>

#include "platform/model/study.h"

namespace muster {

namespace fs = std::filesystem;

namespace {

// The prefix of the names of traces where the scenario has a file of such a name, which it keeps.
constexpr std::string_view apart = "recorded_";

bool begins_with(std::string_view text, std::string_view begin) { return text.substr(0, begin.size()) == begin; }

// Whether a name is STEM.EXTENSION or STEM_NUMBER.EXTENSION.
bool is_name_of(const trace_kind& kind, std::string_view name) {
  if (!begins_with(name, kind.stem) || name.size() < kind.stem.size() + kind.extension.size()) return false;
  const std::string_view rest = name.substr(kind.stem.size());
  const std::string_view number = rest.substr(0, rest.size() - kind.extension.size());
  if (rest.substr(number.size()) != kind.extension) return false;
  return number.empty() || (number.size() > 1 && number.front() == '_' &&
                            number.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

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

const trace_kind* find_trace_kind(std::string_view name) {
  const auto& all = trace_catalogue();
  const auto found = std::find_if(all.begin(), all.end(), [&](const trace_kind& k) { return k.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string trace_file_name(const trace_kind& kind, std::size_t point, const study& s) {
  const bool taken = std::any_of(s.files.begin(), s.files.end(), [&](const auto& named) {
    return is_name_of(kind, fs::path(named.first).lexically_normal().begin()->string());
  });
  const std::string number = s.points.size() > 1 ? fmt::format("_{}", point) : "";
  return fmt::format("{}{}{}{}", taken ? apart : "", kind.stem, number, kind.extension);
}

bool is_trace_file_name(const std::string& name) {
  std::string_view rest{name};
  if (begins_with(rest, apart)) rest.remove_prefix(apart.size());
  const auto& all = trace_catalogue();
  return std::any_of(all.begin(), all.end(), [&](const trace_kind& k) { return is_name_of(k, rest); });
}

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
