#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/import/slurm/unused_values.h"

namespace muster {

/// Slurm counts memory in these where no unit is given.
inline constexpr double bytes_of_megabyte = 1048576.0;

/// A line `Key=Value Key=Value` of a file of Slurm.
struct site_line {
  site_place at;  ///< the first one, where others continue it
  std::vector<std::pair<std::string, std::string>> words;

  /// The value of a key, whatever its capitals; the last one where there are several. Null: it is not there.
  const std::string* value(std::string_view key) const;
  /// The first value of a key, whatever its capitals: free text may stand behind it. Empty: it is not there.
  std::string_view first_value(std::string_view key) const;
  /// Whether the first key is this one, whatever its capitals.
  bool begins_with(std::string_view key) const;
};

/// Splits a text of words `Key=Value`, as Slurm does: blanks may stand around the sign, a value in double quotes may
/// have blanks, and `Key+=Value` is a word, too.
/// @return the rest that is no such word; empty: all of it is read
std::string_view split_words(std::string_view text, std::vector<std::pair<std::string, std::string>>& words);

/// Reads the lines of slurm.conf, gres.conf or topology.conf: without comments, joined where a backslash ends one, and
/// with those of files that `Include` names, which are looked for beside the file that includes them.
/// @param unused receives words that are none, and files that cannot be read
/// @param read receives the absolute paths of all files that were read
/// @throws std::runtime_error that says why the file itself cannot be read, but not its name
std::vector<site_line> read_site_lines(const std::string& path, unused_values& unused, std::vector<std::string>& read);

}  // namespace muster
