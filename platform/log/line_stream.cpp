#include "platform/log/line_stream.h"

#include <cstring>

namespace muster {

line_stream::line_stream(const std::string& path) : bytes_(path), buffer_(std::size_t{1} << 16) {
  while (filled_ < buffer_.size() && fill()) {
  }
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (begin().substr(0, byte_order_mark.size()) != byte_order_mark) return;
  filled_ -= byte_order_mark.size();
  std::memmove(buffer_.data(), buffer_.data() + byte_order_mark.size(), filled_);
}

bool line_stream::fill() {
  if (at_ > 0) {
    filled_ -= at_;
    std::memmove(buffer_.data(), buffer_.data() + at_, filled_);
    at_ = 0;
  }
  if (filled_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t given = bytes_.read(buffer_.data() + filled_, buffer_.size() - filled_);
  filled_ += given;
  return given > 0;
}

void line_stream::take(std::size_t end, std::size_t next) {
  line_ = {buffer_.data() + at_, end - at_};
  if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
  at_ = next;
  ++number_;
}

bool line_stream::next() {
  too_long_ = false;
  for (std::size_t searched = at_;;) {
    const char* const from = buffer_.data() + searched;
    const auto* const found = static_cast<const char*>(std::memchr(from, '\n', filled_ - searched));
    if (found) {
      const auto end = static_cast<std::size_t>(found - buffer_.data());
      take(end, end + 1);
      return true;
    }
    if (filled_ - at_ > longest_line) {
      too_long_ = true;
      filled_ = at_ + longest_line;
    }
    const std::size_t length = filled_ - at_;
    if (fill()) {
      searched = length;
      continue;
    }
    if (length == 0) return false;
    take(filled_, filled_);
    return true;
  }
}

}  // namespace muster
