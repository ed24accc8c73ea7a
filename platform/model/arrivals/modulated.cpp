#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/uniform_01.hpp>

#include <fmt/format.h>

#include "platform/model/arrival_entry.h"
#include "platform/model/relative_rates.h"
#include "platform/model/synthetic_workload.h"

namespace muster {

namespace {

constexpr double most_cycles = 10'000.0;  // of the states between two arrivals, on average: each takes time to draw

const std::vector<double>& rates_in(const arrival_spec& arrivals) { return arrivals.lists[0]; }
const std::vector<double>& stays_in(const arrival_spec& arrivals) { return arrivals.lists[1]; }

double cycle_of_states(const arrival_spec& arrivals) {
  const std::vector<double>& stays = stays_in(arrivals);
  return std::accumulate(stays.begin(), stays.end(), 0.0);
}

/// Poisson arrivals whose rate is that of a state. The states follow one another in a cycle, and each lasts for an
/// exponential time.
///
/// The process begins in equilibrium: the first state is drawn by the share of time that each state has. The times of
/// the states have a stream of their own, and the arrivals are those of a Poisson process of the mean rate, moved to
/// the time at which as many arrivals are expected.
class modulated_workload final : public workload {
 public:
  modulated_workload(const scenario& model, std::uint32_t replication)
      : jobs_(model, replication),
        stay_(stays_in(model.arrivals)),
        rates_(over_their_mean(rates_in(model.arrivals), stay_)),
        state_bits_(model.run.seed, replication, "source", "states of arrivals") {
    const double drawn = cycle_of_states(model.arrivals) * boost::random::uniform_01<double>{}(state_bits_);
    for (double end = stay_[0]; drawn >= end && state_ + 1 < stay_.size(); end += stay_[state_]) ++state_;
    for (double& stay : stay_) stay *= static_cast<double>(model.unit.ticks);
    left_ = draw_stay();
  }

  bool next(job_request& job) override {
    const ticks even = jobs_.next_arrival();
    const double time = time_of(static_cast<double>(even - even_));
    now_ = std::min(end_of_clock, now_ + static_cast<ticks>(std::llround(time)));
    even_ = even;
    job.arrival = now_;
    jobs_.draw(job);
    return true;
  }
  std::string_view fixes_arrivals() const override { return "its rate follows a course of its own"; }

 private:
  double draw_stay() { return stay_[state_] * boost::random::exponential_distribution<double>{}(state_bits_); }

  // The time that passes until as many arrivals are expected as in a time at the mean rate, in ticks.
  double time_of(double even) {
    double passed = 0.0;
    while (even >= left_ * rates_[state_]) {
      if (passed >= static_cast<double>(end_of_clock)) return static_cast<double>(end_of_clock);
      even -= left_ * rates_[state_];
      passed += left_;
      state_ = state_ + 1 == stay_.size() ? 0 : state_ + 1;
      left_ = draw_stay();
    }
    const double here = even / rates_[state_];
    left_ = std::max(0.0, left_ - here);
    return std::min(passed + here, static_cast<double>(end_of_clock));
  }

  synthetic_workload jobs_;
  std::vector<double> stay_;   // mean time in each state, in ticks
  std::vector<double> rates_;  // over their mean
  random_stream state_bits_;
  std::size_t state_ = 0;
  double left_ = 0.0;  // of the time in this state, in ticks
  ticks now_ = 0;
  ticks even_ = 0;  // arrival of the last job at the mean rate
};

std::optional<std::pair<std::string_view, std::string>> objection_to_states(const arrival_spec& arrivals) {
  const std::vector<double>&rates = rates_in(arrivals), &stays = stays_in(arrivals);
  if (rates.size() != stays.size())
    return {
        {"stay", fmt::format("expected as many times as there are rates, {}, found {}", rates.size(), stays.size())}};
  if (arrivals.rate > 0.0 && most_cycles * cycle_of_states(arrivals) * arrivals.rate < 1.0)
    return {{"stay", fmt::format("between arrivals there are {:.3g} cycles of the states on average; expected at most "
                                 "{:g}",
                                 1.0 / (cycle_of_states(arrivals) * arrivals.rate), most_cycles)}};
  return objection_to_rates(rates);
}

// The variance of the number of arrivals in a long time grows by lambda + 2 sum pi_i (lambda_i - lambda) g_i, where g
// solves the Poisson equation of the states, Q g = lambda - lambda_i (Asmussen, Applied Probability and Queues, 2003,
// Sections I.7 and XI.1). From a state of a cycle there is one way on, so that g_(i+1) = g_i - stay_i (lambda_i -
// lambda). Two states: Heffes and Lucantoni (1986).
double dispersion_of_states(const arrival_spec& arrivals) {
  const std::vector<double>& stays = stays_in(arrivals);
  const std::vector<double> rates = over_their_mean(rates_in(arrivals), stays);
  double g = 0.0, sum = 0.0;
  for (std::size_t i = 0; i < stays.size(); ++i) {
    const double excess = arrivals.rate * (rates[i] - 1.0);
    sum += stays[i] * excess * g;
    g -= stays[i] * excess;
  }
  return 1.0 + 2.0 * sum / (cycle_of_states(arrivals) * arrivals.rate);
}

}  // namespace

/// Markov-modulated Poisson arrivals.
extern const arrival_entry modulated_arrivals{
    "modulated",
    9,
    arrival_kind::other,
    {relative_rates_key(),
     {"stay", numbers_key{{above_zero, "time", clock_limit::range_and_step}, 2, 100, "[1.0, 0.5]"}, required{},
      "mean time in each state of the cycle"}},
    exponential_times,
    make_jobs<modulated_workload>,
    nullptr,
    objection_to_states,
    dispersion_of_states,
    cycle_of_states};

}  // namespace muster
