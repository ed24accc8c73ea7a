#include "platform/experiment/replication_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "platform/results/paired_differences.h"
#include "platform/theory/stability.h"

namespace muster {

namespace {

// More load means longer queues, which cost memory's time, and wider intervals, which cost replications. How much does
// not matter here.
double expected_cost(const scenario& what) {
  const double load = std::min(examine_stability(what).work, 0.99);
  return static_cast<double>(what.run.jobs) * what.run.replications / (1.0 - load);
}

}  // namespace

replication_plan::replication_plan(const study& s) {
  std::vector<double> costs;
  for (const study::point& p : s.points) {
    costs.push_back(expected_cost(p.what));
    points_.push_back({sequential_rule(p.what), static_cast<double>(p.what.run.jobs),
                       p.what.run.warm_up_by_mser5 ? pilot_state::wanted : pilot_state::done});
  }
  make_families(s);
  const auto costlier = [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; };
  for (family& f : families_) std::stable_sort(f.points.begin(), f.points.end(), costlier);
  std::vector<std::size_t> order(families_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return costlier(families_[a].points.front(), families_[b].points.front());
  });
  for (const std::size_t f : order) order_.insert(order_.end(), families_[f].points.begin(), families_[f].points.end());
}

void replication_plan::make_families(const study& s) {
  std::vector<std::size_t> first_of(points_.size());  // the first point of the family
  std::iota(first_of.begin(), first_of.end(), std::size_t{0});
  for (const std::vector<std::size_t>& alike : families_of_policies(s)) {
    std::optional<std::size_t> first;
    for (const std::size_t p : alike) {
      if (!points_[p].rule.waits_for_others()) continue;
      if (!first) first = p;
      first_of[p] = *first;
    }
  }
  for (std::size_t p = 0; p < points_.size(); ++p) {
    if (first_of[p] == p) families_.push_back({{}, points_[p].rule.first_look()});
    points_[p].family = first_of[p] == p ? families_.size() - 1 : points_[first_of[p]].family;
    families_[points_[p].family].points.push_back(p);
  }
}

void replication_plan::add(std::size_t point, std::uint32_t replication, seen_values seen) {
  point_state& at = points_[point];
  if (replication >= at.found.size()) at.found.resize(replication + std::size_t{1});
  at.found[replication] = std::move(seen);
  family& together = families_[at.family];
  const auto due = [&](std::size_t p) { return is_due(points_[p]); };
  // Each point, so that each counts what it has.
  const auto all_due = [&] {
    return std::count_if(together.points.begin(), together.points.end(), due) ==
           static_cast<std::ptrdiff_t>(together.points.size());
  };
  while (!together.finished && all_due()) look(together);
}

bool replication_plan::is_due(point_state& point) const {
  const std::uint32_t due = families_[point.family].due;
  while (point.values.size() < due && is_there(point, static_cast<std::uint32_t>(point.values.size())))
    point.values.push_back(*point.found[point.values.size()]);
  return point.values.size() == due;
}

void replication_plan::look(family& together) {
  std::uint32_t next = 0;
  for (const std::size_t p : together.points) {
    points_[p].last = points_[p].rule.look(points_[p].values);
    next = std::max(next, points_[p].last.next);
  }
  together.due = next;
  together.finished = next == 0;
  if (together.finished) finished_points_ += together.points.size();
}

std::optional<std::size_t> replication_plan::next() {
  while (first_open_ < order_.size() && is_finished(order_[first_open_])) ++first_open_;
  for (std::size_t place = first_open_; place < order_.size(); ++place) {
    point_state& at = points_[order_[place]];
    const family& together = families_[at.family];
    if (together.finished || at.pilot == pilot_state::running) continue;
    if (at.pilot == pilot_state::wanted) {
      at.pilot = pilot_state::running;
      handed_out_.push_back({order_[place], 0, true});
      return handed_out_.size() - 1;
    }
    while (at.next < together.due && is_there(at, at.next)) ++at.next;
    if (at.next == together.due) continue;
    handed_out_.push_back({order_[place], at.next++, false});
    return handed_out_.size() - 1;
  }
  return std::nullopt;
}

std::uint64_t replication_plan::replications_left() const {
  std::uint64_t replications = 0;
  for (const family& together : families_)
    for (const std::size_t p : together.points)
      if (!together.finished) replications += together.due - points_[p].values.size();
  return replications;
}

// The intervals narrow with the root of their number.
double replication_plan::replications_wanted(const family& together) const {
  double most = together.due;
  for (const std::size_t p : together.points) {
    const point_state& at = points_[p];
    if (at.last.intervals.empty()) continue;
    const std::size_t target = at.rule.furthest(at.last);
    const auto half = at.last.intervals[target].half_width;
    if (!half || !std::isfinite(*half)) continue;
    const double ratio = *half / at.rule.wanted().targets[target].half_width;
    most = std::max(most, std::min(static_cast<double>(at.values.size()) * ratio * ratio,
                                   static_cast<double>(at.rule.wanted().most_replications)));
  }
  return most;
}

double replication_plan::jobs_left() const {
  double jobs = 0.0;
  for (const family& together : families_) {
    if (together.finished) continue;
    const double wanted = replications_wanted(together);
    for (const std::size_t p : together.points)
      jobs += points_[p].jobs *
              (wanted - static_cast<double>(points_[p].values.size()) + (points_[p].pilot != pilot_state::done));
  }
  return jobs;
}

}  // namespace muster
