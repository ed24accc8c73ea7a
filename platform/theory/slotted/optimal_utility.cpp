#include "platform/theory/slotted/optimal_utility.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

#include "platform/model/class_table.h"
#include "platform/model/synthetic_workload.h"

namespace muster {

namespace {

// A bidirectional graph, as GCC warns of the edge iterator of a directed one within this flow.
using traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::bidirectionalS>;
using flow_network = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::bidirectionalS, boost::property<boost::vertex_color_t, boost::default_color_type>,
    boost::property<boost::edge_capacity_t, std::int64_t,
                    boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                    boost::property<boost::edge_reverse_t, traits::edge_descriptor>>>>;

void add_arc(flow_network& network, std::size_t from, std::size_t to, std::int64_t capacity) {
  const auto there = add_edge(from, to, capacity, network).first;
  const auto back = add_edge(to, from, 0, network).first;
  put(boost::edge_reverse, network, there, back);
  put(boost::edge_reverse, network, back, there);
}

/// The units of all jobs that may be served in the same slots.
struct job_group {
  std::uint64_t first, last;  // slots
  std::vector<double> gains;  // > 0, largest first

  auto end_of(double level) const { return std::upper_bound(gains.begin(), gains.end(), level, std::greater<>()); }
  /// The number of units with a gain of at least that level.
  std::int64_t units(double level) const { return end_of(level) - gains.begin(); }
  utility_sum sum(double level) const { return std::accumulate(gains.begin(), end_of(level), utility_sum{0}); }
};

/// Consecutive slots in which the same groups may be served.
struct slot_range {
  std::uint64_t first;
  std::int64_t capacity;  // units that they can do
};

/// Groups and the slots that they share with nobody else, slots in their order.
struct part {
  std::vector<const job_group*> groups;
  std::vector<slot_range> slots;

  /// The position of the first range that does not begin before the slot.
  std::size_t position(std::uint64_t slot) const {
    const auto before = [&](const slot_range& s) { return s.first < slot; };
    return static_cast<std::size_t>(std::partition_point(slots.begin(), slots.end(), before) - slots.begin());
  }
};

/// Lets as many units into the slots as they have room for, taking those with a gain of at least `level`.
/// @return the part in which units are left over, and the slots are full; and the rest, in which all are served
std::pair<part, part> cut(const part& whole, double level) {
  // Groups lead to the nodes of a segment tree over the slots, so that a window takes few arcs however long it is:
  // node i stands for the slots of nodes 2i and 2i + 1, and the last n nodes for a slot each.
  const std::size_t n = whole.slots.size(), groups = whole.groups.size();
  const auto node = [&](std::size_t i) { return groups + i - 1; };
  const std::size_t source = groups + 2 * n - 1, sink = source + 1;
  flow_network network(sink + 1);
  std::int64_t all = 0;
  for (const job_group* g : whole.groups) all += g->units(level);
  for (std::size_t g = 0; g < groups; ++g) {
    add_arc(network, source, g, whole.groups[g]->units(level));
    std::size_t from = n + whole.position(whole.groups[g]->first);
    std::size_t to = n + whole.position(whole.groups[g]->last + 1);
    for (; from < to; from /= 2, to /= 2) {
      if (from % 2 == 1) add_arc(network, g, node(from++), all);
      if (to % 2 == 1) add_arc(network, g, node(--to), all);
    }
  }
  for (std::size_t i = 2; i < 2 * n; ++i) add_arc(network, node(i / 2), node(i), all);
  for (std::size_t s = 0; s < n; ++s) add_arc(network, node(n + s), sink, whole.slots[s].capacity);

  const auto color = get(boost::vertex_color, network);
  boykov_kolmogorov_max_flow(network, get(boost::edge_capacity, network), get(boost::edge_residual_capacity, network),
                             get(boost::edge_reverse, network), color, get(boost::vertex_index, network), source, sink);
  std::pair<part, part> parts;
  const auto side = [&](std::size_t v) -> part& {
    return get(color, v) == boost::black_color ? parts.first : parts.second;
  };
  for (std::size_t g = 0; g < groups; ++g) side(g).groups.push_back(whole.groups[g]);
  for (std::size_t s = 0; s < n; ++s) side(node(n + s)).slots.push_back(whole.slots[s]);
  return parts;
}

/// The optimum of a part, of which it is known that all units with a gain of at least levels[in] are served, and that
/// those with a gain of at least levels[full] fill the slots.
/// @param levels falling
utility_sum optimum(const part& whole, const std::vector<double>& levels, std::size_t in, std::size_t full) {
  if (whole.groups.empty() || whole.slots.empty()) return 0;
  if (full - in > 1) {
    const std::size_t middle = in + (full - in) / 2;
    const auto [filled, fitting] = cut(whole, levels[middle]);
    return optimum(filled, levels, in, middle) + optimum(fitting, levels, middle, full);
  }
  utility_sum sum = 0;
  std::int64_t left = 0;
  for (const slot_range& s : whole.slots) left += s.capacity;
  for (const job_group* g : whole.groups) {
    sum += g->sum(levels[in]);
    left -= g->units(levels[in]);
  }
  return sum + levels[full] * static_cast<utility_sum>(left);
}

/// @param last slot that matters: jobs without deadline may be served until then
std::vector<job_group> group(const std::vector<offline_job>& jobs, std::uint64_t last) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<double>> gains;
  for (const offline_job& job : jobs) {
    const std::uint64_t deadline = job.deadline == 0 ? last : std::min(job.deadline, last);
    if (deadline < job.arrival) continue;
    std::vector<double>& all = gains[{job.arrival, deadline}];
    for (unsigned done = 0; done < job.worth->units() && job.worth->gain(done) > 0.0; ++done)
      all.push_back(job.worth->gain(done));
  }
  std::vector<job_group> groups;
  for (auto& [window, all] : gains) {
    std::sort(all.begin(), all.end(), std::greater<>());
    groups.push_back({window.first, window.second, std::move(all)});
  }
  return groups;
}

/// @param units of all jobs: no capacity beyond them matters
std::vector<slot_range> ranges(const std::vector<job_group>& groups, std::uint64_t cores, std::uint64_t units) {
  std::set<std::uint64_t> bounds;
  for (const job_group& g : groups) bounds.insert({g.first, g.last + 1});
  std::vector<slot_range> slots;
  for (auto from = bounds.begin(); from != bounds.end() && std::next(from) != bounds.end(); ++from) {
    const std::uint64_t length = *std::next(from) - *from;
    slots.push_back({*from, static_cast<std::int64_t>(length > units / cores ? units : length * cores)});
  }
  return slots;
}

/// All levels: two that hold for any part, and the gains between them.
std::vector<double> levels_of(const std::vector<job_group>& groups) {
  std::set<double, std::greater<>> levels{std::numeric_limits<double>::infinity(), 0.0};
  for (const job_group& g : groups) levels.insert(g.gains.begin(), g.gains.end());
  return {levels.begin(), levels.end()};
}

}  // namespace

double optimal_utility(const std::vector<offline_job>& jobs, std::uint64_t cores) {
  std::uint64_t units = 0, last_arrival = 0;
  for (const offline_job& job : jobs) {
    if (!job.worth->concave()) throw std::invalid_argument("expected jobs of concave utility");
    units += job.worth->units();
    last_arrival = std::max(last_arrival, job.arrival);
  }
  if (units == 0 || cores == 0) return 0.0;
  cores = std::min(cores, units);
  // Whatever is served later could as well be served in these slots, which have room for everything.
  const std::uint64_t last = last_arrival + (units - 1) / cores;
  const std::vector<job_group> groups = group(jobs, last);
  part whole{{}, ranges(groups, cores, units)};
  for (const job_group& g : groups) whole.groups.push_back(&g);
  const std::vector<double> levels = levels_of(groups);
  return static_cast<double>(optimum(whole, levels, 0, levels.size() - 1));
}

double optimum_of(const scenario& model, std::uint32_t replication) {
  const std::vector<std::size_t> order = by_descending_need(model);
  const ticks slot = model.unit.to_ticks(model.slot);
  const auto jobs = make_workload(model, replication);
  std::vector<offline_job> all;
  for (job_request next; jobs->next(next);) {
    const class_spec& type = model.classes[order[static_cast<std::size_t>(next.type)]];
    all.push_back({(next.arrival + slot - 1) / slot + 1, next.deadline.value_or(0),
                   next.worth ? next.worth : type.slotted->worth.get()});
  }
  return optimal_utility(all, total_cores(model));
}

// The paper's proof has a gap: while another schedule serves units of a job that ISPEED never comes to, ISPEED is said
// to serve nothing of less gain than the first of them. It may have got less far with the job at the time, and that
// job's next unit may gain less. The theorem stands nevertheless:
//   Let ISPEED end with J units of the job, the other schedule with m > J. In every slot in which the latter serves it,
// all of ISPEED's cores work, on units with keys of at least the smallest that the job has after j = 0 .. J units: it
// is there, with one of these. To each of the other schedule's m units belongs one of ISPEED's in the same slot, to no
// two the same. So with the smallest key after j units, ISPEED's units have keys of at least m key(j) together.
//   Key the largest mean: units J + 1 .. m gain at most (m - j) key(j), and by equation 3 a unit's key is at most
// 1 + alpha times its gain. Key the gain: by equation 3 these units gain at most (m - j) (1 + alpha) key(j). Either way
// what only the other schedule serves is worth at most 1 + alpha times what ISPEED serves; the rest ISPEED serves too.
std::optional<double> competitive_bound(const std::vector<const utility*>& jobs) {
  double alpha = 0.0;
  for (const utility* job : jobs) alpha = std::max(alpha, job->alpha());
  if (std::isinf(alpha)) return std::nullopt;
  return 2.0 + alpha;
}

}  // namespace muster
