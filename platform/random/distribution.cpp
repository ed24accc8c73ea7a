#include "platform/random/distribution.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muster {

namespace {

const distribution_entry& entry_of(std::string_view name) {
  std::vector<std::string_view> known;
  for (const distribution_entry* entry : distribution_catalogue()) {
    if (entry->name == name) return *entry;
    known.push_back(entry->name);
  }
  throw std::invalid_argument(fmt::format("distribution: expected one of {}, found {}", fmt::join(known, ", "), name));
}

const distribution_form& form_of(const distribution_entry& entry, const distribution_values& values) {
  std::string known;
  for (const distribution_form& form : entry.forms) {
    const auto given = [&](const distribution_parameter& p) { return find_values(values, p.name) != nullptr; };
    if (values.size() == form.size() && std::all_of(form.begin(), form.end(), given)) return form;
    std::vector<std::string_view> names;
    for (const distribution_parameter& p : form) names.push_back(p.name);
    known += fmt::format("{}{{{}}}", known.empty() ? "" : " or ", fmt::join(names, ", "));
  }
  std::vector<std::string_view> found;
  for (const auto& value : values) found.emplace_back(value.first);
  throw std::invalid_argument(fmt::format("{}: expected {}, found {{{}}}", entry.name, known, fmt::join(found, ", ")));
}

double scaled_value(double x, under_scaling how, double factor) {
  switch (how) {
    case under_scaling::multiplied: return x * factor;
    case under_scaling::divided: return x / factor;
    case under_scaling::plus_logarithm: return x + std::log(factor);
    case under_scaling::unchanged: return x;
  }
  return x;
}

}  // namespace

distribution distribution::make(std::string_view name, const distribution_values& values) {
  const distribution_entry& entry = entry_of(name);
  const distribution_form& form = form_of(entry, values);
  distribution_values in_order;
  for (const distribution_parameter& p : form) in_order.emplace_back(p.name, *find_values(values, p.name));
  probability_law law = entry.make(checked_values(form, values));
  if (!(law.mean > 0.0) || !std::isfinite(law.mean))
    throw std::invalid_argument(
        fmt::format("{}: these values give a mean that is 0 or infinite in double precision", entry.name));
  law.variance = std::max(0.0, law.variance);  // rounding must not take a variance near 0 below it
  return {entry.name, std::move(in_order), std::move(law)};
}

distribution distribution::scaled(double factor) const {
  if (!(factor > 0.0) || !std::isfinite(factor))
    throw std::invalid_argument(fmt::format("factor: expected a number > 0, found {}", factor));
  const distribution_form& form = form_of(entry_of(name_), values_);
  distribution_values values = values_;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (double& x : values[i].second) x = scaled_value(x, form[i].scaled, factor);
  return make(name_, values);
}

}  // namespace muster
