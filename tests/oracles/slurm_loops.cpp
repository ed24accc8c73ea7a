#include "slurm_loops.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>

namespace muster::oracle {

namespace {

using amounts = std::vector<std::uint64_t>;
using places = std::map<std::size_t, unsigned>;  // tasks by node

class daemon {
 public:
  daemon(const std::vector<amounts>& nodes, const std::vector<slurm_loop_need>& needs,
         const std::vector<slurm_loop_job>& jobs, const slurm_loop_settings& set)
      : nodes_(nodes), needs_(needs), jobs_(jobs), set_(set), outcomes_(jobs.size()), priority_(jobs.size()) {}

  std::vector<slurm_loop_outcome> run() {
    std::size_t arrived = 0, ended = 0;
    std::optional<std::uint64_t> background;
    bool asked = false;
    std::uint64_t last_backfill = 0;
    bool work = false;
    for (now_ = 0; ended < jobs_.size(); ++now_) {
      if (multifactor() && now_ % set_.calc_period == 0)
        for (const std::size_t j : queue_) priority_[j] = priority_of(j);
      bool at_once = false;
      for (auto r = running_.begin(); r != running_.end();) {
        const bool ends = outcomes_[r->first].start + jobs_[r->first].size == now_;
        if (ends) {
          ++ended;
          work = true;
          (set_.defer ? asked : at_once) = true;
        }
        r = ends ? running_.erase(r) : std::next(r);
      }
      for (; arrived < jobs_.size() && jobs_[arrived].arrival == now_; ++arrived) {
        priority_[arrived] = priority_of(arrived);
        queue_.push_back(arrived);
        asked = work = true;
      }
      sort_queue();
      if (set_.sched_interval >= 0) {
        const bool full = set_.sched_interval == 0 || now_ % static_cast<std::uint64_t>(set_.sched_interval) == 0;
        const bool due = asked && (!background || now_ >= *background + set_.batch_sched_delay);
        if (full || due) {
          background = now_;
          asked = false;
        }
        if (full || due || at_once) work |= main_pass(full ? queue_.size() : set_.default_queue_depth) > 0;
      }
      if (set_.backfill && now_ >= last_backfill + set_.bf_interval && (work || !queue_.empty())) {
        last_backfill = now_;
        const std::size_t started = backfill_pass();
        work = started > 0 || !queue_.empty();
      }
    }
    return outcomes_;
  }

 private:
  bool multifactor() const { return set_.weight_age > 0.0 || set_.weight_size > 0.0; }
  double priority_of(std::size_t j) const {
    if (!multifactor()) return 0.0;
    double all_cores = 0.0;
    for (const amounts& n : nodes_) all_cores += static_cast<double>(n[0]);
    const slurm_loop_need& need = needs_[jobs_[j].need];
    unsigned most = 1;
    for (std::size_t n = 0; n < nodes_.size(); ++n) most = std::max(most, room(n, nodes_[n], need));
    const double fewest = std::ceil(static_cast<double>(need.tasks) / most);
    const double cores = static_cast<double>(need.tasks * need.each[0]);
    const double size = (fewest / static_cast<double>(nodes_.size()) + cores / all_cores) / 2.0;
    const double age = std::min(1.0, static_cast<double>(now_ - jobs_[j].arrival) / static_cast<double>(set_.max_age));
    return std::floor(set_.weight_age * age + set_.weight_size * size);
  }
  void sort_queue() {
    std::sort(queue_.begin(), queue_.end(), [this](std::size_t a, std::size_t b) {
      return priority_[a] != priority_[b] ? priority_[a] > priority_[b] : a < b;
    });
  }

  unsigned room(std::size_t node, const amounts& free, const slurm_loop_need& need) const {
    if (need.exclusive && free != nodes_[node]) return 0;
    std::uint64_t most = ~std::uint64_t{0};
    for (std::size_t r = 0; r < free.size(); ++r)
      if (need.each[r] > 0) most = std::min(most, free[r] / need.each[r]);
    return static_cast<unsigned>(most);
  }
  amounts held(std::size_t node, unsigned tasks, const slurm_loop_need& need) const {
    if (need.exclusive) return nodes_[node];
    amounts all;
    for (const std::uint64_t each : need.each) all.push_back(each * tasks);
    return all;
  }
  // What is free, but for what the jobs hold that are not gone.
  std::vector<amounts> free_without(const std::set<std::size_t>& gone) const {
    std::vector<amounts> free = nodes_;
    for (const auto& [j, where] : running_) {
      if (gone.count(j) > 0) continue;
      for (const auto& [node, tasks] : where) {
        const amounts taken = held(node, tasks, needs_[jobs_[j].need]);
        for (std::size_t r = 0; r < taken.size(); ++r) free[node][r] -= taken[r];
      }
    }
    return free;
  }

  // The nodes on which a job fits, with its tasks on each; empty: there are none.
  places fit(const slurm_loop_need& need, const std::vector<amounts>& free, const std::set<std::size_t>& on) const {
    std::map<std::size_t, unsigned> rooms;
    std::uint64_t all = 0;
    for (const std::size_t n : on)
      if (const unsigned tasks = room(n, free[n], need); tasks > 0) {
        rooms[n] = tasks;
        all += tasks;
      }
    places where;
    if (all < need.tasks) return where;
    unsigned left = need.tasks;
    while (left > 0) {
      std::vector<std::pair<std::size_t, std::size_t>> rows;  // first node, tasks
      std::size_t before = 0;
      for (const auto& [n, tasks] : rooms) {
        if (rows.empty() || n != before + 1) rows.emplace_back(n, 0);
        rows.back().second += tasks;
        before = n;
      }
      auto best = rows.front();
      for (const auto& row : rows) {
        const bool suffices = row.second >= left, best_suffices = best.second >= left;
        if (suffices ? !best_suffices || row.second < best.second : !best_suffices && row.second > best.second)
          best = row;
      }
      std::optional<std::size_t> alone;  // the node of least room that suffices for the rest
      for (std::size_t n = best.first; rooms.count(n) > 0; ++n)
        if (rooms[n] >= left && (!alone || rooms[n] < rooms[*alone])) alone = n;
      if (alone) {
        where[*alone] = left;
        return where;
      }
      for (std::size_t n = best.first; rooms.count(n) > 0; ++n) {
        const unsigned tasks = std::min(left, rooms[n]);
        if (tasks > 0) where[n] = tasks;
        left -= tasks;
        rooms.erase(n);
      }
    }
    return where;
  }

  std::uint64_t end_of(std::size_t j) const { return outcomes_[j].start + jobs_[j].limit; }

  struct found {
    std::uint64_t at;
    places where;
  };
  // When a job can start on the nodes as jobs that run end by their limits.
  std::optional<found> will_run(const slurm_loop_need& need, const std::set<std::size_t>& on) const {
    if (places where = fit(need, free_without({}), on); !where.empty()) return found{now_, where};
    std::vector<std::size_t> order;
    for (const auto& [j, where] : running_) order.push_back(j);
    std::sort(order.begin(), order.end(),
              [this](std::size_t a, std::size_t b) { return end_of(a) != end_of(b) ? end_of(a) < end_of(b) : a < b; });
    std::set<std::size_t> gone;
    std::uint64_t base = 0, window = 30;
    for (std::size_t next = 0; next < order.size();) {
      std::optional<std::size_t> last;
      bool may_end = false;  // only the job behind one that has gone can be too late for the window
      for (; next < order.size(); ++next) {
        const auto& where = running_.at(order[next]);
        if (may_end && end_of(order[next]) > base + window) break;
        may_end = std::any_of(where.begin(), where.end(), [&](const auto& p) { return on.count(p.first) > 0; });
        if (!may_end) continue;
        last = order[next];
        gone.insert(*last);
        if (base == 0) base = (end_of(*last) / 30 + 1) * 30;
      }
      if (!last) break;
      do window = set_.bf_window_linear > 0 ? window + set_.bf_window_linear : 2 * window;
      while (next < order.size() && end_of(order[next]) > base + window);
      if (places where = fit(need, free_without(gone), on); !where.empty()) {
        const std::uint64_t end = end_of(*last);
        return found{end > now_ ? end : std::max(end + set_.kill_wait, now_ + 1), where};
      }
    }
    return std::nullopt;
  }

  void start(std::size_t j, const places& where) {
    running_[j] = where;
    outcomes_[j].start = now_;
    for (const auto& [node, tasks] : where) outcomes_[j].nodes.push_back(node);
    queue_.erase(std::find(queue_.begin(), queue_.end(), j));
  }

  std::size_t main_pass(std::size_t depth) {
    std::size_t started = 0;
    const std::vector<std::size_t> queue = queue_;
    for (std::size_t n = 0; n < queue.size() && n < depth; ++n) {
      const places where = fit(needs_[jobs_[queue[n]].need], free_without({}), all_nodes());
      if (where.empty()) break;
      start(queue[n], where);
      ++started;
    }
    return started;
  }
  std::set<std::size_t> all_nodes() const {
    std::set<std::size_t> all;
    for (std::size_t n = 0; n < nodes_.size(); ++n) all.insert(n);
    return all;
  }

  struct reservation {
    std::uint64_t begin, end;
    std::set<std::size_t> nodes;
  };
  // Nodes that no reservation has at some instant of [begin, end).
  std::set<std::size_t> unreserved(std::uint64_t begin, std::uint64_t end) const {
    std::set<std::size_t> free = all_nodes();
    for (const reservation& r : reserved_)
      if (r.begin < end && begin < r.end)
        for (const std::size_t n : r.nodes) free.erase(n);
    return free;
  }
  static std::set<std::size_t> both(const std::set<std::size_t>& a, const std::set<std::size_t>& b) {
    std::set<std::size_t> common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(common, common.end()));
    return common;
  }

  std::size_t backfill_pass() {
    reserved_.clear();
    std::size_t started = 0;
    const std::vector<std::size_t> queue = queue_;
    for (std::size_t n = 0; n < queue.size() && n < set_.bf_max_job_test; ++n) {
      if (set_.bf_max_job_start > 0 && started == set_.bf_max_job_start) break;
      started += plan(queue[n]) ? 1 : 0;
    }
    return started;
  }
  // @return whether the job has started
  bool plan(std::size_t j) {
    const std::uint64_t limit = jobs_[j].limit, window_end = now_ + set_.bf_window;
    for (std::uint64_t from = now_, later = 1; later > 0; from = later) {
      const std::uint64_t until = from + limit;
      later = 0;
      // Bounds of the slots between which reservations change.
      std::set<std::uint64_t> bounds{now_, window_end};
      for (const reservation& r : reserved_)
        for (const std::uint64_t at : {r.begin, r.end})
          if (now_ < at && at < window_end) bounds.insert(at);
      std::set<std::size_t> on = all_nodes();
      for (auto begin = bounds.begin(); std::next(begin) != bounds.end(); ++begin) {
        const auto end = std::next(begin);
        if (*end <= from) continue;
        const auto here = unreserved(*begin, *end);
        if (later == 0 && std::next(end) != bounds.end()) {
          const auto behind = unreserved(*end, *std::next(end));
          const auto now_free = both(on, here);
          if (!std::includes(now_free.begin(), now_free.end(), behind.begin(), behind.end())) later = *end;
        }
        if (*begin > until) break;
        on = both(on, here);
      }
      const auto found = will_run(needs_[jobs_[j].need], on);
      if (!found) continue;
      const std::uint64_t at = std::max(found->at, from);
      if (at <= now_) {
        start(j, found->where);
        return true;
      }
      if (later > 0 && at > later) continue;
      if (at > window_end) return false;
      if (at == window_end) return false;
      reservation r{std::max(now_, at / set_.bf_resolution * set_.bf_resolution), 0, {}};
      r.end = std::max((at + limit) / set_.bf_resolution * set_.bf_resolution, r.begin + set_.bf_resolution);
      r.end = std::min(r.end, window_end);
      for (const auto& [node, tasks] : found->where) r.nodes.insert(node);
      const bool overlaps = std::any_of(reserved_.begin(), reserved_.end(), [&](const reservation& other) {
        return other.begin < r.end && r.begin < other.end && !both(other.nodes, r.nodes).empty();
      });
      if (!overlaps) {
        reserved_.push_back(r);
        return false;
      }
      if (at > from) later = at;
    }
    return false;
  }

  const std::vector<amounts>& nodes_;
  const std::vector<slurm_loop_need>& needs_;
  const std::vector<slurm_loop_job>& jobs_;
  const slurm_loop_settings& set_;
  std::uint64_t now_ = 0;
  std::vector<slurm_loop_outcome> outcomes_;
  std::vector<double> priority_;
  std::vector<std::size_t> queue_;
  std::map<std::size_t, places> running_;
  std::vector<reservation> reserved_;
};

}  // namespace

std::vector<slurm_loop_outcome> slurm_loops(const std::vector<amounts>& nodes,
                                            const std::vector<slurm_loop_need>& needs,
                                            const std::vector<slurm_loop_job>& jobs,
                                            const slurm_loop_settings& settings) {
  return daemon(nodes, needs, jobs, settings).run();
}

}  // namespace muster::oracle
