#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "platform/scenario/named_file.h"

namespace muster {

/// A part of a line of a file, or all of it. Blanks are spaces, tabs and carriage returns.
struct text_field {
  std::string_view text, line;
  std::uint32_t number = 0;       ///< of the line, from 1
  std::string_view written = {};  ///< the text in the line, where `text` is another one, without its doubled quotes

  named_file::place where() const;
  /// Makes it the line after its own. @param rest what follows its own line @return whether there is another one
  bool next_line(std::string_view& rest);
  /// The parts that separators set apart, without blanks at both ends.
  std::vector<text_field> split(std::string_view separators) const;
  /// The parts that commas set apart, without blanks at both ends. One in double quotes may have commas and blanks, and
  /// quotes that are doubled (RFC 4180), but ends in its line.
  /// @param file gets what is wrong with the quotes, and texts that are not in its lines
  /// @return none if something is wrong
  std::vector<text_field> between_commas(named_file& file) const;
  /// The parts that blanks set apart.
  std::vector<text_field> words() const;
};

/// Reads lines of fields between commas, see text_field::between_commas(), empty lines left out. The first is the
/// header. The file ends there where that is flawed, or where it has enough flaws.
/// @param header called with the fields of the header @param row called with those of each line below it
/// @return the last line that was read
template <class Header, class Row>
text_field read_comma_separated(std::string_view rest, named_file& report, const Header& header, const Row& row) {
  text_field line;
  bool header_known = false;
  while (report.flaws.size() < named_file::enough_flaws && line.next_line(rest)) {
    const std::vector<text_field> fields = line.between_commas(report);
    if (fields.size() == 1 && fields.front().text.empty()) continue;
    if (fields.empty() && header_known) continue;
    if (fields.empty()) break;
    if (header_known) {
      row(fields);
      continue;
    }
    header_known = true;
    header(fields);
    if (!report.flaws.empty()) break;
  }
  return line;
}

}  // namespace muster
