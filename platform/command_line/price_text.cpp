#include "platform/command_line/price_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "platform/model/platform_spec.h"
#include "platform/tables/table_layout.h"

namespace muster {

namespace {

constexpr std::size_t most_steps_shown = 48;

struct shown_step {
  double from, until, value;  ///< until: infinite for the last one of a column that does not begin anew
};

// The steps, each with its end.
std::vector<shown_step> ended_steps(const step_function& of) {
  std::vector<shown_step> all;
  for (std::size_t at = 0; at < of.steps.size(); ++at) {
    const bool last = at + 1 == of.steps.size();
    const double end = of.period.value_or(std::numeric_limits<double>::infinity());
    all.push_back({at == 0 ? 0.0 : of.steps[at].from, last ? end : of.steps[at + 1].from, of.steps[at].value});
  }
  return all;
}

// What follows the last step.
std::string in_the_end(const step_function& of, const std::vector<shown_step>& all, const time_unit& unit) {
  if (!of.period) return "the last value holds to the end";
  double mean = 0.0;
  for (const shown_step& s : all) mean += s.value * (s.until - s.from) / *of.period;
  return fmt::format("all comes again after {:.6g} {}, {:.6g} in the mean", *of.period, unit.name, mean);
}

void add_steps(table_document& report, const step_function& of, const time_unit& unit, std::string_view name,
               const std::string& title) {
  const auto [least, most] = std::minmax_element(of.steps.begin(), of.steps.end(),
                                                 [](const auto& a, const auto& b) { return a.value < b.value; });
  if (of.steps.size() == 1) {
    report.say(fmt::format("{}: {:.6g}, always.\n\n", title, least->value));
    return;
  }
  std::vector<shown_step> all = ended_steps(of);
  report.say(fmt::format("{}: {} steps from {:.6g} to {:.6g}; {}{}.\n", title, all.size(), least->value, most->value,
                         in_the_end(of, all, unit),
                         all.size() > most_steps_shown ? fmt::format("; the first {} follow", most_steps_shown) : ""));
  if (all.size() > most_steps_shown) all.resize(most_steps_shown);
  table_layout<shown_step> layout{std::string{name}};
  layout.number("from", &shown_step::from)
      .number("until", [](const shown_step& s) { return std::isfinite(s.until) ? cell(s.until) : cell(); })
      .number("value", &shown_step::value);
  report.add(layout.table(all));
  report.say("\n");
}

}  // namespace

void add_energy_prices(table_document& report, const scenario& model) {
  if (!model.price) return;
  if (model.price->energy)
    add_steps(report, *model.price->energy, model.unit, "energy_prices",
              fmt::format("Price of a kWh at point 0, by time in {}", model.unit.name));
  if (model.price->carbon)
    add_steps(report, *model.price->carbon, model.unit, "carbon",
              fmt::format("Grams of carbon for a kWh at point 0, by time in {}", model.unit.name));
}

}  // namespace muster
