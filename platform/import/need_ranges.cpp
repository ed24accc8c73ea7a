#include "platform/import/need_ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muster {

namespace {

constexpr std::size_t most_ranges = 8;
constexpr double left_within = 0.01;

/// The best ways to cut needs into ranges.
class range_cuts {
 public:
  explicit range_cuts(const std::vector<need_weight>& needs) {
    double jobs = 0.0, work = 0.0;
    for (const need_weight& n : needs) {
      jobs += n.jobs;
      work += n.work;
    }
    for (const need_weight& n : needs) add(n, (n.jobs / jobs + n.work / work) / 2.0);
    find();
  }

  std::vector<std::string> ranges() const {
    const double limit = left_within * spread(0, groups_.size());
    std::size_t count = 1;
    while (count < most_ranges && count < groups_.size() && least_[count].back() > limit) ++count;
    std::vector<std::string> texts(count);
    for (std::size_t end = groups_.size(); count > 0; --count) {
      const std::size_t begin = cut_[count][end];
      const std::uint32_t first = groups_[begin].first, last = groups_[end - 1].last;
      texts[count - 1] = first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
      end = begin;
    }
    return texts;
  }

 private:
  struct group {
    std::uint32_t first, last;
    long place;
  };

  // Needs that hardly differ stay together, so that there are some hundred groups.
  void add(const need_weight& n, double weight) {
    constexpr double places_a_doubling = 32.0;
    const double y = std::log(static_cast<double>(n.need));
    const long place = std::lround(places_a_doubling * y / std::log(2.0));
    if (groups_.empty() || groups_.back().place != place) {
      groups_.push_back({n.need, n.need, place});
      sums_.push_back(sums_.back());
    }
    groups_.back().last = n.need;
    sums_.back().weight += weight;
    sums_.back().value += weight * y;
    sums_.back().square += weight * y * y;
  }

  // What groups leave within one range.
  double spread(std::size_t begin, std::size_t end) const {
    const double weight = sums_[end].weight - sums_[begin].weight, value = sums_[end].value - sums_[begin].value;
    return std::max(0.0, sums_[end].square - sums_[begin].square - value * value / weight);
  }

  // Finds, for each number of ranges and each number of first groups, the least that they leave, and where the last
  // range begins.
  void find() {
    const std::size_t all = groups_.size();
    constexpr double none = std::numeric_limits<double>::infinity();
    least_.assign(most_ranges + 1, std::vector<double>(all + 1, none));
    cut_.assign(most_ranges + 1, std::vector<std::size_t>(all + 1, 0));
    least_[0][0] = 0.0;
    for (std::size_t count = 1; count <= most_ranges; ++count)
      for (std::size_t end = count; end <= all; ++end)
        for (std::size_t begin = count - 1; begin < end; ++begin) {
          const double left = least_[count - 1][begin] + spread(begin, end);
          if (left >= least_[count][end]) continue;
          least_[count][end] = left;
          cut_[count][end] = begin;
        }
  }

  struct sums {
    double weight = 0.0, value = 0.0, square = 0.0;
  };
  std::vector<group> groups_{};
  std::vector<sums> sums_{1};  // of the first groups, none to all
  std::vector<std::vector<double>> least_{};
  std::vector<std::vector<std::size_t>> cut_{};
};

}  // namespace

std::string class_rule_by_needs(const std::vector<need_weight>& needs) {
  if (needs.size() <= most_ranges) return "need";
  return fmt::format("cores: {}", fmt::join(range_cuts(needs).ranges(), ", "));
}

}  // namespace muster
