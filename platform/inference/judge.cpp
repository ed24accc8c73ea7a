#include "platform/inference/judge.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "platform/inference/significance.h"
#include "platform/inference/verdict_sentences.h"
#include "platform/metrics/metric.h"
#include "platform/model/job_kind.h"
#include "platform/model/study_families.h"
#include "platform/tables/number_text.h"

namespace muster {

namespace {

/// Judges one contest at a time.
class referee {
 public:
  referee(const study& s, const study_estimates& all) : study_(s), all_(all) {
    for (const paired_difference& pair : all.differences) pairs_[{pair.a, pair.b}] = &pair.differences;
  }

  contest judge(const std::vector<std::size_t>& points, const metric_of_class& of) const {
    contest c;
    for (const std::size_t p : points)
      if (const estimate* e = find_estimate(all_.measured[p], of)) {
        c.ranked.push_back({p, policy_of(study_, p), *e});
        hold_against_bounds(c.ranked.back());
      }
    const bool larger = find_metric(of.metric)->better == metric_preference::larger;
    const auto first = [&](const entrant& a, const entrant& b) {
      return larger ? *a.measured.mean > *b.measured.mean : *a.measured.mean < *b.measured.mean;
    };
    std::stable_sort(c.ranked.begin(), c.ranked.end(), first);
    const auto best = std::find_if(c.ranked.begin(), c.ranked.end(), is_sound);
    if (best == c.ranked.end()) {
      sort_by_rank(c);
      return c;
    }
    best->rank = policy_rank::best;
    const entrant winner = *best;
    const std::optional<precision_spec>& wanted = study_.points[winner.point].model.run.precision;
    std::vector<pair_finding> against(c.ranked.size(), pair_finding::open);  // findings against the winner
    for (const auto& [pair, finding] : compare(c.ranked, of)) {
      const entrant &a = c.ranked[pair.first], &b = c.ranked[pair.second];
      if (a.point == winner.point) against[pair.second] = finding;
      if (b.point == winner.point) against[pair.first] = finding;
      const bool open = wanted && wanted->equal_within && finding == pair_finding::open;
      if (open && is_sound(a) && is_sound(b)) c.open.emplace_back(a.policy, b.policy);
    }
    for (std::size_t i = 0; i < c.ranked.size(); ++i) {
      entrant& other = c.ranked[i];
      if (other.point == winner.point) continue;
      set_share(other, winner, of);
      const bool apart = against[i] == pair_finding::apart;
      other.equal_within = against[i] == pair_finding::equal;
      // A biased mean is too low: where smaller means are better, the true one is worse still. An estimate without
      // limit is worse than the best. A policy that is worse is so whether it keeps a bound or not.
      if (other.breaks_bound) continue;
      if (is_sound(other))
        other.rank = apart ? policy_rank::worse : policy_rank::equal;
      else if (other.measured.marks.without_limit() ||
               (apart && (!larger || !is_marked(other.measured)) && first(winner, other)))
        other.rank = policy_rank::worse;
    }
    sort_by_rank(c);
    return c;
  }

 private:
  using two_places = std::pair<std::size_t, std::size_t>;  // places among the entrants

  static void sort_by_rank(contest& c) {
    std::stable_sort(c.ranked.begin(), c.ranked.end(),
                     [](const entrant& a, const entrant& b) { return a.rank < b.rank; });
  }

  static bool is_marked(const estimate& e) {
    return e.marks.has(caution::biased) || e.marks.has(caution::growing) || e.marks.without_limit();
  }

  // Notes the first bound that is not kept, or else the first that may not be. A biased mean is too low.
  void hold_against_bounds(entrant& c) const {
    for (const metric_bound& bound : study_.points[c.point].model.report.where) {
      const estimate* e = find_estimate(all_.measured[c.point], bound.of);
      const double sign = bound.at_most ? 1.0 : -1.0;
      const auto beyond = [&](const std::optional<double>& end) {
        return sign * (end.value_or(*e->mean) - bound.bound) > 0.0;
      };
      const bool breaks = e && beyond(bound.at_most ? e->ci_low : e->ci_high) && (bound.at_most || !is_marked(*e));
      const bool keeps = e && !is_marked(*e) && !beyond(bound.at_most ? e->ci_high : e->ci_low);
      if (keeps || (!breaks && !c.bound_note.empty())) continue;
      const std::string value = e ? with_interval(*e->mean, e->ci_low, e->ci_high) : "not measured";
      c.bound_note = fmt::format("{} {} {} {} {}", bound.of.text(), value, breaks ? "is not" : "may not be",
                                 bound.sign(), with_digits(bound.bound, 6));
      if (!breaks) continue;
      c.breaks_bound = true;
      c.rank = policy_rank::excluded;
      return;
    }
  }

  static bool is_sound(const entrant& c) { return c.bound_note.empty() && !is_marked(c.measured); }

  // The difference a minus b; none where they were not compared.
  std::optional<estimate> difference(std::size_t a, std::size_t b, const metric_of_class& of) const {
    const auto found = pairs_.find({std::min(a, b), std::max(a, b)});
    const estimate* stored = found == pairs_.end() ? nullptr : find_estimate(*found->second, of);
    if (!stored) return std::nullopt;
    estimate e = *stored;
    if (a < b) return e;
    e.mean = -*e.mean;
    std::swap(e.ci_low, e.ci_high);
    for (auto* end : {&e.ci_low, &e.ci_high})
      if (*end) *end = -**end;
    return e;
  }

  // Compares every two entrants, as the best is known only from the same numbers.
  std::vector<std::pair<two_places, pair_finding>> compare(const std::vector<entrant>& all,
                                                           const metric_of_class& of) const {
    std::vector<std::pair<two_places, pair_finding>> compared;
    std::vector<pair_evidence> evidence;
    const run_spec& run = study_.points[all.front().point].model.run;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = i + 1; j < all.size(); ++j) {
        const auto paired = difference(all[i].point, all[j].point, of);
        compared.push_back({{i, j}, pair_finding::open});
        evidence.push_back(paired && paired->ci_low
                               ? evidence_of(*paired, margin_between(all[i].measured, all[j].measured, run))
                               : evidence_of(all[i].measured, all[j].measured));
      }
    const std::vector<pair_finding> findings = findings_of(evidence, run.looks_at_policies());
    for (std::size_t p = 0; p < compared.size(); ++p) compared[p].second = findings[p];
    return compared;
  }

  void set_share(entrant& other, const entrant& winner, const metric_of_class& of) const {
    const double unit = std::abs(*winner.measured.mean);
    if (unit == 0.0) return;
    const auto above = difference(other.point, winner.point, of);
    other.share = (*other.measured.mean - *winner.measured.mean) / unit;
    if (!above || !above->ci_low) return;
    other.share_low = *above->ci_low / unit;
    other.share_high = *above->ci_high / unit;
  }

  const study& study_;
  const study_estimates& all_;
  std::map<std::pair<std::size_t, std::size_t>, const std::vector<estimate>*> pairs_;
};

// Adds a text to a list of different texts.
void add_new(std::vector<std::string>& all, const std::string& text) {
  if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
}

std::vector<std::string> distinct_values(const study& s, std::size_t key) {
  std::vector<std::string> values;
  for (const study::point& p : s.points) add_new(values, p.values[key]);
  return values;
}

// The key of the rows: the rate of arrivals, else that with the most values. @return the number of keys: none
std::size_t key_of_rows(const study& s) {
  std::size_t chosen = s.keys.size(), most = 1;
  for (std::size_t k = 0; k < s.keys.size(); ++k) {
    if (is_policy_key(s.keys[k])) continue;
    const std::size_t values = distinct_values(s, k).size();
    if (values > 1 && (s.keys[k] == "arrivals.rate" || s.keys[k] == "arrivals.load")) return k;
    if (values > most) chosen = k;
    most = std::max(most, values);
  }
  return chosen;
}

}  // namespace

std::vector<metric_of_class> judged_metrics(const scenario& model) {
  std::vector<metric_of_class> metrics = model.report.metrics;
  if (metrics.empty() && model.run.precision)
    for (const precision_target& target : model.run.precision->targets)
      metrics.push_back({target.metric, target.class_name});
  if (metrics.empty())
    for (const std::string& name : metrics_with_column(&metric_columns::verdict, is_slotted(model)))
      metrics.push_back({name});
  metrics.erase(
      std::remove_if(metrics.begin(), metrics.end(),
                     [](const metric_of_class& m) { return find_metric(m.metric)->better == metric_preference::none; }),
      metrics.end());
  return metrics;
}

verdict judge(const study& s, const study_estimates& all) {
  verdict v;
  if (families_of_policies(s).empty()) return v;
  const std::size_t key = key_of_rows(s);
  const bool has_key = key < s.keys.size();
  v.key = has_key ? s.keys[key] : "";
  v.values = has_key ? distinct_values(s, key) : std::vector<std::string>{""};
  std::vector<std::size_t> other_keys;
  for (std::size_t k = 0; k < s.keys.size(); ++k)
    if (k != key && !is_policy_key(s.keys[k]) && distinct_values(s, k).size() > 1) other_keys.push_back(k);
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> points_of;  // points by others and value
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    std::string others;
    for (const std::size_t k : other_keys)
      others += (others.empty() ? "" : ", ") + s.keys[k] + " = " + s.points[p].values[k];
    add_new(v.others, others);
    points_of[{others, has_key ? s.points[p].values[key] : ""}].push_back(p);
  }
  v.where = s.points.front().model.report.where;
  const referee judging(s, all);
  for (const metric_of_class& of : judged_metrics(s.points.front().model)) {
    metric_verdict m{of, find_metric(of.metric)->unit_name(s.points.front().model.unit.name), {}};
    for (const std::string& others : v.others) {
      std::vector<contest>& row = m.by_others.emplace_back();
      for (const std::string& value : v.values) row.push_back(judging.judge(points_of[{others, value}], of));
    }
    v.metrics.push_back(std::move(m));
  }
  v.sentences = verdict_sentences(v);
  return v;
}

}  // namespace muster
