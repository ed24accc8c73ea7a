#include "platform/log/log_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "platform/toml/quantity.h"

namespace muster {

namespace {

constexpr std::string_view blanks = " \t\r";

char small(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A number and what follows it, without blanks between them.
std::optional<std::pair<double, std::string_view>> number_with_word(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("+-.0123456789eE"), text.size());
  // An `e` that no digit follows belongs to the word.
  std::size_t length = end;
  while (length > 0 && !is_digit(text[length - 1]) && text[length - 1] != '.') --length;
  const auto number = number_of(text.substr(0, length));
  if (!number) return std::nullopt;
  return std::pair{*number, without_blanks(text.substr(length))};
}

// A whole number of so many digits at a place of a text; nothing if there is none.
std::optional<int> digits_at(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  const std::string_view part = text.substr(at, count);
  return std::all_of(part.begin(), part.end(), is_digit) ? number_in<int>(part) : std::nullopt;
}

// Days from 1970-01-01 to a date of the Gregorian calendar, counted in eras of 400 years that begin in March.
std::int64_t days_to(int year, int month, int day) {
  const int shifted = month <= 2 ? year - 1 : year;
  const int era = shifted / 400, of_era = shifted % 400;
  const int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
  return std::int64_t{era} * 146097 + days - 719468;
}

/// A date as it is written: the calendar may not have it.
struct written_date {
  int year, month, day;
};

// The date with which a text begins; nothing if it begins with none.
std::optional<written_date> date_at_begin(std::string_view text) {
  const auto year = digits_at(text, 0, 4), month = digits_at(text, 5, 2), day = digits_at(text, 8, 2);
  if (!year || !month || !day || text[4] != '-' || text[7] != '-') return std::nullopt;
  return written_date{*year, *month, *day};
}

// The days of a month from 1 to 12.
int days_in(int year, int month) {
  constexpr std::array<int, 12> days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool is_leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return days[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap_year ? 1 : 0);
}

// The seconds that a zone such as `Z`, `+01:00` or `-0500` is ahead of UTC.
std::optional<double> zone_of(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") return 0.0;
  if (text.front() != '+' && text.front() != '-') return std::nullopt;
  const auto hours = digits_at(text, 1, 2);
  const std::size_t minutes_at = text.size() > 3 && text[3] == ':' ? 4 : 3;
  const auto minutes = text.size() == 3 ? std::optional(0) : digits_at(text, minutes_at, 2);
  if (!hours || !minutes || (text.size() != 3 && text.size() != minutes_at + 2)) return std::nullopt;
  return (text.front() == '-' ? -1.0 : 1.0) * (*hours * 3600.0 + *minutes * 60.0);
}

}  // namespace

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos ? text.substr(0, 0)
                                         : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::string_view first_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
  rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  return without_blanks(line);
}

std::string_view first_text(std::string_view text) {
  std::string_view line;
  while (line.empty() && !text.empty()) line = first_line(text);
  return line;
}

std::string_view take_part(std::string_view& rest, char separator) {
  const std::string_view part = rest.substr(0, rest.find(separator));
  rest.remove_prefix(std::min(rest.size(), part.size() + 1));
  return part;
}

void split(std::string_view line, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
}

void words_of(std::string_view line, std::size_t most, std::vector<std::string_view>& words) {
  words.clear();
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  for (std::size_t at = 0; at < line.size() && words.size() < most;) {
    while (at < line.size() && is_blank(line[at])) ++at;
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    if (at > begin) words.push_back(line.substr(begin, at - begin));
  }
}

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return small(x) == small(y); });
}

bool has_word(std::string_view words, std::string_view word, bool exact) {
  while (!words.empty())
    if (const std::string_view one = take_part(words, ' '); exact ? one == word : same_word(one, word)) return true;
  return false;
}

std::optional<double> number_of(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto number = number_in<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<double> duration_of(std::string_view text) {
  text = without_blanks(text);
  if (text.find(':') == std::string_view::npos) {
    const auto given = number_with_word(text);
    if (!given) return std::nullopt;
    constexpr std::array<std::pair<std::string_view, double>, 7> units{
        {{"", 1.0}, {"s", 1.0}, {"ms", 1e-3}, {"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}, {"us", 1e-6}}};
    for (const auto& [unit, seconds] : units)
      if (unit == given->second) return given->first * seconds;
    return std::nullopt;
  }
  double days = 0.0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos && dash > 0) {
    const auto whole = number_in<std::uint64_t>(text.substr(0, dash));
    if (!whole) return std::nullopt;
    days = static_cast<double>(*whole);
    text.remove_prefix(dash + 1);
  }
  double seconds = 0.0;
  std::size_t parts = 0;
  for (;; ++parts) {
    const std::size_t colon = text.find(':');
    const std::string_view part = text.substr(0, colon);
    const auto x = part.empty() || !is_digit(part.front()) ? std::nullopt : number_of(part);
    if (!x || parts == 3) return std::nullopt;
    seconds = seconds * 60.0 + *x;
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  return days * 86400.0 + seconds;
}

std::optional<double> moment_of(std::string_view text) {
  text = without_blanks(text);
  if (const auto seconds = number_of(text)) return seconds;
  const auto date = date_at_begin(text);
  if (!date || !impossible_date(text).empty()) return std::nullopt;
  const double moment = static_cast<double>(days_to(date->year, date->month, date->day)) * 86400.0;
  text.remove_prefix(10);
  if (text.empty()) return moment;
  if (text.front() != 'T' && text.front() != ' ') return std::nullopt;
  text.remove_prefix(1);
  const std::string_view clock = text.substr(0, text.find_first_of("Zz+-"));
  const auto of_day = duration_of(clock), ahead = zone_of(text.substr(clock.size()));
  if (!of_day || !ahead || clock.find(':') == std::string_view::npos) return std::nullopt;
  // `12:30` are hours and minutes in a date.
  const double seconds = std::count(clock.begin(), clock.end(), ':') == 1 ? *of_day * 60.0 : *of_day;
  if (seconds > 86400.0) return std::nullopt;
  return moment + seconds - *ahead;
}

std::string impossible_date(std::string_view text) {
  const auto date = date_at_begin(without_blanks(text));
  if (!date) return "";
  if (date->month < 1 || date->month > 12) return "months are from 01 to 12";
  const int days = days_in(date->year, date->month);
  if (date->day >= 1 && date->day <= days) return "";
  return fmt::format("{:04}-{:02} has the days 01 to {}", date->year, date->month, days);
}

std::optional<double> memory_of(std::string_view text) {
  const auto given = number_with_word(without_blanks(text));
  if (!given) return std::nullopt;
  const std::string_view unit = given->second;
  if (unit.empty() || unit == "B") return given->first;
  constexpr std::string_view prefixes = "KMGTP";
  const char prefix = unit.front() == 'k' ? 'K' : unit.front();
  const std::size_t power = prefixes.find(prefix);
  if (power == std::string_view::npos) return std::nullopt;
  const std::string_view rest = unit.substr(1);
  if (rest.empty() || rest == "iB") return std::ldexp(given->first, 10 * (static_cast<int>(power) + 1));
  if (rest == "B") return given->first * std::pow(1000.0, static_cast<double>(power) + 1.0);
  return std::nullopt;
}

std::optional<double> number_in_list(std::string_view list, std::string_view name) {
  std::optional<double> of_kinds;
  while (!list.empty()) {
    const std::string_view entry = take_part(list, ',');
    if (entry.size() <= name.size() || entry.substr(0, name.size()) != name) continue;
    const std::size_t equals = entry.find('=', name.size());
    const auto number = equals == std::string_view::npos ? std::nullopt : memory_of(entry.substr(equals + 1));
    if (!number || (equals > name.size() && entry[name.size()] != ':')) continue;
    if (equals == name.size()) return number;
    of_kinds = of_kinds.value_or(0.0) + *number;
  }
  return of_kinds;
}

double devices_in_list(std::string_view list, std::string_view name) {
  constexpr std::string_view family = "gres";
  if (name.substr(0, family.size() + 1) == "gres/") name.remove_prefix(family.size() + 1);
  double sum = 0.0;
  while (!list.empty()) {
    std::string_view entry = take_part(list, ',');
    if (entry.substr(0, family.size()) == family && entry.size() > family.size() &&
        (entry[family.size()] == ':' || entry[family.size()] == '/'))
      entry.remove_prefix(family.size() + 1);
    if (entry.substr(0, name.size()) != name) continue;
    entry.remove_prefix(name.size());
    if (entry.empty())
      sum += 1.0;
    else if (entry.front() == ':' || entry.front() == '=')
      sum += memory_of(entry.substr(entry.find_last_of(":=") + 1)).value_or(1.0);
  }
  return sum;
}

std::string_view value_in(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::string_view entry = take_part(list, ',');
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.substr(0, name.size()) == name)
      return entry.substr(name.size() + 1);
  }
  return {};
}

}  // namespace muster
