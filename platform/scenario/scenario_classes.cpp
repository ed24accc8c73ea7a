#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

constexpr number_range share_range{"a number > 0 and <= 1", 0.0, true, 1.0};
constexpr double share_tolerance = 1e-6;
// A longer list of servers would blow up the resolved scenario; to leave it out says the same.
constexpr std::size_t longest_default_list = 100;

std::optional<distribution> read_distribution(table_reader& table, std::string_view key) {
  if (!table.find(key)) {
    table.complain(key, "missing; expected a table such as { distribution = \"exponential\", mean = 1.0 }");
    return std::nullopt;
  }
  const std::size_t before = table.problems();
  std::vector<std::string> names;
  for (const distribution_entry& entry : distribution_catalogue()) names.emplace_back(entry.name);
  table_reader given = table.table(key);
  const std::string name = given.word("distribution", "distribution", names);
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) return std::nullopt;
  const distribution_entry& entry = distribution_catalogue()[static_cast<std::size_t>(at - names.begin())];
  distribution_values values;
  std::unordered_set<std::string_view> seen;  // one parameter may belong to several forms
  for (const auto& form : entry.forms)
    for (const distribution_parameter& p : form)
      if (seen.insert(p.name).second && given.find(p.name))
        values.emplace_back(p.name,
                            p.list ? given.numbers(p.name) : std::vector<double>{given.number(p.name, any_number)});
  given.close();
  if (table.problems() != before) return std::nullopt;
  try {
    return distribution::make(name, values);
  } catch (const std::invalid_argument& refused) {
    given.complain(refused.what());
    return std::nullopt;
  }
}

void read_size(table_reader& table, class_spec& spec, const scenario& what) {
  const auto size = read_distribution(table, "size");
  if (!size) return;
  spec.size = *size;
  double slowest = what.servers.empty() ? 1.0 : what.servers.front().capacity;
  double fastest = slowest;
  for (const server_spec& s : what.servers) {
    slowest = std::min(slowest, s.capacity);
    fastest = std::max(fastest, s.capacity);
  }
  const clock_range clock = clock_of(what);
  const double mean = size->mean();
  if (!(mean / slowest < clock.longest))
    table.complain("size",
                   fmt::format("takes {:.3g} {} on average; expected less than {:.3g} {}, the range of the clock",
                               mean / slowest, clock.unit, clock.longest, clock.unit));
  else if (mean / fastest < clock.shortest)
    table.complain("size", fmt::format("takes {:.3g} {} on average; expected at least the clock's step of {:g} {}",
                                       mean / fastest, clock.unit, clock.shortest, clock.unit));
}

void read_class_name(table_reader& table, class_spec& spec, std::unordered_set<std::string>& names) {
  spec.name = table.name("name", "_-.");
  if (spec.name == "all" || spec.name.rfind("phase_", 0) == 0)
    table.complain("name", fmt::format("{} stands for something else in the results; expected a name other than 'all' "
                                       "and not beginning with 'phase_'",
                                       quoted(spec.name)));
  if (!spec.name.empty() && !names.insert(spec.name).second)
    table.complain("name", fmt::format("an earlier class has the name {} already", quoted(spec.name)));
}

void read_class_servers(table_reader& table, class_spec& spec, const scenario& what) {
  std::vector<std::string> all;
  for (const server_spec& s : what.servers) all.push_back(s.name);
  const bool given = table.find("servers");
  const auto chosen = table.names("servers", "server", all);
  spec.servers = chosen ? *chosen : all;
  if (given || all.size() > longest_default_list) return;
  toml_array list;
  for (const std::string& name : all) list.push_back({{}, name});
  table.took("servers", std::move(list));
}

// The classes divide the arrivals all by share or all by rate, as the first one does that gives either.
void check_division(table_reader& table, std::string& division) {
  const bool share = table.find("share");
  const bool rate = table.find("rate");
  if (share && rate) {
    table.complain("rate", "found share and rate; expected one of them");
  } else if (!share && !rate) {
    table.complain("share", "missing; expected share or rate");
  } else if (division.empty()) {
    division = share ? "share" : "rate";
  } else if (!table.find(division)) {
    table.complain(share ? "share" : "rate",
                   fmt::format("expected a {0}, because an earlier class has a {0}", division));
  }
}

std::uint64_t cores_of(const class_spec& spec, const std::unordered_map<std::string_view, std::uint64_t>& cores) {
  std::uint64_t sum = 0;
  for (const std::string& name : spec.servers) sum += cores.at(name);
  return sum;
}

void normalise_shares(table_reader& document, scenario& what) {
  double sum = 0.0;
  for (const class_spec& c : what.classes) sum += c.share;
  if (!(std::abs(sum - 1.0) <= share_tolerance))
    document.complain("classes", fmt::format("the shares add up to {:.10g}; expected 1", sum));
  for (class_spec& c : what.classes) c.share /= sum;
}

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

}  // namespace

bool read_classes(table_reader& document, scenario& what, bool servers_known) {
  std::unordered_set<std::string> names;
  std::unordered_map<std::string_view, std::uint64_t> cores;
  for (const server_spec& s : what.servers) cores.emplace(s.name, std::uint64_t{s.count} * s.cores);
  std::vector<table_reader> tables = document.tables("classes");
  what.classes.reserve(tables.size());
  std::string division;
  const std::size_t before = document.problems();
  for (table_reader& table : tables) {
    class_spec spec;
    read_class_name(table, spec, names);
    const std::size_t before_need = table.problems();
    spec.need = static_cast<std::uint32_t>(table.integer("need", 1, most_cores));
    read_class_servers(table, spec, what);
    if (servers_known && table.problems() == before_need)
      if (const std::uint64_t usable = cores_of(spec, cores); spec.need > usable)
        table.complain("need", fmt::format("need {} is more than the {} {} of its compatible servers", spec.need,
                                           usable, usable == 1 ? "core" : "cores"));
    spec.share = table.optional_number("share", share_range).value_or(0.0);
    spec.rate = table.optional_number("rate", above_zero).value_or(0.0);
    check_division(table, division);
    read_size(table, spec, what);
    table.close();
    what.classes.push_back(std::move(spec));
  }
  if (document.problems() == before && division == "share") normalise_shares(document, what);
  return division == "rate";
}

void read_arrivals(table_reader& document, scenario& what, bool by_rate, bool classes_known) {
  table_reader table = document.table("arrivals");
  const std::size_t before = table.problems();
  const std::string process = table.word("process", "process", {"poisson", "renewal", "deterministic"}, "poisson");
  std::optional<double> rate = table.optional_number("rate", above_zero);
  std::optional<distribution> between;
  if (process == "renewal")
    between = read_distribution(table, "interarrival");
  else if (table.find("interarrival") && !process.empty())
    table.complain("interarrival", "has no effect with process " + quoted(process) + "; expected process 'renewal'");
  table.close();

  if (by_rate) {
    if (classes_known && table.find("rate"))
      table.complain("rate", "expected no rate here, because every class has its own");
    rate = 0.0;
    for (const class_spec& c : what.classes) *rate += c.rate;
  } else if (!table.find("rate") && process != "renewal") {
    table.complain("rate", fmt::format("missing; expected {}", above_zero.words));
  }
  if ((by_rate && !classes_known) || table.problems() != before) return;

  try {
    resolve_arrivals(what.arrivals, process, rate, between);
  } catch (const std::invalid_argument& refused) {
    table.complain(between ? "interarrival" : "rate", refused.what());
    return;
  }
  for (class_spec& c : what.classes) {
    if (by_rate) c.share = c.rate / *rate;
    if (!by_rate) c.rate = c.share * what.arrivals.rate;
  }
  const clock_range clock = clock_of(what);
  if (1.0 / what.arrivals.rate < clock.shortest)
    table.complain(
        between ? "interarrival" : "rate",
        fmt::format("arrivals come every {:.3g} {} on average; expected at least the clock's step of {:g} {}",
                    1.0 / what.arrivals.rate, clock.unit, clock.shortest, clock.unit));
}

}  // namespace muster
