#include "platform/store/stored_findings.h"

#include <algorithm>

#include "platform/store/stored_table.h"

namespace muster {

namespace {

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

struct finding_tables {
  using row = point_stability;
  using about = std::pair<std::string, std::string>;

  const stored_table<row> stability{{"stability", "answer", &row::answer, "load", &row::load, "overhead",
                                     &row::overhead, "rate", &row::rate, "work_rate", &row::work_rate, "limit_rate",
                                     &row::limit_rate, "limit_kind", &row::limit_kind, "policy_limit", &row::limit},
                                    {"point"}};
  const stored_table<verdict_row> verdict{verdict_layout(), {"number"}, false};
  const stored_table<about> sentences{{"sentences", "about", &about::first, "sentence", &about::second}};
};

const finding_tables tables_of_findings;

// A contest's place in the tables of a verdict, which is made if it is not there.
contest& contest_of(const verdict_row& row, std::size_t number, verdict& v) {
  if (number >= v.metrics.size()) v.metrics.push_back({row, row.unit, {}});
  const auto place = [](std::vector<std::string>& all, const std::string& text) {
    const auto found = std::find(all.begin(), all.end(), text);
    if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
    all.push_back(text);
    return all.size() - 1;
  };
  std::vector<std::vector<contest>>& contests = v.metrics.back().by_others;
  const std::size_t others = place(v.others, row.others), value = place(v.values, row.value);
  if (others >= contests.size()) contests.resize(others + 1);
  if (value >= contests[others].size()) contests[others].resize(value + 1);
  return contests[others][value];
}

}  // namespace

void create_tables_of_findings(SQLite::Database& db) {
  tables_of_findings.stability.create(db);
  tables_of_findings.verdict.create(db);
  tables_of_findings.sentences.create(db);
}

void write_stability(SQLite::Database& db, const study_stability& all) {
  tables_of_findings.stability.clear(db);
  tables_of_findings.stability.write_numbered(db, all.points);
  write_sentences(db, "stability", all.conditions);
}

void write_verdict(SQLite::Database& db, const verdict& v) {
  tables_of_findings.verdict.clear(db);
  for (std::size_t n = 0; n < v.metrics.size(); ++n)
    for (std::size_t o = 0; o < v.others.size(); ++o)
      for (std::size_t i = 0; i < v.values.size(); ++i) {
        const metric_verdict& m = v.metrics[n];
        std::vector<entrant> all = m.by_others[o][i].ranked;
        if (all.empty()) all.emplace_back();
        for (entrant& one : all)
          tables_of_findings.verdict.write(db, {m.of, std::move(one), m.unit, v.key, v.others[o], v.values[i]}, {n});
      }
  write_sentences(db, "verdict", v.sentences);
}

void write_sentences(SQLite::Database& db, const std::string& about, const std::vector<std::string>& sentences) {
  query(db, "DELETE FROM sentences WHERE about = ?", about).exec();
  for (const std::string& sentence : sentences) tables_of_findings.sentences.write(db, {about, sentence});
}

study_stability read_stability(SQLite::Database& db, const study& s) {
  study_stability all{{}, read_sentences(db, "stability")};
  const auto add = [&](const row_places& at, point_stability&& found) {
    if (at[0] != all.points.size()) refuse_table(db, "stability", "a row for each point");
    all.points.push_back(std::move(found));
  };
  tables_of_findings.stability.read(db, "ORDER BY point", add);
  if (!all.points.empty() && all.points.size() != s.points.size())
    refuse_table(db, "stability", "a row for each point");
  return all;
}

verdict read_verdict(SQLite::Database& db, const study& s, const std::vector<std::vector<estimate>>& measured) {
  verdict v;
  v.where = s.points.front().model.report.where;
  v.sentences = read_sentences(db, "verdict");
  tables_of_findings.verdict.read(db, "ORDER BY rowid", [&](const row_places& at, verdict_row&& row) {
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

std::vector<std::string> read_sentences(SQLite::Database& db, const std::string& about) {
  std::vector<std::string> all;
  for (finding_tables::about& found : tables_of_findings.sentences.rows(db, "WHERE about = ? ORDER BY rowid", about))
    all.push_back(std::move(found.second));
  return all;
}

}  // namespace muster
