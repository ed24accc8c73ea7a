#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "muster/policies/cluster_state.h"
#include "platform/model/class_table.h"
#include "platform/model/job_kind.h"
#include "platform/model/scheduler_share.h"
#include "platform/random/policy_numbers.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

/// A parameter as a key of its table.
struct parameter_key {
  std::string_view name;
  std::int64_t cores;

  described_key operator()(const integer_parameter& p) const {
    return {name, integer_key{p.lowest.at(cores), p.highest.at(cores)}, p.standard.at(cores), ""};
  }
  described_key operator()(const number_parameter& p) const {
    const number_key type{{p.range, p.lowest, p.lowest_excluded}, p.unit};
    return {name, type, p.standard ? key_default{*p.standard} : left_out{}, ""};
  }
  described_key operator()(const choice_parameter& p) const {
    return {name, word_key{name, {p.words.begin(), p.words.end()}}, std::string{p.words.front()}, ""};
  }
  template <class Other>
  described_key operator()(const Other&) const {
    return {name, other_key{}, left_out{}, ""};
  }
};

/// Reads a setting of each type of parameter. Without known cores or classes only its own form is checked.
struct setting_reader {
  table_reader& table;
  const scenario& model;
  bool classes_known;
  std::string_view name;

  std::optional<setting_value> operator()(const integer_parameter&) const {
    if (!classes_known) return std::nullopt;
    return table.integer(name);
  }

  std::optional<setting_value> operator()(const number_parameter& p) const {
    if (p.standard) return table.number(name);
    return table.optional_number(name);
  }

  std::optional<setting_value> operator()(const choice_parameter&) const { return table.word(name); }

  std::optional<setting_value> operator()(const class_order_parameter&) const {
    if (!classes_known) return std::nullopt;
    std::vector<std::string> all;
    for (const std::size_t at : by_descending_need(model)) all.push_back(model.classes[at].name);
    if (!table.find(name)) table.took(name, to_array(all));
    const auto order = table.find(name) ? table.names(name, "class", all) : all;
    if (!order) return std::nullopt;
    if (order->size() < all.size()) report_left_out(all, *order);
    std::vector<class_id> ids;
    for (const std::string& of_class : *order)
      ids.push_back(static_cast<class_id>(std::find(all.begin(), all.end(), of_class) - all.begin()));
    return ids;
  }

  std::optional<setting_value> operator()(const schedules_parameter&) const {
    if (!classes_known || !table.find(name)) return std::nullopt;
    const std::size_t before = table.problems();
    std::vector<std::vector<unsigned>> all;
    for (table_reader& one : table.tables(name)) all.push_back(read_schedule(one));
    return table.problems() == before ? std::optional<setting_value>{all} : std::nullopt;
  }

  std::vector<unsigned> read_schedule(table_reader& one) const {
    const auto cores = static_cast<std::int64_t>(cores_of_scheduler(model));
    const std::size_t before = table.problems();
    std::vector<unsigned> jobs;
    std::uint64_t busy = 0;
    for (const std::size_t at : by_descending_need(model)) {
      const class_spec& c = model.classes[at];
      one.describe({c.name, integer_key{0, cores / c.need}, 0, ""});
      jobs.push_back(one.find(c.name) ? one.integer<unsigned>(c.name) : 0);
      busy += std::uint64_t{c.need} * jobs.back();
    }
    one.close();
    if (table.problems() == before && busy > cores_of_scheduler(model))
      one.complain(fmt::format("needs {} cores; expected at most {}", busy, cores));
    return jobs;
  }

  std::optional<setting_value> operator()(const square_matrix_parameter&) const {
    const toml_value* found = table.find(name);
    if (!found) return std::nullopt;
    constexpr const char* expected = "an array of as many arrays of numbers >= 0";
    const auto* rows = found->as<toml_array>();
    std::vector<std::vector<double>> all;
    for (const toml_value& row : rows ? *rows : toml_array{}) {
      const auto* numbers = row.as<toml_array>();
      if (!numbers || numbers->size() != rows->size()) {
        table.complain_at(row, name,
                          fmt::format("expected {}, found {} in a row of {}", expected,
                                      numbers ? std::to_string(numbers->size()) : row.type_name(), rows->size()));
        return std::nullopt;
      }
      all.emplace_back();
      for (const toml_value& number : *numbers) {
        const std::optional<double> x = number.number();
        if (!(x && *x >= 0.0 && std::isfinite(*x))) {
          table.complain_at(number, name,
                            fmt::format("expected a finite number >= 0, found {}",
                                        x ? shortest(*x) : std::string{number.type_name()}));
          return std::nullopt;
        }
        all.back().push_back(*x);
      }
    }
    if (!all.empty()) return all;
    table.complain(name, fmt::format("expected {}, found {}", expected, rows ? "an empty array" : found->type_name()));
    return std::nullopt;
  }

  void report_left_out(const std::vector<std::string>& all, const std::vector<std::string>& order) const {
    const std::unordered_set<std::string_view> listed(order.begin(), order.end());
    const auto left_out = std::find_if(all.begin(), all.end(),
                                       [&](const std::string& class_name) { return listed.count(class_name) == 0; });
    table.complain(name, fmt::format("class {} is missing; expected every class exactly once", in_quotes(*left_out)));
  }
};

// Reads the parameters of a policy; all other keys of the table have been read.
setting_list read_settings(table_reader& table, const std::vector<parameter>& parameters, const scenario& model,
                           bool known) {
  settings given;  // which of them, and the words among their values
  for (const parameter& p : parameters) {
    table.describe(std::visit(parameter_key{p.name, static_cast<std::int64_t>(cores_of_scheduler(model))}, p.type));
    const std::string* word = table.find_text(p.name);
    if (table.find(p.name)) given.set(p.name, word ? *word : std::string{});
  }
  setting_list list;
  for (const parameter& p : parameters) {
    if (!given.has(p.name) && !has_effect(parameters, p, given)) continue;
    if (auto value = std::visit(setting_reader{table, model, known, p.name}, p.type))
      list.emplace_back(p.name, std::move(*value));
  }
  table.close();
  for (const auto& [parameter, what_is_wrong] : conflicts(parameters, given)) table.complain(parameter, what_is_wrong);
  return list;
}

std::string policies_of(const std::vector<job_kind>& jobs) {
  std::string names;
  for (const policy_entry* entry : policy_catalogue())
    if (std::find(jobs.begin(), jobs.end(), entry->jobs()) != jobs.end())
      (names += names.empty() ? "" : ", ") += entry->name;
  return names;
}

// Why the policy cannot run these classes, if it cannot: slotted jobs are those of slotted policies, and of no others;
// a rigid job's cores are chosen when it starts, by class.
std::optional<std::string> mismatch(const policy_entry& entry, const scenario& model) {
  const auto expected = [](const std::string& why, const char* kind, const std::vector<job_kind>& fitting) {
    return fmt::format("{}; expected a policy of {} jobs ({})", why, kind, policies_of(fitting));
  };
  const std::string first = in_quotes(model.classes.front().name);
  const bool slotted = is_slotted(model);
  if (model.arrivals.kind == arrival_spec::process::log && entry.jobs() != job_kind::rigid)
    return expected("the jobs of a log are rigid", "rigid", {job_kind::rigid});
  if (slotted && entry.jobs() != job_kind::slotted)
    return expected(model.arrivals.kind == arrival_spec::process::list
                        ? "the jobs of a list are slotted"
                        : fmt::format("class {} has units, so its jobs are slotted", first),
                    "slotted", {job_kind::slotted});
  if (!slotted && entry.jobs() == job_kind::slotted)
    return expected(
        model.arrivals.jobs ? "the jobs of the list have a size" : fmt::format("class {} has no units", first),
        "rigid or pooled", {job_kind::rigid, job_kind::pooled});
  if (entry.jobs() == job_kind::pooled && model.checkpoint_cost > 0.0)
    return expected("platform.checkpoint_cost is a cost of rigid jobs", "rigid", {job_kind::rigid});
  if (entry.jobs() == job_kind::rigid)
    for (const class_spec& c : model.classes)
      if (c.drawn > 0)
        return expected(fmt::format("class {} draws its servers for each job", in_quotes(c.name)), "pooled",
                        {job_kind::pooled});
  return std::nullopt;
}

void complain_of(table_reader& table, const policy_entry& entry, const std::string& why) {
  table.complain("name", fmt::format("policy {} cannot run these classes: {}", in_quotes(entry.name), why));
}

// A name that is like none may be one of a plugin.
bool complained_of_unknown(table_reader& table) {
  const std::string* given = table.find_text("name");
  if (!given || find_policy(*given)) return false;
  const std::vector<std::string> known = names_of(policy_catalogue());
  table.complain("name", fmt::format("unknown policy {}{}{}", in_quotes(*given), table.hint(*given, known),
                                     nearest_name(*given, known) ? "" : "; one of a plugin needs --plugin FILE"));
  return true;
}

// Reports the objections of the policy itself to classes, cores and parameters.
void check_fit_of_one(table_reader& table, const policy_entry& entry, const scenario& model) {
  const cluster_state idle{class_table(model), group_cores(model), nullptr, 1, inventory_of(model)};
  if (const auto why = entry.objection_to_classes(idle))
    complain_of(table, entry, *why);
  else if (const auto wrong = entry.objection_to_settings(idle, policy_settings(model)))
    table.complain(wrong->parameter.empty() ? "name" : wrong->parameter, wrong->what);
}

void check_fit(table_reader& table, const policy_entry& entry, const scenario& model) {
  if (!model.schedulers.several()) return check_fit_of_one(table, entry, model);
  const std::size_t before = table.problems();
  for (std::uint32_t k = 0; k < model.schedulers.count && table.problems() == before; ++k)
    check_fit_of_one(table, entry, share_of_scheduler(model, k));
}

// Reports interruptions without time between them, which would never end.
void check_interruptions(table_reader& table, const scenario& model) {
  if (model.arrivals.rate == 0.0) return;
  double fastest = 0.0;
  for (const server_spec& s : model.servers) fastest = std::max(fastest, s.cores * s.capacity);
  const double time = work_between_interruptions(model) / fastest;
  const char* key = policy_settings(model).has("interruptions_per_job") ? "interruptions_per_job" : "theta";
  check_step(table, key, time, "servers interrupt every {} on average");
}

}  // namespace

std::optional<setting_value> read_replacement(table_reader& table, const std::string& name, const point_draft& point) {
  const policy_entry& entry = *point.policy;
  const auto wanted = std::find_if(entry.parameters.begin(), entry.parameters.end(),
                                   [&](const parameter& p) { return p.name == name; });
  if (wanted == entry.parameters.end()) {
    table.complain("parameter", fmt::format("policy {} has no parameter {}{}", in_quotes(entry.name), in_quotes(name),
                                            table.hint(name, names_of(entry.parameters))));
    return std::nullopt;
  }
  described_key key =
      std::visit(parameter_key{"value", static_cast<std::int64_t>(cores_of_scheduler(point.model))}, wanted->type);
  key.standard = required{};
  table.describe(key);
  const std::size_t before = table.problems();
  auto value = std::visit(setting_reader{table, point.model, point.classes_known, "value"}, wanted->type);
  table.close();
  if (!value || table.problems() != before) return std::nullopt;
  const scenario of_one = point.model.schedulers.several() ? share_of_scheduler(point.model, 0) : point.model;
  const cluster_state idle{class_table(of_one), group_cores(of_one), nullptr, 1, inventory_of(of_one)};
  policy_numbers none_drawn{0, 0};
  settings replaced = policy_settings(of_one);
  if (!entry.make(idle, replaced, none_drawn)->can_replace(name)) {
    table.complain("parameter", fmt::format("{} of policy {} cannot be replaced while it runs", in_quotes(name),
                                            in_quotes(entry.name)));
    return std::nullopt;
  }
  replaced.set(name, *value);
  try {
    if (const auto wrong = entry.objection_to_settings(idle, entry.complete(idle, replaced)))
      table.complain("value", wrong->what);
  } catch (const policy_error& refused) {
    table.complain("value", refused.what());
  }
  return value;
}

void read_class_policy(table_reader& table, class_spec& spec, const point_draft& point) {
  const toml_value* given = table.find("policy");
  if (!point.policy) return;
  if (given && point.policy->class_parameters.empty())
    table.complain("policy", fmt::format("policy {} has no parameters of classes; expected no policy here",
                                         in_quotes(point.policy->name)));
  if (point.policy->class_parameters.empty()) return;
  table_reader within = table.table("policy");
  if (given && !given->as<toml_table>()) return;
  spec.policy = read_settings(within, point.policy->class_parameters, point.model, point.servers_known);
}

void read_policy(table_reader& document, point_draft& point) {
  scenario& model = point.model;
  table_reader table = document.table("policy");
  const std::size_t before = table.problems();
  table.describe({"name", word_key{"policy", names_of(policy_catalogue())}, required{}, ""});
  if (complained_of_unknown(table)) return;
  model.policy.name = table.word("name");
  const policy_entry* entry = find_policy(model.policy.name);
  if (!entry) return;
  model.policy.settings = read_settings(table, entry->parameters, model, point.classes_known);
  if (!point.classes_known) return;
  if (entry->counts_seconds && model.unit.seconds != 1.0)
    table.complain("name", fmt::format("the times of policy {} are in seconds; expected time_unit 's', found {}",
                                       in_quotes(entry->name), in_quotes(model.unit.name)));
  if (const auto why = mismatch(*entry, model)) complain_of(table, *entry, *why);
  if (table.problems() == before) check_fit(table, *entry, model);
  if (table.problems() == before) check_interruptions(table, model);
}

}  // namespace muster
