#include "platform/store/stored_findings.h"

#include <algorithm>

namespace muster {

namespace {

constexpr const char* schema_of_findings = R"(
CREATE TABLE stability (point INTEGER PRIMARY KEY, answer TEXT, load REAL, overhead TEXT, rate REAL, work_rate REAL,
                        limit_rate REAL, limit_kind TEXT, policy_limit TEXT);
CREATE TABLE verdict (number INTEGER, metric TEXT, class TEXT, unit TEXT, key TEXT, "with" TEXT, value TEXT,
                      point INTEGER, policy TEXT, place TEXT, share REAL, share_low REAL, share_high REAL,
                      equal_within INTEGER, bound_note TEXT, breaks_bound INTEGER);
CREATE TABLE sentences (about TEXT, sentence TEXT);
)";

policy_rank rank_of(const SQLite::Database& db, const std::string& word) {
  const auto found = std::find(rank_words.begin(), rank_words.end(), word);
  if (found == rank_words.end()) refuse_table(db, "verdict", "places of policies");
  return static_cast<policy_rank>(found - rank_words.begin());
}

// A contest's place in the tables of a verdict, which is made if it is not there.
contest& contest_of(const query& row, verdict& v) {
  if (row[0].as<std::size_t>() >= v.metrics.size()) v.metrics.push_back({{row[1], row[2]}, row[3], {}});
  const auto place = [](std::vector<std::string>& all, const std::string& text) {
    const auto found = std::find(all.begin(), all.end(), text);
    if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
    all.push_back(text);
    return all.size() - 1;
  };
  std::vector<std::vector<contest>>& contests = v.metrics.back().by_others;
  const std::size_t others = place(v.others, row[5].text()), value = place(v.values, row[6].text());
  if (others >= contests.size()) contests.resize(others + 1);
  if (value >= contests[others].size()) contests[others].resize(value + 1);
  return contests[others][value];
}

}  // namespace

void create_tables_of_findings(SQLite::Database& db) { db.exec(schema_of_findings); }

void write_stability(SQLite::Database& db, const study_stability& all) {
  db.exec("DELETE FROM stability");
  row_writer row(db, "stability");
  for (std::size_t p = 0; p < all.points.size(); ++p) {
    const point_stability& of = all.points[p];
    row.add(p, of.answer, of.load, of.overhead, of.rate, of.work_rate, of.limit_rate, of.limit_kind, of.limit);
  }
  write_sentences(db, "stability", all.conditions);
}

void write_verdict(SQLite::Database& db, const verdict& v) {
  db.exec("DELETE FROM verdict");
  row_writer row(db, "verdict");
  const std::optional<double> none;
  for (std::size_t n = 0; n < v.metrics.size(); ++n)
    for (std::size_t o = 0; o < v.others.size(); ++o)
      for (std::size_t i = 0; i < v.values.size(); ++i) {
        const metric_verdict& m = v.metrics[n];
        const auto add = [&](const auto&... of_entrant) {
          row.add(n, m.of.metric, m.of.class_name, m.unit, v.key, v.others[o], v.values[i], of_entrant...);
        };
        const contest& c = m.by_others[o][i];
        for (const entrant& one : c.ranked)
          add(one.point, one.policy, rank_words[static_cast<std::size_t>(one.rank)], one.share, one.share_low,
              one.share_high, one.equal_within, one.bound_note, one.breaks_bound);
        if (c.ranked.empty()) add(none, none, none, none, none, none, none, none, none);
      }
  write_sentences(db, "verdict", v.sentences);
}

void write_sentences(SQLite::Database& db, const std::string& about, const std::vector<std::string>& sentences) {
  query(db, "DELETE FROM sentences WHERE about = ?", about).exec();
  row_writer row(db, "sentences");
  for (const std::string& sentence : sentences) row.add(about, sentence);
}

study_stability read_stability(SQLite::Database& db, const study& s) {
  study_stability all{{}, read_sentences(db, "stability")};
  query rows(db, "SELECT * FROM stability ORDER BY point");
  while (rows.next()) {
    if (rows[0].as<std::size_t>() != all.points.size()) refuse_table(db, "stability", "a row for each point");
    for (const int number : {2, 4, 5, 6})
      if (rows[number].is_text()) refuse_table(db, "stability", "numbers");
    all.points.push_back({rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7], rows[8]});
  }
  if (!all.points.empty() && all.points.size() != s.points.size())
    refuse_table(db, "stability", "a row for each point");
  return all;
}

verdict read_verdict(SQLite::Database& db, const study& s, const std::vector<std::vector<estimate>>& measured) {
  verdict v;
  v.where = s.points.front().model.report.where;
  v.sentences = read_sentences(db, "verdict");
  query rows(db, "SELECT * FROM verdict ORDER BY rowid");
  while (rows.next()) {
    v.key = rows[4].text();
    contest& c = contest_of(rows, v);
    if (rows[7].is_null()) continue;
    const std::size_t point = rows[7];
    if (point >= measured.size()) refuse_table(db, "verdict", "points of scenario.toml");
    const estimate* found = find_estimate(measured[point], v.metrics.back().of);
    if (found)
      c.ranked.push_back({point, rows[8], *found, rank_of(db, rows[9]), rows[10].number_if_any(),
                          rows[11].number_if_any(), rows[12].number_if_any(), rows[13], rows[14], rows[15]});
  }
  for (metric_verdict& m : v.metrics) {
    m.by_others.resize(v.others.size());
    for (std::vector<contest>& contests : m.by_others) contests.resize(v.values.size());
  }
  return v;
}

std::vector<std::string> read_sentences(SQLite::Database& db, const std::string& about) {
  std::vector<std::string> all;
  query rows(db, "SELECT sentence FROM sentences WHERE about = ? ORDER BY rowid", about);
  while (rows.next()) all.push_back(rows[0].text());
  return all;
}

}  // namespace muster
