#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/rigid/service_levels.h"

namespace muster {

/// ServerFilling-SRPT, preemptive; it knows sizes. Source: Grosof, Scully, Harchol-Balter and Scheller-Wolf, "Optimal
/// scheduling in the multiserver-job model under heavy traffic" (POMACS 6, 2022), Section 3.
///
/// At every arrival and completion the jobs in the system are ranked by their remaining work, need times remaining
/// size (equal ones by arrival). M is the shortest prefix of them whose needs add up to k, the number of cores; all
/// jobs if they need less. The jobs of M are served by descending need (equal needs: by rank) while they fit; one that
/// does not fit is passed over. The source demands needs that are powers of two, as k: then M fills all cores.
///
/// The remaining size of a job in service is its size less its work done before and the time since its latest start; on
/// servers with a capacity other than 1, and while they prepare a slice, that is an estimate. While a preempted job
/// leaves its cores that time stands still; when it has left them, the work that it keeps is known.
class server_filling_srpt final : public rigid_policy {
 public:
  /// Returns few, as a preempted job goes back into the midst of its queue, where its place must be found.
  std::uint64_t most_jobs_in_system() const override { return 200'000; }

  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    others_.insert(rank(j, cluster, 0));
    needed_ += cluster.need(j.type);
    schedule(cluster, decide);
  }
  void completed(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    forget(j);
    needed_ -= cluster.need(j.type);
    schedule(cluster, decide);
  }
  void interrupted(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    forget(j);
    others_.insert(rank(j, cluster, 0));
    schedule(cluster, decide);
  }

 private:
  struct ranked {
    tick_sum work;
    const job* which;
    bool operator<(const ranked& other) const {
      return work != other.work ? work < other.work : which->id < other.which->id;
    }
  };
  struct service {
    const job* which;
    ticks since;
  };

  /// @param ran time since the latest start of the job
  static ranked rank(const job& j, rigid_view cluster, ticks ran) {
    const ticks left = j.size - j.done;
    return {static_cast<tick_sum>(left > ran ? left - ran : 0) * cluster.need(j.type), &j};
  }

  // Forgets a job that was in service or leaving, and has left its cores.
  void forget(const job& j) {
    const auto is_it = [&](const auto& s) { return s.which == &j; };
    if (const auto served = std::find_if(serving_.begin(), serving_.end(), is_it); served != serving_.end()) {
      *served = serving_.back();
      serving_.pop_back();
    }
    const auto leaving = std::find_if(leaving_.begin(), leaving_.end(), is_it);
    if (leaving == leaving_.end()) return;
    others_.erase(*leaving);
    leaving_.erase(leaving);
  }

  // Ranks the jobs anew that have left their cores: their work done is known now, before the policy is called for each.
  void rank_anew_what_has_left(rigid_view cluster) {
    const auto waits = [&](const ranked& r) {
      if (r.which->where != job::place::waiting) return false;
      others_.erase(r);
      others_.insert(rank(*r.which, cluster, 0));
      return true;
    };
    leaving_.erase(std::remove_if(leaving_.begin(), leaving_.end(), waits), leaving_.end());
  }

  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    rank_anew_what_has_left(cluster);
    const bool all_fit = needed_ <= cluster.all_cores();  // then M is all jobs
    if (all_fit && others_.empty()) return;
    if (all_fit)
      prefix_.assign(others_.begin(), others_.end());
    else
      find_prefix(cluster);
    const auto larger = [&](const ranked& one, const ranked& other) {
      return cluster.need(one.which->type) > cluster.need(other.which->type);
    };
    if (prefix_.size() > 1) std::stable_sort(prefix_.begin(), prefix_.end(), larger);
    if (!all_fit) {
      pass_over_misfits(cluster);
      preempt_others(cluster, decide);
    }
    for (const ranked& r : prefix_) {
      if (r.which->where != job::place::waiting || !cluster.fits(*r.which)) continue;
      decide.start(*r.which);
      others_.erase(r);
      serving_.push_back({r.which, cluster.now()});
    }
  }

  // Reduces M to the jobs that are to be in service.
  void pass_over_misfits(rigid_view cluster) {
    unsigned left = cluster.all_cores();
    const auto misfit = [&](const ranked& r) {
      const unsigned need = cluster.need(r.which->type);
      if (need > left) return true;
      left -= need;
      return false;
    };
    prefix_.erase(std::remove_if(prefix_.begin(), prefix_.end(), misfit), prefix_.end());
  }

  void find_prefix(rigid_view cluster) {
    in_service_.clear();
    for (const service& s : serving_) in_service_.push_back(rank(*s.which, cluster, cluster.now() - s.since));
    std::sort(in_service_.begin(), in_service_.end());
    prefix_.clear();
    auto one = in_service_.begin();
    auto other = others_.begin();
    for (std::uint64_t needed = 0; needed < cluster.all_cores();) {
      const bool none = one == in_service_.end();
      if (none && other == others_.end()) return;
      prefix_.push_back(none || (other != others_.end() && *other < *one) ? *other++ : *one++);
      needed += cluster.need(prefix_.back().which->type);
    }
  }

  // Preempts the jobs in service that are not in the prefix.
  void preempt_others(rigid_view cluster, rigid_decisions& decide) {
    chosen_.clear();
    for (const ranked& r : prefix_) chosen_.push_back(r.which);
    std::sort(chosen_.begin(), chosen_.end(), std::less<>());
    const auto preempt = [&](const service& s) {
      if (s.which->where != job::place::in_service) return false;
      if (std::binary_search(chosen_.begin(), chosen_.end(), s.which, std::less<>())) return false;
      decide.preempt(*s.which);
      leaving_.push_back(rank(*s.which, cluster, cluster.now() - s.since));
      others_.insert(leaving_.back());
      return true;
    };
    serving_.erase(std::remove_if(serving_.begin(), serving_.end(), preempt), serving_.end());
  }

  std::uint64_t needed_ = 0;  // cores that all jobs in the system need
  std::vector<service> serving_;
  std::set<ranked> others_;                  // the other jobs in the system, which wait or are leaving
  std::vector<ranked> leaving_;              // preempted jobs, ranked as in others_
  std::vector<ranked> in_service_, prefix_;  // jobs by rank at the present event
  std::vector<const job*> chosen_;           // jobs of the prefix, by address
};

extern const policy_entry server_filling_srpt_entry = [] {
  policy_entry entry;
  entry.name = "server_filling_srpt";
  entry.about =
      "Of the jobs with least remaining work that need all cores together, the largest needs first (Grosof, Scully, "
      "Harchol-Balter and Scheller-Wolf 2022)";
  entry.construct = without_settings<server_filling_srpt>;
  entry.check_classes = unless_all_use_all_cores;
  entry.sees_sizes = true;
  entry.preempts = true;
  entry.stable_up_to = stability_rule::filling;
  return entry;
}();

}  // namespace muster
