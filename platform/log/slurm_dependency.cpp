#include "platform/log/slurm_dependency.h"

#include <charconv>
#include <cstdint>

#include "platform/log/log_text.h"

namespace muster {

namespace {

// Takes the part before a separator off a text.
std::string_view take_part(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return part;
}

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  Number x = 0;
  const auto [end, flaw] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (flaw != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return x;
}

// Reads a part such as `afterok:17:18`. @return whether it says which jobs are to end
bool read_part(std::string_view part, const job_number& own, std::vector<job_number>& jobs) {
  const std::string_view kind = without_blanks(take_part(part, ':'));
  const bool same_task = same_word(kind, "aftercorr");
  if (!same_task && !same_word(kind, "afterany") && !same_word(kind, "afterok") && !same_word(kind, "afternotok"))
    return false;
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

std::optional<job_number> job_number_of(std::string_view text) {
  const std::size_t end = text.find_first_of("_+");
  const auto job = whole_number<std::uint64_t>(text.substr(0, end));
  if (!job) return std::nullopt;
  job_number number{*job};
  if (end == std::string_view::npos) return number;
  const std::string_view task = text.substr(end + 1);
  if (task == "*" || (!task.empty() && task.front() == '[')) return number;
  const auto of_array = whole_number<std::uint32_t>(task);
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
