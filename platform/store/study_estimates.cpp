#include "platform/store/study_estimates.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/store/stored_table.h"
#include "platform/tables/place_in.h"

namespace muster {

namespace {

stored_layout<estimate>& with_values(stored_layout<estimate>& layout, const char* value) {
  return layout.has(value, &estimate::mean, "ci_low", &estimate::ci_low, "ci_high", &estimate::ci_high, "replications",
                    &estimate::replications, "jobs", &estimate::jobs, "note",
                    text_member{&estimate::marks, &cautions::words, &cautions::of_words});
}

stored_table<estimate> table_of(const char* name, const char* value, const std::vector<std::string>& points) {
  stored_layout<estimate> layout(name, "class", &estimate::class_name, "metric", &estimate::metric);
  return stored_table<estimate>(with_values(layout, value), points, false);
}

const char* word_of(policy_rank rank) { return rank_words[static_cast<std::size_t>(rank)]; }

policy_rank rank_of(const std::string& word) {
  const auto found = std::find(rank_words.begin(), rank_words.end(), word);
  if (found == rank_words.end()) throw std::runtime_error("expected places of policies");
  return static_cast<policy_rank>(found - rank_words.begin());
}

// An entrant of a contest. Its policy is empty in the only row of a contest without any.
struct verdict_row : metric_of_class, entrant {
  std::string unit, key, others, value;
};

stored_layout<verdict_row> verdict_layout() {
  using row = verdict_row;
  stored_layout<row> layout("verdict", "metric", &row::metric, "class", &row::class_name, "unit", &row::unit, "key",
                            &row::key, "with", &row::others, "value", &row::value);
  layout.has_values(
      "point", column_kind::whole, [](const row& r) { return r.policy.empty() ? cell() : cell(r.point); },
      [](row& r, const cell& point) { take_value(r.point, point); });
  return layout.has("policy", &row::policy, "place", text_member{&row::rank, word_of, rank_of}, "share", &row::share,
                    "share_low", &row::share_low, "share_high", &row::share_high, "equal_within", &row::equal_within,
                    "bound_note", &row::bound_note, "breaks_bound", &row::breaks_bound);
}

struct estimate_tables {
  using row = point_stability;
  using about = std::pair<std::string, std::string>;

  const stored_table<estimate> measured = table_of("estimates", "estimate", {"point"}),
                               known = table_of("theory", "estimate", {"point"}),
                               differences = table_of("differences", "difference", {"point_a", "point_b"});
  const stored_table<row> stability{{"stability", "answer", &row::answer, "load", &row::load, "overhead",
                                     &row::overhead, "rate", &row::rate, "work_rate", &row::work_rate, "limit_rate",
                                     &row::limit_rate, "limit_kind", &row::limit_kind, "policy_limit", &row::limit},
                                    {"point"}};
  const stored_table<verdict_row> verdict{verdict_layout(), {"number"}, false};
  const stored_table<about> sentences{{"sentences", "about", &about::first, "sentence", &about::second}};
};

const estimate_tables tables_of_estimates;

// A contest's place in the tables of a verdict, which is made if it is not there.
contest& contest_of(const verdict_row& row, std::size_t number, verdict& v) {
  if (number >= v.metrics.size()) v.metrics.push_back({row, row.unit, {}});
  std::vector<std::vector<contest>>& contests = v.metrics.back().by_others;
  const std::size_t others = place_in(v.others, row.others), value = place_in(v.values, row.value);
  if (others >= contests.size()) contests.resize(others + 1);
  if (value >= contests[others].size()) contests[others].resize(value + 1);
  return contests[others][value];
}

// Refuses the rows of a condition. @param count points of the study
void refuse_rows(database& db, const std::string& table, const std::string& damaged, std::size_t count) {
  query row(db, fmt::format("SELECT rowid FROM {} WHERE {} LIMIT 1", table, damaged));
  if (row.next())
    throw output_error(
        fmt::format("{}: table {}, row {}: expected a point of scenario.toml, 0 to {}, names of letters, "
                    "digits, '_', '-' and '.', and numbers or nulls",
                    db.getFilename(), table, row[0].getString(), count - 1));
}

// Refuses rows with points that are none, or with texts for numbers.
void check(database& db, const std::string& table, const char* value, const std::vector<std::string>& points,
           std::size_t count) {
  std::string damaged = fmt::format("'text' IN (typeof({}), typeof(ci_low), typeof(ci_high))", value);
  for (const std::string& point : points)
    damaged += fmt::format(" OR typeof({0}) <> 'integer' OR {0} NOT BETWEEN 0 AND {1}", point, count - 1);
  refuse_rows(db, table, damaged, count);
}

// Whether a row has names that can be names of files.
bool has_names(const estimate& row) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
  };
  return !row.class_name.empty() && !row.metric.empty() &&
         std::all_of(row.class_name.begin(), row.class_name.end(), is_plain) &&
         std::all_of(row.metric.begin(), row.metric.end(), is_plain);
}

// Refuses rows without has_names(), which the database would find in ten times the time. @param damaged whether any is
void check_names(database& db, const std::string& table, bool damaged, std::size_t count) {
  if (damaged) refuse_rows(db, table, "class = '' OR metric = '' OR class || metric GLOB '*[^A-Za-z0-9_.-]*'", count);
}

void write_by_point(database& db, const stored_table<estimate>& table,
                    const std::vector<std::vector<estimate>>& by_point) {
  table.clear(db);
  table.write_each(db, "INSERT", [&](const auto& add) {
    for (std::size_t p = 0; p < by_point.size(); ++p)
      for (const estimate& e : by_point[p]) add({p}, e);
  });
}

std::vector<std::vector<estimate>> read_by_point(database& db, const stored_table<estimate>& table, const study& s) {
  check(db, table.name(), "estimate", {"point"}, s.points.size());
  std::vector<std::vector<estimate>> all(s.points.size());
  bool damaged = false;
  table.read(db, "ORDER BY rowid", [&](const row_places& at, estimate&& e) {
    damaged = damaged || !has_names(e);
    all[at[0]].push_back(std::move(e));
  });
  check_names(db, table.name(), damaged, s.points.size());
  return all;
}

void write_sentences(database& db, const std::string& about, const std::vector<std::string>& sentences) {
  query(db, "DELETE FROM sentences WHERE about = ?", about).exec();
  for (const std::string& sentence : sentences) tables_of_estimates.sentences.write(db, {about, sentence});
}

void write_verdict(database& db, const verdict& v) {
  tables_of_estimates.verdict.clear(db);
  for (std::size_t n = 0; n < v.metrics.size(); ++n)
    for (std::size_t o = 0; o < v.others.size(); ++o)
      for (std::size_t i = 0; i < v.values.size(); ++i) {
        const metric_verdict& m = v.metrics[n];
        std::vector<entrant> all = m.by_others[o][i].ranked;
        if (all.empty()) all.emplace_back();
        for (entrant& one : all)
          tables_of_estimates.verdict.write(db, {m.of, std::move(one), m.unit, v.key, v.others[o], v.values[i]}, {n});
      }
  write_sentences(db, "verdict", v.sentences);
}

std::vector<std::string> read_sentences(database& db, const std::string& about) {
  std::vector<std::string> all;
  for (estimate_tables::about& found : tables_of_estimates.sentences.rows(db, "WHERE about = ? ORDER BY rowid", about))
    all.push_back(std::move(found.second));
  return all;
}

study_stability read_stability(database& db, const study& s) {
  study_stability all{{}, read_sentences(db, "stability")};
  const auto add = [&](const row_places& at, point_stability&& found) {
    if (at[0] != all.points.size()) refuse_table(db, "stability", "a row for each point");
    all.points.push_back(std::move(found));
  };
  tables_of_estimates.stability.read(db, "ORDER BY point", add);
  if (!all.points.empty() && all.points.size() != s.points.size())
    refuse_table(db, "stability", "a row for each point");
  return all;
}

verdict read_verdict(database& db, const study& s, const std::vector<std::vector<estimate>>& measured) {
  verdict v;
  v.where = s.points.front().model.report.where;
  v.sentences = read_sentences(db, "verdict");
  tables_of_estimates.verdict.read(db, "ORDER BY rowid", [&](const row_places& at, verdict_row&& row) {
    v.key = row.key;
    contest& c = contest_of(row, at[0], v);
    if (row.policy.empty()) return;
    if (row.point >= measured.size()) refuse_table(db, "verdict", "points of scenario.toml");
    const estimate* of_policy = find_estimate(measured[row.point], row);
    if (!of_policy) return;
    row.measured = *of_policy;
    c.ranked.push_back(std::move(row));
  });
  for (metric_verdict& m : v.metrics) {
    m.by_others.resize(v.others.size());
    for (std::vector<contest>& contests : m.by_others) contests.resize(v.values.size());
  }
  return v;
}

}  // namespace

void create_tables_of_estimates(database& db) {
  const auto& [measured, known, differences, stability, verdict, sentences] = tables_of_estimates;
  for (const table_of_cells* table :
       std::initializer_list<const table_of_cells*>{&measured, &known, &differences, &stability, &verdict, &sentences})
    table->create(db);
}

void write_stability(database& db, const study_stability& all) {
  tables_of_estimates.stability.clear(db);
  tables_of_estimates.stability.write_numbered(db, all.points);
  write_sentences(db, "stability", all.conditions);
}

void write_estimates(database& db, const study_estimates& all) {
  const estimate_tables& to = tables_of_estimates;
  write_by_point(db, to.measured, all.measured);
  write_by_point(db, to.known, all.known);
  to.differences.clear(db);
  for (const paired_difference& pair : all.differences)
    to.differences.write_all(db, pair.differences, {pair.a, pair.b});
  write_quantiles(db, all.responses);
  write_stability(db, all.stability);
  write_verdict(db, all.best);
  write_sentences(db, "warning", all.warnings);
  write_sentences(db, "note", all.notes);
}

study_estimates read_estimates(database& db, const study& s) {
  const estimate_tables& from = tables_of_estimates;
  study_estimates all{
      read_by_point(db, from.measured, s), read_by_point(db, from.known, s), {}, read_quantiles(db, s.points.size())};
  check(db, from.differences.name(), "difference", {"point_a", "point_b"}, s.points.size());
  bool damaged = false;
  from.differences.read(db, "ORDER BY rowid", [&](const row_places& at, estimate&& apart) {
    damaged = damaged || !has_names(apart);
    if (all.differences.empty() || all.differences.back().a != at[0] || all.differences.back().b != at[1])
      all.differences.push_back({at[0], at[1], {}});
    all.differences.back().differences.push_back(std::move(apart));
  });
  check_names(db, from.differences.name(), damaged, s.points.size());
  all.stability = read_stability(db, s);
  all.best = read_verdict(db, s, all.measured);
  all.warnings = read_sentences(db, "warning");
  all.notes = read_sentences(db, "note");
  return all;
}

}  // namespace muster
