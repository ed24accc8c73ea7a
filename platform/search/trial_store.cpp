#include "platform/search/trial_store.h"

#include <fmt/format.h>

#include "platform/store/result_store.h"
#include "platform/store/stored_table.h"

namespace muster {

namespace {

struct trial_row {
  std::string candidate;
  std::uint32_t replication = 0;
  std::string found;
};

struct question_row {
  std::string text;
};

struct trial_tables {
  const stored_table<question_row> question{{"question", "text", &question_row::text}};
  const stored_table<trial_row> trials{{"trials", column("candidate").as_key(), &trial_row::candidate,
                                        column("replication").as_key(), &trial_row::replication, "found",
                                        &trial_row::found}};
};

const trial_tables tables_of_trials;

}  // namespace

trial_store::trial_store(const std::string& file, const std::string& question, const code_fingerprint& code)
    : db_(with_database_errors_as<output_error>(
          file, [&] { return open_database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE); })) {
  const std::string wrong = fault_of(db_);
  if (!wrong.empty())
    throw output_error(fmt::format("{}: is corrupt or not a database of trials: {}; {}", file, wrong, remedy));
  try {
    open(question, code);
  } catch (const SQLite::Exception& e) {
    throw output_error(fmt::format("{}: {}; {}", file, e.what(), remedy));
  }
}

void trial_store::open(const std::string& question, const code_fingerprint& code) {
  transaction whole(db_);
  const auto& [asked, trials] = tables_of_trials;
  asked.create(db_);
  trials.create(db_);
  const bool unknown_code = !code.empty() && code_in(db_).empty();
  if (unknown_code || !asked.row(db_, "WHERE text = ?", question)) {
    asked.clear(db_);
    trials.clear(db_);
    asked.write(db_, {question});
    write_code(db_, code);
  }
  if (const std::string differs = code_difference(code_in(db_), code); !differs.empty())
    throw output_error(fmt::format("{}: its replications are by other code: {}; {}", file(), differs, remedy));
  taken_over_ = static_cast<std::size_t>(db_.execAndGet("SELECT count(*) FROM trials").getInt64());
  whole.commit();
}

std::optional<std::string> trial_store::find(const std::string& candidate, std::uint32_t replication) {
  return with_database_errors_as<std::runtime_error>(file(), [&] {
    const auto row =
        tables_of_trials.trials.row(db_, "WHERE candidate = ? AND replication = ?", candidate, replication);
    return row ? std::optional(row->found) : std::nullopt;
  });
}

void trial_store::add(const std::string& candidate, std::uint32_t replication, const std::string& found) {
  with_database_errors_as<std::runtime_error>(file(), [&] {
    tables_of_trials.trials.write_all(db_, std::vector<trial_row>{{candidate, replication, found}}, {}, "REPLACE");
  });
}

}  // namespace muster
