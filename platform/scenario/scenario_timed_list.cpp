#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "platform/log/slurm_dependency.h"
#include "platform/model/resource_text.h"
#include "platform/scenario/initial_jobs.h"
#include "platform/scenario/list_dependencies.h"
#include "platform/scenario/listed_classes.h"
#include "platform/scenario/need_finder.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/scenario/text_field.h"
#include "platform/scenario/timed_list_columns.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"
#include "platform/toml/number_in.h"
#include "platform/toml/quantity.h"

// Lists of rigid and pooled jobs: what their columns mean in a scenario.

namespace muster {

namespace {

/// The part of a job's line that tells its need.
struct submitted_values {
  /// Whether the job shares its servers with others or holds them whole.
  enum class use : std::uint8_t { as_class, shared, whole };

  std::uint64_t tasks = 0;  ///< 0: as the class has it
  std::vector<std::optional<std::uint64_t>> amount;
  use of_servers = use::as_class;
  std::uint64_t at_most_per_server = 0;  ///< 0: as the class has it
  bool of_amounts = false;               ///< whether tasks or an amount are told

  bool any() const { return of_amounts || of_servers != use::as_class || at_most_per_server > 0; }
};

/// Reads the lines of a list one by one, into the arrivals and the classes of a scenario.
class timed_list {
 public:
  timed_list(point_draft& point, double longest) : point_(point), model_(point.model), longest_(longest) {}

  /// Reads all jobs. @return what is wrong with the list
  const std::vector<named_file::flaw>& read(const job_list_file& list) {
    const auto read_header = [&](const std::vector<text_field>& fields) {
      columns_.read(fields, point_, report_);
      if (report_.flaws.empty()) begin_needs();
    };
    const text_field line = read_comma_separated(list.lines(), report_, read_header,
                                                 [&](const std::vector<text_field>& fields) { read_job(fields); });
    if (jobs_.empty() && report_.flaws.empty())
      report_.complain("expected at least one job after the header", {line.number + 1, 1});
    return report_.flaws;
  }
  /// Prepares what jobs need where their lines do not tell it. Called by read(), or in its place where no list is read.
  void begin_needs();
  /// Puts the jobs that wait or run at time 0 before the others. The list is valid.
  /// @param queue outlives it
  void add_initial_jobs(const log_file& queue);
  /// Puts the jobs into the order in which they arrive, and finds which wait for which. Called when all are there. What
  /// is wrong is added to what read() has returned.
  void find_dependencies();
  /// Gives the scenario its jobs, and its classes what these need. The list is valid.
  void give_to_scenario();
  /// Gives the scenario the initial jobs, to come before endless arrivals, and its classes the needs that only these
  /// have.
  void give_initial_jobs_to_scenario();

 private:
  struct numbered_job {
    std::uint64_t id;
    timed_job job;
    std::uint32_t line = 0;  // of those that tell of jobs, from 0
  };

  /// @name A job
  /// @{
  void read_job(const std::vector<text_field>& fields);
  std::uint32_t type_of(const text_field& field, std::size_t column);
  std::uint32_t user_of(const text_field& field);
  std::optional<std::uint64_t> amount_in(const text_field& field, std::size_t column);
  std::uint32_t need_of(std::uint32_t type, const submitted_values& given, const std::vector<text_field>& fields);
  job_need applied(std::uint32_t type, const submitted_values& given) const;
  void check(const job_need& need, std::uint32_t type, const std::vector<text_field>& fields);
  /// Whether what a need says of tasks matters, beside its cores.
  bool is_of_tasks(const job_need& need, std::uint32_t type) const {
    return need.tasks && (in_tasks_[type] || need.tasks->exclusive || need.tasks->at_most_per_server > 0);
  }
  std::uint64_t usable_cores(const class_spec& c) const;
  /// The cores of each task of a class's jobs; 1 where their needs are not told in tasks.
  std::uint64_t cores_of_task(std::uint32_t type) const {
    return in_tasks_[type] ? per_class_[type].per_task.front() : 1;
  }
  std::optional<job_number> number_of_job(const text_field& field, std::size_t column);
  void read_dependencies(const list_dependencies::values& depends);
  /// @}
  /// The place of the class of a job that waits or runs at time 0: that which it tells, else the only one, else the
  /// only one that needs as many cores. Nothing: there is none.
  std::optional<std::uint32_t> class_of(const initial_job& initial, const log_file& queue) const;
  /// Why a job that waits or runs at time 0 cannot be simulated; empty: it is added.
  std::string_view enter(const initial_job& initial, const log_file& queue);

  void complain(const text_field& f, std::size_t column, const std::string& message) {
    report_.complain(fmt::format("column {}: {}", columns_[column].name, message), f.where());
  }
  void expect(const text_field& f, std::size_t column, const std::string& expected) {
    complain(f, column, fmt::format("expected {}, found {}", expected, f.text.empty() ? "nothing" : in_quotes(f.text)));
  }
  std::uint64_t whole(const text_field& f, std::size_t column, std::uint64_t lowest, std::uint64_t highest,
                      const std::string& expected) {
    const auto x = number_in<std::uint64_t>(f.text);
    if (x && *x >= lowest && *x <= highest) return *x;
    expect(f, column, expected);
    return lowest;
  }
  std::uint64_t number_of_tasks(const text_field& f, std::size_t column) {
    return whole(f, column, 1, most_cores, fmt::format("an integer from 1 to {}, or nothing", most_cores));
  }
  // As the class has it: it is not told, or wrong, which is reported.
  submitted_values::use use_of_servers(const text_field& f, std::size_t column) {
    if (f.text == "true") return submitted_values::use::whole;
    if (f.text == "false") return submitted_values::use::shared;
    if (!f.text.empty()) expect(f, column, "true or false, or nothing");
    return submitted_values::use::as_class;
  }
  double time(const text_field& f, std::size_t column, bool from_zero) {
    const auto x = number_in<double>(f.text);
    if (x && (from_zero ? *x >= 0.0 : *x > 0.0) && *x < longest_) return *x;
    expect(f, column,
           fmt::format("a number {} 0 and < {:.3g}, the range of the clock", from_zero ? ">=" : ">", longest_));
    return 1.0;
  }

  point_draft& point_;
  scenario& model_;
  double longest_;     // end of the clock, in units of time
  named_file report_;  // its flaws alone
  timed_list_columns columns_;
  std::vector<bool> in_tasks_;        // of each class: whether its needs are told in tasks
  std::vector<task_need> per_class_;  // of each class: what its jobs need where their lines do not tell
  std::vector<need_finder> needs_;    // of each class
  std::vector<timed_job> initial_;    // jobs that wait or run at time 0
  std::vector<numbered_job> jobs_;
  list_dependencies dependencies_;
  std::unordered_map<std::uint64_t, std::uint32_t> lines_;     // of the ids so far
  std::unordered_map<std::string_view, std::uint32_t> users_;  // numbers by name, in the order in which they appear
};

void timed_list::begin_needs() {
  const bool in_tasks = columns_.tell_tasks(), counted = in_tasks || columns_.tell_sharing();
  task_need one;
  one.per_task.resize(model_.resources.types.size());
  one.per_task.front() = 1;
  for (class_spec& c : model_.classes) {
    in_tasks_.push_back(in_tasks || c.tasks);
    per_class_.push_back(c.tasks.value_or(one));
    if (!counted || c.tasks) continue;
    task_need& need = c.tasks.emplace(one);
    need.tasks = c.need;
  }
  give_tasks_to_all(model_);
  for (const class_spec& c : model_.classes) needs_.emplace_back(job_need{c.need, c.tasks});
}

void timed_list::read_job(const std::vector<text_field>& fields) {
  if (fields.size() != columns_.size()) {
    report_.complain(fmt::format("expected {} columns, found {}", columns_.size(), fields.size()),
                     fields.front().where());
    return;
  }
  const std::size_t before = report_.flaws.size();
  numbered_job listed{};
  submitted_values given;
  given.amount.resize(model_.resources.types.size());
  list_dependencies::values depends;
  for (std::size_t n = 0; n < fields.size(); ++n) {
    const text_field& f = fields[n];
    switch (columns_[n].kind) {
      case list_column_kind::id:
        listed.id = whole(f, n, 0, std::numeric_limits<std::uint64_t>::max(), "a whole number");
        if (const auto [earlier, is_new] = lines_.emplace(listed.id, f.number);
            !is_new && report_.flaws.size() == before)
          complain(f, n,
                   fmt::format("{} stands in line {} already; expected an id of its own", listed.id, earlier->second));
        break;
      case list_column_kind::arrival:
        listed.job.arrival = time(f, n, true);
        break;
      case list_column_kind::size:
        listed.job.size = time(f, n, false);
        break;
      case list_column_kind::class_name:
        listed.job.type = type_of(f, n);
        break;
      case list_column_kind::tasks:
        if (f.text.empty()) break;
        given.tasks = number_of_tasks(f, n);
        given.of_amounts = true;
        break;
      case list_column_kind::exclusive:
        given.of_servers = use_of_servers(f, n);
        break;
      case list_column_kind::at_most_per_server:
        if (!f.text.empty()) given.at_most_per_server = number_of_tasks(f, n);
        break;
      case list_column_kind::requested:
        if (!f.text.empty()) listed.job.requested = time(f, n, false);
        break;
      case list_column_kind::user:
        listed.job.user = user_of(f);
        break;
      case list_column_kind::job:
        depends.own = number_of_job(f, n);
        break;
      case list_column_kind::after:
        depends.after = f;
        break;
      case list_column_kind::think:
        if (!f.text.empty()) depends.think = time(f, n, true);
        break;
      case list_column_kind::amount:
        given.amount[columns_[n].resource] = amount_in(f, n);
        given.of_amounts = given.of_amounts || !f.text.empty();
        break;
    }
  }
  if (report_.flaws.size() != before) return;
  if (given.any()) listed.job.need = need_of(listed.job.type, given, fields);
  if (columns_.tell_dependencies()) {
    if (!columns_.tell_numbers()) depends.own = job_number{listed.id};
    read_dependencies(depends);
  }
  listed.line = static_cast<std::uint32_t>(jobs_.size());
  jobs_.push_back(listed);
}

// The number by which other jobs name one. Nothing: none does, or it is wrong, which is reported.
std::optional<job_number> timed_list::number_of_job(const text_field& field, std::size_t column) {
  const std::optional<job_number> number = job_number_of(field.text);
  if (!number && !field.text.empty())
    expect(field, column, "a number such as 17, or 17_3 for a task of an array, or nothing");
  return number;
}

// Notes which jobs one waits for.
void timed_list::read_dependencies(const list_dependencies::values& depends) {
  const std::size_t column = columns_.of_dependency();
  if (depends.after.text.empty() && depends.think >= 0.0)
    complain(depends.after, column, "expected the job behind which the think time begins, found nothing");
  if (const std::string wrong = dependencies_.add(depends); !wrong.empty()) complain(depends.after, column, wrong);
}

void timed_list::find_dependencies() {
  std::sort(jobs_.begin(), jobs_.end(), [](const numbered_job& a, const numbered_job& b) {
    return std::tie(a.job.arrival, a.id) < std::tie(b.job.arrival, b.id);
  });
  if (!columns_.tell_dependencies()) return;
  std::vector<std::uint32_t> lines;
  for (const numbered_job& j : jobs_) lines.push_back(j.line);
  model_.arrivals.dependencies =
      dependencies_.find(lines, initial_.size(), [&](const text_field& after, const std::string& wrong) {
        if (report_.flaws.size() < named_file::enough_flaws) complain(after, columns_.of_dependency(), wrong);
      });
}

std::uint32_t timed_list::type_of(const text_field& field, std::size_t column) {
  for (std::size_t c = 0; c < model_.classes.size(); ++c)
    if (model_.classes[c].name == field.text) return static_cast<std::uint32_t>(c);
  complain(field, column,
           fmt::format("unknown class {}{}", in_quotes(field.text), suggestion(field.text, names_of(model_.classes))));
  return 0;
}

// The number of the user that a field names, who may be new; job_facts::no_user where the field is empty.
std::uint32_t timed_list::user_of(const text_field& field) {
  if (field.text.empty()) return job_facts::no_user;
  const auto number = static_cast<std::uint32_t>(users_.size());
  return users_.emplace(field.text, number).first->second;
}

// An amount of a resource, of devices in parts. Nothing: it is not told, or wrong, which is reported.
std::optional<std::uint64_t> timed_list::amount_in(const text_field& field, std::size_t column) {
  if (field.text.empty()) return std::nullopt;
  const std::size_t resource = columns_[column].resource;
  const resource_type& type = model_.resources.types[resource];
  if (resource == 0) return number_of_tasks(field, column);
  std::optional<double> x = number_in<double>(field.text);
  if (const auto with_unit = quantity_in(field.text); !x && with_unit && !measured_by(type.unit).empty())
    x = in_own_unit(*with_unit, units_of_key(measured_by(type.unit), units_without_time()));
  if (!type.is_devices()) {
    if (x && whole_amount.holds(*x) && is_exact_integer(*x)) return static_cast<std::uint64_t>(*x);
    expect(field, column, fmt::format("{}, or nothing", whole_amount.words));
    return std::nullopt;
  }
  if (!x || !(*x >= 0.0 && *x <= static_cast<double>(most_devices))) {
    expect(field, column, fmt::format("a number of devices from 0 to {}, or nothing", most_devices));
    return std::nullopt;
  }
  std::uint64_t parts = 0;
  const std::string why = devices_in_parts(type, *x, parts);
  if (!why.empty()) complain(field, column, why);
  return parts;
}

// What a job needs: as its class has it, but for what its line tells.
job_need timed_list::applied(std::uint32_t type, const submitted_values& given) const {
  if (!model_.counts_tasks()) return {static_cast<unsigned>(*given.amount.front()), std::nullopt};
  task_need need = given.of_amounts ? per_class_[type] : *model_.classes[type].tasks;
  if (given.of_servers != submitted_values::use::as_class)
    need.exclusive = given.of_servers == submitted_values::use::whole;
  if (given.at_most_per_server > 0) need.at_most_per_server = static_cast<unsigned>(given.at_most_per_server);
  if (!in_tasks_[type]) {
    if (given.of_amounts) need.tasks = static_cast<unsigned>(*given.amount.front());
    return {need.tasks, need};
  }
  if (given.tasks > 0) need.tasks = static_cast<unsigned>(given.tasks);
  for (std::size_t r = 0; r < given.amount.size(); ++r) {
    if (!given.amount[r]) continue;
    amounts& amount = model_.resources.types[r].of_cluster ? need.per_job : need.per_task;
    amount.resize(given.amount.size());
    amount[r] = *given.amount[r];
  }
  const std::uint64_t cores = std::min(need.tasks * need.per_task.front(), static_cast<std::uint64_t>(most_cores) + 1);
  return {static_cast<unsigned>(cores), need};
}

std::uint32_t timed_list::need_of(std::uint32_t type, const submitted_values& given,
                                  const std::vector<text_field>& fields) {
  const job_need need = applied(type, given);
  const auto [number, is_new] = needs_[type].find(need);
  if (is_new) check(need, type, fields);
  return number;
}

// Reports a need that no server, or not all of them together, can hold, at the first job that has it.
void timed_list::check(const job_need& need, std::uint32_t type, const std::vector<text_field>& fields) {
  const class_spec& c = model_.classes[type];
  const auto blame = [&](std::optional<std::size_t> resource, const std::string& message) {
    const std::size_t column = columns_.of_need(resource);
    complain(fields[column], column, message);
  };
  if (need.cores > most_cores)
    blame(std::nullopt, fmt::format("expected at most {} cores of all tasks", most_cores));
  else if (is_of_tasks(need, type))
    for (const task_flaw& flaw : flaws_of(*need.tasks, c, model_)) blame(flaw.resource, flaw.message);
  else if (const std::uint64_t usable = usable_cores(c); need.cores > usable)
    blame(0, fmt::format("expected at most {}, the cores of the servers that class {} may use, found {}", usable,
                         in_quotes(c.name), need.cores));
}

std::uint64_t timed_list::usable_cores(const class_spec& c) const {
  std::uint64_t usable = 0;
  for (const server_spec& s : model_.servers)
    if (std::find(c.servers.begin(), c.servers.end(), s.name) != c.servers.end())
      usable += std::uint64_t{s.count} * s.cores;
  return usable;
}

void timed_list::add_initial_jobs(const log_file& queue) {
  initial_jobs initial(queue, model_.unit, longest_);
  std::vector<initial_job> taken;
  for (const initial_job& j : initial.all()) {
    const std::string_view why = enter(j, queue);
    if (why.empty())
      taken.push_back(j);
    else
      initial.leave_out(j, why);
  }
  initial.tell(taken, model_.arrivals);
  for (numbered_job& j : jobs_) j.job.arrival = std::max(j.job.arrival, initial.step());
}

std::optional<std::uint32_t> timed_list::class_of(const initial_job& initial, const log_file& queue) const {
  const bool is_named = initial.job_class != log_file::no_name;
  const auto suits = [&](const class_spec& c) {
    return is_named ? c.name == queue.classes[initial.job_class]
                    : model_.classes.size() == 1 || c.need == initial.logged.cores(false);
  };
  const auto end = model_.classes.end(), found = std::find_if(model_.classes.begin(), end, suits);
  if (found == end || std::find_if(found + 1, end, suits) != end) return std::nullopt;
  return static_cast<std::uint32_t>(found - model_.classes.begin());
}

std::string_view timed_list::enter(const initial_job& initial, const log_file& queue) {
  timed_job job = initial.job;
  const auto type = class_of(initial, queue);
  if (!type) return initial.job_class != log_file::no_name ? "of a class that there is not" : "without a class";
  job.type = *type;
  submitted_values given;
  given.amount.resize(model_.resources.types.size());
  if (const std::uint64_t cores = initial.logged.cores(false), of_task = cores_of_task(job.type);
      cores > 0 && of_task > 0) {
    if (cores % of_task != 0) return "whose cores are those of no number of tasks of their class";
    const std::uint64_t tasks = std::min(cores / of_task, static_cast<std::uint64_t>(most_cores) + 1);
    (in_tasks_[job.type] ? given.tasks : given.amount.front().emplace()) = tasks;
    given.of_amounts = true;
  }
  if (given.any()) {
    const job_need need = applied(job.type, given);
    const class_spec& c = model_.classes[job.type];
    const bool fits =
        need.cores <= most_cores &&
        (is_of_tasks(need, job.type) ? flaws_of(*need.tasks, c, model_).empty() : need.cores <= usable_cores(c));
    if (!fits) return "that need more than the servers of their class have";
    job.need = needs_[job.type].find(need).first;
  }
  if (initial.logged.user != log_file::no_name) {
    const auto number = static_cast<std::uint32_t>(users_.size());
    job.user = users_.emplace(queue.users[initial.logged.user], number).first->second;
  }
  initial_.push_back(job);
  return {};
}

void timed_list::give_to_scenario() {
  for (std::size_t c = 0; c < needs_.size(); ++c)
    for (const job_need& need : needs_[c].needs()) model_.classes[c].listed.push_back({need, 0, 0.0});
  std::vector<timed_job> all = initial_;
  all.reserve(all.size() + jobs_.size());
  for (const numbered_job& j : jobs_) all.push_back(j.job);
  count_listed_jobs(model_, timed_jobs(all));
  std::vector<std::uint32_t> left_out;  // of each class: whether its own need is left out
  for (class_spec& c : model_.classes) {
    // A class whose jobs all bring their needs has none of its own.
    left_out.push_back(c.listed.size() > 1 && c.listed.front().jobs == 0 ? 1 : 0);
    if (left_out.back() > 0) c.listed.erase(c.listed.begin());
    std::tie(c.need, c.tasks) = std::tie(c.listed.front().need.cores, c.listed.front().need.tasks);
  }
  for (timed_job& j : all) j.need -= left_out[j.type];
  model_.arrivals.jobs = std::make_shared<const timed_jobs>(std::move(all));
  model_.arrivals.users.resize(users_.size());
  for (const auto& [name, number] : users_) model_.arrivals.users[number] = name;
}

void timed_list::give_initial_jobs_to_scenario() {
  for (std::size_t c = 0; c < needs_.size(); ++c) {
    class_spec& type = model_.classes[c];
    for (const job_need& need : needs_[c].needs()) type.listed.push_back({need, 0, 0.0});
    if (type.listed.size() == 1) type.listed.clear();
    if (!type.listed.empty()) type.listed.front() = {{type.need, type.tasks}, 1, type.size.mean()};  // in the long run
  }
  for (timed_job& j : initial_) j.user = job_facts::no_user;  // the others have none
  model_.arrivals.initial_jobs = std::make_shared<const timed_jobs>(initial_);
}

}  // namespace

void read_timed_list(table_reader& arrivals, std::string_view key, const job_list_file& list, point_draft& point) {
  if (!point.classes_known) return;
  timed_list jobs(point, arrivals.clock().longest);
  const std::vector<named_file::flaw>& flaws = jobs.read(list);
  if (flaws.empty() && point.queue_read) jobs.add_initial_jobs(*point.queue_read);
  if (flaws.empty()) jobs.find_dependencies();
  for (const named_file::flaw& flaw : flaws)
    arrivals.complain_in(list.path, flaw.where.line, flaw.where.column, key, flaw.message);
  if (flaws.empty()) jobs.give_to_scenario();
  give_tasks_to_all(point.model);  // whatever is wrong with the list
}

void read_initial_jobs_alone(table_reader& arrivals, point_draft& point) {
  if (!point.classes_known || !point.queue_read) return;
  timed_list jobs(point, arrivals.clock().longest);
  jobs.begin_needs();
  jobs.add_initial_jobs(*point.queue_read);
  if (point.model.arrivals.initial > 0)
    jobs.give_to_scenario();
  else
    arrivals.complain("process", "none, but there is no other job: " + point.model.arrivals.notes.back());
}

void read_initial_jobs(table_reader& arrivals, point_draft& point) {
  timed_list jobs(point, arrivals.clock().longest);
  jobs.begin_needs();
  jobs.add_initial_jobs(*point.queue_read);
  if (point.model.arrivals.initial > 0) jobs.give_initial_jobs_to_scenario();
}

}  // namespace muster
