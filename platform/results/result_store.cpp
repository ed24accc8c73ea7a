#include "platform/results/result_store.h"

namespace muster {

namespace {

constexpr const char* schema = R"(
PRAGMA journal_mode = DELETE;
CREATE TABLE points (point INTEGER, key TEXT, value TEXT, PRIMARY KEY (point, key));
CREATE TABLE replications (point INTEGER, replication INTEGER, jobs INTEGER, events INTEGER, simulated_time REAL,
                           seconds REAL, PRIMARY KEY (point, replication));
CREATE TABLE measurements (point INTEGER, replication INTEGER, row INTEGER, class TEXT, metric TEXT, value REAL,
                           jobs INTEGER, PRIMARY KEY (point, replication, row));
CREATE TABLE notes (point INTEGER, replication INTEGER, note TEXT);
CREATE TABLE jobs_in_system (point INTEGER, time REAL, class TEXT, jobs INTEGER);
CREATE TABLE estimates (point INTEGER, class TEXT, metric TEXT, estimate REAL, ci_low REAL, ci_high REAL,
                        replications INTEGER, jobs INTEGER);
)";

std::int64_t whole(std::uint64_t n) { return static_cast<std::int64_t>(n); }

}  // namespace

result_store::result_store(const std::string& path, const study& s) : db_(path) {
  db_.execute(schema);
  transaction all(db_);
  auto insert = db_.prepare("INSERT INTO points VALUES (?, ?, ?)");
  for (std::size_t p = 0; p < s.points.size(); ++p)
    for (std::size_t k = 0; k < s.keys.size(); ++k)
      insert.bind(whole(p)).bind(s.keys[k]).bind(s.points[p].values[k]).run();
  all.commit();
}

void result_store::add(std::size_t point, std::uint32_t replication, const replication_result& result) {
  transaction whole_replication(db_);
  const std::int64_t p = whole(point);
  db_.prepare("INSERT INTO replications VALUES (?, ?, ?, ?, ?, ?)")
      .bind(p)
      .bind(std::int64_t{replication})
      .bind(whole(result.jobs))
      .bind(whole(result.events))
      .bind(result.simulated_time)
      .bind(result.seconds)
      .run();
  auto row = db_.prepare("INSERT INTO measurements VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t at = 0; at < result.measurements.size(); ++at) {
    const measurement& m = result.measurements[at];
    row.bind(p).bind(std::int64_t{replication}).bind(whole(at)).bind(m.class_name).bind(m.metric);
    row.bind(m.has_value ? std::optional<double>{m.value} : std::nullopt).bind(whole(m.jobs)).run();
  }
  auto note = db_.prepare("INSERT INTO notes VALUES (?, ?, ?)");
  for (const std::string& text : result.notes) note.bind(p).bind(std::int64_t{replication}).bind(text).run();
  auto sample = db_.prepare("INSERT INTO jobs_in_system VALUES (?, ?, ?, ?)");
  for (const presence_sample& s : result.presence)
    sample.bind(p).bind(s.time).bind(s.class_name).bind(whole(s.jobs)).run();
  whole_replication.commit();
}

std::vector<replication_result> result_store::replications(std::size_t point) {
  std::vector<replication_result> all;
  std::int64_t current = -1;
  auto rows = db_.prepare(
      "SELECT replication, class, metric, value, jobs FROM measurements WHERE point = ? ORDER BY replication, row");
  rows.bind(whole(point));
  while (rows.step()) {
    if (rows.integer(0) != current) all.emplace_back();
    current = rows.integer(0);
    all.back().measurements.push_back(
        {rows.text(1), rows.text(2), !rows.is_null(3), rows.number(3), static_cast<std::uint64_t>(rows.integer(4))});
  }
  return all;
}

void result_store::set_estimates(std::size_t point, const std::vector<estimate>& estimates) {
  transaction all(db_);
  auto row = db_.prepare("INSERT INTO estimates VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (const estimate& e : estimates)
    row.bind(whole(point))
        .bind(e.class_name)
        .bind(e.metric)
        .bind(e.mean)
        .bind(e.ci_low)
        .bind(e.ci_high)
        .bind(std::int64_t{e.replications})
        .bind(whole(e.jobs))
        .run();
  all.commit();
}

}  // namespace muster
