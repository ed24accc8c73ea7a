#include "platform/scenario/text_field.h"

#include <algorithm>

#include "platform/toml/text_file.h"

namespace muster {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos ? text.substr(0, 0)
                                         : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

}  // namespace

named_file::place text_field::where() const {
  return {number, characters(line.substr(0, static_cast<std::size_t>(text.data() - line.data()))) + 1};
}

bool text_field::next_line(std::string_view& rest) {
  if (rest.empty()) return false;
  *this = {rest.substr(0, rest.find('\n')), rest.substr(0, rest.find('\n')), number + 1};
  rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  return true;
}

std::vector<text_field> text_field::split(std::string_view separators) const {
  std::vector<text_field> parts;
  for (std::size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find_first_of(separators, begin), text.size());
    parts.push_back({trimmed(text.substr(begin, end - begin)), line, number});
  }
  return parts;
}

std::vector<text_field> text_field::words() const {
  std::vector<text_field> all = split(blanks);
  all.erase(std::remove_if(all.begin(), all.end(), [](const text_field& f) { return f.text.empty(); }), all.end());
  return all;
}

}  // namespace muster
