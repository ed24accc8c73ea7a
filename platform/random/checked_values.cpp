#include "platform/random/checked_values.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

namespace muster {

namespace {

bool is_count(double number) { return number == std::floor(number) && number >= 1.0 && number <= 10000.0; }

}  // namespace

const std::vector<double>* find_values(const distribution_values& values, std::string_view name) {
  const auto found = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == name; });
  return found == values.end() ? nullptr : &found->second;
}

void checked_values::refuse(std::string_view name, const std::string& found) const {
  const auto p = std::find_if(form_.begin(), form_.end(), [&](const auto& f) { return f.name == name; });
  const char* kind = p->list ? p->whole ? "whole numbers" : "numbers" : p->whole ? "a whole number" : "a number";
  throw std::invalid_argument(
      fmt::format("{}: expected {}{}{}, found {}", name, kind, p->range.empty() ? "" : " ", p->range, found));
}

void checked_values::refuse(std::string_view name, double found) const { refuse(name, fmt::format("{}", found)); }

double checked_values::number(std::string_view name) const {
  const std::vector<double>& given = *find_values(values_, name);
  if (given.size() != 1) refuse(name, fmt::format("{} numbers", given.size()));
  if (!std::isfinite(given.front())) refuse(name, given.front());
  return given.front();
}

double checked_values::above(std::string_view name, double limit) const {
  const double given = number(name);
  if (!(given > limit)) refuse(name, given);
  return given;
}

double checked_values::at_least(std::string_view name, double limit) const {
  const double given = number(name);
  if (!(given >= limit)) refuse(name, given);
  return given;
}

double checked_values::count(std::string_view name) const {
  const double given = number(name);
  if (!is_count(given)) refuse(name, given);
  return given;
}

std::vector<double> checked_values::counts(std::string_view name, std::size_t expected) const {
  const std::vector<double>& given = *find_values(values_, name);
  if (given.size() != expected) refuse(name, fmt::format("{} numbers", given.size()));
  for (const double n : given)
    if (!is_count(n)) refuse(name, n);
  return given;
}

const std::vector<double>& checked_values::list_above_zero(std::string_view name) const {
  const std::vector<double>& given = *find_values(values_, name);
  if (given.empty()) refuse(name, "none");
  for (const double x : given)
    if (!(x > 0.0) || !std::isfinite(x)) refuse(name, x);
  return given;
}

std::vector<double> checked_values::probabilities() const {
  std::vector<double> odds = list_above_zero("probabilities");
  const double sum = std::accumulate(odds.begin(), odds.end(), 0.0);
  if (std::abs(sum - 1.0) > 1e-9) refuse("probabilities", fmt::format("a sum of {}", sum));
  for (double& p : odds) p /= sum;
  return odds;
}

}  // namespace muster
