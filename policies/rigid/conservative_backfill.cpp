#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "muster/policies/backfilling/backfilling.h"
#include "muster/policies/backfilling/reserving_in_turn.h"

namespace muster {

/// Conservative backfilling: every waiting job has a reservation, and none starts where it would delay another's.
/// Sources: Lifka, "The ANL/IBM SP scheduling system" (JSSPP 1995); Mu'alem and Feitelson, "Utilization,
/// predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling" (IEEE TPDS 12(6),
/// 2001); expected ends of jobs that exceed their estimates: Tsafrir, Etsion and Feitelson, "Backfilling using
/// system-generated predictions rather than user runtime estimates" (IEEE TPDS 18(6), 2007).
///
/// `on_early_end = "replan"`, a pass: all reservations are forgotten and made anew in `order`, each at the earliest
/// start of its job. Those that begin now start, in `order`. No more of them are made than it takes to know which these
/// are: until no job without one would fit now. The others fit at no instant before a running job is expected to end.
/// At that time the plan goes on, as the pass has begun it, and a pass follows if some reservation begins then: passes
/// and starts are those where every waiting job has a reservation.
///
/// `on_early_end = "compress"`, a pass:
/// 1. If since the last pass a job has ended before its expected end, or a server has returned whose return was not
///    planned, the reservation of each waiting job is withdrawn and made anew at its earliest start, one after the
///    other in `order`.
/// 2. Jobs that have arrived since get reservations at their earliest starts, in `order`.
/// 3. Jobs whose reservations begin now start, in `order`.
/// If a running job has exceeded its expected end since the last pass, a server has failed, a job was interrupted, or
/// the time of a reservation has passed, all are forgotten and made anew instead of step 1, in the order of their
/// times, ties by `order`.
///
/// The earliest start is the first instant from which the job fits for its duration beside running jobs, until their
/// expected ends, planned outages and reservations. A running job that exceeds its estimate is believed to take twice
/// as long, and so on. The policy wakes at the time of the earliest reservation, and under `replan` when a running job
/// is expected to end, if jobs without a reservation wait.
///
/// Ties of `order` are broken by arrival. Ends, repairs and arrivals of an instant precede its pass, unless `pass` is
/// `each_event`. A job that fits at no time, as servers are down, has no reservation until a later pass finds room.
class conservative_backfill final : public backfilling {
 public:
  conservative_backfill(const cluster_view& cluster, const settings& given)
      : backfilling(cluster, given, {most_waiting + cluster.all_cores(), most_waiting + cluster.all_cores()}),
        replans_(given.choice("on_early_end") == "replan"),
        in_turn_(cluster.class_count()) {}

 private:
  using jobs = std::vector<planned_job*>;

  static constexpr std::uint64_t most_waiting = 1'000;  // an event may make the reservations of all of them anew

  void pass(rigid_view cluster, rigid_decisions& decide) override {
    const changes since = bring_up_to_date(cluster);
    const bool late = next_reservation() < cluster.now();
    const bool disturbed = since.overrun || since.less_is_up || since.interrupted || late;
    if (replans_)
      replan(disturbed || since.early_end || since.more_is_up, cluster);
    else if (disturbed)
      make_anew_by_time(cluster);
    else if (since.early_end || since.more_is_up)
      compress(cluster);
    if (!without_.empty()) reserve_for_others(cluster);
    start_due(cluster, decide);
  }

  void start_due(rigid_view cluster, rigid_decisions& decide) {
    again_.clear();
    for (; next_ < due_.size() && due_[next_].at <= cluster.now(); ++next_) again_.push_back(due_[next_].of);
    std::sort(again_.begin(), again_.end(), in(order(), cluster));
    for (planned_job* j : again_) start(*j, cluster, decide);
    if (next_ > due_.size() / 2) forget_started();
  }

  ticks next_reservation() const override { return next_ == due_.size() ? end_of_clock : due_[next_].at; }

  void compress(rigid_view cluster) {
    sort(with_, cluster);
    bool any = false;
    for (planned_job* j : with_) any = plan().reserve_anew(*j) || any;
    if (any) find_due();
  }

  // Where nothing has changed but that jobs have arrived, the reservations of those before the first of these in a
  // lasting order would become the same.
  void replan(bool changed, rigid_view cluster) {
    left_out_ = false;
    sort_mostly_sorted(without_, cluster);
    auto first = with_.begin();
    if (!changed && is_lasting(order()))
      first =
          without_.empty() ? with_.end() : std::lower_bound(first, with_.end(), without_.front(), in(order(), cluster));
    if (first == with_.end()) return;
    again_.assign(first, with_.end());
    with_.erase(first, with_.end());
    if (with_.empty())
      withdraw_all(again_);
    else
      for (planned_job* j : again_) plan().withdraw(*j);
    find_due();
    without_.insert(without_.end(), again_.begin(), again_.end());
  }

  void make_anew_by_time(rigid_view cluster) {
    again_.clear();
    for (auto r = due_.begin() + static_cast<std::ptrdiff_t>(next_); r != due_.end();) {
      const std::size_t first = again_.size();
      const ticks at = r->at;
      for (; r != due_.end() && r->at == at; ++r) again_.push_back(r->of);
      std::sort(again_.begin() + static_cast<std::ptrdiff_t>(first), again_.end(), in(order(), cluster));
    }
    withdraw_all(again_);
    for (planned_job* j : again_) plan().reserve(*j);
    find_due();
    if (due_.size() == again_.size()) return;
    const auto last = std::stable_partition(with_.begin(), with_.end(), has_reservation);
    without_.insert(without_.end(), last, with_.end());
    with_.erase(last, with_.end());
  }

  void reserve_for_others(rigid_view cluster) {
    sort_mostly_sorted(without_, cluster);
    if (replans_) return plan_more(cluster);
    for (planned_job* j : without_) plan().reserve(*j);
    note_reserved(without_.size(), cluster);
  }

  bool has_left_out_jobs() const override { return left_out_; }
  void plan_more(rigid_view cluster) override {
    const std::size_t had_a_turn = in_turn_.reserve(plan(), without_, cluster.now());
    left_out_ = had_a_turn < without_.size();
    note_reserved(had_a_turn, cluster);
  }

  // Sorts those out that have got reservations, of the first of the jobs without.
  void note_reserved(std::size_t first, rigid_view cluster) {
    again_.clear();
    const auto behind = without_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto kept = std::remove_if(without_.begin(), behind, [&](planned_job* j) {
      if (j->has_reservation()) again_.push_back(j);
      return j->has_reservation();
    });
    without_.erase(kept, behind);
    if (again_.empty()) return;
    add_due(again_);
    const auto middle = static_cast<std::ptrdiff_t>(with_.size());
    with_.insert(with_.end(), again_.begin(), again_.end());
    if (is_lasting(order())) merge(with_, middle, in(order(), cluster));
  }

  static bool has_reservation(const planned_job* j) { return j->has_reservation(); }

  // Finds when the reservations begin of all jobs that had one and have not started.
  void find_due() {
    forget_started();
    const auto last =
        std::remove_if(due_.begin(), due_.end(), [](const reservation& r) { return !r.of->has_reservation(); });
    due_.erase(last, due_.end());
    for (reservation& r : due_) r.at = r.of->begin;
    if (!std::is_sorted(due_.begin(), due_.end())) std::sort(due_.begin(), due_.end());
  }

  void forget_started() {
    due_.erase(due_.begin(), due_.begin() + static_cast<std::ptrdiff_t>(std::exchange(next_, 0)));
  }

  void add_due(const jobs& added) {
    const auto middle = static_cast<std::ptrdiff_t>(due_.size());
    for (planned_job* j : added) due_.push_back({j->begin, j->id(), j});
    std::sort(due_.begin() + middle, due_.end());
    merge(due_, middle, std::less<>{});
  }

  // Merges two parts of a list, each in order: most often all of the second is behind the first.
  template <class List, class Earlier>
  static void merge(List& all, std::ptrdiff_t middle, const Earlier& earlier) {
    const auto second = all.begin() + middle;
    if (middle == 0 || second == all.end() || !earlier(*second, *std::prev(second))) return;
    std::inplace_merge(all.begin(), second, all.end(), earlier);
  }

  void sort(jobs& all, rigid_view cluster) {
    if (!is_lasting(order())) std::sort(all.begin(), all.end(), in(order(), cluster));
  }

  // Jobs without a reservation are in order where that lasts, but for those that have been added last.
  void sort_mostly_sorted(jobs& all, rigid_view cluster) {
    const auto added = std::is_sorted_until(all.begin(), all.end(), in(order(), cluster));
    std::sort(added, all.end(), in(order(), cluster));
    merge(all, added - all.begin(), in(order(), cluster));
  }

  void joins(planned_job& j) override { without_.push_back(&j); }
  void leaves(planned_job& j) override { with_.erase(std::find(with_.begin(), with_.end(), &j)); }

  struct reservation {
    ticks at;
    std::uint64_t id;
    planned_job* of;
    bool operator<(const reservation& other) const { return at != other.at ? at < other.at : id < other.id; }
  };

  bool replans_;
  reserving_in_turn in_turn_;
  bool left_out_ = false;         // jobs of without_ that have not had their turn since they were last sorted
  jobs with_;                     // waiting jobs that have a reservation, in `order` where that lasts
  jobs without_;                  // the others
  jobs again_;                    // jobs whose reservations are being made, or that start
  std::vector<reservation> due_;  // of those in with_, by time, behind those that have started
  std::size_t next_ = 0;          // the first of them in due_
};

extern const policy_entry conservative_backfill_entry = [] {
  policy_entry entry;
  entry.name = "conservative_backfill";
  entry.about =
      "Every waiting job has a reservation, and jobs start before others where they delay none (Lifka 1995; Mu'alem "
      "and Feitelson 2001)";
  entry.parameters = {
      backfilling::order_parameter(),
      {"on_early_end", choice_parameter{{"compress", "replan"}},
       "whether reservations move up where they can when a job ends early, or all are made anew at each pass"},
      backfilling::pass_parameter()};
  backfilling::complete<conservative_backfill>(entry);
  return entry;
}();

}  // namespace muster
