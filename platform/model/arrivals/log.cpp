#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "muster/modules/source/workload.h"
#include "platform/model/arrival_entry.h"
#include "platform/model/scenario.h"
#include "platform/random/random_stream.h"

namespace muster {

extern const arrival_entry list_arrivals;

namespace {

/// The jobs of a replication.
struct replicated_jobs {
  std::vector<timed_job> jobs{};
  std::vector<job_copy> copies{};  // what each is a copy of, where jobs depend on others
};

// Puts copies into the order that the stable sort of their jobs, from a place on, has as its result.
void sort_copies(replicated_jobs& all, std::size_t first) {
  if (all.copies.empty()) return;
  std::vector<std::size_t> order(all.copies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
                   [&](std::size_t a, std::size_t b) { return all.jobs[a].arrival < all.jobs[b].arrival; });
  std::vector<job_copy> sorted;
  sorted.reserve(order.size());
  for (const std::size_t n : order) sorted.push_back(all.copies[n]);
  all.copies = std::move(sorted);
}

// Sorts the jobs that are not there at time 0, and lets none of them arrive before the latest one that is.
replicated_jobs behind_initial_jobs(replicated_jobs all, const scenario& model) {
  std::vector<timed_job>& jobs = all.jobs;
  const auto first = jobs.begin() + static_cast<std::ptrdiff_t>(model.arrivals.initial);
  if (first != jobs.begin())
    for (auto job = first; job != jobs.end(); ++job) job->arrival = std::max(job->arrival, model.unit.to_units(1));
  sort_copies(all, model.arrivals.initial);
  std::stable_sort(first, jobs.end(), [](const timed_job& a, const timed_job& b) { return a.arrival < b.arrival; });
  return all;
}

// Each arrival is shifted by itself, uniformly up to the largest shift either way. One before the beginning is as much
// behind it. Jobs that are there at time 0 stay. D. Tsafrir, K. Ouaknine and D. Feitelson, "Reducing performance
// evaluation sensitivity and variability by input shaking", MASCOTS 2007.
replicated_jobs shaken(const scenario& model, std::uint32_t replication) {
  replicated_jobs all{{model.arrivals.jobs->begin(), model.arrivals.jobs->end()}};
  std::vector<timed_job>& jobs = all.jobs;
  if (model.arrivals.dependencies)
    for (std::uint32_t n = 0; n < jobs.size(); ++n) all.copies.push_back({n, 0});
  random_stream bits{model.run.seed, replication, "source", "shifts of arrivals"};
  boost::random::uniform_01<double> uniform;
  for (std::size_t n = model.arrivals.initial; n < jobs.size(); ++n)
    jobs[n].arrival = std::abs(jobs[n].arrival + model.arrivals.log.shift * (2.0 * uniform(bits) - 1.0));
  return behind_initial_jobs(std::move(all), model);
}

// The jobs of each user from the first one on, by their places; jobs whose user is not known stand by themselves.
std::vector<std::vector<std::uint32_t>> jobs_by_user(const std::vector<timed_job>& jobs, std::size_t first) {
  std::vector<std::vector<std::uint32_t>> all;
  std::unordered_map<std::uint32_t, std::size_t> places;
  for (auto n = static_cast<std::uint32_t>(first); n < jobs.size(); ++n) {
    const std::uint32_t user = jobs[n].user;
    const auto [place, is_new] = places.emplace(user, all.size());
    if (is_new || user == job_facts::no_user) {
      place->second = all.size();
      all.emplace_back();
    }
    all[place->second].push_back(n);
  }
  return all;
}

// Users are drawn with replacement, each with all its jobs, until there are as many jobs as in the log; the last one
// brings its first jobs alone. Where the log has two weeks or more, rounded to whole ones, the jobs of a user that is
// drawn go around it by a whole number of weeks: days of the week and hours stay, users meet anew, and those that are
// drawn twice do not submit at the same moments. Jobs behind the last whole week stay there. Jobs that are there at
// time 0 are the same in each replication. A job waits for jobs that are drawn together with it.
replicated_jobs resampled(const scenario& model, std::uint32_t replication) {
  const std::vector<timed_job> of_log(model.arrivals.jobs->begin(), model.arrivals.jobs->end());
  const std::vector<std::vector<std::uint32_t>> users = jobs_by_user(of_log, model.arrivals.initial);
  random_stream bits{model.run.seed, replication, "source", "users of a log"};
  const double week = model.arrivals.log.week;
  const auto weeks = static_cast<std::uint64_t>(std::floor(of_log.back().arrival / week + 0.5));
  const double around = static_cast<double>(weeks) * week;
  replicated_jobs all{{of_log.begin(), of_log.begin() + static_cast<std::ptrdiff_t>(model.arrivals.initial)}};
  std::vector<timed_job>& jobs = all.jobs;
  jobs.reserve(of_log.size());
  if (model.arrivals.dependencies)
    for (std::uint32_t n = 0; n < jobs.size(); ++n) all.copies.push_back({n, 0});
  for (std::uint32_t block = 1; jobs.size() < of_log.size(); ++block) {
    const auto user = boost::random::uniform_int_distribution<std::size_t>{0, users.size() - 1}(bits);
    const std::uint64_t by = weeks < 2 ? 0 : boost::random::uniform_int_distribution<std::uint64_t>{0, weeks - 1}(bits);
    for (const std::uint32_t n : users[user]) {
      if (jobs.size() == of_log.size()) break;
      timed_job& job = jobs.emplace_back(of_log[n]);
      if (model.arrivals.dependencies) all.copies.push_back({n, block});
      if (by > 0 && job.arrival < around) job.arrival = std::fmod(job.arrival + static_cast<double>(by) * week, around);
    }
  }
  return behind_initial_jobs(std::move(all), model);
}

/// The jobs of a list that is made for one replication.
class replicated_log final : public workload {
 public:
  replicated_log(const scenario& model, std::uint32_t replication, replicated_jobs all) : own_(model) {
    own_.arrivals.jobs = std::make_shared<const timed_jobs>(std::move(all.jobs));
    if (model.arrivals.dependencies)
      own_.arrivals.dependencies = dependencies_of_copies(*model.arrivals.dependencies, all.copies);
    list_ = list_arrivals.make(own_, replication);
  }
  bool next(job_request& job) override { return list_->next(job); }
  workload_feedback* feedback() override { return list_->feedback(); }

 private:
  scenario own_;
  std::unique_ptr<workload> list_;
};

std::unique_ptr<workload> make_workload_of_log(const scenario& model, std::uint32_t replication) {
  const log_spec::copies copies = model.arrivals.log.replicate;
  if (copies == log_spec::copies::none || replication == 0) return list_arrivals.make(model, replication);
  return std::make_unique<replicated_log>(
      model, replication,
      copies == log_spec::copies::shake ? shaken(model, replication) : resampled(model, replication));
}

constexpr number_range share_of_users{"a number > 0 and <= 1", 0.0, true, 1.0};
constexpr number_key time_of_log{zero_or_more, "time", clock_limit::range};

}  // namespace

extern const arrival_entry log_arrivals{
    "log",
    10,
    arrival_kind::log,
    {{"file", text_key{"log.swf.gz"}, required{}, "file with the log, also of gzip or zstd"},
     {"format", word_key{"format of logs", {"swf", "sacct", "slurm_events", "csv"}}, left_out{"by content"},
      "SWF, sacct -P, Slurm's simulator, or a table"},
     {"columns", other_key{"table", "{ arrival = \"submit\", size = \"elapsed\", cores = \"ncpus\" }"},
      left_out{"by name"}, "names of the columns of a CSV table"},
     {"processors", word_key{"number of processors", {"requested", "allocated"}}, "requested",
      "which number is a job's need; else the other"},
     {"memory", text_key{"memory"}, left_out{"not counted"}, "resource of servers that memory is there"},
     {"resources", other_key{"table", "{ gpu = \"gres/gpu\" }"}, left_out{"not counted"},
      "what the log calls other resources"},
     {"from", time_of_log, left_out{"0"}, "since its first arrival; left out: before"},
     {"to", time_of_log, left_out{"its end"}, "since then; left out: from there on"},
     {"scale", number_key{above_zero}, 1.0, "factor of the time between arrivals"},
     {"share", number_key{share_of_users}, left_out{"all"}, "share of its users that is replayed"},
     {"class_by", text_key{"cores: 1, 2-16, 17-"}, "need", "need, user, partition, queue, all, or ranges"},
     {"dependencies", word_key{"use of dependencies", {"ignore", "replay"}}, left_out{"ignore"},
      "whether jobs wait for those that are named"},
     {"replicate", word_key{"kind of replications", {"none", "shake", "resample"}}, "none",
      "how other replications than the first differ"},
     {"shift", time_of_log, left_out{}, "with shake: largest shift, either way"}},
    nullptr,
    make_workload_of_log,
    [](const scenario&) { return std::uint64_t{0}; }};  // its jobs are not slotted

}  // namespace muster
