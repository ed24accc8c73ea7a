#include "platform/theory/stability/relaxation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "platform/model/job_kind.h"
#include "platform/theory/pooled/pooled_stability.h"

namespace muster {

namespace {

// The squared coefficient of variation of the work that arrives with a job: cores times size.
double squared_variation_of_work(const scenario& model) {
  double rate = 0.0, first = 0.0, second = 0.0;
  for (const class_spec& c : model.classes) {
    const double cores = is_pooled(model) ? 1.0 : c.need, mean = cores * c.size.mean();
    rate += c.share;
    first += c.share * mean;
    second += c.share * (cores * cores * c.size.variance() + mean * mean);
  }
  return second * rate / (first * first) - 1.0;
}

double squared_variation_of_arrivals(const scenario& model) {
  const arrival_spec& arrivals = model.arrivals;
  if (arrivals.kind == arrival_spec::process::poisson) return 1.0;
  if (arrivals.entry->dispersion) return arrivals.entry->dispersion(arrivals);
  return arrivals.interarrival.variance() * arrivals.rate * arrivals.rate;
}

double squared_variation(const scenario& model) {
  return squared_variation_of_arrivals(model) + squared_variation_of_work(model);
}

// The ratio E[S^2] / E[S] of the service times on the slowest servers.
double mean_service_in_progress(const scenario& model) {
  double first = 0.0, second = 0.0, slowest = std::numeric_limits<double>::infinity();
  for (const server_spec& s : model.servers) slowest = std::min(slowest, s.capacity);
  for (const class_spec& c : model.classes) {
    first += c.share * c.size.mean();
    second += c.share * (c.size.variance() + c.size.mean() * c.size.mean());
  }
  return second / first / slowest;
}

// The load against the policy's limit, or against the lowest rate that is known to be beyond it.
double load_of_limit(const stability& limits) {
  const bool known =
      limits.policy_rate && (limits.known_by == limit_evidence::exact || limits.known_by == limit_evidence::simulated);
  return limits.rate / (known ? *limits.policy_rate : limits.unstable_from);
}

double relaxation_at(double load, double variation) {
  const double busy_over_idle = load / (1.0 - load);
  return 2.0 * variation * busy_over_idle * busy_over_idle;
}

// The longest relaxation time of a class by itself on the servers that it may use, in arrivals of all classes.
double relaxation_of_pooled_classes(const scenario& model, double variation) {
  double longest = 0.0;
  const std::vector<pooled_class> classes = examine_pooled_classes(model);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const double load = classes[c].load / classes[c].capacity;
    if (load < 1.0 && model.classes[c].share > 0.0)
      longest = std::max(longest, relaxation_at(load, variation) / model.classes[c].share);
  }
  return longest;
}

}  // namespace

std::optional<double> relaxation_in_jobs(const scenario& model, const stability& limits) {
  if (model.arrivals.finite() || all_jobs_expire(model) || limits.answer == stability::verdict::unstable)
    return std::nullopt;
  const double load = load_of_limit(limits);
  const double variation = squared_variation(model);
  if (!(load < 1.0)) return std::nullopt;
  if (!std::isfinite(variation)) return 0.0;
  const double of_queue = relaxation_at(load, variation);
  if (is_pooled(model)) return std::max(of_queue, relaxation_of_pooled_classes(model, variation));
  if (is_slotted(model)) return of_queue;
  return std::max(of_queue, limits.rate * mean_service_in_progress(model));
}

double relaxation_of_turns(const stability& limits, double waiting) {
  const double load = load_of_limit(limits);
  return 4.0 * waiting * load / (1.0 - load);
}

double relaxation_of_queue(const scenario& model, double waiting) {
  const double variation = squared_variation(model);
  return variation > 0.0 ? 8.0 * waiting * waiting / variation : 0.0;
}

}  // namespace muster
