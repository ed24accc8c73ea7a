#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/model/class_table.h"
#include "platform/scenario/listed_classes.h"
#include "platform/scenario/log_class_rule.h"
#include "platform/scenario/log_file.h"
#include "platform/scenario/need_finder.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"

// Logs of rigid jobs: what their jobs are in a scenario, and the classes that they become.

namespace muster {

namespace fs = std::filesystem;

namespace {

constexpr double week_in_seconds = 7.0 * 86400.0;
constexpr std::size_t most_classes_of_log = 5'000;

/// What the keys of `arrivals` say of a log.
struct log_keys {
  bool allocated = false;                                           ///< whether processors are those that the job had
  std::optional<std::size_t> memory;                                ///< resource that memory is
  double from = 0.0, to = std::numeric_limits<double>::infinity();  ///< seconds since the first arrival
  double scale = 1.0;
  std::optional<log_class_rule> class_by;
};

// The path of the log. One of the file is relative to the scenario; one of --set to the working folder, if a file is
// there.
std::string path_of_log(table_reader& table, const study_files& files) {
  const std::string given = table.text("file");
  if (given.empty()) return given;
  const fs::path beside = fs::path{files.folder()} / given;
  const position* where = table.where("file");
  std::error_code ignored;
  const bool here = where && where->source > 0 && fs::exists(given, ignored);
  return fs::absolute(here ? fs::path{given} : beside).lexically_normal().string();
}

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

// The log that the keys name, read once for all points. Null if nothing can be read, which is reported.
std::shared_ptr<const log_file> read_file_of_log(table_reader& arrivals, study_files& files) {
  const std::size_t before = arrivals.problems();
  const std::string path = path_of_log(arrivals, files);
  const log_format_entry* format = read_format(arrivals);
  const log_columns columns = read_columns(arrivals);
  if (arrivals.problems() != before) return nullptr;
  std::string key = fmt::format("{}\n{}", format ? format->name : "", path);
  for (const auto& [what, column] : columns) key += fmt::format("\n{}\n{}", what, column);
  std::shared_ptr<const log_file>& file = files.logs[key];
  if (!file) file = read_log_file(path, format, columns);
  if (!columns.empty() && file->format && !file->format->takes_columns)
    arrivals.complain("columns", fmt::format("has no effect with format '{}', whose columns have their own names; "
                                             "expected format 'csv'",
                                             file->format->name));
  if (!file->refusal.empty() && file->refused_line > 0)
    arrivals.complain_in(path, file->refused_line, 1, "file", file->refusal);
  else if (!file->refusal.empty())
    arrivals.complain("file", in_quotes(path) + " " + file->refusal);
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

log_keys read_keys(table_reader& arrivals, reading& report_to, scenario& model) {
  log_keys keys;
  const double seconds = model.unit.seconds;
  keys.allocated = arrivals.choice<int>("processors") == 1;
  keys.memory = read_memory(arrivals, model.resources);
  keys.from = arrivals.optional_number("from").value_or(0.0) * seconds;
  if (const auto to = arrivals.optional_number("to")) keys.to = *to * seconds;
  if (!(keys.from < keys.to)) arrivals.complain("to", "expected a time after arrivals.from");
  keys.scale = arrivals.number("scale");
  std::string wrong;
  keys.class_by = log_class_rule::of_text(arrivals.text("class_by"), report_to.units, wrong);
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

/// Makes jobs and classes of a scenario from those of a log.
class jobs_of_log {
 public:
  jobs_of_log(const log_file& log, const log_keys& keys, scenario& model) : log_(log), keys_(keys), model_(model) {
    unit_ = model.unit.seconds;
    step_ = model.unit.to_units(1);
    for (const server_spec& s : model.servers) any_class_.servers.push_back(s.name);
  }

  /// @return what is wrong with the jobs for this scenario; empty: nothing
  std::string make(double longest) {
    for (const log_file::job& logged : log_.jobs) add(logged, longest);
    if (jobs_.empty()) return fmt::format("no job is left: {}", reasons());
    if (classes_.size() > most_classes_of_log)
      return fmt::format("makes {} classes; expected at most {}", classes_.size(), most_classes_of_log);
    give_classes();
    give_jobs();
    model_.arrivals.users = log_.users;
    return "";
  }

  /// What the log is, and what was left out of it.
  std::string note() const {
    std::string text =
        fmt::format("log {} ({}): {} jobs", fs::path{log_.path}.filename().string(), log_.format->name, jobs_.size());
    if (!log_.users.empty()) text += fmt::format(" of {} users", users_.size());
    text += fmt::format(" in {:.1f} days; ", jobs_.back().arrival * unit_ / keys_.scale / 86400.0);
    const char* own = keys_.allocated ? "allocated" : "requested";
    const char* other = keys_.allocated ? "requested" : "allocated";
    if (other_number_ == jobs_.size())
      text += fmt::format("their need is the {} processors", other);
    else if (other_number_ > 0)
      text += fmt::format("their need is the {} processors, of {} jobs the {} ones", own, other_number_, other);
    else
      text += fmt::format("their need is the {} processors", own);
    const std::uint64_t cores = total_cores(model_);
    if (log_.header.cores && *log_.header.cores != static_cast<double>(cores))
      text += fmt::format("; MaxProcs of the log is {}, and the platform has {} cores", *log_.header.cores, cores);
    if (log_.out_of_order.lines > 0) text += fmt::format("; sorted by arrival: {}", log_.out_of_order.in_words());
    if (!log_.flaw.empty()) text += "; " + log_.flaw;
    if (const std::string left_out = reasons(); !left_out.empty()) text += "; left out: " + left_out;
    return text;
  }

 private:
  struct found_class {
    std::uint64_t number;
    std::vector<job_need> needs{};
    std::unique_ptr<need_finder> finder{};
    std::uint32_t place = 0;  // in the scenario
  };

  std::string reasons() const {
    std::vector<std::string> all;
    for (const auto* more : {&log_.left_out, &left_out_})
      for (const log_file::reason& r : *more) all.push_back(r.in_words());
    return fmt::format("{}", fmt::join(all, ", "));
  }

  void leave_out(const log_file::job& job, std::string_view why) { count_left_out(left_out_, why, job.line); }

  void add(const log_file::job& logged, double longest) {
    const double since = logged.submit - log_.jobs.front().submit;
    if (since < keys_.from || since >= keys_.to) return leave_out(logged, "that arrive outside from and to");
    const std::uint32_t own = keys_.allocated ? logged.allocated_cores : logged.requested_cores;
    const std::uint32_t cores = own > 0 ? own : keys_.allocated ? logged.requested_cores : logged.allocated_cores;
    if (cores == 0) return leave_out(logged, "without a number of processors");
    timed_job job;
    job.arrival = (since - keys_.from) / unit_ * keys_.scale;
    job.size = std::max(logged.run / unit_, step_);
    job.requested = logged.requested / unit_;
    if (std::max({job.arrival, job.size, job.requested}) >= longest)
      return leave_out(logged, "with times beyond the range of the clock");
    const job_need need = need_of(cores, logged.memory);
    if (!fits(need)) return leave_out(logged, "that need more than the servers have");
    const auto number = keys_.class_by->number_of(logged, cores);
    if (!number) return leave_out(logged, "outside the ranges of class_by");
    if (own == 0) ++other_number_;
    if (logged.user != log_file::no_name) {
      job.user = logged.user;
      users_.insert(logged.user);
    }
    job.type = place_of(*number);
    job.need = number_of(need, job.type);
    jobs_.push_back(job);
  }

  // A task of a core for each processor, anywhere, with its memory where that is counted.
  job_need need_of(std::uint32_t cores, double memory) const {
    if (!keys_.memory) return {cores, std::nullopt};
    task_need need;
    need.tasks = cores;
    need.per_task.resize(model_.resources.types.size());
    need.per_task.front() = 1;
    need.per_task[*keys_.memory] = static_cast<std::uint64_t>(std::min(std::ceil(memory), whole_amount.highest));
    return {cores, std::move(need)};
  }

  bool fits(const job_need& need) {
    if (need.cores > static_cast<std::uint64_t>(most_cores)) return false;
    const auto [number, is_new] = all_needs_.find(need);
    if (is_new)
      fits_.push_back(need.tasks ? flaws_of(*need.tasks, any_class_, model_).empty()
                                 : need.cores <= total_cores(model_));
    return number == 0 ? false : fits_[number - 1];
  }

  // The place of a class among those found so far.
  std::uint32_t place_of(std::uint64_t number) {
    const auto [found, is_new] = places_.emplace(number, static_cast<std::uint32_t>(classes_.size()));
    if (is_new) classes_.push_back({number});
    return found->second;
  }

  std::uint32_t number_of(const job_need& need, std::uint32_t place) {
    found_class& c = classes_[place];
    if (!c.finder) c.finder = std::make_unique<need_finder>(need);
    return c.finder->find(need).first;
  }

  // Gives the scenario its classes, in the order of their numbers.
  void give_classes() {
    std::set<std::string> names;
    for (const auto& [number, at] : places_) {
      found_class& found = classes_[at];
      found.place = static_cast<std::uint32_t>(model_.classes.size());
      class_spec c = any_class_;
      const std::string name = keys_.class_by->name_of(number, log_);
      c.name = name;
      for (unsigned n = 2; !names.insert(c.name).second; ++n) c.name = fmt::format("{}.{}", name, n);
      for (const job_need& need : found.finder->needs()) c.listed.push_back({need, 0, 0.0});
      std::tie(c.need, c.tasks) = std::tie(c.listed.front().need.cores, c.listed.front().need.tasks);
      model_.classes.push_back(std::move(c));
    }
    for (timed_job& job : jobs_) job.type = classes_[job.type].place;
    count_listed_jobs(model_, jobs_);
  }

  // Points with the same jobs share them.
  void give_jobs() {
    const auto same = [](const timed_job& a, const timed_job& b) {
      return std::tie(a.arrival, a.size, a.type, a.need, a.requested, a.user) ==
             std::tie(b.arrival, b.size, b.type, b.need, b.requested, b.user);
    };
    if (!log_.shared || !std::equal(jobs_.begin(), jobs_.end(), log_.shared->begin(), log_.shared->end(), same))
      log_.shared = std::make_shared<const std::vector<timed_job>>(jobs_);
    model_.arrivals.jobs = log_.shared;
  }

  const log_file& log_;
  const log_keys& keys_;
  scenario& model_;
  double unit_ = 1.0, step_ = 0.0;  // seconds in a unit of time; units in a step of the clock
  class_spec any_class_;            // without jobs yet
  need_finder all_needs_{job_need{0, std::nullopt}};
  std::vector<bool> fits_;                         // of each of them but the first
  std::map<std::uint64_t, std::uint32_t> places_;  // in `classes_`, by the number of the class
  std::vector<found_class> classes_;               // in the order in which they come
  std::vector<timed_job> jobs_;
  std::set<std::uint32_t> users_;
  std::size_t other_number_ = 0;  // jobs whose need is the other number of processors
  std::vector<log_file::reason> left_out_;
};

// Gives the classes the policy's parameters of a class, all by default.
void give_policy_parameters(table_reader& document, point_draft& point, reading& report_to) {
  const std::size_t before = report_to.defaults.size();
  for (class_spec& c : point.model.classes) {
    table_reader nothing = document.table("classes");
    read_class_policy(nothing, c, point);
  }
  // They are of no table of the document.
  report_to.defaults.erase(report_to.defaults.begin() + static_cast<std::ptrdiff_t>(before), report_to.defaults.end());
}

}  // namespace

void read_log(table_reader& document, point_draft& point, reading& report_to) {
  scenario& model = point.model;
  const std::size_t before = document.problems();
  if (document.find("classes"))
    document.complain("classes", "expected no classes here: those of a log are made by arrivals.class_by");
  if (point.graph_given)
    document.table("platform")
        .complain("graph", "expected no graph here, because any job of a log may use all servers");
  table_reader arrivals = document.table("arrivals");
  const auto file = read_file_of_log(arrivals, point.files);
  const log_keys keys = read_keys(arrivals, report_to, model);
  if (!file || !point.servers_known || document.problems() != before) return;
  jobs_of_log jobs(*file, keys, model);
  if (const std::string wrong = jobs.make(arrivals.clock().longest); !wrong.empty()) {
    arrivals.complain(wrong.rfind("makes", 0) == 0 ? "class_by" : "file", wrong);
    return;
  }
  model.arrivals.notes.push_back(jobs.note());
  give_policy_parameters(document, point, report_to);
}

}  // namespace muster
