#include "platform/scenario/list_dependencies.h"

#include <fmt/format.h>

#include "platform/log/slurm_dependency.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

std::string in_words(const job_number& number) {
  return number.task == job_number::whole ? fmt::format("{}", number.job)
                                          : fmt::format("{}_{}", number.job, number.task);
}

}  // namespace

std::string list_dependencies::add(const values& told) {
  lines_.push_back({told, preceding_.size()});
  if (told.after.text.empty()) return {};
  std::vector<job_number> named;
  if (const auto one = job_number_of(told.after.text))
    named.push_back(*one);
  else if (!preceding_jobs(told.after.text, told.own.value_or(job_number{}), named) || named.empty())
    return fmt::format(
        "expected the jobs whose ends it waits for, such as 17 or afterok:17,afterany:18, or nothing, found {}",
        in_quotes(told.after.text));
  preceding_.insert(preceding_.end(), named.begin(), named.end());
  return {};
}

std::shared_ptr<const job_dependencies> list_dependencies::find(
    const std::vector<std::uint32_t>& lines, std::size_t first,
    const std::function<void(const text_field&, const std::string&)>& complain) {
  dependency_finder finder;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const line& l = lines_[lines[n]];
    const auto place = static_cast<std::uint32_t>(first + n);
    const std::size_t end =
        lines[n] + std::size_t{1} < lines_.size() ? lines_[lines[n] + std::size_t{1}].first_wait : preceding_.size();
    if (l.told.own) finder.add(*l.told.own, place);
    for (std::size_t at = l.first_wait; at < end; ++at) finder.add({preceding_[at], l.told.think, place, lines[n]});
  }
  return finder.find(first + lines.size(), [&](const dependency_finder::waiting& w, dependency_finder::result r) {
    if (r == dependency_finder::result::not_there)
      complain(lines_[w.line].told.after, fmt::format("no job of the list has the number {}", in_words(w.on)));
    if (r == dependency_finder::result::not_earlier)
      complain(lines_[w.line].told.after,
               fmt::format("expected jobs that arrive before this one; job {} does not", in_words(w.on)));
  });
}

}  // namespace muster
