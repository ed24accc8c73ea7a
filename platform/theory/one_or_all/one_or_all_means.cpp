#include "platform/theory/one_or_all/one_or_all_means.h"

#include <utility>

namespace muster {

namespace {

/// Sums over a light period, without the light arrivals of T.
struct period_sums {
  double idle = 0.0, phase_2 = 0.0, phase_3 = 0.0, phase_4 = 0.0;
  double light = 0.0;  ///< area under the light jobs of the period
  double heavy = 0.0;  ///< area under the heavy jobs until phase 1
  double left = 0.0;   ///< heavy jobs at the beginning of phase 1
  double none = 0.0;   ///< probability that there are none

  static const std::array<double period_sums::*, 8> all;
  friend period_sums operator+(period_sums a, const period_sums& b) {
    for (const auto sum : all) a.*sum += b.*sum;
    return a;
  }
  friend period_sums operator*(double factor, period_sums a) {
    for (const auto sum : all) a.*sum *= factor;
    return a;
  }
};
constexpr std::array<double period_sums::*, 8> period_sums::all{
    &period_sums::idle,  &period_sums::phase_2, &period_sums::phase_3, &period_sums::phase_4,
    &period_sums::light, &period_sums::heavy,   &period_sums::left,    &period_sums::none};

/// The descent of the number of light jobs from one value to another, while they are served as they come.
struct descent {
  double mean = 0.0, variance = 0.0;
  double area = 0.0;  ///< under the light jobs
  double none = 1.0;  ///< probability that no heavy job comes

  double square() const { return variance + mean * mean; }
  friend descent operator+(const descent& a, const descent& b) {
    return {a.mean + b.mean, a.variance + b.variance, a.area + b.area, a.none * b.none};
  }
};

class period_calculator {
 public:
  explicit period_calculator(const one_or_all& model)
      : model_(model),
        steps_(model.cores + 1),
        drains_(model.threshold + 1),
        quiet_(model.threshold + 1, 1.0),
        free_(model.threshold + 1) {
    fill_steps();
    for (std::size_t i = 1; i <= model.threshold; ++i) {
      const double mean = 1.0 / (static_cast<double>(i) * model.light_completions);
      drains_[i] = drains_[i - 1] + time_moments{mean, 2.0 * mean * mean};
      quiet_[i] = quiet_[i - 1] / (1.0 + model.heavy_arrivals * mean);
    }
    if (!model.drains_always) fill_free();
  }

  /// The sums from each number of light jobs below `cores`.
  std::vector<period_sums> from_few() const {
    std::vector<period_sums> sums(model_.cores);
    descent down;
    for (std::size_t w = 1; w < model_.cores; ++w) {
      if (w > model_.threshold) {
        down = down + steps_[w];
        sums[w] = after(down, 0.0);
      } else {
        sums[w] = model_.drains_always ? drained(w, 0.0) : free_[w];
      }
    }
    sums[0] = model_.drains_always ? from_empty(sums[1]) : free_[0];
    return sums;
  }

  /// The sums from `cores` light jobs and more, over their distribution. @param many as in one_or_all_means
  period_sums from_many(const std::array<double, 3>& many, double unbroken) const {
    descent low;  // the descent from cores - 1
    for (std::size_t w = model_.threshold + 1; w < model_.cores; ++w) low = low + steps_[w];
    const descent& step = steps_[model_.cores];
    const auto [one, n, pairs] = many;
    const double square =
        one * low.square() + n * (step.variance + 2.0 * low.mean * step.mean) + (pairs + n) * step.mean * step.mean;
    // The i-th step from the bottom begins with i - 1 jobs more than the first one.
    const double area = one * low.area + n * step.area + pairs / 2.0 * step.mean;
    const double mean = one * low.mean + n * step.mean;
    period_sums sums = finish(mean, square, area, low.none * unbroken, one);
    sums.phase_2 = n * step.mean;
    sums.phase_3 += one * low.mean;
    return sums;
  }

 private:
  void fill_steps() {
    const double up = model_.light_arrivals, mu = model_.light_completions;
    const auto passages = light_passages(model_, series_s());
    const auto unbroken = light_passages(model_, model_.heavy_arrivals);
    for (std::size_t j = model_.cores; j >= 1; --j) {
      const time_moments moments = moments_of(passages[j]);
      const double jobs = static_cast<double>(j), die = jobs * mu;
      const double area = j == model_.cores ? (jobs - 1.0) * moments.first + die / ((die - up) * (die - up))
                                            : (jobs + up * steps_[j + 1].area) / die;
      steps_[j] = {moments.first, moments.variance(), area, unbroken[j]};
    }
  }

  /// The sums over phase 4 from a number of light jobs. @param before heavy jobs at its beginning
  period_sums drained(std::size_t jobs, double before) const {
    period_sums sums;
    const double come = model_.heavy_arrivals;
    sums.phase_4 = drains_[jobs].first;
    sums.light = static_cast<double>(jobs) / model_.light_completions;
    sums.left = before + come * sums.phase_4;
    sums.heavy = before * sums.phase_4 + come * drains_[jobs].second / 2.0;
    sums.none = before > 0.0 ? 0.0 : quiet_[jobs];
    return sums;
  }

  /// The sums over a descent to the threshold and what follows, without the time in phases 2 and 3. The arguments are
  /// sums over the cases of a descent, which are of probability `one` together, `none` of it without a heavy job.
  period_sums finish(double mean, double square, double area, double none, double one) const {
    const double come = model_.heavy_arrivals;
    const double into_4 = model_.drains_always ? one : one - none;
    period_sums sums = into_4 * drained(model_.threshold, 0.0);
    sums.none = model_.drains_always ? none * quiet_[model_.threshold] : 0.0;
    sums.light += area;
    sums.heavy += come * square / 2.0 + come * mean * drains_[model_.threshold].first;
    sums.left += come * mean;
    return model_.drains_always ? sums : sums + none * free_[model_.threshold];
  }

  period_sums after(const descent& down, double phase_2) const {
    period_sums sums = finish(down.mean, down.square(), down.area, down.none, 1.0);
    sums.phase_2 += phase_2;
    sums.phase_3 += down.mean - phase_2;
    return sums;
  }

  period_sums from_empty(const period_sums& from_one) const {
    const double all = model_.light_arrivals + model_.heavy_arrivals;
    period_sums sums = (model_.light_arrivals / all) * from_one;
    sums.idle += 1.0 / all;
    sums.left += model_.heavy_arrivals / all;
    return sums;
  }

  void fill_free() {
    std::vector<period_sums> in_a_unit;
    for (std::size_t j = 0; j <= model_.threshold; ++j) {
      period_sums sums = model_.heavy_arrivals * drained(j, 1.0);
      (j > 0 ? sums.phase_3 : sums.idle) += 1.0;
      sums.light += static_cast<double>(j);
      in_a_unit.push_back(sums);
    }
    // The way up from the threshold and down again: with a heavy job, or without, which free_ does not have yet.
    const descent& step = steps_[model_.threshold + 1];
    free_ = until_heavy_comes(model_, std::move(in_a_unit), after(step, 0.0), step.none);
  }

  const one_or_all& model_;
  std::vector<descent> steps_;        // descents by one, by the number of light jobs at their beginning
  std::vector<time_moments> drains_;  // durations of phase 4, by the number of light jobs at its beginning
  std::vector<double> quiet_;         // probability that no heavy job comes meanwhile, by that number
  std::vector<period_sums> free_;     // sums while no heavy job is there, by the number of light jobs
};

/// Sets the moments of W, from the equation of period_transforms at s = 0 up to its second derivative.
void solve_moments(const one_or_all& model, const period_transforms<power_series>& at, const period_start& start,
                   one_or_all_means& means) {
  const double up = model.light_arrivals;
  const double a = static_cast<double>(model.cores) - 1.0;
  double one = 1.0, first = 0.0, pairs = 0.0;
  power_series known = start.unbroken * at.alone;
  for (std::size_t w = 0; w < model.cores; ++w) {
    const double p = start.few[w], jobs = static_cast<double>(w);
    one -= p;
    first += p * jobs;
    pairs += p * jobs * (jobs - 1.0);
    known = known + p * at.few[w];
  }
  known = known + one * at.many;
  const double contraction = -up * at.step.at(1);
  const double n = -(up * known.at(1) + first + a * one) / (1.0 - contraction);
  const double squares = known.at(2) + n * (at.step.at(2) + at.many.at(1) * at.step.at(1)) -
                         (pairs + 2.0 * a * n + a * (a - 1.0) * one) / (2.0 * up * up);
  const double n_pairs = squares * 2.0 * up * up / (1.0 - contraction * contraction);
  means.many = {one, n, n_pairs};
  means.started_light = first + n + a * one;
  means.started_light_pairs = pairs + n_pairs + 2.0 * a * n + a * (a - 1.0) * one;
}

void set_durations(const one_or_all& model, const period_start& start, double none, one_or_all_means& means) {
  double down = means.many[0];  // periods that go down to the threshold from above
  for (std::size_t w = model.threshold + 1; w < model.cores; ++w) down += start.few[w];
  double one_first = start.few[0] * model.light_arrivals / (model.light_arrivals + model.heavy_arrivals);
  const bool drains = model.drains_always;
  const std::array<double, 5> visits{0.0, 1.0 - none, means.many[0],
                                     !drains ? 0.0 : down + (model.threshold == 0 ? one_first : 0.0),
                                     !drains ? 0.0 : 1.0 - start.few[0] + one_first};
  for (std::size_t i = 1; i < visits.size(); ++i)
    if (visits[i] > 0.0) means.phase_duration[i] = means.phase_share[i] * means.period / visits[i];
}

struct means_calculator {
  const one_or_all& model;
  const period_transforms<power_series> transforms = period_transforms_at(model, series_s());
  const period_calculator periods{model};
  const std::vector<period_sums> from_few = periods.from_few();

  one_or_all_means operator()(const period_start& start) const {
    one_or_all_means means;
    solve_moments(model, transforms, start, means);
    period_sums sums = periods.from_many(means.many, start.unbroken);
    for (std::size_t w = 0; w < model.cores; ++w) sums = sums + start.few[w] * from_few[w];
    const double outside = sums.idle + sums.phase_2 + sums.phase_3 + sums.phase_4;
    const double phase_1 = sums.left / (model.heavy_completions - model.heavy_arrivals);
    means.started_heavy = sums.left;
    means.period = outside + phase_1;
    means.phase_share = {sums.idle, phase_1, sums.phase_2, sums.phase_3, sums.phase_4};
    for (double& share : means.phase_share) share /= means.period;
    set_durations(model, start, sums.none, means);
    means.light_jobs = (sums.light + means.started_light_pairs / (2.0 * model.light_arrivals)) / means.period;
    means.heavy_jobs = model.heavy_load() / (1.0 - model.heavy_load()) + sums.heavy / outside;
    means.light_response = means.light_jobs / model.light_arrivals;
    means.heavy_response = means.heavy_jobs / model.heavy_arrivals;
    return means;
  }
};

}  // namespace

std::function<one_or_all_means(const period_start&)> means_of(const one_or_all& model) {
  return means_calculator{model};
}

}  // namespace muster
