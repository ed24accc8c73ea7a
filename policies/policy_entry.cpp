#include <algorithm>
#include <unordered_set>

#include "muster/policies/catalogue.h"
#include "muster/policies/name.h"
#include "muster/policies/parameter_values.h"
#include "muster/policies/thrown_text.h"

namespace muster {

namespace {

void check_parameter(const parameter& p, const std::vector<parameter>& all);

// Checks a parameter's type. The text of its error does not name the parameter.
struct type_check {
  void operator()(const integer_parameter& p) const {
    const auto& [lowest, highest, standard] = p;
    if (lowest.from_cores || highest.from_cores || standard.from_cores) return;  // depends on the cluster
    if (standard.offset < lowest.offset || standard.offset > highest.offset)
      throw policy_error("its default is " + std::to_string(standard.offset) + "; expected an integer from " +
                         std::to_string(lowest.offset) + " to " + std::to_string(highest.offset));
  }
  void operator()(const number_parameter& p) const {
    if (p.standard && !(p.lowest_excluded ? *p.standard > p.lowest : *p.standard >= p.lowest))
      throw policy_error("its default is " + shown_number(*p.standard) + "; expected " + std::string{p.range});
  }
  void operator()(const choice_parameter& p) const {
    if (p.words.empty()) throw policy_error("it has no words to choose from; expected at least one");
    std::unordered_set<std::string_view> seen;
    for (const std::string_view word : p.words) {
      if (const auto expected = expected_name(word))
        throw policy_error("its word " + shown_name(word) + " is invalid; expected " + *expected);
      if (!seen.insert(word).second) throw policy_error("its word " + shown_name(word) + " is listed twice");
    }
  }
  void operator()(const class_order_parameter&) const {}
  void operator()(const schedules_parameter&) const {}
  void operator()(const square_matrix_parameter&) const {}
  void operator()(const text_parameter&) const {}
  void operator()(const tables_parameter& p) const {
    if (!p.of_each) throw policy_error("it does not say what its tables have; expected a function that does");
    const std::vector<parameter> of_each = p.of_each();
    for (const parameter& one : of_each) {
      if (std::holds_alternative<class_order_parameter>(one.type) ||
          std::holds_alternative<schedules_parameter>(one.type) || std::holds_alternative<tables_parameter>(one.type))
        throw policy_error("its tables cannot have the type of their " + shown_name(one.name) +
                           "; expected a number, a word, a text or a matrix");
      check_parameter(one, of_each);
    }
  }
};

// Checks what a parameter says of others. The text of its error does not name the parameter.
void check_relations(const parameter& p, const std::vector<parameter>& all) {
  const auto optional = [](const parameter& one) {
    const auto* number = std::get_if<number_parameter>(&one.type);
    return number && !number->standard;
  };
  if (!p.instead_of.empty()) {
    const parameter* other = find_parameter(all, p.instead_of);
    if (!other || other == &p || !optional(*other) || !optional(p))
      throw policy_error("it stands instead of " + shown_name(p.instead_of) +
                         "; expected both to be numbers without a default, of the same policy");
  }
  if (!p.no_effect_with.parameter.empty()) {
    const parameter* other = find_parameter(all, p.no_effect_with.parameter);
    const auto* choice = other ? std::get_if<choice_parameter>(&other->type) : nullptr;
    if (!choice || std::find(choice->words.begin(), choice->words.end(), p.no_effect_with.word) == choice->words.end())
      throw policy_error("it has no effect with " + shown_name(p.no_effect_with.parameter) + " = " +
                         shown_name(p.no_effect_with.word) +
                         "; expected a choice of the same policy that has the word");
  }
}

void check_parameter(const parameter& p, const std::vector<parameter>& all) {
  if (const auto expected = expected_name(p.name)) throw policy_error("expected " + *expected);
  if (find_parameter(all, p.name) != &p) throw policy_error("it is listed twice");
  std::visit(type_check{}, p.type);
  check_relations(p, all);
}

class no_random_numbers final : public random_numbers {
  double uniform() override {
    throw policy_error(
        "a policy draws a random number, but was made without any; expected policy_entry::make() with them");
  }
};

// A policy whose servers have timers names the work between their interruptions; infinite: they have none.
void check_interruptions(const std::string& whose, const policy& made) {
  constexpr const char* function = "work_between_interruptions()";
  const double work = call_named(made.entry()->name, function, [&] { return work_between_interruptions(made); });
  if (!(work >= 0.0))
    throw policy_error(whose + ": its " + function + " is " + shown_number(work) +
                       "; expected a number >= 0, or infinity");
}

// The names of the policies whose entries say something of themselves.
std::string policies_with(bool policy_entry::*trait) {
  std::string names;
  for (const policy_entry* e : policy_catalogue())
    if (e->*trait) names += (names.empty() ? "" : ", ") + std::string{e->name};
  return "one of " + names;
}

}  // namespace

std::optional<std::string> policy_entry::objection_to_classes(const cluster_view& cluster) const {
  if (cluster.counts_tasks() && !any_resources)
    return "it counts cores alone, but jobs need tasks, or resources beside cores; expected " +
           policies_with(&policy_entry::any_resources);
  if (cluster.several_needs() && !any_needs)
    return "it takes the jobs of a class to need the same, but they bring needs of their own; expected " +
           policies_with(&policy_entry::any_needs);
  if (!check_classes) return std::nullopt;
  return call_named(name, "check_classes()", [&] { return check_classes(cluster); });
}

std::optional<setting_conflict> policy_entry::objection_to_settings(const cluster_view& cluster,
                                                                    const settings& complete) const {
  if (!check_settings) return std::nullopt;
  return call_named(name, "check_settings()", [&] { return check_settings(cluster, complete); });
}

stability_rule policy_entry::rule_with(const settings& complete) const {
  if (!stable_with) return stable_up_to;
  return call_named(name, "stable_with()", [&] { return stable_with(complete); });
}

bool policy_entry::may_preempt(const settings& complete) const {
  if (!preempts || !preempts_with) return preempts;
  return call_named(name, "preempts_with()", [&] { return preempts_with(complete); });
}

bool policy_entry::may_kill_for_good(const settings& complete, const settings& of_class) const {
  if (!kills_for_good) return false;
  return call_named(name, "kills_for_good()", [&] { return kills_for_good(complete, of_class); });
}

std::unique_ptr<policy> policy_entry::make(const cluster_view& cluster, const settings& given,
                                           random_numbers& random) const {
  const std::string whose = "policy " + shown_name(name);
  if (const auto why = objection_to_classes(cluster)) throw policy_error(whose + " cannot run these classes: " + *why);
  for (const class_id id : cluster.classes()) {
    const std::string of_class = whose + ", class " + shown_name(cluster.name(id));
    const known_cluster known{cluster.all_cores(), nullptr};
    const settings all = complete_settings(of_class, name, class_parameters, known, cluster.parameters(id));
    if (all.all() != cluster.parameters(id).all())
      throw policy_error(of_class +
                         ": its parameters are not complete; expected complete_classes() before the cluster");
  }
  const settings all = complete(cluster, given);
  if (const auto why = objection_to_settings(cluster, all))
    throw policy_error(whose + ", " + std::string{why->parameter.empty() ? "settings" : why->parameter} + ": " +
                       why->what);
  std::unique_ptr<policy> made =
      std::visit([&](const auto& maker) -> std::unique_ptr<policy> { return maker(cluster, all, random); }, construct);
  if (!made) throw policy_error(whose + ": its entry has made no policy");
  made->entry_ = this;
  check_interruptions(whose, *made);
  return made;
}

std::unique_ptr<policy> policy_entry::make(const cluster_view& cluster, const settings& given) const {
  static no_random_numbers none;
  return make(cluster, given, none);
}

settings policy_entry::complete(const cluster_view& cluster, const settings& given) const {
  return complete_settings("policy " + shown_name(name), name, parameters, {cluster.all_cores(), &cluster}, given);
}

void policy_entry::complete_classes(table<class_id, job_class>& classes, unsigned all_cores) const {
  for (job_class& type : classes)
    type.parameters = complete_settings("policy " + shown_name(name) + ", class " + shown_name(type.name), name,
                                        class_parameters, {all_cores, nullptr}, type.parameters);
}

void policy_entry::check() const {
  const std::string whose = "policy " + shown_name(name);
  if (const auto expected = expected_name(name)) throw policy_error(whose + ": expected " + *expected);
  if (!std::visit([](const auto& maker) { return maker != nullptr; }, construct))
    throw policy_error(whose + ": its entry has no function that makes it");
  if (preempts && jobs() != job_kind::rigid)
    throw policy_error(whose + ": its entry says that it preempts, but its jobs are " + word_for(jobs()) +
                       "; expected a policy of rigid jobs");
  for (const parameter& p : parameters) {
    try {
      if (p.name == "name") throw policy_error("a scenario has the policy's name at this key; expected another name");
      check_parameter(p, parameters);
    } catch (const policy_error& e) {
      throw policy_error(whose + ", parameter " + shown_name(p.name) + ": " + e.what());
    }
  }
  for (const parameter& p : class_parameters) {
    try {
      check_parameter(p, class_parameters);
      if (std::holds_alternative<class_order_parameter>(p.type)) throw policy_error(no_order_of_a_class);
      if (std::holds_alternative<schedules_parameter>(p.type)) throw policy_error(no_schedules_of_a_class);
      if (std::holds_alternative<tables_parameter>(p.type))
        throw policy_error("a parameter of a class cannot be tables; expected another type");
    } catch (const policy_error& e) {
      throw policy_error(whose + ", class parameter " + shown_name(p.name) + ": " + e.what());
    }
  }
}

}  // namespace muster
