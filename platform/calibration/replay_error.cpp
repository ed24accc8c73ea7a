#include "platform/calibration/replay_error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

namespace muster {

namespace {

using moments_of_thing = std::pair<std::int64_t, std::int64_t>;

// The length of the longest part of a sequence that nowhere falls.
std::size_t longest_rise(const std::vector<moments_of_thing>& sorted) {
  std::vector<std::int64_t> last;  // the least end of a rise, by its length
  for (const auto& [first, second] : sorted) {
    const auto at = std::upper_bound(last.begin(), last.end(), second);
    if (at == last.end())
      last.push_back(second);
    else
      *at = second;
  }
  return last.size();
}

// The number of pairs of which the first is larger than the second, by merging; sorts the values.
std::uint64_t count_inversions(std::vector<std::int64_t>& values) {
  std::uint64_t inversions = 0;
  std::vector<std::int64_t> merged(values.size());
  for (std::size_t width = 1; width < values.size(); width *= 2) {
    for (std::size_t begin = 0; begin < values.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, values.size()),
                        end = std::min(begin + 2 * width, values.size());
      std::size_t left = begin, right = middle;
      for (std::size_t to = begin; to < end; ++to) {
        const bool take_left = left < middle && (right == end || values[left] <= values[right]);
        if (!take_left) inversions += middle - left;
        merged[to] = values[take_left ? left++ : right++];
      }
    }
    values.swap(merged);
  }
  return inversions;
}

// The number of pairs of equal values. @param key of a thing, by which they are sorted
template <class Key>
std::uint64_t equal_pairs(const std::vector<moments_of_thing>& sorted, const Key& key) {
  std::uint64_t pairs = 0, equal = 0;
  for (std::size_t n = 1; n < sorted.size(); ++n) {
    equal = key(sorted[n]) == key(sorted[n - 1]) ? equal + 1 : 0;
    pairs += equal;
  }
  return pairs;
}

/// Collects the jobs of a class.
class class_sums {
 public:
  void add(const paired_job& job) { jobs_.push_back(&job); }
  bool empty() const { return jobs_.empty(); }

  class_error result(const std::string& name, const time_unit& unit) const {
    class_error error;
    error.class_name = name;
    error.jobs = jobs_.size();
    const double second = static_cast<double>(unit.ticks) / unit.seconds;
    std::vector<std::int64_t> logged, replayed;
    for (const paired_job* job : jobs_) {
      logged.push_back(job->logged_wait);
      replayed.push_back(job->wait);
      const auto later = static_cast<double>(job->later());
      const double apart = std::abs(later);
      error.later += later;
      error.apart += apart;
      error.within_second += apart <= second ? 1.0 : 0.0;
      error.within_minute += apart <= 60.0 * second ? 1.0 : 0.0;
      error.within_tenth += apart <= 0.1 * static_cast<double>(job->logged_wait) ? 1.0 : 0.0;
    }
    const auto jobs = static_cast<double>(jobs_.size());
    const auto of_unit = static_cast<double>(unit.ticks);
    for (double* share : {&error.within_second, &error.within_minute, &error.within_tenth}) *share /= jobs;
    for (double* mean : {&error.later, &error.apart}) *mean /= of_unit * jobs;
    std::tie(error.logged_mean, error.logged_p95) = mean_and_p95(logged, of_unit);
    std::tie(error.replayed_mean, error.replayed_p95) = mean_and_p95(replayed, of_unit);
    return error;
  }

 private:
  static std::pair<double, double> mean_and_p95(std::vector<std::int64_t>& waits, double of_unit) {
    double sum = 0.0;
    for (const std::int64_t wait : waits) sum += static_cast<double>(wait);
    const std::size_t at = (95 * waits.size() + 99) / 100 - 1;  // of n values the one of rank 0.95 n, rounded up
    std::nth_element(waits.begin(), waits.begin() + static_cast<std::ptrdiff_t>(at), waits.end());
    return {sum / of_unit / static_cast<double>(waits.size()), static_cast<double>(waits[at]) / of_unit};
  }

  std::vector<const paired_job*> jobs_;
};

}  // namespace

// W. R. Knight, "A computer method for calculating Kendall's tau with ungrouped data", JASA 1966.
order_agreement compare_orders(std::vector<moments_of_thing> moments) {
  std::sort(moments.begin(), moments.end());
  order_agreement agreement;
  agreement.in_order = longest_rise(moments);
  const std::uint64_t n = moments.size(), pairs = n < 2 ? 0 : n * (n - 1) / 2;
  const std::uint64_t equal_first = equal_pairs(moments, [](const auto& m) { return m.first; });
  const std::uint64_t equal_both = equal_pairs(moments, [](const auto& m) { return m; });
  std::vector<std::int64_t> second;
  second.reserve(moments.size());
  for (const auto& m : moments) second.push_back(m.second);
  const std::uint64_t against = count_inversions(second);
  std::uint64_t equal_second = 0, equal = 0;
  for (std::size_t k = 1; k < second.size(); ++k) {
    equal = second[k] == second[k - 1] ? equal + 1 : 0;
    equal_second += equal;
  }
  if (pairs == equal_first || pairs == equal_second) return agreement;
  const auto number = [](std::uint64_t x) { return static_cast<double>(x); };
  const double with = number(pairs) - number(equal_first) - number(equal_second) + number(equal_both) - number(against);
  agreement.kendall =
      (with - number(against)) / std::sqrt(number(pairs - equal_first)) / std::sqrt(number(pairs - equal_second));
  return agreement;
}

replay_error error_of(const scenario& point, const paired_jobs& pairs) {
  class_sums all;
  std::vector<class_sums> classes(point.classes.size());
  std::vector<std::pair<std::int64_t, std::int64_t>> starts;
  for (const paired_job& job : pairs.jobs) {
    all.add(job);
    classes[job.job_class].add(job);
    starts.emplace_back(job.logged_start(), job.start);
  }
  replay_error error;
  error.classes.push_back(all.result("all", point.unit));
  for (std::size_t c = 0; c < classes.size(); ++c)
    if (!classes[c].empty()) error.classes.push_back(classes[c].result(point.classes[c].name, point.unit));
  error.order = compare_orders(std::move(starts));
  return error;
}

}  // namespace muster
