#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "platform/metrics/metric.h"
#include "platform/model/class_table.h"
#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

constexpr double share_tolerance = 1e-6;
// A longer list of servers would blow up the resolved scenario; to leave it out says the same.
constexpr std::size_t longest_default_list = 100;

void read_size(table_reader& table, class_spec& spec, const scenario& model) {
  const auto size = read_distribution(table, "size");
  if (!size) return;
  spec.size = *size;
  double slowest = model.servers.empty() ? 1.0 : model.servers.front().capacity, fastest = slowest;
  for (const server_spec& s : model.servers) {
    slowest = std::min(slowest, s.capacity);
    fastest = std::max(fastest, s.capacity);
  }
  check_range(table, "size", size->mean() / slowest, "takes {} on average");
  check_step(table, "size", size->mean() / fastest, "takes {} on average");
}

// The jobs of a list have sizes, and no servers of their own.
void refuse_size(table_reader& table, const class_spec& spec) {
  refuse(table, {"size"}, "the list of jobs tells it");
  if (spec.drawn > 0) table.complain("servers", "expected no random servers, because the jobs of a list draw none");
}

void read_class_name(table_reader& table, class_spec& spec, std::unordered_set<std::string>& names) {
  spec.name = table.name("name");
  if (spec.name == "all" || !is_of_jobs(spec.name))
    table.complain("name", fmt::format("{} stands for something else in the results; expected a name other than 'all' "
                                       "and not beginning with 'phase_' or 'resource_'",
                                       in_quotes(spec.name)));
  if (!spec.name.empty() && !names.insert(spec.name).second)
    table.complain("name", fmt::format("an earlier class has the name {} already", in_quotes(spec.name)));
}

// Reads { random = d }: d of all servers are drawn for each job.
std::uint32_t read_draw(table_reader draw, const point_draft& point) {
  const auto most = point.servers_known ? static_cast<std::int64_t>(total_servers(point.model)) : most_servers;
  draw.describe({"random", integer_key{1, most}, required{}, ""});
  const auto drawn = draw.integer<std::uint32_t>("random");
  draw.close();
  return drawn;
}

void read_class_servers(table_reader& table, class_spec& spec, const point_draft& point) {
  for (const server_spec& s : point.model.servers) spec.servers.push_back(s.name);
  const toml_value* given = table.find("servers");
  if (!given) {
    if (spec.servers.size() <= longest_default_list) table.took("servers", to_array(spec.servers));
  } else if (given->as<toml_table>()) {
    spec.drawn = read_draw(table.table("servers"), point);
  } else if (!given->as<toml_array>()) {
    table.complain("servers",
                   fmt::format("expected an array of server names or {{ random = 2 }}, found {}", given->type_name()));
  } else if (auto chosen = table.names("servers", "server", spec.servers)) {
    spec.servers = std::move(*chosen);
  }
}

// Checks that all classes have a share or all a rate, as the first one that gives either.
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

void check_need(table_reader& table, const class_spec& spec, const scenario& model,
                const std::unordered_map<std::string_view, std::uint64_t>& cores) {
  if (spec.tasks) {
    check_tasks(table, spec, model);
    return;
  }
  std::uint64_t usable = 0;
  for (const std::string& name : spec.servers) usable += cores.at(name);
  if (spec.need > usable)
    table.complain("need", fmt::format("need {} is more than the {} {} of its compatible servers", spec.need, usable,
                                       usable == 1 ? "core" : "cores"));
}

void check_cores_are_shared(table_reader& table, const class_spec& spec, const scenario& model) {
  if (spec.servers.size() == model.servers.size()) return;
  table.complain("servers", fmt::format("expected all servers, because slotted jobs share all cores, found {} of {}",
                                        spec.servers.size(), model.servers.size()));
}

// Reports a class of which no job would come within 10^12 arrivals: it is a mistake, and no theory counts it.
void check_shares(std::vector<table_reader>& tables, const scenario& model, const std::string& division) {
  constexpr double least = 1e-12;
  const auto given = [&](const class_spec& c) { return division == "rate" ? c.rate : c.share; };
  double sum = 0.0;
  for (const class_spec& c : model.classes) sum += given(c);
  for (std::size_t c = 0; c < tables.size(); ++c)
    if (const double share = given(model.classes[c]) / sum; share < least)
      tables[c].complain(division,
                         fmt::format("{} is {:.3g} of all arrivals; expected at least {:g} of them, or no such class",
                                     shortest(given(model.classes[c])), share, least));
}

void normalise_shares(table_reader& document, scenario& model) {
  double sum = 0.0;
  for (const class_spec& c : model.classes) sum += c.share;
  if (!(std::abs(sum - 1.0) <= share_tolerance))
    document.complain("classes", fmt::format("the shares add up to {:.10g}; expected 1", sum));
  for (class_spec& c : model.classes) c.share /= sum;
}

// Gives each class of a finite population its share of all jobs. A list has one class, without a number of jobs.
void take_shares_of_population(table_reader& document, scenario& model) {
  std::uint64_t all = 0;
  for (const class_spec& c : model.classes) all += c.slotted->jobs;
  if (all > static_cast<std::uint64_t>(most_slotted_jobs))
    document.complain("classes", fmt::format("expected at most {} jobs in all, found {}", most_slotted_jobs, all));
  for (class_spec& c : model.classes)
    c.share = all > 0 ? static_cast<double>(c.slotted->jobs) / static_cast<double>(all) : 1.0;
}

}  // namespace

void read_classes(table_reader& document, point_draft& point) {
  scenario& model = point.model;
  std::unordered_set<std::string> names;
  std::unordered_map<std::string_view, std::uint64_t> cores;
  for (const server_spec& s : model.servers) cores.emplace(s.name, std::uint64_t{s.count} * s.cores);
  std::vector<table_reader> tables = document.tables("classes");
  model.classes.reserve(tables.size());
  std::string division;
  const bool divided = point.process && !point.finite();  // each class has a part of the arrivals
  const std::size_t before = document.problems();
  for (table_reader& table : tables) {
    class_spec spec;
    read_class_name(table, spec, names);
    const std::size_t before_need = table.problems();
    read_need(table, spec, point);
    read_exchange(table, spec, point);
    if (!point.graph_given) read_class_servers(table, spec, point);
    if (!point.graph_given && point.servers_known && table.problems() == before_need)
      check_need(table, spec, model, cores);
    spec.share = table.optional_number("share").value_or(0.0);
    spec.rate = table.optional_number("rate").value_or(0.0);
    if (divided) check_division(table, division);
    if (point.slotted)
      read_slotted_class(table, spec, point);
    else if (point.timed_list)
      refuse_size(table, spec);
    else
      read_size(table, spec, model);
    if (divided && table.problems() == before_need) check_exchange(table, spec, model);
    spec.state = table.number("state");
    // The state that a job carries along must arrive before the clock ends.
    check_range(table, "state", model.costs.bandwidth ? spec.state / *model.costs.bandwidth : 0.0, "takes {} to move");
    read_class_data(table, spec, point);
    read_class_policy(table, spec, point);
    table.close();
    model.classes.push_back(std::move(spec));
  }
  point.by_rate = division == "rate";
  const auto fit = [&] { return document.problems() == before; };
  if (fit() && point.servers_known && point.graph) {
    read_graph(document, *point.graph, model);
    for (std::size_t c = 0; c < tables.size() && fit(); ++c) check_need(tables[c], model.classes[c], model, cores);
  }
  if (fit() && point.servers_known && point.slotted)
    for (std::size_t c = 0; c < tables.size(); ++c) check_cores_are_shared(tables[c], model.classes[c], model);
  if (fit() && point.finite() && !point.timed_list) take_shares_of_population(document, model);
  if (fit() && divided) check_shares(tables, model, division);
  if (fit() && division == "share") normalise_shares(document, model);
  if (!point.timed_list) give_tasks_to_all(model);
  take_data(document, point);
}

void read_exchange(table_reader& table, class_spec& spec, const point_draft& point) {
  if (!table.find("exchange")) return;
  if (const std::string why = why_no_tasks(point, "slotted jobs have no tasks"); !why.empty())
    return refuse(table, {"exchange"}, why);
  const std::size_t before = table.problems();
  table_reader within = table.table("exchange");
  exchange_spec given;
  given.pattern = within.choice<exchange_pattern>("pattern");
  given.bytes = within.number("bytes");
  given.every = within.number("every");
  within.close();
  if (table.problems() != before) return;
  const std::uint64_t tasks = spec.tasks ? spec.tasks->tasks : spec.need;
  const bool nothing = given.bytes == 0.0 || (tasks == 1 && !point.timed_list);  // sweeps may begin there
  if (nothing) return;
  if (point.model.network.sharing != sharing_rule::max_min)
    table.complain("exchange", "tasks send at the same time; expected sharing = \"max_min\" in platform.link");
  else
    spec.exchange = given;
}

void check_exchange(table_reader& table, const class_spec& spec, const scenario& model) {
  const std::optional<double>& bandwidth = model.network.link.bandwidth;
  if (!spec.exchange || !bandwidth || model.network.file) return;
  const std::uint64_t cores = spec.tasks ? spec.tasks->tasks * spec.tasks->per_task.front() : spec.need;
  const bool one_server =
      std::any_of(model.servers.begin(), model.servers.end(), [&](const server_spec& s) { return s.cores >= cores; });
  if (one_server) return;  // then nothing may pass an edge
  const double least = spec.size.mean() * spec.exchange->bytes / (spec.exchange->every * *bandwidth);
  check_range(table, "exchange", least, "takes a job at least {} on average");
}

}  // namespace muster
