#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/hyperexponential_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <boost/random/weibull_distribution.hpp>

#include "platform/random/random_stream.h"

namespace muster {

/// One parameter of a distribution, as written in a scenario.
struct distribution_parameter {
  std::string_view name;
  std::string_view range;  ///< for messages and help, such as "> 0"; empty: any number
  bool list = false;       ///< a list of numbers
  bool whole = false;      ///< a whole number
};

/// What a scenario may say of a distribution; the table feeds parser, help and documentation.
struct distribution_entry {
  std::string_view name;
  std::string_view about;
  /// Alternative sets of parameters; a scenario gives exactly one of them.
  std::vector<std::vector<distribution_parameter>> forms;
};

const std::vector<distribution_entry>& distribution_catalogue();

/// Values of a distribution's parameters by name.
using distribution_values = std::vector<std::pair<std::string, std::vector<double>>>;

/// A distribution of positive times with exactly known mean and variance.
class distribution {
 public:
  distribution() = default;

  /// @param values one of the entry's forms, complete
  /// @throws std::invalid_argument that names the parameter, what was expected and what was found
  static distribution make(std::string_view name, const distribution_values& values);

  const std::string& name() const { return name_; }
  /// In the order of the catalogue's form.
  const distribution_values& values() const { return values_; }
  double mean() const { return mean_; }
  /// Infinite where it does not exist.
  double variance() const { return variance_; }
  /// The same distribution with all values multiplied by a factor > 0; values() tells the parameters that this gives.
  distribution scaled(double factor) const;

  /// @param bits random_stream or compact_random_stream
  template <class Bits>
  double operator()(Bits& bits) {
    if (auto* e = std::get_if<boost::random::exponential_distribution<double>>(&sampler_)) return (*e)(bits);
    return sample(bits);
  }

 private:
  struct deterministic {
    double value;
    template <class Bits>
    double operator()(Bits&) const {
      return value;
    }
  };
  /// Inverse of P(X > x) at a uniform number in (0, 1]; `cut` is what the untruncated law has above `highest`.
  struct pareto {
    double shape, lowest, highest, cut;
    template <class Bits>
    double operator()(Bits& bits) const;
  };
  /// A sum of exponential phases: a gamma distribution of one of two shapes.
  struct bimodal_phases {
    double first_probability;
    boost::random::gamma_distribution<double> first, second;
    template <class Bits>
    double operator()(Bits& bits);
  };
  /// The same of a shape from 1 to `most`.
  struct zipf_phases {
    double most, exponent, phase_mean;
    std::vector<double>
        up_to;  ///< sums of the weights; made at the first draw, most distributions of a sweep have none
    template <class Bits>
    double operator()(Bits& bits);
  };
  using sampler =
      std::variant<deterministic, boost::random::exponential_distribution<double>,
                   boost::random::uniform_real_distribution<double>, boost::random::gamma_distribution<double>,
                   boost::random::hyperexponential_distribution<double>, boost::random::lognormal_distribution<double>,
                   boost::random::weibull_distribution<double>, pareto, bimodal_phases, zipf_phases>;

  struct maker;

  template <class Bits>
  double sample(Bits& bits);

  std::string name_ = "deterministic";
  distribution_values values_{{"value", {1.0}}};
  double mean_ = 1.0;
  double variance_ = 0.0;
  sampler sampler_ = deterministic{1.0};
};

}  // namespace muster
