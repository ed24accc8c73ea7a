#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "muster/policies/cluster_state.h"
#include "platform/model/class_table.h"
#include "platform/model/job_kind.h"
#include "platform/model/scheduler_share.h"
#include "platform/random/policy_numbers.h"
#include "platform/scenario/policy_settings.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

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
  else if (const auto wrong = entry.objection_to_settings(idle, entry.complete(idle, policy_settings(model))))
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
  const std::size_t before = table.problems();
  auto value = read_setting_alone(table, "value", *wanted, point.model, point.classes_known);
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
