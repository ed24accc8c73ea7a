#include "platform/metrics/caution.h"

#include <fmt/format.h>

namespace muster {

namespace {

constexpr std::string_view between = "; ";

}  // namespace

const std::vector<caution_entry>& caution_catalogue() {
  static const std::vector<caution_entry> all{
      {caution::biased, "biased", 'b',
       "more than a tenth of the jobs, of some class at least, are still in the system at the end; a mean of the jobs "
       "that have completed is too low"},
      {caution::unstable, "unstable", 'u',
       "the arrival rate is not below the limit of stability; the queue grows without bound, and the estimate has no "
       "limit"},
      {caution::overloaded, "overloaded", 'o',
       "replications ended before run.jobs had left, because jobs left too slowly for those that came; the estimate is "
       "of the time until then, and has no limit"},
      {caution::growing, "growing", 'g',
       "significantly fewer jobs left than came: the queue grew through the measured windows, and a mean of the jobs "
       "that have left is none of those that come"},
      {caution::short_window, "short", 's',
       "the measured window is too short for the load; the estimate is not that of the steady state, and its interval "
       "covers the truth too seldom"},
      {caution::heavy, "heavy", 'h',
       "a few jobs dominate the estimate: the smallest of sizes with many small values, or the largest of sizes whose "
       "third moment is infinite; its interval covers the truth too seldom, whatever the length of the run"},
      {caution::imprecise, "imprecise", 'i', "its interval is wider than run.precision wants it"},
  };
  return all;
}

cautions cautions::of_words(const std::string& words) {
  if (words.empty()) return {};
  const std::string list = fmt::format("{0}{1}{0}", between, words);
  cautions marks;
  for (const caution_entry& entry : caution_catalogue())
    if (list.find(fmt::format("{0}{1}{0}", between, entry.word)) != std::string::npos) marks.add(entry.reason);
  return marks;
}

std::string cautions::words() const {
  std::string text;
  for (const caution_entry& entry : caution_catalogue())
    if (has(entry.reason)) text.append(text.empty() ? "" : between).append(entry.word);
  return text;
}

std::string cautions::letters() const {
  std::string text;
  for (const caution_entry& entry : caution_catalogue())
    if (has(entry.reason)) text += entry.letter;
  return text;
}

}  // namespace muster
