#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/model/scenario.h"

namespace muster {

/// Jobs of a log, or synthetic ones. The vectors have an element for each job, in the order of arrival.
struct job_sample {
  std::vector<double> arrivals, sizes;  ///< in seconds
  std::vector<std::uint32_t> types;     ///< places of their classes
  std::vector<std::uint32_t> needs;     ///< cores
};

/// Figures of the jobs of a class, or of all jobs.
enum job_figure : std::uint8_t {
  number_of_jobs,
  share_of_jobs,
  share_of_work,  ///< cores times time
  mean_need,
  mean_run,
  run_cv,
  median_run,
  run_p95,
  offered_load,
  mean_between,  ///< time between arrivals
  between_cv,
  job_figure_count
};
/// The figures by their places. NaN: there are no such jobs.
using job_figures = std::array<double, job_figure_count>;

/// The figures of a sample: of all jobs, then of each class.
/// @param classes their number
/// @param capacity cores
/// @param window seconds that the sample covers
std::vector<job_figures> figures_of(const job_sample& jobs, std::size_t classes, double capacity, double window);

/// Means of figures over several samples, with the least and the largest of each.
struct figures_of_samples {
  std::vector<job_figures> mean, least, largest;  ///< of all jobs, then of each class
};
figures_of_samples summary_of(const std::vector<std::vector<job_figures>>& samples);

/// Jobs of a scenario as its workload makes them. @param from,to times of arrival; the sample begins at `from`
job_sample draw_jobs(const scenario& model, std::uint32_t replication, double from, double to);

}  // namespace muster
