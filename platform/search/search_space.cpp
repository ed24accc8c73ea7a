#include "platform/search/search_space.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/toml/diagnostics.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

constexpr double most_whole = 9007199254740992.0;  // up to here a double has every integer

bool is_whole(const std::string& text) { return text.find_first_of(".eE") == std::string::npos; }

// A number of a range, with the unit behind it, if there is one.
struct range_number {
  double value;
  bool whole;
  std::string unit;
};

std::optional<range_number> range_number_in(const std::string& text) {
  const auto with_unit = quantity_in(text);
  const std::string plain = with_unit ? text.substr(0, text.find_last_of(".0123456789") + 1) : text;
  const auto value = number_in<double>(plain);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return range_number{*value, is_whole(plain), with_unit ? with_unit->unit : ""};
}

range_number end_of(const std::string& text) {
  auto end = range_number_in(text);
  if (!end)
    throw std::invalid_argument(fmt::format("expected LOW:HIGH, such as 0:31 or 0.1:10.0, found {}", in_quotes(text)));
  return *std::move(end);
}

range_number step_of(const std::string& text, double most) {
  auto step = range_number_in(text);
  if (!step || !(step->value > 0.0) || step->value > most || most / step->value > most_whole)
    throw std::invalid_argument(
        fmt::format("expected LOW:HIGH:STEP with a STEP above 0 and at most HIGH - LOW, such as 0:30:5, found {}",
                    in_quotes(text)));
  return *std::move(step);
}

// The text between commas that stand in no brackets and no quotes, without blanks around it.
std::vector<std::string> parts_of(std::string_view given) {
  std::vector<std::string> parts{""};
  int depth = 0;
  char quote = 0;
  for (const char c : given) {
    if (quote)
      quote = c == quote ? '\0' : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0 && !quote)
      parts.emplace_back();
    else if (c != ' ' || !parts.back().empty())
      parts.back() += c;
  }
  for (std::string& part : parts) part.erase(part.find_last_not_of(' ') + 1);
  return parts;
}

constexpr double finest = 0.012;  // share of a range of real numbers that is not halved any more

// The combinations of one value of each axis.
std::vector<search_values> product(const std::vector<search_values>& axes) {
  std::vector<search_values> all{{}};
  for (const search_values& values : axes) {
    std::vector<search_values> longer;
    for (const search_values& before : all)
      for (const double value : values) {
        longer.push_back(before);
        longer.back().push_back(value);
      }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

search_range::search_range(std::string_view given) {
  std::vector<std::string> values = parts_of(given);
  if (values.size() > 1)
    read_list(std::move(values));
  else
    read_ends(given);
}

void search_range::read_list(std::vector<std::string> values) {
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (values[at].empty()) throw std::invalid_argument("expected a value between commas, such as fcfs,msf,first_fit");
    if (std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values[at]) !=
        values.begin() + static_cast<std::ptrdiff_t>(at))
      throw std::invalid_argument(fmt::format("the value {} is listed twice", in_quotes(values[at])));
  }
  listed_ = std::move(values);
  whole_ = true;
  steps_ = listed_.size() - 1;
  high_ = after(steps_);
}

void search_range::read_ends(std::string_view given) {
  const std::size_t colon = given.find(':');
  if (colon == std::string_view::npos)
    throw std::invalid_argument(fmt::format("expected LOW:HIGH, such as 0:31 or 0.1:10.0, found {}", in_quotes(given)));
  const std::size_t second = given.find(':', colon + 1);
  const range_number low = end_of(std::string{given.substr(0, colon)}),
                     high = end_of(std::string{given.substr(colon + 1, second - colon - 1)});
  low_ = low.value;
  high_ = high.value;
  unit_ = low.unit;
  const bool steps = second != std::string_view::npos;
  if (high.unit == unit_ && low_ >= high_) throw std::invalid_argument("the range is empty: expected LOW below HIGH");
  const range_number step =
      steps ? step_of(std::string{given.substr(second + 1)}, high_ - low_) : range_number{step_, true, unit_};
  if (high.unit != unit_ || step.unit != unit_)
    throw std::invalid_argument(
        fmt::format("expected the same unit behind each number, such as '1 s:60 s', found {}", in_quotes(given)));
  whole_ = low.whole && high.whole && step.whole;
  if (whole_ && (low_ < -most_whole || high_ > most_whole))
    throw std::invalid_argument(fmt::format("expected integers of at most {}", shortest(most_whole)));
  step_ = step.value;
  if (whole_ || steps) {
    steps_ = static_cast<std::size_t>((high_ - low_) / step_ * (whole_ ? 1.0 : 1.0 + 1e-12));
    high_ = after(steps_);
  }
  geometric_ = low_ > 0.0 && high_ / low_ > 10.0;
}

// The last digits lose what the product of real numbers leaves in them.
double search_range::after(std::size_t steps) const {
  const double value = low_ + static_cast<double>(steps) * step_;
  return whole_ ? value : std::strtod(fmt::format("{:.12g}", value).c_str(), nullptr);
}

std::vector<double> search_range::coarse(std::size_t most) const {
  std::vector<double> values;
  if (steps_ > 0 && (is_list() || steps_ < most + most / 5)) {
    for (std::size_t n = 0; n <= steps_; ++n) values.push_back(after(n));
    return values;
  }
  const std::size_t steps = most - 1;
  for (std::size_t i = 0; i <= steps; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(steps);
    const double next = i == 0 ? low_ : i == steps ? high_ : rounded(at(share));
    if (values.empty() || next > values.back()) values.push_back(next);
  }
  return values;
}

std::optional<double> search_range::between(double a, double b, double finest) const {
  if (steps_ == 0 && share(b) - share(a) <= finest) return std::nullopt;
  const double middle = rounded(at((share(a) + share(b)) / 2.0));
  if (middle > a && middle < b) return middle;
  // The geometric middle of steps may round to an end.
  if (steps_ > 0 && b - a > 1.5 * step_) return rounded(middle <= a ? a + step_ : b - step_);
  return std::nullopt;
}

std::string search_range::words() const {
  return is_list() ? fmt::format("among {}", fmt::join(listed_, ", "))
                   : fmt::format("from {} to {}", text(low_), text(high_));
}

std::string search_range::text(double value) const {
  if (is_list()) return listed_[static_cast<std::size_t>(value)];
  const std::string number = whole_ ? fmt::format("{}", static_cast<std::int64_t>(value)) : shortest(value);
  return with_unit(whole_ || !is_whole(number) ? number : number + ".0");
}

std::string search_range::with_unit(const std::string& number) const {
  return unit_.empty() || unit_.front() == '/' ? number + unit_ : number + " " + unit_;
}

double search_range::scaled(double value) const { return geometric_ ? std::log(value) : value; }

double search_range::share(double value) const {
  return (scaled(value) - scaled(low_)) / (scaled(high_) - scaled(low_));
}

double search_range::at(double share) const {
  const double scale = scaled(low_) + share * (scaled(high_) - scaled(low_));
  return geometric_ ? std::exp(scale) : scale;
}

// The value is rounded to what a reader can take in, and still much finer than the search goes.
double search_range::rounded(double value) const {
  if (steps_ > 0) return after(static_cast<std::size_t>(std::round((value - low_) / step_)));
  const double step = geometric_ ? value : high_ - low_;
  const int digits = 3 - static_cast<int>(std::floor(std::log10(step)));
  return digits >= 0 ? std::strtod(fmt::format("{:.{}f}", value, digits).c_str(), nullptr)
                     : std::round(value / std::pow(10.0, -digits)) * std::pow(10.0, -digits);
}

search_grid::search_grid(const search_space& space, std::size_t most) : space_(space) {
  for (const search_axis& axis : space.axes()) coarse_.push_back(axis.range.coarse(most));
}

std::vector<search_values> search_grid::coarse() const { return product(coarse_); }

std::size_t search_grid::halvings() const {
  std::size_t deepest = 0;
  for (std::size_t k = 0; k < coarse_.size(); ++k) {
    const search_range& range = space_.axes()[k].range;
    for (std::size_t gap = 0; !range.is_list() && gap + 1 < coarse_[k].size(); ++gap) {
      std::size_t depth = 0;
      double low = coarse_[k][gap], high = coarse_[k][gap + 1];
      while (const auto middle = range.between(low, high, finest)) {
        (*middle - low < high - *middle ? low : high) = *middle;
        ++depth;
      }
      deepest = std::max(deepest, depth);
    }
  }
  return deepest;
}

// The next value beside one; none at the end of the range.
std::optional<double> search_grid::beside(std::size_t axis, double value, bool above) const {
  const std::vector<double>& coarse = coarse_[axis];
  const auto right = above ? std::upper_bound(coarse.begin(), coarse.end(), value)
                           : std::lower_bound(coarse.begin(), coarse.end(), value);
  if (right == coarse.begin() || right == coarse.end()) return std::nullopt;
  double low = *(right - 1), high = *right;
  for (std::size_t halved = 0; halved < level_; ++halved) {
    const auto middle = space_.axes()[axis].range.between(low, high, finest);
    if (!middle) break;
    ((above ? *middle > value : *middle >= value) ? high : low) = *middle;
  }
  return above ? high : low;
}

std::vector<search_values> search_grid::around(const search_values& values) const {
  std::vector<search_values> axes(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    axes[k] = {values[k]};
    if (space_.axes()[k].range.is_list()) continue;
    for (const bool above : {false, true})
      if (const auto next = beside(k, values[k], above)) axes[k].push_back(*next);
  }
  std::vector<search_values> all = product(axes);
  all.erase(all.begin());
  return all;
}

}  // namespace muster
