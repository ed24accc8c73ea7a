#include "platform/theory/one_or_all/quickswap_theory.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/model/class_table.h"
#include "platform/model/features.h"
#include "platform/theory/demand.h"
#include "platform/theory/one_or_all/one_or_all_means.h"

namespace muster {

namespace {

constexpr double accepted_error = 1e-6;  // as a share of the response times
constexpr double aimed_error = 1e-10;

bool are_memoryless(const scenario& model) {
  return model.arrivals.kind == arrival_spec::process::poisson &&
         std::all_of(model.classes.begin(), model.classes.end(), [&](const class_spec& c) {
           return c.rate > 0.0 && c.size.name() == "exponential" && c.servers.size() == model.servers.size();
         });
}

void read_settings(const scenario& model, one_or_all& system) {
  system.threshold = model.policy.name == "msf" ? 0 : system.cores - 1;
  for (const auto& [name, value] : model.policy.settings) {
    if (name == "threshold") system.threshold = static_cast<std::size_t>(std::get<std::int64_t>(value));
    if (name == "drain") system.drains_always = std::get<std::string>(value) == "always";
  }
}

const class_spec& light_class(const scenario& model) { return model.classes[model.classes.front().need == 1 ? 0 : 1]; }
const class_spec& heavy_class(const scenario& model) { return model.classes[model.classes.front().need == 1 ? 1 : 0]; }

/// The mean response time weighted with the classes' loads.
double weighted_response(const one_or_all& system, double light, double heavy) {
  return (system.light_load() * light + system.heavy_load() * heavy) / (system.light_load() + system.heavy_load());
}

class theory_rows {
 public:
  theory_rows(const scenario& model, const one_or_all& system, theory& answer)
      : light_(light_class(model).name), heavy_(heavy_class(model).name), model_(system), answer_(answer) {}

  void add(const std::string& name, const std::string& metric, double value) { answer_.add(name, metric, value); }

  void add_response_times(const std::string& suffix, double light, double heavy) {
    add(light_, "response_time" + suffix, light);
    add(heavy_, "response_time" + suffix, heavy);
    add("all", "response_time" + suffix, mean_response(model_, light, heavy));
    add("all", "weighted_response_time" + suffix, weighted_response(model_, light, heavy));
  }

  template <class Value>
  void add_of_phases(const std::string& metric, Value value) {
    for (std::size_t phase = 1; phase <= 4; ++phase) add(fmt::format("phase_{}", phase), metric, value(phase));
  }
  void add_shares_of_phases(const std::string& suffix, const std::array<double, 5>& shares) {
    add_of_phases("phase_share" + suffix, [&](std::size_t phase) { return shares[phase]; });
  }

  void add_exact(const exact_one_or_all& exact) {
    const one_or_all_means& means = exact.means;
    const double light = model_.light_arrivals, heavy = model_.heavy_arrivals;
    add_response_times("", means.light_response, means.heavy_response);
    const auto rest = [&](const std::string& name, double waiting, double jobs, double rate, double load) {
      add(name, "waiting_time", waiting);
      add(name, "jobs_in_system", jobs);
      add(name, "throughput", rate);
      add(name, "utilization", load);
    };
    const double light_waits = means.light_response - 1.0 / model_.light_completions;
    const double heavy_waits = means.heavy_response - 1.0 / model_.heavy_completions;
    rest(light_, light_waits, means.light_jobs, light, model_.light_load());
    rest(heavy_, heavy_waits, means.heavy_jobs, heavy, model_.heavy_load());
    rest("all", mean_response(model_, light_waits, heavy_waits), means.light_jobs + means.heavy_jobs, light + heavy,
         model_.light_load() + model_.heavy_load());
    add("all", "response_time_error_bound",
        exact.error_bound * mean_response(model_, means.light_response, means.heavy_response));
  }

  void add_exact_phases(const one_or_all_means& means) {
    add_shares_of_phases("", means.phase_share);
    for (std::size_t i = 1; i < means.phase_duration.size(); ++i)
      if (means.phase_duration[i] > 0.0) add(fmt::format("phase_{}", i), "phase_duration", means.phase_duration[i]);
  }

  void add_analysis(const one_or_all_means& means) {
    add_response_times("_analysis", means.light_response, means.heavy_response);
    add_shares_of_phases("_analysis", means.phase_share);
    add("phase_1", "jobs_at_phase_start_analysis", means.started_heavy);
    add("phase_2", "jobs_at_phase_start_analysis", means.started_light);
  }

  void add_as_printed(const section_5& printed) {
    add_response_times("_as_printed", printed.light_response, printed.heavy_response);
    add_shares_of_phases("_as_printed", printed.phase_share);
    add_of_phases("phase_duration_as_printed", [&](std::size_t phase) { return printed.phases[phase].first; });
    add_of_phases("phase_duration_squared_as_printed", [&](std::size_t phase) { return printed.phases[phase].second; });
    add("phase_1", "jobs_at_phase_start_as_printed", printed.heavy_at_1.first);
    add("phase_1", "jobs_at_phase_start_squared_as_printed", printed.heavy_at_1.second);
    add("phase_2", "jobs_at_phase_start_as_printed", printed.light_at_2.first);
    add("phase_2", "jobs_at_phase_start_squared_as_printed", printed.light_at_2.second);
  }

 private:
  std::string light_, heavy_;
  const one_or_all& model_;
  theory& answer_;
};

std::string about_exact(bool exact, const one_or_all& system) {
  if (exact)
    return "exact solution of the chain of MSFQ's light periods, to response_time_error_bound; _analysis: Section 5 of "
           "Quickswap, corrected";
  if (system.cores > most_exact_cores)
    return fmt::format(
        "no exact answer: more than {} cores; _analysis: Section 5 of Quickswap, corrected, an approximation",
        most_exact_cores);
  return "no exact answer: the series does not converge, the load is too near 0 or 1; _analysis: Section 5 of "
         "Quickswap, corrected, an approximation";
}

// Says whether the assumption of Section 5.2 holds. @param seldom_skipped probability that phase 2 is skipped
std::string about_printed(const section_5& printed, double seldom_skipped) {
  std::string text = "; _as_printed: Section 5 as it stands";
  constexpr double few = 0.1;
  if (!printed.in_domain)
    return text +
           ", outside its domain here: fewer than k light jobs at the beginning of phase 2 on average, so that "
           "a moment is negative";
  if (seldom_skipped > few)
    return text +
           ", at the edge of its domain here: few jobs at phase start, phase 2 is skipped in more than 10 % of "
           "the cycles";
  return text;
}

}  // namespace

std::optional<one_or_all> one_or_all_of(const scenario& model) {
  if (model.policy.name != "msf" && model.policy.name != "msfq") return {};
  if (model.classes.size() != 2 || features_of(model) != 0 || !have_one_capacity(model.servers)) return {};
  if (!are_memoryless(model)) return {};
  const class_spec &light = light_class(model), &heavy = heavy_class(model);
  const double capacity = model.servers.front().capacity;
  if (light.need != 1 || heavy.need != total_cores(model) || heavy.need < 2) return {};
  one_or_all system;
  system.cores = heavy.need;
  system.light_arrivals = light.rate;
  system.heavy_arrivals = heavy.rate;
  system.light_completions = capacity / light.size.mean();
  system.heavy_completions = capacity / heavy.size.mean();
  read_settings(model, system);
  return system;
}

theory quickswap_answer(const scenario& model, const one_or_all& system) {
  if (system.light_load() + system.heavy_load() >= 1.0)
    return {{}, "no answer: unstable, there is more work than the cores can do"};
  theory answer;
  theory_rows rows(model, system, answer);
  const corrected_analysis corrected = analyse_corrected(system);
  period_start start = corrected.start;
  bool exact = false;
  if (system.cores <= most_exact_cores) {
    const exact_one_or_all solution = solve_one_or_all(system, aimed_error);
    exact = solution.error_bound <= accepted_error;
    if (exact) rows.add_exact(solution);
    if (exact && model.policy.name == "msfq") rows.add_exact_phases(solution.means);  // results of msf have no phases
    if (exact) start = solution.start;
  }
  answer.about = about_exact(exact, system);
  if (corrected.converged)
    rows.add_analysis(corrected.means);
  else
    answer.about += " (it finds no moments here)";
  if (system.drains_always) {
    const section_5 printed = analyse_as_printed(system);
    rows.add_as_printed(printed);
    double skipped = 0.0;
    for (const double p : start.few) skipped += p;
    answer.about += about_printed(printed, skipped);
  } else {
    answer.about += "; nothing as printed: the paper's phase 4 follows phase 3 whether or not a heavy job waits";
  }
  if (model.policy.name == "msfq") rows.add("all", "best_threshold", static_cast<double>(best_threshold(system)));
  return answer;
}

}  // namespace muster
