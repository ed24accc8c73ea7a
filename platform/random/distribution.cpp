#include "platform/random/distribution.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>

namespace muster {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Shortest text that reads back as the same number.
std::string text(double number) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

std::string names(const std::vector<distribution_parameter>& form) {
  std::string all;
  for (const auto& parameter : form) (all += all.empty() ? "" : ", ") += parameter.name;
  return "{" + all + "}";
}

const std::vector<double>* find(const distribution_values& values, std::string_view name) {
  const auto found = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == name; });
  return found == values.end() ? nullptr : &found->second;
}

const distribution_entry& entry_of(std::string_view name) {
  std::string known;
  for (const distribution_entry& entry : distribution_catalogue()) {
    if (entry.name == name) return entry;
    (known += known.empty() ? "" : ", ") += entry.name;
  }
  throw std::invalid_argument("distribution: expected one of " + known + ", found " + std::string{name});
}

const std::vector<distribution_parameter>& form_of(const distribution_entry& entry, const distribution_values& values) {
  std::string known;
  for (const auto& form : entry.forms) {
    const auto given = [&](const distribution_parameter& p) { return find(values, p.name) != nullptr; };
    if (values.size() == form.size() && std::all_of(form.begin(), form.end(), given)) return form;
    (known += known.empty() ? "" : " or ") += names(form);
  }
  std::vector<distribution_parameter> found;
  for (const auto& value : values) found.push_back({value.first, {}});
  throw std::invalid_argument(std::string{entry.name} + ": expected " + known + ", found " + names(found));
}

}  // namespace

/// Reads and checks the values of one form and sets up the distribution.
struct distribution::maker {
  const std::vector<distribution_parameter>& form;
  const distribution_values& values;
  distribution& made;

  bool has(std::string_view name) const { return find(values, name) != nullptr; }

  [[noreturn]] void refuse(std::string_view name, const std::string& found) const {
    const auto p = std::find_if(form.begin(), form.end(), [&](const auto& f) { return f.name == name; });
    std::string message{name};
    message += p->list    ? p->whole ? ": expected whole numbers" : ": expected numbers"
               : p->whole ? ": expected a whole number"
                          : ": expected a number";
    if (!p->range.empty()) (message += " ") += p->range;
    throw std::invalid_argument(message + ", found " + found);
  }

  double number(std::string_view name) const {
    const std::vector<double>& given = *find(values, name);
    if (given.size() != 1) refuse(name, std::to_string(given.size()) + " numbers");
    if (!std::isfinite(given.front())) refuse(name, text(given.front()));
    return given.front();
  }
  double above(std::string_view name, double limit = 0.0) const {
    const double given = number(name);
    if (!(given > limit)) refuse(name, text(given));
    return given;
  }
  double at_least(std::string_view name, double limit) const {
    const double given = number(name);
    if (!(given >= limit)) refuse(name, text(given));
    return given;
  }
  void require_count(std::string_view name, double given) const {
    if (given != std::floor(given) || given < 1.0 || given > 10000.0) refuse(name, text(given));
  }
  const std::vector<double>& list_above_zero(std::string_view name) const {
    const std::vector<double>& given = *find(values, name);
    if (given.empty()) refuse(name, "none");
    for (const double x : given)
      if (!(x > 0.0) || !std::isfinite(x)) refuse(name, text(x));
    return given;
  }

  // Probabilities to the last bit, which the user may have rounded.
  std::vector<double> probabilities() const {
    std::vector<double> odds = list_above_zero("probabilities");
    const double sum = std::accumulate(odds.begin(), odds.end(), 0.0);
    if (std::abs(sum - 1.0) > 1e-9) refuse("probabilities", "a sum of " + text(sum));
    for (double& p : odds) p /= sum;
    return odds;
  }

  void set(double mean, double variance, sampler s) const {
    made.mean_ = mean;
    // Where it is almost 0, rounding must not take it below.
    made.variance_ = std::max(0.0, variance);
    made.sampler_ = std::move(s);
  }

  void exponential() const {
    const double rate = has("rate") ? above("rate") : 1.0 / above("mean");
    const double mean = has("rate") ? 1.0 / rate : above("mean");
    set(mean, mean * mean, boost::random::exponential_distribution<double>{rate});
  }

  void constant() const {
    const double value = above(has("value") ? "value" : "mean");
    set(value, 0.0, deterministic{value});
  }

  void uniform() const {
    const double low = at_least("low", 0.0);
    const double high = above("high", low);
    const double width = high - low;
    set(low + width / 2.0, width * width / 12.0, boost::random::uniform_real_distribution<double>{low, high});
  }

  void erlang() const {
    const double phases = number("phases");
    require_count("phases", phases);
    const double mean = above("mean");
    set(mean, mean * mean / phases, boost::random::gamma_distribution<double>{phases, mean / phases});
  }

  void hyperexponential() const {
    if (!has("scv")) return branches();
    const double mean = above("mean");
    const double scv = above("scv", 1.0);
    // Both branches carry half the mean. 1 - likely, without the cancellation where scv is large.
    const double skew = std::sqrt((scv - 1.0) / (scv + 1.0));
    const double likely = (1.0 + skew) / 2.0;
    const double rare = 1.0 / ((scv + 1.0) * (1.0 + skew));
    const std::vector<double> rates{2.0 * likely / mean, 2.0 * rare / mean};
    const std::vector<double> odds{likely, rare};
    set(mean, scv * mean * mean, boost::random::hyperexponential_distribution<double>{odds, rates});
  }

  void branches() const {
    const std::vector<double> odds = probabilities();
    const std::vector<double>& means = list_above_zero("means");
    if (means.size() != odds.size()) refuse("means", std::to_string(means.size()) + " numbers");
    std::vector<double> rates;
    double mean = 0.0, second_moment = 0.0;
    for (std::size_t i = 0; i < odds.size(); ++i) {
      rates.push_back(1.0 / means[i]);
      mean += odds[i] * means[i];
      second_moment += odds[i] * 2.0 * means[i] * means[i];
    }
    set(mean, second_moment - mean * mean, boost::random::hyperexponential_distribution<double>{odds, rates});
  }

  void lognormal() const {
    const bool by_moments = has("scv");
    const double sigma = by_moments ? std::sqrt(std::log1p(above("scv"))) : above("sigma");
    const double half = sigma * sigma / 2.0;
    const double mu = by_moments ? std::log(above("mean")) - half : number("mu");
    const double mean = by_moments ? above("mean") : std::exp(mu + half);
    const double scv = by_moments ? above("scv") : std::expm1(2.0 * half);
    set(mean, scv * mean * mean, boost::random::lognormal_distribution<double>{mu, sigma});
  }

  void unbounded_pareto() const {
    const double shape = above("shape", 1.0);
    const double scale = has("scale") ? above("scale") : above("mean") * ((shape - 1.0) / shape);
    const double mean = has("scale") ? scale * (shape / (shape - 1.0)) : above("mean");
    const double variance = shape > 2.0 ? mean * mean / (shape * (shape - 2.0)) : infinite;
    set(scale > 0.0 ? mean : 0.0, variance, pareto{shape, scale, infinite, 0.0});
  }

  void bounded_pareto() const {
    const double shape = above("shape");
    const double low = above("low");
    const double high = above("high", low);
    // The n-th moment is low^n g(shape - n) / g(shape), g(s) the integral of exp(-s t) over t in (0, log(high / low)).
    const double span = std::log1p((high - low) / low);
    const auto g = [span](double s) { return s == 0.0 ? span : -std::expm1(-s * span) / s; };
    const double mean = g(shape - 1.0) / g(shape);
    const double second_moment = g(shape - 2.0) / g(shape);
    set(low * mean, low * low * (second_moment - mean * mean), pareto{shape, low, high, std::exp(-shape * span)});
  }

  void weibull() const {
    const double shape = above("shape");
    const double first = std::tgamma(1.0 + 1.0 / shape);
    const double scale = has("scale") ? above("scale") : above("mean") / first;
    const double mean = has("scale") ? scale * first : above("mean");
    const double scv = std::tgamma(1.0 + 2.0 / shape) / first / first - 1.0;
    set(scale > 0.0 ? mean : 0.0, scv * mean * mean, boost::random::weibull_distribution<double>{shape, scale});
  }

  // The mean of one of the phases, `count` of them on average.
  double phase_mean(double count) const { return has("phase_mean") ? above("phase_mean") : above("mean") / count; }

  // A sum of N phases of mean s has mean E[N] s and variance (E[N] + Var[N]) s^2.
  void sum_of_phases(double mean_count, double variance_of_count, double phase, sampler s) const {
    set(has("mean") ? above("mean") : mean_count * phase, (mean_count + variance_of_count) * phase * phase,
        std::move(s));
  }

  void bimodal() const {
    const std::vector<double>& counts = *find(values, "phases");
    if (counts.size() != 2) refuse("phases", std::to_string(counts.size()) + " numbers");
    for (const double n : counts) require_count("phases", n);
    const std::vector<double> odds = probabilities();
    if (odds.size() != 2) refuse("probabilities", std::to_string(odds.size()) + " numbers");
    const double apart = counts[0] - counts[1];
    const double mean_count = odds[0] * counts[0] + odds[1] * counts[1];
    const double phase = phase_mean(mean_count);
    using sum = boost::random::gamma_distribution<double>;
    sum_of_phases(mean_count, odds[0] * odds[1] * apart * apart, phase,
                  bimodal_phases{odds[0], sum{counts[0], phase}, sum{counts[1], phase}});
  }

  void zipf() const {
    const double most = number("most");
    require_count("most", most);
    const double exponent = above("exponent");
    double total = 0.0, mean_count = 0.0, variance = 0.0;
    // The rarest first, so that they are not lost in the sum of the others.
    for (double k = most; k >= 1.0; k -= 1.0) {
      const double weight = std::pow(k, -exponent);
      total += weight;
      mean_count += k * weight;
    }
    mean_count /= total;
    for (double k = most; k >= 1.0; k -= 1.0)
      variance += (k - mean_count) * (k - mean_count) * std::pow(k, -exponent) / total;
    const double phase = phase_mean(mean_count);
    sum_of_phases(mean_count, variance, phase, zipf_phases{most, exponent, phase, {}});
  }
};

distribution distribution::make(std::string_view name, const distribution_values& values) {
  using build = void (maker::*)() const;
  static constexpr std::pair<std::string_view, build> builders[] = {
      {"exponential", &maker::exponential},
      {"deterministic", &maker::constant},
      {"uniform", &maker::uniform},
      {"erlang", &maker::erlang},
      {"hyperexponential", &maker::hyperexponential},
      {"lognormal", &maker::lognormal},
      {"pareto", &maker::unbounded_pareto},
      {"bounded_pareto", &maker::bounded_pareto},
      {"weibull", &maker::weibull},
      {"bimodal_phases", &maker::bimodal},
      {"zipf_phases", &maker::zipf},
  };
  const distribution_entry& entry = entry_of(name);
  const auto& form = form_of(entry, values);
  distribution made;
  made.name_ = entry.name;
  made.values_.clear();
  for (const auto& parameter : form) made.values_.emplace_back(parameter.name, *find(values, parameter.name));
  const auto builder = std::find_if(std::begin(builders), std::end(builders), [&](auto& b) { return b.first == name; });
  (maker{form, values, made}.*builder->second)();
  if (!(made.mean_ > 0.0) || !std::isfinite(made.mean_))
    throw std::invalid_argument(made.name_ + ": these values give a mean that is 0 or infinite in double precision");
  return made;
}

distribution distribution::scaled(double factor) const {
  if (!(factor > 0.0) || !std::isfinite(factor))
    throw std::invalid_argument("factor: expected a number > 0, found " + text(factor));
  static const std::set<std::string_view> without_unit{"shape",         "scv",  "sigma",   "phases",
                                                       "probabilities", "most", "exponent"};
  distribution_values values = values_;
  for (auto& [name, numbers] : values) {
    if (without_unit.count(name) > 0) continue;
    for (double& x : numbers) x = name == "mu" ? x + std::log(factor) : name == "rate" ? x / factor : x * factor;
  }
  return make(name_, values);
}

}  // namespace muster
