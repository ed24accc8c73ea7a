#include "platform/store/stored_run.h"

#include <fmt/format.h>

#include "platform/scenario/sweep.h"
#include "platform/store/result_store.h"
#include "platform/toml/dotted_key.h"
#include "platform/toml/text_file.h"

namespace muster {

namespace fs = std::filesystem;

namespace {

// A value of a file that a run has stored: it is there, unless somebody has changed the file.
template <class T>
T stored(const toml_value& document, const std::vector<std::string>& path, const std::string& file) {
  const toml_value* found = find(document, path);
  const T* value = found ? found->as<T>() : nullptr;
  if (!value) throw results_error(fmt::format("{}: has no {}; it is not as a run has stored it", file, join_key(path)));
  return *value;
}

database open_results(const fs::path& directory) {
  if (!fs::is_directory(directory)) throw results_error(fmt::format("{}: no such directory", directory.string()));
  for (const char* name : {"scenario.toml", "results.sqlite"})
    if (!fs::is_regular_file(directory / name))
      throw results_error(fmt::format("{}: holds no results of a run: no {}", directory.string(), name));
  const std::string file = (directory / "results.sqlite").string();
  return with_database_errors_as<results_error>(file, [&] {
    database db = open_database(file);
    if (const std::string wrong = fault_of(db); !wrong.empty())
      throw results_error(fmt::format("{}: is corrupt: {}", file, wrong));
    return db;
  });
}

}  // namespace

stored_run::stored_run(const fs::path& directory) : db_(open_results(directory)) {
  const std::string file = (directory / "scenario.toml").string();
  findings errors{{file}};
  constexpr std::size_t largest = std::size_t{64} << 20;  // every default written out, it is longer than its source
  auto document = parse_toml(read_text_file<results_error>(file, "TOML file", largest), 0, errors);
  errors.throw_if_any();
  scenario_ = stored<std::string>(*document, {"name"}, file);
  resolved_ = {*document, directory};
  const sweep_plan plan{std::move(*document), {}, errors};
  errors.throw_if_any();
  for (const sweep_axis& axis : plan.axes()) keys_.push_back(axis.key);
  for (std::size_t p = 0; p < plan.point_count(); ++p) {
    point next;
    const std::vector<std::string> values = plan.values(p);
    for (std::size_t k = 0; k < keys_.size(); ++k) next.values[keys_[k]] = values[k];
    const toml_value of_point = plan.point(p, errors);
    next.seed = stored<std::int64_t>(of_point, {"run", "seed"}, file);
    time_unit_ = stored<std::string>(of_point, {"time_unit"}, file);
    points_.push_back(std::move(next));
  }
}

code_fingerprint stored_run::code() {
  return with_database_errors_as<results_error>(db_.getFilename(), [&] { return code_in(db_); });
}

std::vector<replication_result> stored_run::replications(std::size_t at) {
  return with_database_errors_as<results_error>(db_.getFilename(), [&] {
    std::vector<replication_result> all;
    table_of_measurements().read(
        db_, "WHERE point = ? ORDER BY replication, row",
        [&](const row_places& of, measurement&& m) {
          if (of[1] >= all.size()) all.resize(of[1] + 1);
          m.half_width.reset();  // a comparison is of several replications
          m.parts.clear();
          all[of[1]].measurements.push_back(std::move(m));
        },
        at);
    return all;
  });
}

}  // namespace muster
