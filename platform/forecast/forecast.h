#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/experiment/task_runner.h"
#include "platform/forecast/run_time_history.h"
#include "platform/inference/significance.h"
#include "platform/model/study.h"
#include "platform/scenario/queued_job.h"
#include "platform/search/trial_store.h"

namespace muster {

/// A scenario whose queue is forecast: as it is, or with something changed.
struct forecast_variant {
  std::string name;  ///< what is changed, as after `--with`; empty: nothing is
  scenario model;
  std::vector<queued_job> queue;  ///< tells of the jobs at time 0, in their order
};

/// What is asked: when each job that waits at time 0 starts.
struct forecast_request {
  const study* subject = nullptr;
  std::size_t point = 0;                   ///< of the study
  std::vector<forecast_variant> variants;  ///< the first one is the point as it is
  run_time_history history{};              ///< of jobs that have ended
  std::uint32_t replications = 200;        ///< of each variant
  std::vector<double> within{};            ///< times after time 0 that are asked for, in units of time
  std::size_t workers = 1;                 ///< processes of this machine
  trial_store* store = nullptr;            ///< has what was found before, and gets what is found; null: none
  task_runner* team = nullptr;             ///< simulates in place of processes of this machine; null: none
};

/// When something happens, in units of time since time 0. Infinite: it has not before the replication had ended.
struct time_quantiles {
  double p10 = 0.0, p50 = 0.0, p90 = 0.0;
  std::optional<double> p50_low, p50_high;  ///< 95 % interval of the median; none where there are too few replications
};

/// How something changes a time, compared in pairs on the same run times and arrivals.
struct time_shift {
  enum class verdict {
    earlier,
    later,
    open,    ///< it cannot be told whether it changes
    none,    ///< each replication finds the same
    unknown  ///< some replication has no such time, or the job is in one of both alone
  };
  difference apart{};       ///< changed minus unchanged, in units of time
  std::optional<double> p;  ///< Holm's, over all jobs and variants
  verdict answer = verdict::unknown;
};

/// The forecast of a job that waits.
struct job_forecast {
  queued_job job;
  std::string class_name;
  run_time_source from = run_time_source::file;  ///< of its own run time
  std::vector<double> starts;                    ///< by replication
  time_quantiles start;
  std::vector<double> within;       ///< probabilities to have started, by forecast_request::within
  std::optional<time_shift> shift;  ///< none: of the point as it is
};

/// The forecast of a variant.
struct queue_forecast {
  std::vector<job_forecast> jobs;  ///< that wait, in their order
  std::vector<double> emptied;     ///< when the last of them has started, by replication
  time_quantiles empty;
  std::optional<time_shift> shift;   ///< of `empty`
  std::vector<std::size_t> sources;  ///< how many jobs at time 0 have a run time of each source
  bool drawn = true;                 ///< whether a replication of some variant has drawn random numbers
};

/// What one replication finds.
struct queue_starts {
  std::vector<double> starts;  ///< of all jobs at time 0, in their order
  bool drawn = true;           ///< whether it has drawn random numbers; if not, all replications find the same
};
queue_starts simulate_queue(const forecast_variant& variant, const run_time_history& history,
                            std::uint32_t replication);
/// @name These starts as text, on their way from another process and in a store; numbers survive to the last bit
/// @{
std::string starts_to_text(const queue_starts& found);
/// @throws std::runtime_error if the text is none of starts_to_text()
queue_starts starts_from_text(const std::string& text);
/// @}

/// Quantiles of times, each the smallest time that enough of them do not exceed. @param times at least one
time_quantiles quantiles_of(std::vector<double> times);

/// Judges what replications have found. @param starts by variant, by replication, by job
std::vector<queue_forecast> judge_queue(const forecast_request& request,
                                        const std::vector<std::vector<std::vector<double>>>& starts);

/// Simulates all variants of the queue and judges them: first one replication of each. Where none of these has drawn a
/// random number, its starts count as those of all. SIGINT and SIGTERM end the search and not the process.
/// @param report called now and then with the number of simulated replications that are there, and the number of those
/// that are asked for, of all variants together
/// @throws simulation_fault; search_interrupted
std::vector<queue_forecast> forecast_queue(const forecast_request& request,
                                           const std::function<void(std::size_t, std::size_t)>& report);

}  // namespace muster
