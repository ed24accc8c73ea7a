#include "platform/import/job_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "platform/import/fitted_law.h"
#include "platform/model/class_table.h"
#include "platform/model/synthetic_workload.h"

namespace muster {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

job_figures no_figures() {
  job_figures none{};
  none.fill(unknown);
  return none;
}

// The least value that so large a share of an ascending sample does not exceed.
double quantile_of(const std::vector<double>& ascending, double share) {
  const auto jobs = static_cast<double>(ascending.size());
  const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(share * jobs)));
  return ascending[std::min(rank, ascending.size()) - 1];
}

/// The jobs of a class, or all.
struct chosen_jobs {
  std::vector<double> arrivals{}, sizes{};
  double need = 0.0, work = 0.0;

  void add(const job_sample& jobs, std::size_t n) {
    arrivals.push_back(jobs.arrivals[n]);
    sizes.push_back(jobs.sizes[n]);
    need += jobs.needs[n];
    work += jobs.needs[n] * jobs.sizes[n];
  }

  job_figures figures(const chosen_jobs& all, double capacity, double window) const {
    constexpr double half = 0.5, most = 0.95;
    job_figures f = no_figures();
    const auto jobs = static_cast<double>(sizes.size());
    f[number_of_jobs] = jobs;
    if (sizes.empty()) return f;
    const sample_moments run = moments_of(sizes);
    std::vector<double> ascending = sizes;
    std::sort(ascending.begin(), ascending.end());
    f[share_of_jobs] = jobs / static_cast<double>(all.sizes.size());
    f[share_of_work] = work / all.work;
    f[mean_need] = need / jobs;
    f[mean_run] = run.mean;
    f[run_cv] = run.cv;
    f[median_run] = quantile_of(ascending, half);
    f[run_p95] = quantile_of(ascending, most);
    f[offered_load] = work / (capacity * window);
    if (arrivals.size() < 2) return f;
    std::vector<double> between;
    for (std::size_t n = 1; n < arrivals.size(); ++n) between.push_back(arrivals[n] - arrivals[n - 1]);
    const sample_moments times = moments_of(between);
    f[mean_between] = times.mean;
    f[between_cv] = times.mean > 0.0 ? times.cv : unknown;
    return f;
  }
};

}  // namespace

std::vector<job_figures> figures_of(const job_sample& jobs, std::size_t classes, double capacity, double window) {
  std::vector<chosen_jobs> chosen(classes + 1);
  for (std::size_t n = 0; n < jobs.sizes.size(); ++n) {
    chosen.front().add(jobs, n);
    chosen[jobs.types[n] + 1].add(jobs, n);
  }
  std::vector<job_figures> all;
  all.reserve(chosen.size());
  for (const chosen_jobs& c : chosen) all.push_back(c.figures(chosen.front(), capacity, window));
  return all;
}

figures_of_samples summary_of(const std::vector<std::vector<job_figures>>& samples) {
  figures_of_samples summary;
  summary.mean.assign(samples.front().size(), no_figures());
  summary.least = summary.largest = summary.mean;
  for (std::size_t row = 0; row < summary.mean.size(); ++row)
    for (std::size_t f = 0; f < job_figure_count; ++f) {
      double sum = 0.0, known = 0.0;
      for (const std::vector<job_figures>& sample : samples) {
        const double x = sample[row][f];
        if (std::isnan(x)) continue;
        sum += x;
        known += 1.0;
        summary.least[row][f] = std::fmin(summary.least[row][f], x);  // of NaN and a number the number
        summary.largest[row][f] = std::fmax(summary.largest[row][f], x);
      }
      if (known > 0.0) summary.mean[row][f] = sum / known;
    }
  return summary;
}

job_sample draw_jobs(const scenario& model, std::uint32_t replication, double from, double to) {
  const std::unique_ptr<workload> jobs = make_workload(model, replication);
  const std::vector<std::size_t> places = by_descending_need(model);
  job_sample sample;
  job_request job;
  while (jobs->next(job)) {
    const double arrival = model.unit.to_units(job.arrival) * model.unit.seconds;
    if (arrival >= to) break;
    if (arrival < from) continue;
    sample.arrivals.push_back(arrival - from);
    sample.sizes.push_back(model.unit.to_units(job.size) * model.unit.seconds);
    sample.types.push_back(static_cast<std::uint32_t>(places[static_cast<std::size_t>(job.type)]));
    sample.needs.push_back(model.classes[sample.types.back()].need);
  }
  return sample;
}

}  // namespace muster
