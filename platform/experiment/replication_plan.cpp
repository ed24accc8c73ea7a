#include "platform/experiment/replication_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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
    points_.back().due = points_.back().rule.first_look();
  }
  order_.resize(costs.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
}

void replication_plan::add(std::size_t point, std::uint32_t replication, std::optional<double> value) {
  point_state& at = points_[point];
  if (replication >= at.found.size()) at.found.resize(replication + std::size_t{1});
  at.found[replication] = value;
  while (!at.finished && is_there(at, counted(point))) {
    at.values.push_back(*at.found[at.values.size()]);
    if (at.values.size() == at.due) look(at);
  }
}

void replication_plan::look(point_state& point) {
  point.last = point.rule.look(point.values);
  point.due = point.last.next;
  point.finished = point.last.next == 0;
  finished_points_ += point.finished;
}

std::optional<std::size_t> replication_plan::next() {
  while (first_open_ < order_.size() && points_[order_[first_open_]].finished) ++first_open_;
  for (std::size_t place = first_open_; place < order_.size(); ++place) {
    point_state& at = points_[order_[place]];
    if (at.finished || at.pilot == pilot_state::running) continue;
    if (at.pilot == pilot_state::wanted) {
      at.pilot = pilot_state::running;
      handed_out_.push_back({order_[place], 0, true});
      return handed_out_.size() - 1;
    }
    while (at.next < at.due && is_there(at, at.next)) ++at.next;
    if (at.next == at.due) continue;
    handed_out_.push_back({order_[place], at.next++, false});
    return handed_out_.size() - 1;
  }
  return std::nullopt;
}

std::uint64_t replication_plan::replications_left() const {
  std::uint64_t replications = 0;
  for (const point_state& p : points_)
    if (!p.finished) replications += p.due - p.values.size();
  return replications;
}

double replication_plan::jobs_left() const {
  double jobs = 0.0;
  for (const point_state& p : points_) {
    if (p.finished) continue;
    double replications = p.due;
    // The interval narrows with the root of their number.
    if (p.last.half_width && std::isfinite(*p.last.half_width))
      replications = std::clamp(
          static_cast<double>(p.values.size()) * std::pow(*p.last.half_width / p.rule.wanted().half_width, 2.0),
          replications, static_cast<double>(p.rule.wanted().most_replications));
    jobs += p.jobs * (replications - static_cast<double>(p.values.size()) + (p.pilot != pilot_state::done));
  }
  return jobs;
}

}  // namespace muster
