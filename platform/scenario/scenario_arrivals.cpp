#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "platform/model/class_table.h"
#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

distribution constant_or_exponential(std::string_view process, double mean) {
  return process == "poisson" ? distribution::make("exponential", {{"mean", {mean}}})
                              : distribution::make("deterministic", {{"value", {mean}}});
}

// Sets rate and interarrival time from what is given of them. @throws std::invalid_argument
void resolve_arrivals(arrival_spec& arrivals, std::string_view process, std::optional<double> rate,
                      const std::optional<distribution>& between) {
  arrivals.kind = process == "poisson" ? arrival_spec::process::poisson : arrival_spec::process::renewal;
  if (between && !(between->mean() > 0.0 && std::isfinite(between->mean())))
    throw std::invalid_argument("expected an interarrival time with a finite mean > 0");
  arrivals.rate = rate ? *rate : 1.0 / between->mean();
  arrivals.interarrival = !between ? constant_or_exponential(process, 1.0 / arrivals.rate)
                          : rate   ? between->scaled(1.0 / (arrivals.rate * between->mean()))
                                   : *between;
}

// At which all servers together have that share of their capacity to work.
double rate_of_load(double load, const scenario& what) {
  double work = 0.0;  // of an arrival, on average
  for (const class_spec& c : what.classes) work += c.share * c.need * c.size.mean();
  return load * total_capacity(what) / work;
}

// Reports a key that means something with one process only.
void refuse_other_process(table_reader& table, const std::string& process, std::string_view key,
                          const std::string& expected) {
  if (table.find(key) && !process.empty() && process != expected)
    table.complain(key, fmt::format("has no effect with process {}; expected process {}", in_quotes(process),
                                    in_quotes(expected)));
}

}  // namespace

void read_arrivals(table_reader& document, const slotted_form& form, study_files& files, scenario& what, bool by_rate,
                   bool classes_known) {
  table_reader table = document.table("arrivals");
  const std::size_t before = table.problems();
  const std::string process =
      table.word("process", "process", {"poisson", "renewal", "deterministic", "uniform", "list"}, "poisson");
  refuse_other_process(table, process, "slots", "uniform");
  refuse_other_process(table, process, "file", "list");
  refuse_other_process(table, process, "interarrival", "renewal");
  if (form.finite()) {
    read_finite_arrivals(table, form, files, what, classes_known);
    table.close();
    return;
  }
  std::optional<double> rate = table.optional_number("rate", above_zero);
  const std::optional<double> load = table.optional_number("load", above_zero);
  std::optional<distribution> between;
  if (process == "renewal") between = read_distribution(table, "interarrival");
  table.close();

  if (by_rate) {
    for (const char* key : {"rate", "load"})
      if (classes_known && table.find(key))
        table.complain(key, fmt::format("expected no {} here, because every class has a rate", key));
    rate = 0.0;
    for (const class_spec& c : what.classes) *rate += c.rate;
  } else if (table.find("rate") && table.find("load")) {
    table.complain("load", "found rate and load; expected one of them");
  } else if (!table.find("rate") && !table.find("load") && process != "renewal") {
    table.complain("rate", "missing; expected rate or load");
  }
  if (((by_rate || load) && !classes_known) || table.problems() != before) return;
  if (load) rate = rate_of_load(*load, what);

  const std::string_view source = between ? "interarrival" : load ? "load" : "rate";
  try {
    resolve_arrivals(what.arrivals, process, rate, between);
  } catch (const std::invalid_argument& refused) {
    table.complain(source, refused.what());
    return;
  }
  for (class_spec& c : what.classes) {
    if (by_rate) c.share = c.rate / *rate;
    if (!by_rate) c.rate = c.share * what.arrivals.rate;
  }
  const clock_range clock = clock_of(what);
  if (1.0 / what.arrivals.rate < clock.shortest)
    table.complain(
        source, fmt::format("arrivals come every {:.3g} {} on average; expected at least the clock's step of {:g} {}",
                            1.0 / what.arrivals.rate, clock.unit, clock.shortest, clock.unit));
}

}  // namespace muster
