#include "platform/theory/one_or_all/one_or_all_means.h"

#include <algorithm>

namespace muster {

namespace {

/// The moments of the sum of N independent times, N having the moments n.
time_moments sum_of(const time_moments& n, const time_moments& each) {
  return {n.first * each.first, n.first * each.variance() + n.second * each.first * each.first};
}

/// The moments of the number of Poisson arrivals in a random time.
time_moments arrivals_in(const time_moments& time, double rate) {
  const double mean = rate * time.first;
  return {mean, rate * rate * time.second + mean};
}

time_moments exponential_time(double rate) { return {1.0 / rate, 2.0 / (rate * rate)}; }

/// The mean work in M/G/1 with exceptional first service seen by arrivals that do not begin a busy period (Remark 2).
double seen_work(double arrivals, const time_moments& usual, const time_moments& first) {
  const double idle = 1.0 - arrivals * usual.first;
  const double work = arrivals * usual.second / (2.0 * idle) +
                      arrivals * (first.second - usual.second) / (2.0 * (idle + arrivals * first.first));
  const double comes_first = idle / (idle + arrivals * first.first);
  return work / (1.0 - comes_first);
}

/// The mean response time of Lemma 4, its infinite sums in closed form: beyond k the C_j are geometric.
double light_response_in_3(const one_or_all& model) {
  const std::size_t l = model.threshold;
  const double up = model.light_arrivals, mu = model.light_completions, k = static_cast<double>(model.cores);
  double visits = 0.0, time = 0.0, responses = 0.0;
  for (std::size_t n = l + 1; n <= model.cores; ++n) {
    const double j = static_cast<double>(n), leave = up + j * mu;
    const double entered = n < model.cores ? leave / (j * mu) : 0.0;
    visits = entered + (n == l + 1 ? 0.0 : visits * up * leave / (j * mu * (leave - mu)));
    time += visits / leave;
    responses += visits / leave * (k + std::max(0.0, j - k + 1.0)) / (k * mu);
  }
  const double each = visits / (up + k * mu), ratio = up / (k * mu), rest = ratio / (1.0 - ratio);
  time += each * rest;
  responses += each * (rest * (k + 1.0) + rest / (1.0 - ratio)) / (k * mu);  // j - k + 1 = 1 + n of weight ratio^n
  return time > 0.0 ? responses / time : 0.0;
}

/// The negative binomial W that has these moments.
/// @param alive as in period_transforms
/// @param pairs E(W (W - 1)), above mean^2
period_start fitted(const one_or_all& model, double alive, double mean, double pairs) {
  const double shape = 1.0 / (pairs / (mean * mean) - 1.0), scale = mean / shape;
  period_start start{std::vector<double>(model.cores), 0.0};
  double p = std::exp(-shape * std::log1p(scale));
  const double ratio = scale / (1.0 + scale);
  double unbroken = alive;
  for (std::size_t w = 0; w < model.cores || unbroken > 1e-18; ++w) {
    const double sum = start.unbroken;
    if (w < model.cores) {
      start.few[w] = p;
    } else {
      start.unbroken += p * unbroken;
      unbroken *= alive;
    }
    const double factor = ratio * (shape + static_cast<double>(w)) / static_cast<double>(w + 1);
    if (w >= model.cores && start.unbroken == sum && factor <= 1.0) break;  // further terms are not greater
    p *= factor;
  }
  return start;
}

}  // namespace

section_5 analyse_as_printed(const one_or_all& model) {
  const double up = model.light_arrivals, heavy = model.heavy_arrivals, k = static_cast<double>(model.cores);
  const time_moments light = exponential_time(k * model.light_completions);
  const time_moments large = exponential_time(model.heavy_completions);
  section_5 printed;
  printed.in_domain = true;
  const auto passages = light_passages(model, series_s());
  power_series phase_3(1.0);
  for (std::size_t j = model.threshold + 1; j < model.cores; ++j) phase_3 = phase_3 * passages[j];
  printed.phases[3] = moments_of(phase_3);
  for (std::size_t j = 1; j <= model.threshold; ++j)
    printed.phases[4] = printed.phases[4] + exponential_time(static_cast<double>(j) * model.light_completions);
  // Lemmas 5 and 6 for N_2^L: means_of solves them where no W is below k.
  const one_or_all_means means = means_of(model)({std::vector<double>(model.cores, 0.0), 0.0});
  const time_moments more{means.many[1], means.many[2] + means.many[1]};  // N_2^L - k + 1
  printed.light_at_2 = {means.started_light, means.started_light_pairs + means.started_light};
  printed.phases[2] = sum_of(more, moments_of(passages[model.cores]));
  const time_moments elsewhere = printed.phases[2] + printed.phases[3] + printed.phases[4];
  printed.heavy_at_1 = arrivals_in(elsewhere, heavy);
  printed.phases[1] = sum_of(printed.heavy_at_1, moments_of(busy_period(series_s(), heavy, model.heavy_completions)));
  printed.drain_and_heavy = {means.started_light / up, means.started_light_pairs / (up * up)};
  const double cycle = printed.phases[1].first + elsewhere.first;
  for (std::size_t i = 1; i <= 4; ++i) {
    printed.phase_share[i] = printed.phases[i].first / cycle;
    printed.in_domain = printed.in_domain && printed.phases[i].first >= 0.0 && printed.phases[i].second >= 0.0;
  }
  printed.heavy_in_1 = seen_work(heavy, large, sum_of(printed.heavy_at_1, large)) + large.first;
  printed.light_in_2 = seen_work(up, light, sum_of(more, light)) + 1.0 / model.light_completions;
  printed.heavy_elsewhere =
      (model.heavy_load() + 1.0) * elsewhere.second / (2.0 * elsewhere.first) + 1.0 / model.heavy_completions;
  printed.light_elsewhere =
      (model.light_load() + 1.0) * printed.drain_and_heavy.second / (2.0 * printed.drain_and_heavy.first) +
      1.0 / model.light_completions;
  printed.light_in_3 = light_response_in_3(model);
  const std::array<double, 5>& share = printed.phase_share;
  printed.heavy_response = printed.heavy_in_1 * share[1] + printed.heavy_elsewhere * (share[2] + share[3] + share[4]);
  printed.light_response =
      printed.light_elsewhere * (share[1] + share[4]) + printed.light_in_2 * share[2] + printed.light_in_3 * share[3];
  return printed;
}

corrected_analysis analyse_corrected(const one_or_all& model, double accuracy) {
  const auto means = means_of(model);
  const double alive = light_passages(model, model.heavy_arrivals)[model.cores];
  corrected_analysis last;
  last.start.few.assign(model.cores, 0.0);
  last.means = means(last.start);
  constexpr int most_rounds = 500;
  for (int round = 0; round < most_rounds; ++round) {
    // The moments of the first rounds may be those of no distribution.
    const double mean = std::max(last.means.started_light, 0.1);
    const double pairs = std::max(last.means.started_light_pairs, mean * mean * 1.001);
    corrected_analysis next;
    next.start = fitted(model, alive, mean, pairs);
    next.means = means(next.start);
    next.converged = std::abs(next.means.started_light - last.means.started_light) <= accuracy * mean &&
                     next.means.started_light_pairs >= next.means.started_light * next.means.started_light;
    last = std::move(next);
    if (last.converged) break;
  }
  return last;
}

}  // namespace muster
