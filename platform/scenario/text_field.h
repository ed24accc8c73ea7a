#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "platform/scenario/named_file.h"

namespace muster {

/// A part of a line of a file, or all of it. Blanks are spaces, tabs and carriage returns.
struct text_field {
  std::string_view text, line;
  std::uint32_t number = 0;  ///< of the line, from 1

  named_file::place where() const;
  /// Makes it the line after its own. @param rest what follows its own line @return whether there is another one
  bool next_line(std::string_view& rest);
  /// The parts that separators set apart, without blanks at both ends.
  std::vector<text_field> split(std::string_view separators) const;
  /// The parts that blanks set apart.
  std::vector<text_field> words() const;
};

}  // namespace muster
