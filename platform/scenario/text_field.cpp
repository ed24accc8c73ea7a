#include "platform/scenario/text_field.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>

#include "platform/toml/diagnostics.h"
#include "platform/toml/text_file.h"

namespace muster {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos ? text.substr(0, 0)
                                         : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// The place of the quote that closes the one at `begin`; npos: there is none. A quote that is doubled closes nothing.
std::size_t end_of_quotes(std::string_view text, std::size_t begin) {
  std::size_t at = text.find('"', begin + 1);
  while (at != std::string_view::npos && at + 1 < text.size() && text[at + 1] == '"') at = text.find('"', at + 2);
  return at;
}

}  // namespace

named_file::place text_field::where() const {
  const char* const begin = written.data() ? written.data() : text.data();
  return {number, characters(line.substr(0, static_cast<std::size_t>(begin - line.data()))) + 1};
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
    parts.push_back({trimmed(text.substr(begin, end - begin)), line, number, written});
  }
  return parts;
}

std::vector<text_field> text_field::between_commas(named_file& file) const {
  if (text.find('"') == std::string_view::npos) return split(",");
  std::vector<text_field> fields;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t begin = std::min(text.find_first_not_of(blanks, at), text.size());
    std::size_t end = std::min(text.find(',', at), text.size());
    text_field field{trimmed(text.substr(at, end - at)), line, number, {}};
    if (begin < text.size() && text[begin] == '"') {
      const std::size_t close = end_of_quotes(text, begin);
      if (close == std::string_view::npos) {
        file.complain("expected a quote that closes this one, in the same line", field.where());
        return {};
      }
      field.text = text.substr(begin + 1, close - begin - 1);
      end = std::min(text.find_first_not_of(blanks, close + 1), text.size());
      if (end < text.size() && text[end] != ',') {
        field.text = text.substr(end);
        file.complain(fmt::format("expected a comma behind the closing quote, found {}", in_quotes(field.text)),
                      field.where());
        return {};
      }
      if (field.text.find('"') != std::string_view::npos) {
        field.written = field.text;
        field.text = file.unquoted.emplace_back(boost::replace_all_copy(std::string{field.text}, "\"\"", "\""));
      }
    }
    fields.push_back(field);
    at = end + 1;
  }
  return fields;
}

std::vector<text_field> text_field::words() const {
  std::vector<text_field> all = split(blanks);
  all.erase(std::remove_if(all.begin(), all.end(), [](const text_field& f) { return f.text.empty(); }), all.end());
  return all;
}

}  // namespace muster
