#include "platform/scenario/foreign_file.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <boost/algorithm/string/predicate.hpp>
#include <boost/algorithm/string/trim.hpp>

namespace muster {

namespace {

constexpr const char* standard_format = "Standard Workload Format";
constexpr std::size_t fields_of_log = 18;  // of that format

std::string looks_like_log_of(const std::string& system) {
  return "this looks like a " + system + " log, not like a scenario; expected ";
}

// What is said of a log that a scenario may replay.
std::string replayable_log_of(const std::string& system) {
  return looks_like_log_of(system) +
         "a TOML file in which arrivals.file names the log, such as `muster run scenarios/log_replay.toml --set "
         "arrivals.file=LOG`";
}

// Whether the line is one of the Standard Workload Format: of whole numbers, perhaps with fractions.
bool is_line_of_log(std::string_view line) {
  std::istringstream in{std::string(line)};
  std::size_t fields = 0;
  for (std::string word; in >> word; ++fields)
    if (word.find_first_not_of("+-.0123456789") != std::string::npos) return false;
  return fields == fields_of_log;
}

// Whether the line is one of Slurm's accounting, as `sacct --parsable` prints it: fields parted by bars.
bool is_line_of_sacct(std::string_view line) {
  return line.find('=') == std::string_view::npos && std::count(line.begin(), line.end(), '|') >= 2;
}

// Whether the line is a record of PBS or Torque: time, kind of record, job and fields, parted by semicolons.
bool is_line_of_pbs(std::string_view line) {
  constexpr std::string_view form = "00/00/0000 00:00:00;A;";
  const auto fits = [](char of_form, char c) {
    return of_form == '0' ? std::isdigit(static_cast<unsigned char>(c)) != 0
                          : of_form == c || (of_form == 'A' && std::isupper(static_cast<unsigned char>(c)) != 0);
  };
  return line.size() >= form.size() && std::equal(form.begin(), form.end(), line.begin(), fits);
}

// TOML has an equals sign, a bracket or a comment in each line that begins anything.
bool is_line_of_table(std::string_view line) {
  return line.front() != '#' && line.find_first_of("=[") == std::string_view::npos &&
         line.find_first_of(",\t") != std::string_view::npos;
}

}  // namespace

std::string other_than_scenario(std::string_view begin, std::string_view name) {
  constexpr std::string_view gzip_magic = "\x1f\x8b", byte_order_mark = "\xef\xbb\xbf";
  if (begin.substr(0, gzip_magic.size()) == gzip_magic)
    return boost::algorithm::ends_with(name, ".swf.gz")
               ? replayable_log_of(standard_format) + ", also where it is compressed"
               : "this looks like a file that gzip has compressed, not like a scenario; expected a TOML file";
  if (begin.substr(0, byte_order_mark.size()) == byte_order_mark) begin.remove_prefix(byte_order_mark.size());
  while (!begin.empty()) {
    const std::string_view whole = begin.substr(0, begin.find('\n'));
    const std::string line = boost::algorithm::trim_copy(std::string(whole));
    begin.remove_prefix(std::min(begin.size(), whole.size() + 1));
    if (line.empty()) continue;
    if (line.front() == ';' || is_line_of_log(line)) return replayable_log_of(standard_format);
    if (is_line_of_sacct(line)) return replayable_log_of("Slurm accounting (sacct)");
    if (is_line_of_pbs(line))
      return looks_like_log_of("PBS accounting") + "a TOML file such as `muster list scenarios` names";
    if (is_line_of_table(line))
      return "this looks like a table (CSV), not like a scenario; expected a TOML file, in which arrivals.file names a "
             "list of jobs";
    return "";
  }
  return "";
}

}  // namespace muster
