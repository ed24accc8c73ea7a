#include "platform/theory/stability/rigid_workload.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/model/class_table.h"

namespace muster {

namespace {

// The longest time that sleeping cores add: a job waits for at most one of them to wake.
double longest_wake(const scenario& model) {
  double longest = 0.0;
  for (const server_spec& s : model.servers)
    if (s.power.delays()) longest = std::max(longest, s.power.wake);
  return longest;
}

// The demands if no core ever slept: one that is exact then leaves out nothing but waking.
std::vector<demand> demands_without_sleep(scenario model) {
  for (server_spec& s : model.servers) s.power.sleep_after.reset();
  return demands_of(model);
}

bool are_alike(const scenario& model) {
  return std::all_of(model.classes.begin(), model.classes.end(),
                     [&](const class_spec& c) { return c.servers.size() == model.servers.size(); }) &&
         have_one_capacity(model.servers) && total_cores(model) <= std::numeric_limits<unsigned>::max();
}

template <class Value>
auto of_each(const std::vector<rigid_workload::job_class>& classes, Value value) {
  std::vector<decltype(value(classes.front()))> all;
  all.reserve(classes.size());
  for (const auto& c : classes) all.push_back(value(c));
  return all;
}

double rounded(double number) { return std::strtod(fmt::format("{:.12g}", number).c_str(), nullptr); }

}  // namespace

std::vector<double> rigid_workload::loads() const {
  return of_each(classes, [](const job_class& c) { return c.rate * c.held; });
}

std::vector<unsigned> rigid_workload::needs() const {
  return of_each(classes, [](const job_class& c) { return c.need; });
}

rigid_workload rigid_workload::per_arrival() const {
  rigid_workload scaled = *this;
  const double all = rate();
  for (job_class& c : scaled.classes) c.rate = rounded(c.rate / all);
  return scaled;
}

std::string rigid_workload::key() const {
  std::string text = fmt::format("{} {}", cores, capacity);
  for (const job_class& c : classes) {
    text += fmt::format("\n{} {} {} {} {}", c.need, c.rate, c.overhead, c.held_most, c.size.name());
    for (const auto& [name, values] : c.size.values()) text += fmt::format(" {} {}", name, fmt::join(values, ","));
  }
  return text;
}

std::vector<double> weights_of(const std::vector<rigid_workload::job_class>& classes) {
  std::vector<double> weights = of_each(classes, [](const auto& c) { return c.rate; });
  if (weights.size() == 1) weights.push_back(0.0);
  return weights;
}

std::optional<rigid_workload> rigid_workload_of(const scenario& model, const std::vector<demand>& demands) {
  if (!are_alike(model)) return std::nullopt;
  const double wake = longest_wake(model);
  const std::vector<demand> awake = wake > 0.0 ? demands_without_sleep(model) : demands;
  rigid_workload workload;
  workload.cores = static_cast<unsigned>(total_cores(model));
  workload.capacity = model.servers.front().capacity;
  for (std::size_t at = 0; at < model.classes.size(); ++at) {
    const class_spec& c = model.classes[at];
    if (!(c.rate > 0.0)) continue;
    const double held = c.size.mean() / workload.capacity + demands[at].overhead;
    const double most = awake[at].exact ? held + wake : std::numeric_limits<double>::infinity();
    workload.classes.push_back({c.need, c.rate, held, demands[at].overhead, most, c.size});
  }
  if (workload.classes.empty()) return std::nullopt;
  return workload;
}

}  // namespace muster
