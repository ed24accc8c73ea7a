#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/tables/data_table.h"

namespace muster {

/// A line of a file of a site.
struct site_place {
  std::string file;        ///< as it was given, or as another file includes it
  std::uint64_t line = 0;  ///< from 1; 0: the file as a whole
};

/// Whether something that a scenario does not have would change when or where jobs start.
enum class schedule_effect : std::uint8_t { none, possible, certain };

/// Words of files of a site, set apart by blanks, and why no scenario has them, or what has them in their place.
struct words_with_reason {
  std::string_view words, why;
};

/// The reason of the first row that has a word; nothing: none has it.
/// @param exact whether capitals matter, as of options
std::optional<std::string_view> reason_of(const std::vector<words_with_reason>& rows, std::string_view word,
                                          bool exact = false);

/// What stands in the files of a site and is not in the scenario, in the order of the files.
class unused_values {
 public:
  /// Lines of a file that say the same.
  struct row {
    site_place first;
    std::uint64_t lines = 1;
    std::string what, why;
    schedule_effect effect = schedule_effect::none;
  };

  /// Adds a value. One of the same file, text and reason is counted with the first.
  /// @param what the key and its value, or what the line is @param why no scenario has it, or what has it in its place
  void add(const site_place& at, schedule_effect effect, std::string_view what, std::string_view why);
  const std::vector<row>& rows() const { return rows_; }

 private:
  std::vector<row> rows_;
  std::map<std::array<std::string, 3>, std::size_t> places_;  // of rows, by file, text and reason
};

/// The rows as a table: those that certainly matter first, then those that may, each in the order of the files.
data_table unused_table(const unused_values& unused);

}  // namespace muster
