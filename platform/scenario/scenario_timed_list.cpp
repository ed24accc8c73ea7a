#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "platform/scenario/dependency_finder.h"
#include "platform/scenario/initial_jobs.h"
#include "platform/scenario/listed_needs.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/scenario/text_field.h"
#include "platform/scenario/timed_list_columns.h"

// Lists of rigid and pooled jobs: what their columns mean in a scenario.

namespace muster {

namespace {

/// Reads the lines of a list one by one, into the arrivals and the classes of a scenario.
class timed_list {
 public:
  timed_list(point_draft& point, double longest)
      : point_(point), model_(point.model), longest_(longest), fields_(model_, longest, columns_, report_) {}

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
  void begin_needs() { needs_.emplace(model_, columns_); }
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
  using numbers_by_name = std::unordered_map<std::string_view, std::uint32_t>;

  /// @name A job
  /// @{
  void read_job(const std::vector<text_field>& fields);
  static std::uint32_t number_in(numbers_by_name& all, std::string_view name);
  std::uint32_t need_of(std::uint32_t type, const submitted_values& given, const std::vector<text_field>& fields);
  void read_dependencies(const list_dependencies::values& depends);
  /// @}
  /// Why a job that waits or runs at time 0 cannot be simulated; empty: it is added.
  std::string_view enter(const initial_job& initial, const log_file& queue);

  point_draft& point_;
  scenario& model_;
  double longest_;     // end of the clock, in units of time
  named_file report_;  // its flaws alone
  timed_list_columns columns_;
  timed_list_fields fields_;
  std::optional<listed_needs> needs_;  // known when the columns are
  std::vector<timed_job> initial_;     // jobs that wait or run at time 0
  std::vector<numbered_job> jobs_;
  list_dependencies dependencies_;
  std::unordered_map<std::uint64_t, std::uint32_t> lines_;  // of the ids so far
  numbers_by_name users_, qos_;                             // in the order in which they appear
};

void timed_list::read_job(const std::vector<text_field>& fields) {
  if (fields.size() != columns_.size())
    return report_.complain(fmt::format("expected {} columns, found {}", columns_.size(), fields.size()),
                            fields.front().where());
  const std::size_t before = report_.flaws.size();
  numbered_job listed{};
  submitted_values given;
  given.amount.resize(model_.resources.types.size());
  list_dependencies::values depends;
  std::optional<std::size_t> start_at;  // the column that tells it
  double start = 0.0;
  for (std::size_t n = 0; n < fields.size(); ++n) {
    const text_field& f = fields[n];
    switch (columns_[n].kind) {
      case list_column_kind::id:
        listed.id = fields_.id(f, n);
        if (const auto [earlier, is_new] = lines_.emplace(listed.id, f.number);
            !is_new && report_.flaws.size() == before)
          fields_.complain(
              f, n, fmt::format("{} stands in line {} already; expected an id of its own", listed.id, earlier->second));
        break;
      case list_column_kind::arrival: listed.job.arrival = fields_.time(f, n, true); break;
      case list_column_kind::size: listed.job.size = fields_.time(f, n, false); break;
      case list_column_kind::class_name: listed.job.type = fields_.job_class(f, n); break;
      case list_column_kind::tasks:
        if (f.text.empty()) break;
        given.tasks = fields_.number_of_tasks(f, n);
        given.of_amounts = true;
        break;
      case list_column_kind::exclusive: given.of_servers = fields_.use_of_servers(f, n); break;
      case list_column_kind::at_most_per_server:
        if (!f.text.empty()) given.at_most_per_server = fields_.number_of_tasks(f, n);
        break;
      case list_column_kind::requested:
        if (!f.text.empty()) listed.job.requested = fields_.time(f, n, false);
        break;
      case list_column_kind::user:
        listed.job.user = f.text.empty() ? job_facts::no_user : number_in(users_, f.text);
        break;
      case list_column_kind::qos: listed.job.qos = f.text.empty() ? job_facts::no_qos : number_in(qos_, f.text); break;
      case list_column_kind::job: depends.own = fields_.number_of_job(f, n); break;
      case list_column_kind::after: depends.after = f; break;
      case list_column_kind::think:
        if (!f.text.empty()) depends.think = fields_.time(f, n, true);
        break;
      case list_column_kind::start:
        if (f.text.empty()) break;
        start_at = n;
        start = fields_.time(f, n, true);
        break;
      case list_column_kind::amount:
        given.amount[columns_[n].resource] = fields_.amount(f, n);
        given.of_amounts = given.of_amounts || !f.text.empty();
        break;
    }
  }
  if (report_.flaws.size() == before && start_at && start < listed.job.arrival)
    fields_.complain(
        fields[*start_at], *start_at,
        fmt::format("expected a time from the arrival on, {}, found {}", listed.job.arrival, fields[*start_at].text));
  if (report_.flaws.size() != before) return;
  listed.job.line = fields.front().number;
  if (given.any()) listed.job.need = need_of(listed.job.type, given, fields);
  if (columns_.tell_dependencies()) {
    if (!columns_.tell_numbers()) depends.own = job_number{listed.id};
    read_dependencies(depends);
  }
  listed.line = static_cast<std::uint32_t>(jobs_.size());
  jobs_.push_back(listed);
}

// Notes which jobs one waits for.
void timed_list::read_dependencies(const list_dependencies::values& depends) {
  const std::size_t column = columns_.of_dependency();
  if (depends.after.text.empty() && depends.think >= 0.0)
    fields_.complain(depends.after, column, "expected the job behind which the think time begins, found nothing");
  if (const std::string wrong = dependencies_.add(depends); !wrong.empty())
    fields_.complain(depends.after, column, wrong);
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
        if (report_.flaws.size() < named_file::enough_flaws) fields_.complain(after, columns_.of_dependency(), wrong);
      });
}

// The number of a user or a QOS, which may be new.
std::uint32_t timed_list::number_in(numbers_by_name& all, std::string_view name) {
  const auto number = static_cast<std::uint32_t>(all.size());
  return all.emplace(name, number).first->second;
}

// The number of a job's need. One that no server, or not all of them together, can hold is reported at the first job
// that has it.
std::uint32_t timed_list::need_of(std::uint32_t type, const submitted_values& given,
                                  const std::vector<text_field>& fields) {
  const job_need need = needs_->applied(type, given);
  const auto [number, is_new] = needs_->find(type, need);
  if (!is_new) return number;
  for (const auto& [resource, message] : needs_->flaws(need, type)) {
    const std::size_t column = columns_.of_need(resource);
    fields_.complain(fields[column], column, message);
  }
  return number;
}

void timed_list::add_initial_jobs(const log_file& queue) {
  initial_jobs initial(queue, model_.unit, longest_);
  initial.enter_all([&](const initial_job& j) { return enter(j, queue); }, model_.arrivals);
  for (numbered_job& j : jobs_) j.job.arrival = std::max(j.job.arrival, initial.step());
}

std::string_view timed_list::enter(const initial_job& initial, const log_file& queue) {
  timed_job job = initial.job;
  const auto type = class_of(initial, queue, model_.classes);
  if (!type) return initial.job_class != log_file::no_name ? "of a class that there is not" : "without a class";
  job.type = *type;
  submitted_values given;
  given.amount.resize(model_.resources.types.size());
  if (const std::uint64_t cores = initial.logged.cores(false), of_task = needs_->cores_of_task(job.type);
      cores > 0 && of_task > 0) {
    if (cores % of_task != 0) return "whose cores are those of no number of tasks of their class";
    const std::uint64_t tasks = std::min(cores / of_task, static_cast<std::uint64_t>(most_cores) + 1);
    (needs_->in_tasks(job.type) ? given.tasks : given.amount.front().emplace()) = tasks;
    given.of_amounts = true;
  }
  if (given.any()) {
    const job_need need = needs_->applied(job.type, given);
    if (!needs_->flaws(need, job.type).empty()) return "that need more than the servers of their class have";
    job.need = needs_->find(job.type, need).first;
  }
  if (initial.logged.user != log_file::no_name) job.user = number_in(users_, queue.users[initial.logged.user]);
  if (initial.logged.queue != log_file::no_name) job.qos = number_in(qos_, queue.queues[initial.logged.queue]);
  initial_.push_back(job);
  return {};
}

void timed_list::give_to_scenario() {
  for (std::size_t c = 0; c < needs_->classes(); ++c)
    for (const job_need& need : needs_->of_class(c)) model_.classes[c].listed.push_back({need, 0, 0.0});
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
  for (const auto& [numbers, names] :
       {std::pair(&users_, &model_.arrivals.users), std::pair(&qos_, &model_.arrivals.qos)}) {
    names->resize(numbers->size());
    for (const auto& [name, number] : *numbers) (*names)[number] = name;
  }
}

void timed_list::give_initial_jobs_to_scenario() {
  for (std::size_t c = 0; c < needs_->classes(); ++c) {
    class_spec& type = model_.classes[c];
    for (const job_need& need : needs_->of_class(c)) type.listed.push_back({need, 0, 0.0});
    if (type.listed.size() == 1) type.listed.clear();
    if (!type.listed.empty()) type.listed.front() = {{type.need, type.tasks}, 1, type.size.mean()};  // in the long run
  }
  for (timed_job& j : initial_) {  // the others have neither
    j.user = job_facts::no_user;
    j.qos = job_facts::no_qos;
  }
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
