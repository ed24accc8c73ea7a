#include "platform/trace/mend_trace.h"

#include <algorithm>
#include <fstream>

#include "platform/trace/trace_file.h"

namespace muster {

namespace fs = std::filesystem;

void mend_trace(const trace_request& trace) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(trace.file, error);
  if (error) return;
  // Lines are much shorter than that.
  std::string end(static_cast<std::size_t>(std::min<std::uintmax_t>(size, trace_file::most)), '\0');
  std::ifstream(trace.file, std::ios::binary)
      .seekg(static_cast<std::streamoff>(size - end.size()))
      .read(end.data(), static_cast<std::streamsize>(end.size()));
  const std::size_t whole = end.rfind('\n') + 1;  // 0 if there is none
  if (whole == 0) {
    fs::remove(trace.file, error);
    return;
  }
  const std::string_view last_line = trace.kind->last_line;
  const bool ended = whole == end.size() && whole > last_line.size() &&
                     end.compare(whole - last_line.size(), last_line.size(), last_line) == 0;
  if (ended) return;
  fs::resize_file(trace.file, size - (end.size() - whole), error);
  std::ofstream(trace.file, std::ios::binary | std::ios::app) << last_line;
}

}  // namespace muster
