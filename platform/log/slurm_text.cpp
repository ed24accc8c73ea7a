#include "platform/log/slurm_text.h"

#include <algorithm>
#include <cstdint>

#include "platform/log/log_text.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

constexpr std::size_t longest_name = 255, most_digits = 9;

/// Numbers of a bracket, with as many digits as the first one.
struct number_range {
  std::uint32_t first, last;
  std::size_t digits;
};

std::optional<std::uint32_t> number_of_node(std::string_view text) {
  const bool digits_alone = text.find_first_not_of("0123456789") == std::string_view::npos;
  return digits_alone && text.size() <= most_digits ? number_in<std::uint32_t>(text) : std::nullopt;
}

// The ranges in a bracket, such as `01-03,07`.
std::optional<std::vector<number_range>> ranges_in(std::string_view bracket) {
  std::vector<std::string_view> parts;
  split(bracket, ',', parts);
  std::vector<number_range> all;
  for (const std::string_view part : parts) {
    const std::size_t to = std::min(part.find('-'), part.size());
    const auto first = number_of_node(part.substr(0, to));
    const auto last = to == part.size() ? first : number_of_node(part.substr(to + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    all.push_back({*first, *last, to});
  }
  return all;
}

// Puts in place of each text that text with every number of the ranges behind it.
// @return whether there are no more names than `most`, and none is too long
bool append_numbers(std::vector<std::string>& texts, const std::vector<number_range>& ranges, std::size_t most) {
  std::uint64_t numbers = 0;
  for (const number_range& range : ranges) numbers += range.last - range.first + 1;
  if (numbers > most || numbers * texts.size() > most) return false;
  std::vector<std::string> longer;
  for (const std::string& text : texts)
    for (const number_range& range : ranges)
      for (std::uint32_t n = range.first; n <= range.last; ++n) {
        const std::string number = std::to_string(n);
        const std::size_t zeros = range.digits - std::min(range.digits, number.size());
        if (text.size() + zeros + number.size() > longest_name) return false;
        longer.emplace_back(text).append(zeros, '0').append(number);
      }
  texts = std::move(longer);
  return true;
}

// Adds the names of one element of a list, such as `r[1-2]n[01-04]`.
bool add_names(std::string_view element, std::size_t most, std::vector<std::string>& names) {
  std::vector<std::string> texts(1);
  while (!element.empty()) {
    const std::size_t open = std::min(element.find('['), element.size());
    for (std::string& text : texts) {
      if (text.size() + open > longest_name) return false;
      text += element.substr(0, open);
    }
    element.remove_prefix(open);
    if (element.empty()) break;
    const std::size_t close = element.find(']');
    if (close == std::string_view::npos) return false;
    const auto ranges = ranges_in(element.substr(1, close - 1));
    if (!ranges || !append_numbers(texts, *ranges, most - names.size())) return false;
    element.remove_prefix(close + 1);
  }
  if (texts.size() > most - names.size() || texts.front().empty()) return false;
  names.insert(names.end(), texts.begin(), texts.end());
  return true;
}

// Reads a part such as `afterok:17:18`. @return whether it says which jobs are to end
bool read_part(std::string_view part, const job_number& own, std::vector<job_number>& jobs) {
  const std::string_view kind = without_blanks(take_part(part, ':'));
  const bool same_task = same_word(kind, "aftercorr");
  if (!same_task && !has_word("afterany afterok afternotok", kind)) return false;
  bool all = !part.empty();
  while (!part.empty()) {
    const std::string_view text = take_part(part, ':');
    auto number = job_number_of(without_blanks(text.substr(0, text.find('('))));  // behind it what became of it
    if (number && same_task) number->task = own.task;
    if (number) jobs.push_back(*number);
    all = all && number;
  }
  return all;
}

}  // namespace

std::string_view node_list_in(std::string_view field) {
  const std::string_view list = without_blanks(field);
  for (const std::string_view none : {"(null)", "none assigned", "none", "n/a", "unknown"})
    if (same_word(list, none)) return {};
  return list;
}

std::optional<std::vector<std::string>> names_in_node_list(std::string_view list, std::size_t most) {
  if (list.empty() || list.find_first_of(" \t()|\"") != std::string_view::npos) return std::nullopt;
  std::vector<std::string> names;
  while (true) {
    // The next comma outside of brackets ends an element.
    std::size_t end = 0;
    for (bool inside = false; end < list.size() && (inside || list[end] != ','); ++end) {
      if (list[end] == (inside ? '[' : ']')) return std::nullopt;
      if (list[end] == '[' || list[end] == ']') inside = !inside;
    }
    if (!add_names(list.substr(0, end), most, names)) return std::nullopt;
    if (end == list.size()) return names;
    list.remove_prefix(end + 1);
  }
}

std::optional<job_number> job_number_of(std::string_view text) {
  const std::size_t end = text.find_first_of("_+");
  const auto job = number_in<std::uint64_t>(text.substr(0, end));
  if (!job) return std::nullopt;
  job_number number{*job};
  if (end == std::string_view::npos) return number;
  const std::string_view task = text.substr(end + 1);
  if (task == "*" || (!task.empty() && task.front() == '[')) return number;
  const auto of_array = number_in<std::uint32_t>(task);
  if (!of_array) return std::nullopt;
  number.task = *of_array;
  return number;
}

bool preceding_jobs(std::string_view dependency, const job_number& own, std::vector<job_number>& jobs) {
  jobs.clear();
  if (dependency.find('?') != std::string_view::npos) return false;
  bool all = true;
  while (!dependency.empty()) all = read_part(take_part(dependency, ','), own, jobs) && all;
  return all;
}

}  // namespace muster
