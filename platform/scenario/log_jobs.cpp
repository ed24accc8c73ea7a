#include "platform/scenario/log_jobs.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/model/class_table.h"
#include "platform/scenario/dependency_finder.h"
#include "platform/scenario/initial_jobs.h"
#include "platform/scenario/listed_needs.h"
#include "platform/scenario/log_share.h"
#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

/// Makes jobs and classes of a scenario from those of a log.
class jobs_of_log {
 public:
  jobs_of_log(const log_file& log, const log_keys& keys, scenario& model)
      : log_(log),
        names_(keys.queue ? *keys.queue : log),
        keys_(keys),
        model_(model),
        drawn_(log, keys.share, keys.seed),
        dependencies_(log, keys.scale / model.unit.seconds) {
    unit_ = model.unit.seconds;
    step_ = model.unit.to_units(1);
    for (const server_spec& s : model.servers) any_class_.servers.push_back(s.name);
  }

  std::optional<std::pair<std::string_view, std::string>> take(double longest) {
    if (keys_.queue) add_initial_jobs(longest);
    for (const log_file::job& logged : log_.jobs) add(logged, longest);
    if (jobs_.size() == model_.arrivals.initial) return std::pair{"file", fmt::format("no job is left: {}", reasons())};
    if (classes_.size() > most_classes)
      return std::pair{"class_by", fmt::format("makes {} classes; expected at most {}", classes_.size(), most_classes)};
    give_classes();
    give_jobs();
    if (keys_.replays_dependencies) model_.arrivals.dependencies = dependencies_.find(jobs_.size());
    model_.arrivals.log.begins = moment_of_begin();
    model_.arrivals.users = names_.users;
    model_.arrivals.qos = names_.queues;
    model_.arrivals.notes.insert(model_.arrivals.notes.begin(), note());
    return std::nullopt;
  }

 private:
  static constexpr std::size_t most_classes = 5'000;
  static constexpr std::string_view without_cores = "without a number of processors";

  struct found_class {
    std::uint64_t number;
    std::unique_ptr<need_finder> finder{};
    std::uint32_t place = 0;  // in the scenario
  };

  // What the log is, and what was left out of it.
  std::string note() const {
    const std::size_t jobs = jobs_.size() - model_.arrivals.initial;
    std::string text = fmt::format("log {} ({}): {} jobs", std::filesystem::path{log_.path}.filename().string(),
                                   log_.format->name, jobs);
    if (!log_.users.empty()) text += fmt::format(" of {} users", users_.size());
    text += fmt::format(" in {:.1f} days; ", jobs_.back().arrival * unit_ / keys_.scale / 86400.0);
    const char* own = keys_.allocated ? "allocated" : "requested";
    const char* other = keys_.allocated ? "requested" : "allocated";
    if (other_number_ == jobs)
      text += fmt::format("their need is the {} processors", other);
    else if (other_number_ > 0)
      text += fmt::format("their need is the {} processors, for {} of them the {} ones", own, other_number_, other);
    else
      text += fmt::format("their need is the {} processors", own);
    const std::uint64_t cores = total_cores(model_);
    if (log_.header.cores && *log_.header.cores != static_cast<double>(cores))
      text += fmt::format("; MaxProcs of the log is {}, and the platform has {} cores", *log_.header.cores, cores);
    if (const double load = load_until_last_arrival(); load > 1.0)
      text += fmt::format("; until the last arrival they have {:.3g} times the work that {} cores do", load, cores);
    if (log_.out_of_order.lines > 0) text += fmt::format("; sorted: {}", log_.out_of_order.in_words());
    text += dependencies_.in_words();
    if (depend_.lines > 0) text += "; " + depend_.in_words();
    if (!log_.flaw.empty()) text += "; " + log_.flaw;
    if (const std::string left_out = reasons(); !left_out.empty()) text += "; left out: " + left_out;
    return text;
  }

  double load_until_last_arrival() const {
    double work = 0.0;
    for (const timed_job& job : jobs_)
      work += job.size * model_.classes[classes_[job.type].place].listed[job.need].need.cores;
    return jobs_.back().arrival > 0.0 ? work / (jobs_.back().arrival * total_capacity(model_)) : 0.0;
  }

  // Formats without such a head have moments, if these are no small numbers.
  std::optional<double> moment_of_begin() const {
    constexpr double year_1980 = 315'532'800.0, year_2200 = 7'258'118'400.0;
    const double moment = log_.header.begins.value_or(0.0) + log_.jobs.front().submit + keys_.from;
    const bool is_moment = (log_.header.begins || moment >= year_1980) && moment < year_2200;
    return keys_.scale == 1.0 && is_moment ? std::optional(moment) : std::nullopt;
  }

  std::string reasons() const {
    std::vector<std::string> all;
    for (const auto* more : {&log_.left_out, &left_out_})
      for (const log_file::reason& r : *more) all.push_back(r.in_words());
    return fmt::format("{}", fmt::join(all, ", "));
  }

  void leave_out(const log_file::job& job, std::string_view why) { count_left_out(left_out_, why, job.line); }

  // Adds the jobs that wait or run at time 0.
  void add_initial_jobs(double longest) {
    initial_jobs initial(*keys_.queue, model_.unit, longest);
    initial.enter_all([&](const initial_job& j) { return enter(j.job, j.logged, *keys_.queue); }, model_.arrivals);
    earliest_ = initial.step();
  }

  void add(const log_file::job& logged, double longest) {
    const double since = logged.submit - log_.jobs.front().submit;
    if (since < keys_.from || since >= keys_.to) return leave_out(logged, "that arrive outside from and to");
    if (!drawn_.has(logged)) return leave_out(logged, "of users outside the share");
    if (logged.cores(keys_.allocated) == 0) return leave_out(logged, without_cores);
    timed_job job;
    job.arrival = std::max((since - keys_.from) / unit_ * keys_.scale, earliest_);
    job.size = std::max(logged.run / unit_, step_);
    job.requested = logged.requested / unit_;
    job.line = logged.line;
    const double think = keys_.replays_dependencies ? dependencies_.think(logged) : 0.0;
    if (std::max({job.arrival, job.size, job.requested, think}) >= longest)
      return leave_out(logged, "with times beyond the range of the clock");
    if (const std::string_view why = enter(job, logged, log_); !why.empty()) return leave_out(logged, why);
    if ((keys_.allocated ? logged.allocated_cores : logged.requested_cores) == 0) ++other_number_;
    if (keys_.replays_dependencies)
      dependencies_.add(logged, jobs_.size() - 1);
    else if (logged.depends && depend_.lines++ == 0)
      depend_.first_line = logged.line;
    if (logged.user != log_file::no_name) users_.insert(logged.user);
  }

  // Adds a job whose times are known. @param from where it stands @return why it cannot be simulated; empty: it is
  // added
  std::string_view enter(timed_job job, const log_file::job& logged, const log_file& from) {
    const std::uint32_t cores = logged.cores(keys_.allocated);
    if (cores == 0) return without_cores;
    const auto need = need_of(cores, logged, from.amounts[logged.amounts]);
    if (!need) return "with a part of a device that cannot be held";
    if (!fits(*need)) return "that need more than the servers have";
    const auto number = keys_.class_by->number_of(logged, cores);
    if (!number) return "outside the ranges of class_by";
    if (logged.user != log_file::no_name) job.user = logged.user;
    if (logged.queue != log_file::no_name) job.qos = logged.queue;
    job.type = place_of(*number);
    job.need = number_of(*need, job.type);
    jobs_.push_back(job);
    return {};
  }

  // A task of a core for each processor, anywhere, with its share of the memory and of other amounts. Where the job has
  // devices, as many equal tasks as there can be of whole devices and cores. Nothing: it needs no such part of a
  // device.
  std::optional<job_need> need_of(std::uint32_t cores, const log_file::job& logged,
                                  const std::vector<double>& amounts) const {
    if (!keys_.memory && keys_.resources.empty()) return job_need{cores, std::nullopt};
    task_need need;
    need.tasks = tasks_of(cores, amounts);
    need.per_task.resize(model_.resources.types.size());
    need.per_task.front() = cores / need.tasks;
    if (keys_.memory) need.per_task[*keys_.memory] = whole(logged.memory * static_cast<double>(need.per_task.front()));
    for (std::size_t n = 0; n < amounts.size(); ++n)
      if (amounts[n] > 0.0 && !take(keys_.resources[n], amounts[n], need)) return std::nullopt;
    return job_need{cores, std::move(need)};
  }

  std::uint32_t tasks_of(std::uint32_t cores, const std::vector<double>& amounts) const {
    std::uint64_t tasks = cores;
    for (std::size_t n = 0; n < amounts.size(); ++n) {
      const resource_type& type = model_.resources.types[keys_.resources[n]];
      if (!type.is_devices() || type.of_cluster || !(amounts[n] > 0.0)) continue;
      const bool divisible = amounts[n] == std::trunc(amounts[n]) && amounts[n] < whole_amount.highest;
      tasks = divisible ? std::gcd(tasks, static_cast<std::uint64_t>(amounts[n])) : 1;
    }
    return static_cast<std::uint32_t>(tasks);
  }

  // Adds what a job needs of a resource. @return whether there is such a part of a device
  bool take(std::size_t resource, double amount, task_need& need) const {
    const resource_type& type = model_.resources.types[resource];
    if (type.of_cluster) {
      need.per_job.resize(model_.resources.types.size());
      if (!type.is_devices()) need.per_job[resource] = whole(amount);
      return !type.is_devices() ||
             devices_in_parts(type, std::min(amount, 2.0 * most_devices), need.per_job[resource]).empty();
    }
    const double of_task = amount / need.tasks;
    if (!type.is_devices()) need.per_task[resource] = whole(of_task);
    // More devices than a server may have do not fit anywhere.
    return !type.is_devices() ||
           devices_in_parts(type, std::min(of_task, 2.0 * most_devices), need.per_task[resource]).empty();
  }

  static std::uint64_t whole(double amount) {
    return static_cast<std::uint64_t>(std::min(std::ceil(amount), whole_amount.highest));
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
    const auto [found, is_new] = places_.try_emplace(number, static_cast<std::uint32_t>(classes_.size()));
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
      const std::string name = keys_.class_by->name_of(number, names_);
      c.name = name;
      for (unsigned n = 2; !names.insert(c.name).second; ++n) c.name = fmt::format("{}.{}", name, n);
      for (const job_need& need : found.finder->needs()) c.listed.push_back({need, 0, 0.0});
      std::tie(c.need, c.tasks) = std::tie(c.listed.front().need.cores, c.listed.front().need.tasks);
      model_.classes.push_back(std::move(c));
    }
  }

  // Gives the scenario its jobs, of its classes. Points with the same jobs share them.
  void give_jobs() {
    auto all = std::make_shared<timed_jobs>();
    bool shared = log_.shared && log_.shared->size() == jobs_.size();
    for (timed_job job : jobs_) {
      job.type = classes_[job.type].place;
      shared = shared && same((*log_.shared)[all->size()], job);
      all->push_back(job);
    }
    if (!shared) log_.shared = std::move(all);
    model_.arrivals.jobs = log_.shared;
  }

  static bool same(const timed_job& a, const timed_job& b) {
    return std::tie(a.arrival, a.size, a.type, a.need, a.requested, a.user, a.qos) ==
           std::tie(b.arrival, b.size, b.type, b.need, b.requested, b.user, b.qos);
  }

  const log_file& log_;
  const log_file& names_;  // what has the names of all users, partitions and queues
  const log_keys& keys_;
  scenario& model_;
  log_share drawn_;
  log_dependencies dependencies_;
  double unit_ = 1.0, step_ = 0.0;  // seconds in a unit of time; units in a step of the clock
  class_spec any_class_;            // without jobs yet
  need_finder all_needs_{job_need{0, std::nullopt}};
  std::vector<bool> fits_;                         // of each of them but the first
  std::map<std::uint64_t, std::uint32_t> places_;  // in `classes_`, by the number of the class
  std::vector<found_class> classes_;               // in the order in which they come
  timed_jobs jobs_;                                // of classes by their places in `classes_`
  double earliest_ = 0.0;                          // arrival of a job of the log
  std::set<std::uint32_t> users_;
  std::size_t other_number_ = 0;  // jobs whose need is the other number of processors
  log_file::reason depend_{"that were to wait for another job arrive when they did in the log"};
  std::vector<log_file::reason> left_out_;
};

}  // namespace

std::optional<std::pair<std::string_view, std::string>> take_jobs_of_log(const log_file& log, const log_keys& keys,
                                                                         double longest, scenario& model) {
  try {
    return jobs_of_log(log, keys, model).take(longest);
  } catch (const std::runtime_error& error) {  // of a temporary file
    return std::pair{"file", std::string{error.what()}};
  }
}

}  // namespace muster
