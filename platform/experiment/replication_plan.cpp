#include "platform/experiment/replication_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "platform/model/study_families.h"

namespace muster {

namespace {

// The cost of a point, to sort by. More load means longer queues, which cost memory's time, and wider intervals, which
// cost replications; how much does not matter here.
double expected_cost(const scenario& model, const stability& known) {
  const double load = std::min(known.work, 0.99);
  return static_cast<double>(model.run.jobs) * model.run.replications / (1.0 - load);
}

}  // namespace

replication_plan::replication_plan(const study& s, const std::vector<stability>& known) {
  std::vector<double> costs;
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    const scenario& model = s.points[p].model;
    costs.push_back(expected_cost(model, known[p]));
    points_.push_back({sequential_rule(model, known[p]), static_cast<double>(model.run.jobs),
                       model.run.warm_up_by_mser5 ? pilot_state::wanted : pilot_state::done});
  }
  make_families(s);
  std::vector<double> highest(families_.size());
  for (std::size_t p = 0; p < costs.size(); ++p) {
    order_.push_back(p);
    highest[points_[p].family] = std::max(highest[points_[p].family], costs[p]);
  }
  const auto place = [&](std::size_t p) {
    const std::size_t of = points_[p].family;
    return std::tuple(-highest[of], of, -costs[p], p);
  };
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
}

void replication_plan::make_families(const study& s) {
  std::vector<std::size_t> first_of(points_.size());  // the first point of the family
  std::iota(first_of.begin(), first_of.end(), std::size_t{0});
  std::vector<std::size_t> policies(points_.size(), 1);
  for (const std::vector<std::size_t>& alike : families_of_policies(s)) {
    std::size_t first = points_.size();
    for (const std::size_t p : alike) policies[p] = alike.size();
    for (const std::size_t p : alike)
      if (points_[p].rule.waits_for_others()) first_of[p] = first = std::min(first, p);
  }
  for (std::size_t p = 0; p < points_.size(); ++p) {
    if (first_of[p] == p) families_.push_back({{}, comparison_rule(s.points[p].model, policies[p])});
    points_[p].due = points_[p].rule.first_look();
    points_[p].family = first_of[p] == p ? families_.size() - 1 : points_[first_of[p]].family;
    families_[points_[p].family].points.push_back(p);
  }
}

void replication_plan::add(std::size_t point, std::uint32_t replication, replication_result seen) {
  point_state& at = points_[point];
  if (replication >= at.found.size()) at.found.resize(replication + std::size_t{1});
  at.found[replication] = std::move(seen);
  family& together = families_[at.family];
  while (!together.finished && is_due(together)) look(together);
}

bool replication_plan::is_due(const family& together) {
  bool all = true;
  for (const std::size_t p : together.points) {
    point_state& at = points_[p];
    while (at.values.size() < at.due && is_there(at, static_cast<std::uint32_t>(at.values.size())))
      at.values.push_back(*at.found[at.values.size()]);
    all = all && at.values.size() == at.due;
  }
  return all;
}

void replication_plan::look(family& together) {
  std::uint32_t next = 0;
  for (const std::size_t p : together.points) {
    points_[p].last = points_[p].rule.look(points_[p].values);
    next = std::max(next, points_[p].last.next);
  }
  together.finished = next == 0;
  for (const std::size_t p : together.points)
    if (!points_[p].last.overloaded) points_[p].due = std::max(points_[p].due, next);
  compare(together);
  if (together.finished) finished_points_ += together.points.size();
}

void replication_plan::compare(family& together) {
  if (!together.comparison.is_wanted() || together.points.size() < 2) return;
  std::vector<const std::vector<replication_result>*> seen;
  std::uint32_t most = 0;
  for (const std::size_t p : together.points) {
    seen.push_back(&points_[p].values);
    most = std::max(most, counted(p));
  }
  const std::uint32_t limit = points_[together.points.front()].rule.wanted().most_replications;
  const std::vector<bool> undecided = together.comparison.undecided(seen);
  for (std::size_t i = 0; i < undecided.size() && most < limit; ++i) {
    if (!undecided[i]) continue;
    std::uint32_t& due = points_[together.points[i]].due;
    due = std::max(due, precision_spec::next_look(most, limit));
    together.finished = false;
  }
}

std::optional<std::size_t> replication_plan::next() {
  while (first_open_ < order_.size() && is_finished(order_[first_open_])) ++first_open_;
  for (std::size_t place = first_open_; place < order_.size(); ++place) {
    point_state& at = points_[order_[place]];
    const family& together = families_[at.family];
    if (together.finished || at.pilot == pilot_state::running) continue;
    const bool pilot = at.pilot == pilot_state::wanted;
    while (!pilot && at.next < at.due && is_there(at, at.next)) ++at.next;
    if (!pilot && at.next == at.due) continue;
    if (pilot) at.pilot = pilot_state::running;
    handed_out_.push_back({order_[place], pilot ? 0 : at.next++, pilot});
    return handed_out_.size() - 1;
  }
  return std::nullopt;
}

std::uint64_t replication_plan::replications_left() const {
  std::uint64_t replications = 0;
  for (const family& together : families_)
    for (const std::size_t p : together.points)
      if (!together.finished) replications += points_[p].due - points_[p].values.size();
  return replications;
}

// The intervals narrow with the root of their number.
double replication_plan::replications_wanted(const family& together) const {
  double most = 0.0;
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
      jobs +=
          points_[p].jobs * (std::max<double>(wanted, points_[p].due) - static_cast<double>(points_[p].values.size()) +
                             (points_[p].pilot != pilot_state::done));
  }
  return jobs;
}

}  // namespace muster
