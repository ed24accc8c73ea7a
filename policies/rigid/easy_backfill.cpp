#include <algorithm>
#include <vector>

#include "muster/policies/backfilling/backfilling.h"
#include "muster/policies/backfilling/ordered_jobs.h"

namespace muster {

/// EASY backfilling: jobs start in order; the first `reservations` that do not fit get reservations, and others start
/// before them where they do not delay these. Sources: Lifka, "The ANL/IBM SP scheduling system" (JSSPP 1995); Mu'alem
/// and Feitelson, "Utilization, predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with
/// backfilling" (IEEE TPDS 12(6), 2001); expected ends of jobs that exceed their estimates: Tsafrir, Etsion and
/// Feitelson, "Backfilling using system-generated predictions rather than user runtime estimates" (IEEE TPDS 18(6),
/// 2007).
///
/// A pass:
/// 1. The jobs in `order`: a job whose earliest start is now starts. Another one gets a reservation there, until
///    `reservations` jobs have one.
/// 2. The other waiting jobs in `backfill_order`: each whose earliest start is now starts. A single scan.
///
/// The earliest start is the first instant from which the job fits for its duration beside running jobs, until their
/// expected ends, planned outages and reservations. Reservations are made anew in each pass. A running job that exceeds
/// its estimate is believed to take twice as long, and so on.
///
/// Ties of both orders are broken by arrival. Ends, repairs and arrivals of an instant precede its pass, unless `pass`
/// is `each_event`. A job that fits at no time, as servers are down, gets no reservation and does not count as one.
///
/// Jobs are in lines by class, as those of a class need the same. A pass with no job that fits now ends at once; the
/// scan visits classes that fit, and of these only jobs that are short enough.
class easy_backfill final : public backfilling {
 public:
  easy_backfill(const cluster_view& cluster, const settings& given)
      : backfilling(cluster, given, {1'000'000, 200'000}),
        backfill_order_(backfill_order_of(given.choice("backfill_order"))),
        most_(static_cast<std::size_t>(given.integer("reservations"))) {
    while (lines_.size() < cluster.class_count()) lines_.push_back({});
  }

  bool can_replace(std::string_view parameter) const override { return parameter == "reservations"; }
  void replace_parameters(const settings& complete) override {
    most_ = static_cast<std::size_t>(complete.integer("reservations"));
  }

 private:
  using place = ordered_jobs::place;
  using entry = ordered_jobs::entry;

  void pass(rigid_view cluster, rigid_decisions& decide) override {
    if (!any_fits(cluster)) return;
    bring_up_to_date(cluster);
    start_in_order(cluster, decide);
    if (reserved_.empty()) return;
    if (is_lasting(backfill_order_))
      backfill_lines(cluster, decide);
    else
      backfill_sorted(cluster, decide);
    for (planned_job* j : reserved_) plan().withdraw(*j);
    reserved_.clear();
  }

  static bool any_fits(rigid_view cluster) {
    const class_set& waiting = cluster.waiting_classes();
    for (class_id id = cluster.first_that_may_fit(); id != class_set::none; id = waiting.next(id))
      if (cluster.fits(id)) return true;
    return false;
  }

  /// @name Step 1
  /// @{
  void start_in_order(rigid_view cluster, rigid_decisions& decide) {
    if (!is_lasting(order())) {
      sort_all(cluster);
      for (auto j = sorted_.begin(); j != sorted_.end() && reserved_.size() < most_; ++j)
        start_or_reserve(**j, cluster, decide);
      return;
    }
    place last;
    for (const entry* e = all_.first(); e && reserved_.size() < most_; e = all_.behind(last)) {
      last = e->at;
      start_or_reserve(*e->of, cluster, decide);
    }
  }

  void start_or_reserve(planned_job& j, rigid_view cluster, rigid_decisions& decide) {
    if (!plan().reserve(j)) return;
    if (j.begin == cluster.now())
      start(j, cluster, decide);
    else
      reserved_.push_back(&j);
  }

  void sort_all(rigid_view cluster) {
    sorted_.clear();
    for (const entry* e = all_.first(); e; e = all_.behind(e->at)) sorted_.push_back(e->of);
    std::sort(sorted_.begin(), sorted_.end(), in(order(), cluster));
  }
  /// @}

  /// @name Step 2
  /// @{
  // Starts the jobs that fit in a lasting order, from the next one of each class. What is free becomes less in the
  // scan, so that no job which has been passed over can start later in it.
  void backfill_lines(rigid_view cluster, rigid_decisions& decide) {
    next_.clear();
    visit_fitting(cluster, [&](class_id id, ticks longest) {
      if (const entry* e = without_reservation(lines_[id], lines_[id].first_within(longest), longest))
        next_.push_back({e, id});
    });
    while (!next_.empty()) {
      const auto best = std::min_element(
          next_.begin(), next_.end(), [](const candidate& a, const candidate& b) { return a.next->at < b.next->at; });
      const ordered_jobs& line = lines_[best->type];
      const place at = best->next->at;
      if (cluster.fits(best->type) && best->next->duration <= plan().longest_from_now(best->type))
        start_now(*best->next->of, cluster, decide);
      const ticks longest = cluster.fits(best->type) ? plan().longest_from_now(best->type) : 0;
      best->next = without_reservation(line, line.behind(at, longest), longest);
      if (best->next) continue;
      *best = next_.back();
      next_.pop_back();
    }
  }

  // Starts the jobs that fit in an order that changes with time.
  void backfill_sorted(rigid_view cluster, rigid_decisions& decide) {
    sorted_.clear();
    visit_fitting(cluster, [&](class_id id, ticks longest) {
      for (const entry* e = lines_[id].first_within(longest); e; e = lines_[id].behind(e->at, longest))
        if (!e->of->has_reservation()) sorted_.push_back(e->of);
    });
    std::sort(sorted_.begin(), sorted_.end(), in(backfill_order_, cluster));
    for (planned_job* j : sorted_)
      if (cluster.fits(*j->of)) start_now(*j, cluster, decide);
  }

  template <class Visit>
  void visit_fitting(rigid_view cluster, const Visit& visit) {
    const class_set& waiting = cluster.waiting_classes();
    for (class_id id = cluster.first_that_may_fit(); id != class_set::none; id = waiting.next(id))
      if (const ticks longest = cluster.fits(id) ? plan().longest_from_now(id) : 0; longest > 0) visit(id, longest);
  }

  static const entry* without_reservation(const ordered_jobs& line, const entry* e, ticks longest) {
    while (e && e->of->has_reservation()) e = line.behind(e->at, longest);
    return e;
  }

  void start_now(planned_job& j, rigid_view cluster, rigid_decisions& decide) {
    if (plan().reserve_now(j)) start(j, cluster, decide);
  }
  /// @}

  void joins(planned_job& j) override {
    all_.insert({place_of(j, order()), j.duration, &j});
    lines_[j.of->type].insert({place_of(j, backfill_order_), j.duration, &j});
  }
  void leaves(planned_job& j) override {
    all_.erase(place_of(j, order()));
    lines_[j.of->type].erase(place_of(j, backfill_order_));
  }
  static place place_of(const planned_job& j, backfill_order by) {
    return {place_in(is_lasting(by) ? by : backfill_order::arrival, j), j.id()};
  }

  struct candidate {
    const entry* next;
    class_id type;
  };

  backfill_order backfill_order_;
  std::size_t most_;                     // reservations
  ordered_jobs all_;                     // in `order`, where that lasts, else by arrival
  table<class_id, ordered_jobs> lines_;  // of each class in `backfill_order`, likewise
  std::vector<planned_job*> reserved_;
  std::vector<candidate> next_;
  std::vector<planned_job*> sorted_;
};

extern const policy_entry easy_backfill_entry = [] {
  policy_entry entry;
  entry.name = "easy_backfill";
  entry.about =
      "EASY: in order, with reservations for the first jobs that do not fit; others start where they delay none of "
      "these (Lifka 1995; Mu'alem and Feitelson 2001)";
  entry.parameters = {
      backfilling::order_parameter(),
      {"backfill_order", choice_parameter{backfill_orders()}, "of the jobs that may start before others"},
      {"reservations", integer_parameter{{1}, {1'000'000}, {1}}, "how many jobs that do not fit get one"},
      backfilling::pass_parameter()};
  backfilling::complete<easy_backfill>(entry);
  return entry;
}();

}  // namespace muster
