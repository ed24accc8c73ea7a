#include "slurm_loops.h"

#include "slurm_loop_limits.h"
#include "slurm_node_order.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace muster::oracle {

namespace {

using amounts = std::vector<std::uint64_t>;
using places = std::map<std::size_t, unsigned>;  // tasks by node

class daemon {
 public:
  daemon(const std::vector<amounts>& nodes, const std::vector<slurm_loop_need>& needs,
         const std::vector<slurm_loop_job>& jobs, const slurm_loop_settings& set)
      : nodes_(nodes),
        needs_(needs),
        jobs_(jobs),
        set_(set),
        outcomes_(jobs.size()),
        priority_(jobs.size()),
        weights_(nodes.size()) {}

  std::vector<slurm_loop_outcome> run() {
    std::size_t arrived = 0, ended = 0;
    for (now_ = 0; ended < jobs_.size(); ++now_) {
      if (multifactor() && now_ % set_.calc_period == 0) {
        for (const std::size_t j : queue_) priority_[j] = priority_of(j);
        changed_ = true;
      }
      bool at_once = false;
      for (auto c = completing_.begin(); c != completing_.end();) {
        const bool clean = c->second == now_;
        if (clean) {
          work_ = changed_ = true;
          (set_.defer ? asked_ : at_once) = true;
        }
        c = clean ? completing_.erase(c) : std::next(c);
      }
      for (auto r = running_.begin(); r != running_.end();) {
        const bool ends = outcomes_[r->first].start + jobs_[r->first].size == now_;
        if (ends) {
          ++ended;
          work_ = changed_ = true;
          (set_.defer ? asked_ : at_once) = true;
          complete(r->second);
          grace_until_.erase(r->first);
        }
        r = ends ? running_.erase(r) : std::next(r);
      }
      for (; arrived < jobs_.size() && jobs_[arrived].arrival == now_; ++arrived) {
        priority_[arrived] = priority_of(arrived);
        queue_.push_back(arrived);
        asked_ = work_ = changed_ = true;
        clear_weights(all_nodes());
        test(needs_[jobs_[arrived].need], nodes_, without_completing(all_nodes()));
      }
      for (auto r = requeued_.begin(); r != requeued_.end();) {
        const bool joins = r->second == now_;
        if (joins) {
          priority_[r->first] = priority_of(r->first);
          queue_.push_back(r->first);
          work_ = changed_ = true;
        }
        r = joins ? requeued_.erase(r) : std::next(r);
      }
      sort_queue();
      end_grace_periods();
      main_loop(at_once);
      backfill_loop();
      while (!leaving_.empty()) {
        for (const std::size_t j : leaving_) {
          complete(running_.at(j));
          running_.erase(j);
          grace_until_.erase(j);
          if (is_cancelled(j))
            ++ended;
          else
            requeued_[j] = now_ + 121;
        }
        leaving_.clear();
        work_ = true;
        if (set_.defer) asked_ = true;
        main_loop(!set_.defer && set_.completing_time == 0);
      }
    }
    return outcomes_;
  }

 private:
  void main_loop(bool at_once) {
    if (set_.sched_interval < 0) return;
    const bool full = set_.sched_interval == 0 || now_ % static_cast<std::uint64_t>(set_.sched_interval) == 0;
    const bool due = asked_ && (!background_ || now_ >= *background_ + set_.batch_sched_delay);
    if (full || due) {
      background_ = now_;
      asked_ = false;
    }
    if (!full && !due && !at_once) return;
    const bool any_started = main_pass(full ? queue_.size() : set_.default_queue_depth) > 0;
    work_ |= any_started;
    changed_ |= any_started;
  }

  void backfill_loop() {
    if (!set_.backfill) return;
    if (resumes_) {
      if (now_ < *resumes_) return;
      if (changed_ && !set_.bf_continue)
        end_pass(now_);
      else
        test_until_yield();
    } else if (now_ >= last_backfill_ + set_.bf_interval && (work_ || !queue_.empty())) {
      last_backfill_ = now_;
      const std::size_t tested = std::min(queue_.size(), set_.bf_max_job_test);
      const std::uint64_t longest = tested > 0 ? (tested - 1) * set_.time_per_job : 0;
      if (set_.time_per_job > 0 && longest >= std::min(set_.bf_yield_interval, set_.bf_max_time) &&
          any_may_start(tested)) {
        reserved_.clear();
        bounds_ = {now_, now_ + set_.bf_window};
        pass_.assign(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(tested));
        pass_begin_ = now_;
        started_ = 0;
        test_until_yield();
        return;
      }
      const std::size_t started = backfill_pass();
      work_ = started > 0 || !queue_.empty();
    }
  }
  bool any_may_start(std::size_t tested) const {
    const std::vector<amounts> free = free_without({});
    return std::any_of(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(tested), [&](std::size_t j) {
      const slurm_loop_need& need = needs_[jobs_[j].need];
      std::uint64_t all = 0;
      for (std::size_t n = 0; n < free.size(); ++n) all += room(n, free[n], need);
      return all >= need.tasks && !exceeds_limits(j);
    });
  }
  // Tests jobs of a long backfill pass that still wait, until it has to yield.
  void test_until_yield() {
    std::uint64_t takes = 0;
    while (!pass_.empty() && (set_.bf_max_job_start == 0 || started_ < set_.bf_max_job_start) &&
           now_ + takes - pass_begin_ < set_.bf_max_time) {
      if (takes >= set_.bf_yield_interval) {
        resumes_ = now_ + takes + set_.bf_yield_sleep;
        changed_ = false;
        return;
      }
      const std::size_t j = pass_.front();
      pass_.erase(pass_.begin());
      if (std::find(queue_.begin(), queue_.end(), j) == queue_.end()) continue;
      takes += set_.time_per_job;
      if (!exceeds_limits(j)) started_ += plan(j) ? 1 : 0;
    }
    end_pass(now_ + takes);
  }
  void end_pass(std::uint64_t at) {
    resumes_.reset();
    last_backfill_ = at;
    work_ = !queue_.empty();
  }

  bool multifactor() const { return set_.weight_age > 0.0 || set_.weight_size > 0.0 || set_.weight_qos > 0.0; }
  double priority_of(std::size_t j) const {
    if (!multifactor()) return 0.0;
    double all_cores = 0.0;
    for (const amounts& n : nodes_) all_cores += static_cast<double>(n[0]);
    const slurm_loop_need& need = needs_[jobs_[j].need];
    const auto fewest = static_cast<double>(fewest_nodes(need));
    const double cores = static_cast<double>(need.tasks * need.each[0]);
    const double size = (fewest / static_cast<double>(nodes_.size()) + cores / all_cores) / 2.0;
    const double age = std::min(1.0, static_cast<double>(now_ - jobs_[j].arrival) / static_cast<double>(set_.max_age));
    double of_qos = 0.0, largest = 1.0;
    for (const slurm_loop_qos& q : set_.qos) largest = std::max(largest, static_cast<double>(q.priority));
    if (has_qos(j)) of_qos = static_cast<double>(set_.qos[jobs_[j].qos].priority) / largest;
    return std::floor(set_.weight_age * age + set_.weight_size * size + set_.weight_qos * of_qos);
  }
  std::uint64_t fewest_nodes(const slurm_loop_need& need) const {
    unsigned most = 1;
    for (std::size_t n = 0; n < nodes_.size(); ++n) most = std::max(most, room(n, nodes_[n], need));
    return (need.tasks + most - 1) / most;
  }
  bool has_qos(std::size_t j) const { return jobs_[j].qos < set_.qos.size(); }
  // How many QOS there are in the longest row in which each preempts the next, from that of a job on.
  std::size_t row_of_preemption(std::size_t qos) const {
    std::size_t longest = 0;
    for (const std::size_t other : set_.qos[qos].preempts) longest = std::max(longest, 1 + row_of_preemption(other));
    return longest;
  }
  // sched/builtin with priority/basic goes through its list of jobs as they came, where partitions are alike.
  bool first_in_first_out() const {
    return !set_.backfill && !multifactor() &&
           std::all_of(needs_.begin(), needs_.end(), [&](const auto& need) { return need.tier == needs_[0].tier; });
  }
  std::size_t qos_rank(std::size_t j) const {
    return set_.by_qos && has_qos(j) && !first_in_first_out() ? row_of_preemption(jobs_[j].qos) : 0;
  }
  void sort_queue() {
    std::sort(queue_.begin(), queue_.end(), [this](std::size_t a, std::size_t b) {
      if (qos_rank(a) != qos_rank(b)) return qos_rank(a) > qos_rank(b);
      if (tier(a) != tier(b)) return tier(a) > tier(b);
      return priority_[a] != priority_[b] ? priority_[a] > priority_[b] : a < b;
    });
  }

  std::uint64_t tier(std::size_t j) const { return needs_[jobs_[j].need].tier; }

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

  // Neighbouring nodes with room, each of the same weight.
  struct row {
    std::size_t first, last, tasks;
    std::uint64_t weight;
  };
  // Tasks for which a node has devices, of each kind no more than the job has.
  std::uint64_t devices_of(const amounts& free, const slurm_loop_need& need) const {
    std::uint64_t all = 0;
    for (std::size_t r = set_.first_device; r < free.size(); ++r)
      if (need.each[r] > 0) all += std::min<std::uint64_t>(need.tasks, free[r] / need.each[r]);
    return all;
  }

  bool needs_devices(const slurm_loop_need& need) const { return devices_of(nodes_[0], need) > 0; }

  void clear_weights(const std::set<std::size_t>& on) {
    for (const std::size_t n : on) weights_[n] = 0;
  }
  // A test of a job sets the weights of the nodes that have devices for it.
  void test(const slurm_loop_need& need, const std::vector<amounts>& free, const std::set<std::size_t>& on) {
    for (const std::size_t n : on)
      if (const std::uint64_t devices = devices_of(free[n], need); devices > 0) weights_[n] = devices;
  }

  // Nodes of a job that ends are completing for a while.
  void complete(const places& where) {
    for (const auto& [node, tasks] : where)
      if (set_.completing_time > 0) completing_[node] = now_ + set_.completing_time;
  }
  std::set<std::size_t> without_completing(std::set<std::size_t> on) const {
    for (const auto& [node, until] : completing_) on.erase(node);
    return on;
  }

  // The nodes on which a job fits, with its tasks on each; empty: there are none.
  places fit(const slurm_loop_need& need, const std::vector<amounts>& free, const std::set<std::size_t>& on) {
    test(need, free, on);
    std::map<std::size_t, unsigned> rooms;
    std::uint64_t all = 0;
    for (const std::size_t n : on)
      if (unsigned tasks = room(n, free[n], need); tasks > 0) {
        if (needs_devices(need)) tasks = std::min(tasks, need.tasks);
        rooms[n] = tasks;
        all += tasks;
      }
    places where;
    if (all < need.tasks) return where;
    if (set_.least_loaded || need.least_loaded)
      return take_least_loaded({std::move(rooms), free, nodes_, weights_}, need.tasks);
    if (set_.pack_serial_at_end && need.tasks * need.each[0] == 1)
      return take_last({std::move(rooms), free, nodes_, weights_});
    unsigned left = need.tasks;
    while (left > 0) {
      std::vector<row> rows;
      for (const auto& [n, tasks] : rooms) {
        if (rows.empty() || n != rows.back().last + 1 || weights_[n] != rows.back().weight)
          rows.push_back({n, n, 0, weights_[n]});
        rows.back().last = n;
        rows.back().tasks += tasks;
      }
      auto best = rows.front();
      for (const auto& r : rows) {
        const bool suffices = r.tasks >= left, best_suffices = best.tasks >= left;
        if (r.weight < best.weight) continue;
        if (r.weight > best.weight ||
            (suffices ? !best_suffices || r.tasks < best.tasks : !best_suffices && r.tasks > best.tasks))
          best = r;
      }
      std::optional<std::size_t> alone;  // the node of least room that suffices for the rest
      for (std::size_t n = best.first; n <= best.last; ++n)
        if (rooms[n] >= left && (!alone || rooms[n] < rooms[*alone])) alone = n;
      if (alone) {
        where[*alone] = left;
        return where;
      }
      for (std::size_t n = best.first; n <= best.last; ++n) {
        const unsigned tasks = std::min(left, rooms[n]);
        if (tasks > 0) where[n] = tasks;
        left -= tasks;
        rooms.erase(n);
      }
    }
    return where;
  }

  // When a running job ends by its limit; one that is leaving has ended.
  std::uint64_t end_of(std::size_t j) const {
    if (leaving_.count(j) > 0) return now_;
    return grace_until_.count(j) > 0 ? grace_until_.at(j) : outcomes_[j].start + jobs_[j].limit;
  }

  // The jobs that may give way to a waiting one, in the order in which Slurm takes them away.
  std::vector<std::size_t> candidates_for(std::size_t waiting) const {
    std::vector<std::size_t> all;
    if (!set_.preempts) return all;
    for (const auto& [j, where] : running_)
      if (may_preempt(waiting, j) && leaving_.count(j) == 0 && now_ - outcomes_[j].start >= exempt_time(j))
        all.push_back(j);
    std::stable_sort(all.begin(), all.end(), [this](std::size_t a, std::size_t b) {
      if (set_.youngest_first) return outcomes_[a].start > outcomes_[b].start;
      const std::uint64_t a_first = worth(a), b_first = worth(b);
      return a_first != b_first ? a_first < b_first : running_.at(a).size() < running_.at(b).size();
    });
    return all;
  }
  bool may_preempt(std::size_t waiting, std::size_t running) const {
    if (!set_.by_qos) return terms_of(running).how != slurm_loop_terms::mode::off && tier(running) < tier(waiting);
    if (!has_qos(waiting)) return false;
    const auto& all = set_.qos[jobs_[waiting].qos].preempts;
    return std::find(all.begin(), all.end(), jobs_[running].qos) != all.end();
  }
  const slurm_loop_terms& terms_of(std::size_t j) const {
    return set_.by_qos ? set_.qos[jobs_[j].qos].terms : needs_[jobs_[j].need].terms;
  }
  // The QOS of the partition comes first, unless that of the job is over it.
  std::uint64_t exempt_time(std::size_t j) const {
    std::vector<std::int64_t> times{needs_[jobs_[j].need].terms.exempt};
    if (has_qos(j)) {
      const slurm_loop_qos& own = set_.qos[jobs_[j].qos];
      times.insert(own.over_partition ? times.begin() : times.end(), own.terms.exempt);
    }
    for (const std::int64_t time : times)
      if (time >= 0) return static_cast<std::uint64_t>(time);
    return set_.exempt_time;
  }
  bool is_cancelled(std::size_t j) const {
    const auto how = terms_of(j).how;
    return how == slurm_loop_terms::mode::of_cluster ? set_.cancels : how == slurm_loop_terms::mode::cancel;
  }
  // A job with a grace time gets notice the first time, and is then left alone until that is over.
  void give_way(std::size_t j) {
    const std::uint64_t grace = terms_of(j).grace;
    if (grace > 0 && grace_until_.count(j) == 0)
      grace_until_[j] = std::min(now_ + grace, outcomes_[j].start + jobs_[j].limit);
    else if (grace == 0 || grace_until_.at(j) <= now_)
      leave(j);
  }
  void leave(std::size_t j) {
    leaving_.insert(j);
    ++outcomes_[j].preemptions;
  }
  // Slurm looks every 30 s for jobs whose grace time is over.
  void end_grace_periods() {
    if (now_ % 30 != 0) return;
    for (const auto& [j, until] : grace_until_)
      if (until <= now_) leave(j);
  }
  // Jobs of which this is less give way first.
  std::uint64_t worth(std::size_t j) const { return set_.by_qos ? set_.qos[jobs_[j].qos].priority : tier(j); }
  static std::size_t common_nodes(const places& a, const places& b) {
    std::size_t common = 0;
    for (const auto& [node, tasks] : a) common += b.count(node);
    return common;
  }
  // Lets jobs give way to a waiting one on some nodes, unless those that it has preempted may still be leaving.
  void preempt(std::size_t waiting, const std::set<std::size_t>& on) {
    if (const auto last = preempted_at_.find(waiting);
        last != preempted_at_.end() && last->second + set_.kill_wait + 10 > now_)
      return;
    std::vector<std::size_t> order = candidates_for(waiting);
    const slurm_loop_need& need = needs_[jobs_[waiting].need];
    for (std::size_t pass = 0;;) {
      std::set<std::size_t> gone = {};
      places where;
      std::size_t next = 0;
      while (where.empty() && next < order.size()) {
        gone.insert(order[next++]);
        where = fit(need, free_without(gone), on);
      }
      if (where.empty()) return;
      if (pass++ > set_.reorder_count || order.size() <= pass) {
        preempted_at_[waiting] = now_;
        for (const std::size_t j : gone)
          if (common_nodes(running_.at(j), where) > 0) give_way(j);
        return;
      }
      const std::size_t last = order[next - 1];
      order.erase(order.begin() + static_cast<std::ptrdiff_t>(next - 1));
      if (!set_.strict_order)
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
          const auto weight = [&](std::size_t j) {
            return gone.count(j) > 0 ? common_nodes(running_.at(j), where) : 0;
          };
          return weight(a) > weight(b);
        });
      order.insert(order.begin(), last);
    }
  }

  struct found {
    std::uint64_t at;
    places where;
    bool preempts = false;
  };
  // When a job can start on the nodes as jobs that run end by their limits, without those that may give way to it.
  std::optional<found> will_run(std::size_t waiting, const std::set<std::size_t>& on) {
    const slurm_loop_need& need = needs_[jobs_[waiting].need];
    if (places where = fit(need, free_without({}), on); !where.empty()) return found{now_, where};
    const std::vector<std::size_t> candidates = candidates_for(waiting);
    std::set<std::size_t> gone{candidates.begin(), candidates.end()};
    if (places where = fit(need, free_without(gone), on); !where.empty()) return found{now_, where, true};
    std::vector<std::size_t> order;
    for (const auto& [j, where] : running_)
      if (gone.count(j) == 0) order.push_back(j);
    std::sort(order.begin(), order.end(),
              [this](std::size_t a, std::size_t b) { return end_of(a) != end_of(b) ? end_of(a) < end_of(b) : a < b; });
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
        return found{end > now_ ? end : std::max(end + set_.kill_wait, now_ + 1), where, false};
      }
    }
    return std::nullopt;
  }

  void start(std::size_t j, const places& where) {
    running_[j] = where;
    outcomes_[j].start = now_;
    outcomes_[j].nodes.clear();
    for (const auto& [node, tasks] : where) outcomes_[j].nodes.push_back(node);
    queue_.erase(std::find(queue_.begin(), queue_.end(), j));
  }

  slurm_loop_share share_of(std::size_t j) const {
    const slurm_loop_need& need = needs_[jobs_[j].need];
    return {jobs_[j].need, jobs_[j].qos, jobs_[j].user, need.tasks * need.each[0], fewest_nodes(need)};
  }
  bool exceeds_limits(std::size_t waiting) const {
    std::vector<slurm_loop_share> running;
    for (const auto& [j, where] : running_) running.push_back(share_of(j));
    return slurm_exceeds_limits(share_of(waiting), running, needs_, set_);
  }

  std::size_t main_pass(std::size_t depth) {
    std::size_t started = 0;
    const std::vector<std::size_t> queue = queue_;
    for (std::size_t n = 0; n < queue.size() && n < depth; ++n) {
      if (exceeds_limits(queue[n])) continue;
      const slurm_loop_need& need = needs_[jobs_[queue[n]].need];
      clear_weights(all_nodes());
      const places where = fit(need, free_without({}), without_completing(all_nodes()));
      if (where.empty()) {
        test(need, nodes_, all_nodes());
        preempt(queue[n], without_completing(all_nodes()));
        break;
      }
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

  // Slots begin and end with a reservation. The first bound at which nothing changes goes, of those from the one before
  // the reservation to its end: one at most.
  void reserve(const reservation& r) {
    reserved_.push_back(r);
    bounds_.insert({r.begin, r.end});
    auto bound = bounds_.find(r.begin);
    if (bound != bounds_.begin()) --bound;
    if (bound == bounds_.begin()) ++bound;
    for (; std::next(bound) != bounds_.end() && *bound <= r.end; ++bound)
      if (unreserved(*std::prev(bound), *bound) == unreserved(*bound, *std::next(bound))) {
        bounds_.erase(bound);
        return;
      }
  }

  std::size_t backfill_pass() {
    reserved_.clear();
    bounds_ = {now_, now_ + set_.bf_window};
    std::size_t started = 0;
    const std::vector<std::size_t> queue = queue_;
    for (std::size_t n = 0; n < queue.size() && n < set_.bf_max_job_test; ++n) {
      if (set_.bf_max_job_start > 0 && started == set_.bf_max_job_start) break;
      if (!exceeds_limits(queue[n])) started += plan(queue[n]) ? 1 : 0;
    }
    return started;
  }
  // @return whether the job has started
  bool plan(std::size_t j) {
    const std::uint64_t limit = jobs_[j].limit, window_end = now_ + set_.bf_window;
    for (std::uint64_t from = now_, later = 1; later > 0; from = later) {
      const std::uint64_t until = from + limit;
      later = 0;
      std::set<std::size_t> on = all_nodes();
      for (auto begin = bounds_.begin(); std::next(begin) != bounds_.end(); ++begin) {
        const auto end = std::next(begin);
        if (*end <= from) continue;
        const auto here = unreserved(*begin, *end);
        if (later == 0 && std::next(end) != bounds_.end()) {
          const auto behind = unreserved(*end, *std::next(end));
          const auto now_free = both(on, here);
          if (!std::includes(now_free.begin(), now_free.end(), behind.begin(), behind.end())) later = *end;
        }
        if (*begin > until) break;
        on = both(on, here);
      }
      const auto found = will_run(j, on);
      if (!found) continue;
      std::uint64_t at = std::max(found->at, from);
      const bool are_clean = std::none_of(found->where.begin(), found->where.end(),
                                          [this](const auto& p) { return completing_.count(p.first) > 0; });
      if (at <= now_ && !are_clean) {
        at = now_ + 1;
        later = 0;
      }
      if (at <= now_ && found->preempts) preempt(j, on);
      if (at <= now_ && !found->preempts) {
        clear_weights(on);
        start(j, fit(needs_[jobs_[j].need], free_without({}), without_completing(on)));
        return true;
      }
      if (later > 0 && at > later) continue;
      if (at > window_end) return false;
      reservation r{std::max(now_, at / set_.bf_resolution * set_.bf_resolution), 0, {}};
      r.end = std::max((at + limit) / set_.bf_resolution * set_.bf_resolution, r.begin + set_.bf_resolution);
      r.end = std::min(r.end, window_end);
      for (const auto& [node, tasks] : found->where) r.nodes.insert(node);
      const bool overlaps = std::any_of(reserved_.begin(), reserved_.end(), [&](const reservation& other) {
        return other.begin < r.end && r.begin < other.end && !both(other.nodes, r.nodes).empty();
      });
      if (!overlaps) {
        reserve(r);
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
  std::optional<std::uint64_t> background_;
  std::uint64_t last_backfill_ = 0;
  bool asked_ = false, work_ = false;
  bool changed_ = false;                  // since a backfill pass has yielded
  std::optional<std::uint64_t> resumes_;  // when a long backfill pass goes on
  std::uint64_t pass_begin_ = 0;          // of that pass
  std::vector<std::size_t> pass_;         // jobs that it has not tested
  std::size_t started_ = 0;               // in that pass
  std::vector<slurm_loop_outcome> outcomes_;
  std::vector<double> priority_;
  std::vector<std::size_t> queue_;
  std::map<std::size_t, places> running_;
  std::set<std::size_t> leaving_;                      // that run, and are preempted at this instant
  std::map<std::size_t, std::uint64_t> grace_until_;   // of jobs that were told to give way and run on
  std::map<std::size_t, std::uint64_t> requeued_;      // when jobs that were preempted join the queue
  std::map<std::size_t, std::uint64_t> preempted_at_;  // when a waiting job has last preempted others
  std::map<std::size_t, std::uint64_t> completing_;    // until when, by node
  std::vector<std::uint64_t> weights_;                 // of the nodes: devices that a job was tested with
  std::vector<reservation> reserved_;
  std::set<std::uint64_t> bounds_;  // of the slots of time for which nodes are planned
};

}  // namespace

std::vector<slurm_loop_outcome> slurm_loops(const std::vector<amounts>& nodes,
                                            const std::vector<slurm_loop_need>& needs,
                                            const std::vector<slurm_loop_job>& jobs,
                                            const slurm_loop_settings& settings) {
  return daemon(nodes, needs, jobs, settings).run();
}

}  // namespace muster::oracle
