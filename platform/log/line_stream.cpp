#include "platform/log/line_stream.h"

#include <cstring>

namespace muster {

namespace {

// The first line feed or carriage return; null: there is none.
const char* find_line_end(const char* from, std::size_t length) {
  const auto* const feed = static_cast<const char*>(std::memchr(from, '\n', length));
  const std::size_t before = feed ? static_cast<std::size_t>(feed - from) : length;
  const auto* const carriage_return = static_cast<const char*>(std::memchr(from, '\r', before));
  return carriage_return ? carriage_return : feed;
}

}  // namespace

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
  at_ = next;
  ++number_;
}

bool line_stream::next() {
  too_long_ = false;
  for (std::size_t searched = at_;;) {
    const char* const from = buffer_.data() + searched;
    if (const char* const found = find_line_end(from, filled_ - searched)) {
      const bool is_return = *found == '\r';
      const std::size_t length = static_cast<std::size_t>(found - buffer_.data()) - at_;
      if (is_return && at_ + length + 1 == filled_) fill();  // perhaps the line feed that belongs to it
      const std::size_t end = at_ + length, next = end + 1;
      take(end, is_return && next < filled_ && buffer_[next] == '\n' ? next + 1 : next);
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
