#include "platform/import/scenario_of_log.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "platform/scenario/scenario_file.h"
#include "platform/tables/number_text.h"
#include "platform/tables/table_layout.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr double share_digits = 1e9;

std::string number_text(double x) {
  constexpr int digits = 6;
  return shortest(rounded_to_digits(x, digits));
}

std::string fit_text(const fitted_class& c) {
  const fitted_law& law = c.laws.front();
  std::string text = fmt::format("{} jobs; run times: mean {:.4g} s, cv {:.4g}", c.run.number, c.run.mean, c.run.cv);
  if (law.aic)
    text += fmt::format("; {}: log-likelihood {:.6g}, AIC {:.6g}, Kolmogorov-Smirnov distance {:.3g}", law.name,
                        *law.log_likelihood, *law.aic, law.distance);
  return text;
}

std::string class_text(const fitted_class& c) {
  std::string text = fmt::format("\n# {}\n[[classes]]\nname = \"{}\"\nneed = {}", fit_text(c), c.name, c.need);
  if (c.least != c.largest)
    text += fmt::format("  # of {} to {} in the log, {:.4g} on average", c.least, c.largest, c.mean_need);
  return text + fmt::format("\nshare = {}\nsize = {}\n", shortest(std::round(c.share * share_digits) / share_digits),
                            c.laws.front().text());
}

// Rates by hour of the day, a day a line.
std::string rates_text(const fitted_log& fit) {
  constexpr std::size_t hours = 24;
  const fitted_arrivals& of = fit.arrivals;
  const bool weekly = of.rates.size() > hours;
  std::string text = fmt::format("period = \"{} d\"\n# {} over their mean; {}\nrates = [\n", weekly ? 7 : 1,
                                 weekly ? "rates by hour of the week, a day a line," : "rates by hour of the day,",
                                 !fit.known_days ? "the first hour begins at the log's first arrival"
                                 : weekly        ? "Monday first, hours of UTC"
                                                 : "hours of UTC");
  for (std::size_t n = 0; n < of.rates.size(); ++n)
    text += fmt::format("{}{:.3f},{}", n % hours == 0 ? "  " : " ", of.rates[n], n % hours == hours - 1 ? "\n" : "");
  return text + "]\n";
}

std::string arrivals_text(const fitted_log& fit) {
  const bool profile = !fit.arrivals.rates.empty();
  std::string text = fmt::format("\n[arrivals]\nprocess = \"{}\"\nrate = {}\n", profile ? "profile" : "poisson",
                                 number_text(fit.arrivals.rate));
  if (profile) text += rates_text(fit);
  if (fit.requests)
    text += fmt::format(
        "# Users request {0} times the run times, all together. With estimates:\n# estimate = {{ factor = "
        "{0} }}\n",
        number_text(fit.requests->of_sums));
  return text;
}

// The jobs of a replication: as many as the log has, or as come in 25 periods. A window of fewer than 20 is marked
// short.
std::uint64_t jobs_of_replication(const fitted_log& fit) {
  constexpr double fewest = 10'000.0, most = 1'000'000.0, periods = 25.0;
  const double of_periods = periods * fit.arrivals.rate * fit.arrivals.period;
  const double jobs = std::max(static_cast<double>(fit.jobs.sizes.size()), std::ceil(of_periods));
  return static_cast<std::uint64_t>(std::clamp(jobs, fewest, most));
}

cell figure_cell(double x) { return std::isnan(x) ? cell() : cell(x); }

struct figures_row {
  std::string name;
  std::string of;
  const job_figures* figures;
};

// A column of a figure.
void add_figure(table_layout<figures_row>& layout, column c, job_figure which, double factor = 1.0) {
  layout.number(std::move(c.formatted("{:.4g}")),
                [=](const figures_row& row) { return figure_cell((*row.figures)[which] * factor); });
}

void add_figures_of_runs(table_layout<figures_row>& layout) {
  add_figure(layout, column("mean run").in("s"), mean_run);
  add_figure(layout, "run cv", run_cv);
  add_figure(layout, column("median").named("run_median").in("s"), median_run);
  add_figure(layout, column("p95").named("run_p95").in("s"), run_p95);
}

struct law_row {
  const fitted_class* of;
  const fitted_law* law;
};

}  // namespace

std::string scenario_text(const fitted_log& fit) {
  std::string text = fmt::format("name = \"{}\"\nabout = \"classes and rates fitted to a log\"\n", fit.name);
  text += fmt::format("\n[platform]\nservers = [{{ name = \"node\", count = {}, cores = {} }}]\n", fit.servers.count,
                      fit.servers.cores);
  for (const fitted_class& c : fit.classes) text += class_text(c);
  text += arrivals_text(fit);
  text += "\n[policy]\nname = \"first_fit\"\n";
  return text + fmt::format("\n[run]\njobs = {}\nreplications = 10\n", jobs_of_replication(fit));
}

model_check check_model(const fitted_log& fit, const std::string& text) {
  constexpr std::uint32_t usual_samples = 10;
  constexpr std::size_t most_jobs = 10'000'000;
  const study read = read_study(text, fit.name + ".toml", {});
  const scenario& model = read.points.front().model;
  const fitted_arrivals& arrivals = fit.arrivals;
  model_check check;
  const auto figures = [&](const job_sample& jobs) {
    return figures_of(jobs, fit.classes.size(), fit.capacity(), arrivals.window);
  };
  check.log = figures(fit.jobs);
  check.samples = std::clamp<std::size_t>(most_jobs / fit.jobs.sizes.size(), 1, usual_samples);
  std::vector<std::vector<job_figures>> samples;
  for (std::uint32_t n = 0; n < check.samples; ++n)
    samples.push_back(figures(draw_jobs(model, n, arrivals.begin, arrivals.begin + arrivals.window)));
  check.synthetic = summary_of(samples);
  return check;
}

data_table figures_table(const model_check& check) {
  table_layout<figures_row> layout("figures");
  layout.text("all jobs", &figures_row::name);
  add_figure(layout, "jobs", number_of_jobs);
  add_figure(layout, "load", offered_load);
  add_figure(layout, column("between arrivals").named("between_arrivals").in("s"), mean_between);
  add_figure(layout, "cv of these", between_cv);
  add_figure(layout, "mean need", mean_need);
  add_figures_of_runs(layout);
  const figures_of_samples& made = check.synthetic;
  const std::string several = check.samples > 1 ? fmt::format("synthetic, mean of {}", check.samples) : "synthetic";
  std::vector<figures_row> rows{{"log", "", &check.log.front()}, {several, "", &made.mean.front()}};
  if (check.samples > 1) {
    rows.push_back({"least", "", &made.least.front()});
    rows.push_back({"largest", "", &made.largest.front()});
  }
  return layout.table(rows);
}

data_table class_figures_table(const fitted_log& fit, const model_check& check) {
  constexpr double percent = 100.0;
  table_layout<figures_row> layout("class_figures");
  layout.text("class", &figures_row::name).text(column("of").named("of"), &figures_row::of);
  add_figure(layout, column("share").in("%"), share_of_jobs, percent);
  add_figure(layout, column("core hours").in("%"), share_of_work, percent);
  add_figure(layout, "mean need", mean_need);
  add_figures_of_runs(layout);
  std::vector<figures_row> rows;
  for (std::size_t n = 0; n < fit.classes.size(); ++n) {
    rows.push_back({fit.classes[n].name, "log", &check.log[n + 1]});
    rows.push_back({fit.classes[n].name, "synthetic", &check.synthetic.mean[n + 1]});
  }
  return layout.table(rows);
}

data_table laws_table(const fitted_log& fit, bool all) {
  table_layout<law_row> layout(all ? "all_laws" : "laws");
  layout.text("class", [](const law_row& row) { return row.of->name; });
  layout.whole("jobs", [](const law_row& row) { return row.of->run.number; });
  layout.whole("need", [](const law_row& row) { return row.of->need; });
  layout.text("law", [](const law_row& row) { return row.law->name; });
  layout.number("log-likelihood", [](const law_row& row) { return row.law->log_likelihood; });
  layout.number("AIC", [](const law_row& row) { return row.law->aic; });
  layout.number(column("KS distance").formatted("{:.3g}"), [](const law_row& row) { return row.law->distance; });
  layout.text(column("size"), [](const law_row& row) { return row.law->text(); });
  std::vector<law_row> rows;
  for (const fitted_class& c : fit.classes)
    for (const fitted_law& law : c.laws) {
      if (all || &law == &c.laws.front()) rows.push_back({&c, &law});
    }
  return layout.table(rows);
}

std::vector<std::string> sentences_of(const fitted_log& fit) {
  std::vector<std::string> all = fit.notes;
  all.push_back(fmt::format("classes: class_by = \"{}\"", fit.class_by));
  const auto several =
      std::count_if(fit.classes.begin(), fit.classes.end(), [](const auto& c) { return c.least != c.largest; });
  if (several > 0)
    all.back() +=
        fmt::format("; where jobs of a class have several needs, it has their mean, rounded ({} of {} classes)",
                    several, fit.classes.size());
  // A distance of Kolmogorov and Smirnov from which on no law fits well, and the multiple of 1 / sqrt(n) that chance
  // passes once in twenty.
  constexpr double far = 0.1, beyond_chance = 1.36;
  const auto ill_fitting = std::count_if(fit.classes.begin(), fit.classes.end(), [&](const fitted_class& c) {
    const double distance = c.laws.front().distance;
    return distance >= far && distance * std::sqrt(static_cast<double>(c.run.number)) > beyond_chance;
  });
  if (ill_fitting > 0)
    all.push_back(fmt::format("run times: of {} of {} classes no law fits well (a KS distance of {} or more)",
                              ill_fitting, fit.classes.size(), far));
  constexpr std::size_t hours = 24;
  const std::size_t rates = fit.arrivals.rates.size();
  all.emplace_back(rates > hours ? "arrivals: Poisson, with a rate for each hour of the week"
                   : rates > 0
                       ? "arrivals: Poisson, with a rate for each hour of the day, as the log has less than two "
                         "weeks"
                       : "arrivals: Poisson, with one rate, as the log has less than two days");
  if (fit.requests)
    all.push_back(
        fmt::format("requests: {} jobs have one; together they are {:.3g} times the run times (median of jobs "
                    "{:.3g}); the scenario has that as a comment",
                    fit.requests->jobs, fit.requests->of_sums, fit.requests->median));
  return all;
}

}  // namespace muster
