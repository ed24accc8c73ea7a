#include <algorithm>
#include <set>
#include <vector>

#include "muster/policies/backfilling/backfilling.h"

namespace muster {

/// Conservative backfilling: every waiting job has a reservation, and none starts where it would delay another's.
/// Sources: Lifka, "The ANL/IBM SP scheduling system" (JSSPP 1995); Mu'alem and Feitelson, "Utilization,
/// predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling" (IEEE TPDS 12(6),
/// 2001); expected ends of jobs that exceed their estimates: Tsafrir, Etsion and Feitelson, "Backfilling using
/// system-generated predictions rather than user runtime estimates" (IEEE TPDS 18(6), 2007).
///
/// `on_early_end = "replan"`, a pass: all reservations are forgotten and made anew in `order`, each at the earliest
/// start of its job. Those that begin now start, in `order`.
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
/// as long, and so on. The policy wakes at the time of the earliest reservation.
///
/// Ties of `order` are broken by arrival. Ends, repairs and arrivals of an instant precede its pass, unless `pass` is
/// `each_event`. A job that fits at no time, as servers are down, has no reservation until a later pass finds room.
class conservative_backfill final : public backfilling {
 public:
  conservative_backfill(const cluster_view& cluster, const settings& given)
      : backfilling(cluster, given, {20'000, 2'000}), replans_(given.choice("on_early_end") == "replan") {}

 private:
  using jobs = std::vector<planned_job*>;

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
    reserve_for_others(cluster);
    start_due(cluster, decide);
  }

  void start_due(rigid_view cluster, rigid_decisions& decide) {
    again_.clear();
    for (auto next = due_.begin(); next != due_.end() && next->at <= cluster.now(); ++next) again_.push_back(next->of);
    std::sort(again_.begin(), again_.end(), in(order(), cluster));
    for (planned_job* j : again_) start(*j, cluster, decide);
  }

  ticks next_reservation() const override { return due_.empty() ? end_of_clock : due_.begin()->at; }

  void compress(rigid_view cluster) {
    sort(with_, cluster);
    for (planned_job* j : with_) {
      const reservation before{j->begin, j};
      if (!plan().reserve_anew(*j)) continue;
      due_.erase(before);
      due_.insert({j->begin, j});
    }
  }

  // Where nothing has changed but that jobs have arrived, the reservations of those before the first of these in a
  // lasting order would become the same.
  void replan(bool changed, rigid_view cluster) {
    sort_mostly_sorted(without_, cluster);
    const auto earlier = in(order(), cluster);
    auto first = with_.begin();
    if (!changed && is_lasting(order()))
      first = without_.empty() ? with_.end() : std::lower_bound(first, with_.end(), without_.front(), earlier);
    again_.assign(first, with_.end());
    forget(again_);
    without_.insert(without_.end(), again_.begin(), again_.end());
  }

  void make_anew_by_time(rigid_view cluster) {
    again_ = with_;
    sort(again_, cluster);
    std::stable_sort(again_.begin(), again_.end(),
                     [](const planned_job* a, const planned_job* b) { return a->begin < b->begin; });
    forget(again_);
    for (planned_job* j : again_)
      if (!reserve(*j, cluster)) without_.push_back(j);
  }

  void reserve_for_others(rigid_view cluster) {
    if (without_.empty()) return;
    again_.swap(without_);
    without_.clear();
    sort_mostly_sorted(again_, cluster);
    for (planned_job* j : again_)
      if (!reserve(*j, cluster)) without_.push_back(j);
  }

  bool reserve(planned_job& j, rigid_view cluster) {
    if (!plan().reserve(j)) return false;
    due_.insert({j.begin, &j});
    with_.insert(
        is_lasting(order()) ? std::lower_bound(with_.begin(), with_.end(), &j, in(order(), cluster)) : with_.end(), &j);
    return true;
  }

  // Withdraws the reservations of jobs, which are all that have one, or the last of them.
  void forget(const jobs& all) {
    for (planned_job* j : all) {
      due_.erase({j->begin, j});
      plan().withdraw(*j);
    }
    with_.resize(with_.size() - all.size());
  }

  void sort(jobs& all, rigid_view cluster) {
    if (!is_lasting(order())) std::sort(all.begin(), all.end(), in(order(), cluster));
  }

  // Jobs without a reservation are in order where that lasts, but for those that have been added last.
  void sort_mostly_sorted(jobs& all, rigid_view cluster) {
    const auto added = std::is_sorted_until(all.begin(), all.end(), in(order(), cluster));
    std::sort(added, all.end(), in(order(), cluster));
    std::inplace_merge(all.begin(), added, all.end(), in(order(), cluster));
  }

  void joins(planned_job& j) override { without_.push_back(&j); }
  void leaves(planned_job& j) override {
    due_.erase({j.begin, &j});
    with_.erase(std::find(with_.begin(), with_.end(), &j));
  }

  struct reservation {
    ticks at;
    planned_job* of;
    bool operator<(const reservation& other) const {
      return at != other.at ? at < other.at : of->id() < other.of->id();
    }
  };

  bool replans_;
  jobs with_;     // waiting jobs that have a reservation, in `order` where that lasts
  jobs without_;  // the others
  jobs again_;    // jobs whose reservations are being made, or that start
  std::set<reservation> due_;
};

extern const policy_entry conservative_backfill_entry;
const policy_entry conservative_backfill_entry = [] {
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
