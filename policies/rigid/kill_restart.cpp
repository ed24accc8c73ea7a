#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "muster/policies/catalogue.h"

namespace muster {

/// Kill and restart with growing budgets: it preempts by loss of work. Source: Jaeger, Sagnol, Schmidt genannt
/// Waldschmidt and Warode, "Competitive kill-and-restart and preemptive strategies for non-clairvoyant scheduling"
/// (Mathematical Programming, 2024), the b-scaling strategy.
///
/// A job runs in rounds: in round n = 0, 1, .. it has a budget of `budget` times the mean size of its class times
/// `growth` to the n. A job that has used up its budget while another one waits is killed: it loses its work and waits
/// for its next round. Jobs start in the order of round, then of arrival; one that does not fit holds back those
/// behind.
///
/// Choices where the source is open, which has one machine and all jobs at time 0: jobs arrive over time and need
/// several cores, or other resources. A job whose budget ends while none waits, after all arrivals and completions of
/// that instant, goes on in its next round. Budgets are of time in service, overhead included. The weights, which scale
/// budgets there, are the mean sizes here. In the source's randomised reading the jobs of a round come in random order,
/// and the first budget is random.
class kill_restart final : public rigid_policy {
 public:
  kill_restart(const cluster_view& cluster, double budget, double growth)
      : budget_(budget),
        growth_(growth),
        mean_(cluster.class_count()),
        ticks_per_unit_(static_cast<double>(cluster.ticks_per_unit())) {
    for (const class_id id : cluster.classes()) mean_[id] = *cluster.mean_size(id);
  }

  bool can_replace(std::string_view) const override { return true; }
  /// Rounds that have begun keep their ends.
  void replace_parameters(const settings& complete) override {
    budget_ = complete.number("budget");
    growth_ = complete.number("growth");
  }

  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    if (waiting_.empty() && cluster.fits(j)) {
      start({0, j.id, &j}, cluster, decide);
      return;
    }
    waiting_.insert({0, j.id, &j});
    schedule(cluster, decide);
  }
  void completed(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    leave_service(j);
    killed_.erase(std::remove(killed_.begin(), killed_.end(), &j), killed_.end());
    schedule(cluster, decide);
  }
  void preempted(const job&, rigid_view cluster, rigid_decisions& decide) override {
    requeue_what_has_left();
    schedule(cluster, decide);
  }
  void interrupted(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    begin_next_rounds(cluster.now());
    waiting_.insert({leave_service(j), j.id, &j});
    schedule(cluster, decide);
  }

  void woken(std::uint32_t cookie, rigid_view cluster, rigid_decisions& decide) override {
    if (cookie != requests_) return;  // an earlier time has been requested since
    wake_at_ = end_of_clock;
    while (!waiting_.empty() && !ends_.empty() && ends_.begin()->at <= cluster.now()) {
      const job& j = *ends_.begin()->which;
      in_service_.at(&j).end = ends_.end();
      ends_.erase(ends_.begin());
      if (j.where != job::place::in_service) continue;
      decide.kill(j, queue_place::at_tail);
      killed_.push_back(&j);
    }
    schedule(cluster, decide);
  }

 private:
  struct turn {
    unsigned round;
    std::uint64_t id;
    const job* which;
    bool operator<(const turn& other) const { return round != other.round ? round < other.round : id < other.id; }
  };
  struct round_end {
    ticks at;
    std::uint64_t id;
    const job* which;
    bool operator<(const round_end& other) const { return at != other.at ? at < other.at : id < other.id; }
  };
  struct stay {
    unsigned round;
    std::set<round_end>::iterator end;  ///< in ends_; ends_.end(): the job has been killed
  };

  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    while (!waiting_.empty() && cluster.fits(*waiting_.begin()->which)) {
      const turn next = *waiting_.begin();
      waiting_.erase(waiting_.begin());
      start(next, cluster, decide);
    }
    if (!waiting_.empty()) watch_next_end(cluster, decide);
  }

  void start(const turn& t, rigid_view cluster, rigid_decisions& decide) {
    decide.start(*t.which);
    in_service_[t.which] = {t.round, end_of_round(*t.which, t.round, cluster.now())};
  }

  std::set<round_end>::iterator end_of_round(const job& j, unsigned round, ticks begun) {
    const double first = budget_ * mean_[j.type] * ticks_per_unit_;
    const double budget = std::max(1.0, first * (round == 0 ? 1.0 : std::pow(growth_, round)));
    const bool ends = budget < static_cast<double>(end_of_clock - begun);
    return ends_.insert({ends ? begun + static_cast<ticks>(budget) : end_of_clock, j.id, &j}).first;
  }

  // @return the round in which the job was
  unsigned leave_service(const job& j) {
    const auto found = in_service_.find(&j);
    const stay ended = found->second;
    if (ended.end != ends_.end()) ends_.erase(ended.end);
    in_service_.erase(found);
    return ended.round;
  }

  // Lets all killed jobs that have left their cores wait for their next rounds, before the first of them starts.
  void requeue_what_has_left() {
    const auto waits = [&](const job* j) {
      if (j->where != job::place::waiting) return false;
      waiting_.insert({leave_service(*j) + 1, j->id, j});
      return true;
    };
    killed_.erase(std::remove_if(killed_.begin(), killed_.end(), waits), killed_.end());
  }

  // Continues jobs whose rounds have ended while no job waited in their next rounds. Rounds that end now are left to
  // woken(), when all arrivals and completions of this instant are known.
  void begin_next_rounds(ticks now) {
    while (!ends_.empty() && ends_.begin()->at < now) {
      const round_end ended = *ends_.begin();
      stay& of_job = in_service_.at(ended.which);
      ends_.erase(ends_.begin());
      of_job = {of_job.round + 1, end_of_round(*ended.which, of_job.round + 1, ended.at)};
    }
  }

  // Requests the time of the next end of a round.
  void watch_next_end(rigid_view cluster, rigid_decisions& decide) {
    begin_next_rounds(cluster.now());
    if (ends_.empty() || ends_.begin()->at >= wake_at_) return;
    wake_at_ = ends_.begin()->at;
    decide.wake_at(wake_at_, ++requests_);
  }

  double budget_;  // of round 0, in mean sizes
  double growth_;
  table<class_id, double> mean_;  // of the sizes
  double ticks_per_unit_;
  std::set<turn> waiting_;
  std::unordered_map<const job*, stay> in_service_;  // jobs in service, and those that are leaving
  std::set<round_end> ends_;                         // ends of the rounds of jobs in service
  std::vector<const job*> killed_;                   // killed jobs that have not left their cores
  ticks wake_at_ = end_of_clock;                     // time of the latest request; end_of_clock: none
  std::uint32_t requests_ = 0;
};

namespace {
std::optional<std::string> unless_sizes_are_declared(const cluster_view& cluster) {
  for (const class_id id : cluster.classes())
    if (!cluster.mean_size(id))
      return "its budgets are multiples of mean sizes, and that of class '" + cluster.name(id) + "' is not known";
  return std::nullopt;
}
}  // namespace

extern const policy_entry kill_restart_entry = [] {
  policy_entry entry;
  entry.name = "kill_restart";
  entry.about =
      "Kills jobs that have used up a budget, which grows from round to round; they begin anew (Jaeger, Sagnol, "
      "Schmidt genannt Waldschmidt and Warode 2024)";
  entry.parameters = {
      {"budget", number_parameter{"a number > 0", 0.0, true, 1.0}, "of the first round, in mean sizes of the class"},
      {"growth", number_parameter{"a number > 1", 1.0, true, 2.0}, "of the budget from round to round"}};
  entry.construct = [](const cluster_view& cluster, const settings& given,
                       random_numbers&) -> std::unique_ptr<rigid_policy> {
    return std::make_unique<kill_restart>(cluster, given.number("budget"), given.number("growth"));
  };
  entry.check_classes = unless_sizes_are_declared;
  entry.any_resources = true;
  entry.preempts = true;
  entry.loses_work = true;
  return entry;
}();

}  // namespace muster
