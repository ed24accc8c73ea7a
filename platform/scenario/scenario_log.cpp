#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/scenario/log_file.h"
#include "platform/scenario/log_jobs.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"

// Logs of rigid jobs: what their jobs are in a scenario, and the classes that they become.

namespace muster {

namespace fs = std::filesystem;

namespace {

constexpr double week_in_seconds = 7.0 * 86400.0;

log_columns read_columns(table_reader& arrivals) {
  log_columns columns;
  if (!arrivals.find("columns")) return columns;
  table_reader table = arrivals.table("columns");
  for (const key_node& node : scenario_schema().find("arrivals")->find("columns")->children)
    if (table.find(node.name)) columns.emplace_back(node.name, table.text(node.name));
  table.close();
  return columns;
}

const log_format_entry* read_format(table_reader& arrivals) {
  if (!arrivals.find("format")) return nullptr;
  const std::string name = arrivals.word("format");
  for (const log_format_entry* entry : log_format_catalogue())
    if (entry->name == name) return entry;
  return nullptr;
}

// Reports why nothing of a file can be read, if that is so.
void report_refusal(table_reader& table, const log_file& file) {
  if (!file.refusal.empty() && file.refused_line > 0)
    table.complain_in(file.path, file.refused_line, 1, "file", file.refusal);
  else if (!file.refusal.empty())
    table.complain("file", in_quotes(table.text("file")) + " " + file.refusal);
}

// The log that the keys name, read once for all points. Null if nothing can be read, which is reported.
std::shared_ptr<const log_file> read_file_of_log(table_reader& arrivals, const std::vector<std::string>& resources,
                                                 study_files& files) {
  const std::size_t before = arrivals.problems();
  const std::string path = path_of_file(arrivals, files);
  const log_format_entry* format = read_format(arrivals);
  const log_columns columns = read_columns(arrivals);
  if (arrivals.problems() != before) return nullptr;
  std::string key = fmt::format("{}\n{}", format ? format->name : "", path);
  for (const auto& [what, column] : columns) key += fmt::format("\n{}\n{}", what, column);
  for (const std::string& name : resources) key += fmt::format("\n{}", name);
  std::shared_ptr<const log_file>& file = files.logs[key];
  if (!file) file = read_log_file(path, format, columns, resources);
  if (!resources.empty() && file->refusal.empty() && !file->tells_resources)
    arrivals.complain("resources", fmt::format("has no effect with format '{}', which tells of cores and memory alone",
                                               file->format->name));
  if (!columns.empty() && file->format && !file->format->takes_columns)
    arrivals.complain("columns", fmt::format("has no effect with format '{}', whose columns have their own names; "
                                             "expected format 'csv'",
                                             file->format->name));
  report_refusal(arrivals, *file);
  if (arrivals.problems() != before) return nullptr;
  arrivals.stands_for("file", path);
  return file;
}

// The resource that memory is counted as: an amount of the servers.
std::optional<std::size_t> read_memory(table_reader& arrivals, const cluster_resources& declared) {
  if (!arrivals.find("memory")) return std::nullopt;
  const std::string name = arrivals.text("memory");
  std::vector<std::string> known;
  for (std::size_t r = 1; r < declared.types.size(); ++r) {
    const resource_type& type = declared.types[r];
    if (type.is_devices() || type.of_cluster) continue;
    if (type.name == name) return r;
    known.push_back(type.name);
  }
  arrivals.complain("memory",
                    fmt::format("expected an amount of the servers that platform.resources declares, found {}{}",
                                in_quotes(name), known.empty() ? "" : arrivals.hint(name, known)));
  return std::nullopt;
}

// The seed of the study, of which read_run() reports what is wrong with it.
std::uint64_t seed_of(const table_reader& document) {
  const toml_value* const run = document.find("run");
  const auto* const given = run ? as_if<std::int64_t>(run->find("seed")) : nullptr;
  return given ? static_cast<std::uint64_t>(*given) : run_spec{}.seed;
}

// What the log calls the resources that are counted beside cores and memory. read_counted() reports what is wrong with
// it, when the servers and their resources are known.
std::vector<std::string> names_in_log(const table_reader& arrivals) {
  std::vector<std::string> names;
  for (const toml_entry& entry : contents_of<toml_table>(arrivals.find("resources"))) {
    const auto* name = entry.value.as<std::string>();
    names.push_back(name ? *name : "");
  }
  return names;
}

// The resources that are counted beside cores and memory.
std::vector<std::size_t> read_counted(table_reader& arrivals, const cluster_resources& declared) {
  std::vector<std::size_t> counted;
  const toml_value* given = arrivals.find("resources");
  if (!given) return counted;
  table_reader table = arrivals.table("resources");
  const std::string* memory = arrivals.find_text("memory");
  for (const toml_entry& entry : contents_of<toml_table>(given)) {
    const auto place = find_resource(table, entry.key, declared);
    if (!place) continue;
    table.describe({entry.key, text_key{"gres/gpu"}, left_out{}, ""});
    table.text(entry.key);
    counted.push_back(*place);
    if (*place == 0)
      table.complain(entry.key, "expected no cores here: arrivals.processors says which number is taken");
    else if (memory && *memory == entry.key)
      table.complain(entry.key, "is what arrivals.memory counts; expected one of them");
  }
  return counted;
}

log_keys read_keys(table_reader& arrivals, scenario& model) {
  log_keys keys;
  const double seconds = model.unit.seconds;
  keys.allocated = arrivals.choice<int>("processors") == 1;
  keys.memory = read_memory(arrivals, model.resources);
  keys.from = arrivals.optional_number("from").value_or(0.0) * seconds;
  if (const auto to = arrivals.optional_number("to")) keys.to = *to * seconds;
  if (!(keys.from < keys.to)) arrivals.complain("to", "expected a time after arrivals.from");
  keys.scale = arrivals.number("scale");
  keys.share = arrivals.optional_number("share").value_or(1.0);
  keys.replays_dependencies = arrivals.find("dependencies") && arrivals.word("dependencies") == "replay";
  std::string wrong;
  keys.class_by = log_class_rule::of_text(arrivals.text("class_by"), wrong);
  if (!wrong.empty()) arrivals.complain("class_by", wrong);
  log_spec& spec = model.arrivals.log;
  spec.replicate = arrivals.choice<log_spec::copies>("replicate");
  spec.shift = arrivals.optional_number("shift").value_or(0.0);
  spec.week = week_in_seconds / seconds * keys.scale;
  const bool shake = spec.replicate == log_spec::copies::shake;
  if (shake && !(spec.shift > 0.0))
    arrivals.complain("shift", "expected a time > 0 with replicate 'shake': the largest shift of an arrival");
  if (!shake && arrivals.find("shift")) arrivals.complain("shift", "has no effect without replicate 'shake'");
  return keys;
}

// Gives the classes the policy's parameters of a class, all by default.
void give_policy_parameters(table_reader& document, point_draft& point, reading& report_to) {
  const std::size_t before = report_to.defaults.size();
  for (class_spec& c : point.model.classes) {
    table_reader nothing = document.table("classes");
    read_class_policy(nothing, c, point);
  }
  // Defaults of classes that the document does not have are not written to the resolved scenario.
  report_to.defaults.erase(report_to.defaults.begin() + static_cast<std::ptrdiff_t>(before), report_to.defaults.end());
}

}  // namespace

void open_log(table_reader& document, point_draft& point) {
  table_reader arrivals = document.table("arrivals");
  point.log_read = read_file_of_log(arrivals, names_in_log(arrivals), point.files);
}

void open_queue(table_reader& document, point_draft& point) {
  if (!document.find("initial")) {
    if (point.initial_jobs_alone())
      document.table("arrivals")
          .complain("process", "none, but no job waits or runs at time 0 either; expected initial.file");
    return;
  }
  const std::size_t before = document.problems();
  table_reader initial = document.table("initial");
  const std::string path = path_of_file(initial, point.files);
  initial.close();
  if (!point.process) return;
  if (!point.rigid()) document.complain("initial", "expected no initial jobs here, because they are rigid");
  if (document.problems() != before || (point.log() && !point.log_read)) return;
  table_reader arrivals = document.table("arrivals");
  const std::vector<std::string> resources = point.log() ? names_in_log(arrivals) : std::vector<std::string>{};
  std::string key = "initial\n" + path;
  for (const std::string& name : resources) key += "\n" + name;
  key += fmt::format("\n{}", fmt::ptr(point.log_read.get()));  // which has the names before its own
  std::shared_ptr<const log_file>& file = point.files.logs[key];
  if (!file) file = read_queue_file(path, point.log_read.get(), resources);
  report_refusal(initial, *file);
  if (!file->refusal.empty()) return;
  const bool counts_more = point.log() && (arrivals.find("memory") || !resources.empty());
  if (counts_more && !file->format->takes_columns)
    initial.complain("file",
                     fmt::format("is of the format {}, which tells of cores alone, but arrivals has {}; expected "
                                 "a table (CSV)",
                                 file->format->name, resources.empty() ? "memory" : "resources"));
  initial.stands_for("file", path);
  if (document.problems() == before) point.queue_read = file;
}

void read_log(table_reader& document, point_draft& point, reading& report_to) {
  scenario& model = point.model;
  const std::size_t before = document.problems();
  if (document.find("classes"))
    document.complain("classes", "expected no classes here: those of a log are made by arrivals.class_by");
  if (point.graph_given)
    document.table("platform")
        .complain("graph", "expected no graph here, because any job of a log may use all servers");
  table_reader arrivals = document.table("arrivals");
  log_keys keys = read_keys(arrivals, model);
  keys.seed = seed_of(document);
  keys.resources = read_counted(arrivals, model.resources);
  keys.queue = point.queue_read.get();
  if (!point.log_read || !point.servers_known || document.problems() != before) return;
  if (const auto wrong = take_jobs_of_log(*point.log_read, keys, arrivals.clock().longest, model))
    return arrivals.complain(wrong->first, wrong->second);
  give_policy_parameters(document, point, report_to);
}

}  // namespace muster
