#include "platform/report/page_data.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "platform/inference/paired_differences.h"
#include "platform/inference/verdict_sentences.h"
#include "platform/metrics/bound_text.h"
#include "platform/metrics/caution.h"
#include "platform/model/study_families.h"
#include "platform/report/figures.h"
#include "platform/store/results_csv.h"
#include "platform/tables/number_text.h"
#include "platform/tables/writers.h"

namespace muster {

namespace {

using json = nlohmann::ordered_json;

// A page with many more would be slow to open.
constexpr std::size_t most_samples = 300'000;

/// The limits of stability over a key, each with a point of every series that has it.
json marks_over(const study& s, const abscissa& over, const study_stability& stability) {
  json marks = json::array();
  for (const stability_mark& m : stability_marks(s, over, stability.points)) {
    json points = json::array();
    for (const std::size_t series : m.series)
      points.push_back(std::find(over.series.begin(), over.series.end(), series) - over.series.begin());
    marks.push_back({{"at", m.at}, {"kind", m.kind}, {"points", std::move(points)}});
  }
  return marks;
}

json keys(const study& s, const study_stability& stability) {
  json all = json::array();
  for (std::size_t k = 0; k < s.keys.size(); ++k) {
    const abscissa over = abscissa_over(s, k);
    all.push_back({{"name", s.keys[k]},
                   {"short", short_key(s, k)},
                   {"unit", unit_of_key(s, s.keys[k])},
                   {"is_policy", is_policy_key(s.keys[k])},
                   {"numeric", over.numeric},
                   {"values", over.values},
                   {"places", over.places},
                   {"marks", marks_over(s, over, stability)}});
  }
  return all;
}

json policies_by_point(const study& s) {
  json policies = json::array();
  for (std::size_t p = 0; p < s.points.size(); ++p) policies.push_back(policy_of(s, p));
  return policies;
}

/// The reasons for caution, each with the points of which an estimate is marked with it.
json reasons(const study_estimates& estimates) {
  json all = json::array();
  for (const caution_entry& entry : caution_catalogue()) {
    json points = json::array();
    for (std::size_t p = 0; p < estimates.measured.size(); ++p)
      if (std::any_of(estimates.measured[p].begin(), estimates.measured[p].end(),
                      [&](const estimate& e) { return e.marks.has(entry.reason); }))
        points.push_back(p);
    all.push_back({{"word", entry.word}, {"about", entry.about}, {"points", std::move(points)}});
  }
  return all;
}

/// The stability of the points; null where nothing is known, as the run was ended before it looked for limits.
json stabilities(const study_stability& found) {
  if (found.points.empty()) return nullptr;
  json rows = json::array();
  for (const point_stability& p : found.points)
    rows.push_back(to_page({rows.size(), p.load, p.overhead, p.work_rate, with_plus_minus_sign(p.limit), p.answer}));
  return {{"rows", std::move(rows)}, {"conditions", found.conditions}};
}

/// The jobs in the system by point and class; null where nothing is recorded.
json presence(const std::vector<std::vector<presence_sample>>& by_point) {
  std::size_t all = 0;
  for (const auto& of_point : by_point) all += of_point.size();
  if (all == 0) return nullptr;
  const std::size_t each = (all + most_samples - 1) / most_samples;
  json samples = json::object();
  for (std::size_t p = 0; p < by_point.size(); ++p) {
    std::map<std::string, std::size_t> seen;
    for (const presence_sample& sample : by_point[p]) {
      if (seen[sample.class_name]++ % each != 0) continue;
      json& of_class = samples[fmt::format("{}", p)][sample.class_name];
      of_class["time"].push_back(sample.time);
      of_class["jobs"].push_back(static_cast<double>(sample.jobs));
    }
  }
  return {{"samples", std::move(samples)}, {"thinned", each}};
}

/// The notes, which may be one for each point, as a column that is read when they are unfolded.
json notes_of_page(const std::vector<std::string>& notes, page_columns& columns) {
  if (notes.empty()) return {{"count", 0}};
  return {{"count", notes.size()}, {"column", columns.add(notes)}};
}

/// The differences between policies; null where there are none. Numbers have more digits than a page shows, and fewer
/// than differences.csv.
json differences(const study& s, const std::vector<paired_difference>& pairs) {
  std::vector<difference_row> rows;
  for (const paired_difference& pair : pairs)
    for (const estimate& apart : pair.differences) rows.push_back({pair, apart});
  return to_page(differences_layout(s).table(rows), 6);
}

/// The verdict; null where no policies are compared.
json verdicts(const verdict& v) {
  if (v.metrics.empty()) return nullptr;
  json all = json::array();
  for (const metric_verdict& m : v.metrics) {
    json rows = json::array();
    for (std::size_t o = 0; o < v.others.size(); ++o)
      for (std::size_t i = 0; i < v.values.size(); ++i) {
        const contest& c = m.by_others[o][i];
        json policies = json::array();
        for (const entrant& one : c.ranked)
          policies.push_back({{"policy", one.policy},
                              {"place", rank_words[static_cast<std::size_t>(one.rank)]},
                              {"mean", *one.measured.mean},
                              {"value", with_plus_minus_sign(with_interval(*one.measured.mean, one.measured.ci_low,
                                                                           one.measured.ci_high))},
                              {"lead", one.rank == policy_rank::best ? "" : lead_text(one)},
                              {"note", one.measured.marks.words()},
                              {"why", with_plus_minus_sign(one.bound_note)}});
        rows.push_back({{"others", v.others[o]},
                        {"value", v.values[i]},
                        {"sentence", with_plus_minus_sign(sentence_of(c, m.unit))},
                        {"policies", std::move(policies)}});
      }
    all.push_back({{"title", m.of.title()}, {"unit", m.unit}, {"rows", std::move(rows)}});
  }
  json bounds = json::array();
  for (const metric_bound& bound : v.where) bounds.push_back(to_text(bound));
  return {{"key", v.key}, {"metrics", std::move(all)}, {"sentences", v.sentences}, {"where", std::move(bounds)}};
}

}  // namespace

json page_data(const study& s, const stored_results& stored, page_columns& columns, plain_texts& texts) {
  const abscissa usual = usual_abscissa(s);
  json points = json::array();
  for (const study::point& p : s.points) points.push_back(p.values);
  json manifest = json::parse(stored.manifest);
  manifest.erase("notes");  // the store has them
  json data{{"unit", s.points.front().model.unit.name},
            {"keys", keys(s, stored.estimates.stability)},
            {"default_key", usual.key ? json(*usual.key) : json()},
            {"points", std::move(points)},
            {"policies", policies_by_point(s)},
            {"columns", csv_names(estimate_layout().columns())},
            {"is_rounded", is_page_rounded(stored.estimates)},
            {"metrics", metrics_of_page(s, stored.estimates, columns)},
            {"cautions", reasons(stored.estimates)},
            {"stability", stabilities(stored.estimates.stability)},
            {"warnings", stored.estimates.warnings},
            {"notes", notes_of_page(stored.estimates.notes, columns)},
            {"manifest", std::move(manifest)}};
  if (json best = verdicts(stored.estimates.best); !best.is_null()) data["verdict"] = std::move(best);
  if (json samples = presence(stored.presence); !samples.is_null()) data["presence"] = std::move(samples);
  if (json pictures = point_details(s, stored.estimates, stored.pictures, texts); !pictures.is_null())
    data["pictures"] = std::move(pictures);
  if (json pairs = differences(s, stored.estimates.differences); !pairs.is_null())
    data["differences"] = std::move(pairs);
  return data;
}

}  // namespace muster
