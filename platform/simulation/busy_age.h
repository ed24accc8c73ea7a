#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <boost/math/quadrature/exp_sinh.hpp>

#include "muster/policies/job.h"
#include "muster/policies/table.h"
#include "platform/model/class_table.h"
#include "platform/model/scenario.h"

namespace muster {

/// The jobs of all classes but the widest on unlimited cores (M/G/infinity), beside the cluster: for how long have
/// there been some? Where the widest need all cores, they wait for the cores to be free at once, which takes long when
/// this is long.
class busy_age {
 public:
  /// The queue of a scenario; nothing where the mean age is not known or the warm-up too short for it: unless arrivals
  /// are Poisson, and the sizes of all classes but the widest, of which there is one at least, exponential.
  static std::optional<busy_age> of(const scenario& model) {
    constexpr double busy_periods = 10.0, most_jobs = 20.0;  // in the warm-up, and in service
    if (model.arrivals.kind != arrival_spec::process::poisson) return std::nullopt;
    double widest = 0.0, rate = 0.0;
    for (const class_spec& c : model.classes) widest = std::max<double>(widest, c.need);
    busy_age result;
    exponential_jobs narrow;
    for (const std::size_t at : by_descending_need(model)) {
      const class_spec& c = model.classes[at];
      const bool is_narrow = c.need < widest;
      result.narrow_.push_back(is_narrow ? 1 : 0);
      if (!is_narrow) continue;
      if (c.size.name() != "exponential") return std::nullopt;
      narrow.classes.push_back({c.rate * c.size.mean(), c.size.mean()});
      rate += c.rate;
    }
    if (rate == 0.0 || narrow.jobs() > most_jobs) return std::nullopt;
    const double arrivals_of_busy_period = std::exp(narrow.jobs()) * model.arrivals.rate / rate;
    if (busy_periods * arrivals_of_busy_period > static_cast<double>(model.run.unmeasured())) return std::nullopt;
    result.expected_ = narrow.mean_busy_age();
    return result;
  }

  void arrive(ticks now, class_id id, ticks size) {
    if (now > empty_) begin_ = now;
    sum_ += static_cast<double>(static_cast<std::int64_t>(now - begin_));
    if (narrow_[id] != 0) empty_ = std::max(empty_, now + size);
  }
  /// The sum of the ages that arrivals have found since the last call, in ticks. It begins anew.
  double take() {
    const double sum = sum_;
    sum_ = 0.0;
    return sum;
  }
  /// The mean age that Poisson arrivals find (0 in the empty queue), in units of time.
  double expected() const { return expected_; }

 private:
  /// Exponential jobs on unlimited cores.
  struct exponential_jobs {
    struct of_class {
      double jobs, mean;  // jobs in service on average, and their mean size
    };
    std::vector<of_class> classes{};

    double jobs() const { return longer_than(0.0); }
    /// The mean number of jobs whose service lasts longer than a time from now.
    double longer_than(double time) const {
      double sum = 0.0;
      for (const of_class& c : classes) sum += c.jobs * std::exp(-time / c.mean);
      return sum;
    }
    /// The mean age of the busy period at an arbitrary time. Reversed in time it is the time V until the queue is next
    /// empty. With g(t) = longer_than(t) the queue is empty with probability exp(g(t) - g(0)) at the time t after an
    /// instant at which it was empty, and with exp(-g(0)) at any time, which is the convolution of the former with the
    /// distribution of V. Their transforms give the mean of V: the integral of exp(g(t)) - 1.
    double mean_busy_age() const {
      boost::math::quadrature::exp_sinh<double> integration;
      return integration.integrate([this](double time) { return std::expm1(longer_than(time)); });
    }
  };

  busy_age() = default;

  table<class_id, std::uint8_t> narrow_;  // 1 for all classes but the widest
  ticks begin_ = 0, empty_ = 0;
  double sum_ = 0.0, expected_ = 0.0;
};

}  // namespace muster
