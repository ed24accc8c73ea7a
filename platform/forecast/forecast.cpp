#include "platform/forecast/forecast.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <boost/math/distributions/binomial.hpp>
#include <nlohmann/json.hpp>

#include "platform/experiment/experiment.h"
#include "platform/experiment/interrupt_guard.h"
#include "platform/forecast/queue_replication.h"
#include "platform/random/random_stream.h"
#include "platform/search/scenario_search.h"
#include "platform/search/scenario_trials.h"

namespace muster {

namespace {

constexpr double error = 0.05;  // of all verdicts together
constexpr double never = std::numeric_limits<double>::infinity();

/// Gives out the replications that the store does not have: the first one of each variant, and the others if one of
/// these has drawn a random number.
class missing_replications final : public task_source {
 public:
  using starts_of_all = std::vector<std::vector<std::vector<double>>>;
  using report = std::function<void(std::size_t, std::size_t)>;

  missing_replications(const forecast_request& request, starts_of_all& starts, const report& told)
      : request_(request), starts_(starts), report_(told), first_ones_(request.variants.size()) {
    for (std::uint32_t r = 0; r < request.replications; ++r)
      for (std::size_t v = 0; v < request.variants.size(); ++v) {
        const auto stored = request.store ? request.store->find(stored_name(v), r) : std::nullopt;
        if (stored)
          keep(v, r, starts_from_text(*stored));
        else
          missing_.emplace_back(v, r);
      }
  }

  std::optional<std::size_t> next() override {
    if (next_ == missing_.size() || (missing_[next_].second > 0 && !drawn_)) return std::nullopt;
    return next_++;
  }
  simulation_task describe(std::size_t task) const override {
    return {{request_.point, missing_[task].second}, {}, {}, {static_cast<double>(missing_[task].first)}};
  }
  std::string simulate_here(std::size_t task) const {
    const auto& [variant, replication] = missing_[task];
    return starts_to_text(simulate_queue(request_.variants[variant], request_.history, replication));
  }
  bool take(const task_outcome& outcome) override {
    const auto& [variant, replication] = missing_[outcome.task];
    if (outcome.failed) {
      fault_ = fmt::format("{}replication {}: {}", variant > 0 ? request_.variants[variant].name + ", " : "",
                           replication, fault_of(outcome, request_.variants[variant].model));
      return false;
    }
    keep(variant, replication, starts_from_text(outcome.text));
    if (request_.store) request_.store->add(stored_name(variant), replication, outcome.text);
    if (drawn_ || first_ones_ == 0) report_(done_, (drawn_ ? request_.replications : 1) * request_.variants.size());
    return true;
  }
  void incident(const std::string& message, std::optional<std::size_t> whose) override {
    const std::string again =
        whose ? "; " + trial_label(request_.variants[missing_[*whose].first].name, missing_[*whose].second) +
                    " is run again"
              : "";
    fmt::print(stderr, "warning: {}{}\n", message, again);
  }
  bool tick() override { return !interrupt_guard::seen(); }
  const std::string& fault() const { return fault_; }
  /// Whether some replication has drawn a random number.
  bool drawn() const { return drawn_; }

 private:
  void keep(std::size_t variant, std::uint32_t replication, queue_starts found) {
    starts_[variant][replication] = std::move(found.starts);
    drawn_ = drawn_ || found.drawn;
    first_ones_ -= replication == 0 ? 1 : 0;
    ++done_;
  }
  std::string stored_name(std::size_t variant) const {
    return fmt::format("{}, point {}", request_.variants[variant].name, request_.point);
  }

  const forecast_request& request_;
  starts_of_all& starts_;
  const report& report_;
  std::vector<std::pair<std::size_t, std::uint32_t>> missing_;  // variant and replication
  std::size_t next_ = 0, done_ = 0;
  std::size_t first_ones_;  // first replications that are not there yet
  bool drawn_ = false;
  std::string fault_;
};

bool all_finite(const std::vector<double>& times) {
  return std::all_of(times.begin(), times.end(), [](double t) { return std::isfinite(t); });
}

time_shift shift_between(const std::vector<double>& unchanged, const std::vector<double>& changed) {
  time_shift shift;
  if (!all_finite(unchanged) || !all_finite(changed)) return shift;
  shift.apart = students_difference(unchanged, changed);
  shift.answer = unchanged == changed ? time_shift::verdict::none : time_shift::verdict::open;
  return shift;
}

// Holm's p-values, over all shifts, and the verdicts by them.
void settle(const std::vector<time_shift*>& shifts) {
  std::vector<double> p;
  std::vector<time_shift*> judged;
  for (time_shift* s : shifts)
    if (s->answer == time_shift::verdict::open && s->apart.p) {
      p.push_back(*s->apart.p);
      judged.push_back(s);
    }
  const std::vector<double> corrected = holm(p);
  for (std::size_t n = 0; n < judged.size(); ++n) {
    judged[n]->p = corrected[n];
    if (corrected[n] <= error)
      judged[n]->answer = judged[n]->apart.mean < 0.0 ? time_shift::verdict::earlier : time_shift::verdict::later;
  }
}

std::string class_of(const scenario& model, std::size_t place) {
  const arrival_spec& arrivals = model.arrivals;
  const timed_jobs& jobs = arrivals.initial_jobs ? *arrivals.initial_jobs : *arrivals.jobs;
  return model.classes[jobs[place].type].name;
}

queue_forecast forecast_of(const forecast_request& request, const forecast_variant& variant,
                           const std::vector<std::vector<double>>& starts) {
  queue_forecast result;
  const std::vector<run_time_source> sources =
      with_drawn_run_times(variant.model, variant.queue, request.history, 0).sources;
  result.sources.resize(4);
  for (const run_time_source from : sources) ++result.sources[static_cast<std::size_t>(from)];
  result.emptied.resize(starts.size());
  for (std::size_t n = 0; n < variant.queue.size(); ++n) {
    if (variant.queue[n].runs) continue;
    job_forecast& job = result.jobs.emplace_back();
    job.job = variant.queue[n];
    job.class_name = class_of(variant.model, n);
    job.from = sources[n];
    for (std::size_t r = 0; r < starts.size(); ++r) {
      job.starts.push_back(starts[r].at(n));
      result.emptied[r] = std::max(result.emptied[r], job.starts.back());
    }
    job.start = quantiles_of(job.starts);
    for (const double bound : request.within)
      job.within.push_back(static_cast<double>(std::count_if(job.starts.begin(), job.starts.end(),
                                                             [&](double t) { return t <= bound; })) /
                           static_cast<double>(job.starts.size()));
  }
  result.empty = quantiles_of(result.emptied);
  return result;
}

}  // namespace

queue_starts simulate_queue(const forecast_variant& variant, const run_time_history& history,
                            std::uint32_t replication) {
  const std::uint64_t draws = random_draws();
  const drawn_queue drawn = with_drawn_run_times(variant.model, variant.queue, history, replication);
  std::vector<double> starts = first_starts(drawn.model, replication, variant.queue.size());
  // Jobs that wait are submitted a step of the clock after time 0.
  for (double& start : starts)
    if (start <= variant.model.unit.to_units(1)) start = 0.0;
  return {std::move(starts), random_draws() != draws};
}

std::string starts_to_text(const queue_starts& found) {
  nlohmann::json all = nlohmann::json::array();
  for (const double start : found.starts)
    all.push_back(std::isfinite(start) ? nlohmann::json(start) : nlohmann::json());
  return nlohmann::json{{"drawn", found.drawn}, {"starts", all}}.dump();
}

queue_starts starts_from_text(const std::string& text) {
  queue_starts found;
  try {
    const nlohmann::json all = nlohmann::json::parse(text);
    found.drawn = all.at("drawn").get<bool>();
    for (const auto& start : all.at("starts")) found.starts.push_back(start.is_null() ? never : start.get<double>());
  } catch (const nlohmann::json::exception& error_of_text) {
    throw std::runtime_error(fmt::format("is corrupt: {}", error_of_text.what()));
  }
  return found;
}

time_quantiles quantiles_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const auto n = static_cast<double>(times.size());
  const auto at = [&](double rank) {  // from 1
    return times[static_cast<std::size_t>(std::clamp(rank, 1.0, n)) - 1];
  };
  time_quantiles result;
  const auto quantile = [&](double share) { return at(std::ceil(share * n - 1e-9)); };
  result.p10 = quantile(0.1);
  result.p50 = quantile(0.5);
  result.p90 = quantile(0.9);
  // The median lies between two of the times in order with the probability that a binomial number lies between ranks.
  const boost::math::binomial_distribution<double> below(n, 0.5);
  double rank = 0.0;
  while (rank < n / 2.0 && boost::math::cdf(below, rank) <= error / 2.0) ++rank;
  if (rank < 1.0) return result;
  result.p50_low = at(rank);
  result.p50_high = at(n + 1.0 - rank);
  return result;
}

std::vector<queue_forecast> judge_queue(const forecast_request& request,
                                        const std::vector<std::vector<std::vector<double>>>& starts) {
  std::vector<queue_forecast> all;
  std::vector<time_shift*> shifts;
  for (std::size_t v = 0; v < request.variants.size(); ++v)
    all.push_back(forecast_of(request, request.variants[v], starts[v]));
  std::map<std::uint32_t, const job_forecast*> unchanged;
  for (const job_forecast& job : all.front().jobs) unchanged.emplace(job.job.place, &job);
  for (std::size_t v = 1; v < all.size(); ++v) {
    all[v].shift = shift_between(all.front().emptied, all[v].emptied);
    shifts.push_back(&*all[v].shift);
    for (job_forecast& job : all[v].jobs) {
      const auto same = unchanged.find(job.job.place);
      job.shift = same == unchanged.end() ? time_shift{} : shift_between(same->second->starts, job.starts);
      shifts.push_back(&*job.shift);
    }
  }
  settle(shifts);
  return all;
}

std::vector<queue_forecast> forecast_queue(const forecast_request& request,
                                           const std::function<void(std::size_t, std::size_t)>& report) {
  const interrupt_guard interrupts;
  missing_replications::starts_of_all starts(request.variants.size(),
                                             std::vector<std::vector<double>>(request.replications));
  missing_replications source(request, starts, report);
  if (request.team)
    request.team->run(source);
  else
    worker_pool(request.workers)
        .run([&] { return source.next(); }, [&](std::size_t task) { return source.simulate_here(task); },
             [&](const task_outcome& outcome) { return source.take(outcome); }, [&] { return source.tick(); });
  if (!source.fault().empty()) throw simulation_fault(source.fault());
  if (interrupt_guard::seen()) throw search_interrupted();
  if (!source.drawn())
    for (auto& of_variant : starts) std::fill(of_variant.begin() + 1, of_variant.end(), of_variant.front());
  std::vector<queue_forecast> all = judge_queue(request, starts);
  for (queue_forecast& of_variant : all) of_variant.drawn = source.drawn();
  return all;
}

}  // namespace muster
