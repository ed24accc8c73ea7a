#include "platform/scenario/log_jobs.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/model/class_table.h"
#include "platform/scenario/need_finder.h"
#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace fs = std::filesystem;

namespace {

/// Makes jobs and classes of a scenario from those of a log.
class jobs_of_log {
 public:
  jobs_of_log(const log_file& log, const log_keys& keys, scenario& model) : log_(log), keys_(keys), model_(model) {
    unit_ = model.unit.seconds;
    step_ = model.unit.to_units(1);
    for (const server_spec& s : model.servers) any_class_.servers.push_back(s.name);
  }

  std::optional<std::pair<std::string_view, std::string>> take(double longest) {
    for (const log_file::job& logged : log_.jobs) add(logged, longest);
    if (jobs_.empty()) return std::pair{"file", fmt::format("no job is left: {}", reasons())};
    if (classes_.size() > most_classes)
      return std::pair{"class_by", fmt::format("makes {} classes; expected at most {}", classes_.size(), most_classes)};
    give_classes();
    give_jobs();
    model_.arrivals.log.begins = moment_of_begin();
    model_.arrivals.users = log_.users;
    model_.arrivals.notes.push_back(note());
    return std::nullopt;
  }

 private:
  static constexpr std::size_t most_classes = 5'000;

  struct found_class {
    std::uint64_t number;
    std::unique_ptr<need_finder> finder{};
    std::uint32_t place = 0;  // in the scenario
  };

  // What the log is, and what was left out of it.
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
      text += fmt::format("their need is the {} processors, for {} of them the {} ones", own, other_number_, other);
    else
      text += fmt::format("their need is the {} processors", own);
    const std::uint64_t cores = total_cores(model_);
    if (log_.header.cores && *log_.header.cores != static_cast<double>(cores))
      text += fmt::format("; MaxProcs of the log is {}, and the platform has {} cores", *log_.header.cores, cores);
    if (log_.out_of_order.lines > 0) text += fmt::format("; sorted: {}", log_.out_of_order.in_words());
    if (!log_.flaw.empty()) text += "; " + log_.flaw;
    if (const std::string left_out = reasons(); !left_out.empty()) text += "; left out: " + left_out;
    return text;
  }

  // Formats without such a head have moments, if these are no small numbers.
  std::optional<double> moment_of_begin() const {
    constexpr double year_1980 = 315'532'800.0, year_2200 = 7'258'118'400.0;
    const double moment = log_.header.begins.value_or(0.0) + log_.jobs.front().submit + keys_.from;
    const bool is_known = keys_.scale == 1.0 && moment >= year_1980 && moment < year_2200;
    return is_known ? std::optional(moment) : std::nullopt;
  }

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

}  // namespace

std::optional<std::pair<std::string_view, std::string>> take_jobs_of_log(const log_file& log, const log_keys& keys,
                                                                         double longest, scenario& model) {
  return jobs_of_log(log, keys, model).take(longest);
}

}  // namespace muster
