#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_set>

#include "muster/policies/catalogue.h"
#include "muster/policies/name.h"
#include "muster/policies/thrown_text.h"

namespace muster {

namespace {

using value = settings::value;

std::string shown(double number) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

template <class Words>
std::string listed(const Words& words) {
  std::string all;
  for (const auto& word : words) (all += all.empty() ? "" : ", ") += word;
  return all;
}

std::string type_of(const value& v) {
  constexpr const char* types[] = {"an integer",          "a number",  "a word",
                                   "an order of classes", "schedules", "a matrix of numbers"};
  return types[v.index()];
}

template <class T>
const T& as(const value& given, const char* expected) {
  if (const T* found = std::get_if<T>(&given)) return *found;
  throw policy_error(std::string{"expected "} + expected + ", found " + type_of(given));
}

constexpr const char* no_order_of_a_class =
    "a parameter of a class cannot be an order of classes; expected another type";
constexpr const char* no_schedules_of_a_class = "a parameter of a class cannot be schedules; expected another type";

/// The properties of a cluster that the ranges of parameters depend on.
struct known_cluster {
  std::int64_t cores;
  const cluster_view* classes;  ///< null: the parameters are those of a class

  const cluster_view& all_classes() const {
    if (!classes) throw policy_error(no_order_of_a_class);
    return *classes;
  }
};

/// Checks a value against its parameter, and returns it in the parameter's type. The text of its error names neither
/// policy nor parameter.
struct value_check {
  const known_cluster& known;
  const value& given;

  value operator()(const integer_parameter& p) const {
    const auto number = as<std::int64_t>(given, "an integer");
    const std::int64_t lowest = p.lowest.at(known.cores), highest = p.highest.at(known.cores);
    if (number >= lowest && number <= highest) return number;
    throw policy_error("expected an integer from " + std::to_string(lowest) + " to " + std::to_string(highest) +
                       ", found " + std::to_string(number));
  }

  value operator()(const number_parameter& p) const {
    const auto* whole = std::get_if<std::int64_t>(&given);
    const double number = whole ? static_cast<double>(*whole) : as<double>(given, "a number");
    if (p.lowest_excluded ? number > p.lowest : number >= p.lowest) return number;
    throw policy_error("expected " + std::string{p.range} + ", found " + shown(number));
  }

  value operator()(const choice_parameter& p) const {
    const auto& word = as<std::string>(given, "a word");
    if (std::find(p.words.begin(), p.words.end(), word) != p.words.end()) return word;
    throw policy_error("expected one of: " + listed(p.words) + "; found " + shown_name(word));
  }

  value operator()(const class_order_parameter&) const {
    const cluster_view& cluster = known.all_classes();
    const auto& order = as<std::vector<class_id>>(given, "an order of classes");
    std::vector<bool> seen(cluster.class_count());
    for (const class_id id : order) {
      const auto number = static_cast<std::size_t>(id);
      if (number >= seen.size())
        throw policy_error("class " + std::to_string(number) + " does not exist; expected one of the " +
                           std::to_string(seen.size()) + " classes, counted from 0");
      if (seen[number]) throw policy_error("class " + shown_name(cluster.name(id)) + " is listed twice");
      seen[number] = true;
    }
    for (const class_id id : cluster.classes())
      if (!seen[static_cast<std::size_t>(id)])
        throw policy_error("class " + shown_name(cluster.name(id)) + " is missing; expected every class exactly once");
    return order;
  }

  value operator()(const schedules_parameter&) const {
    const cluster_view& cluster = known.all_classes();
    const auto& all = as<std::vector<schedule>>(given, "schedules");
    if (all.empty()) throw policy_error("expected at least one schedule, found none");
    for (std::size_t at = 0; at < all.size(); ++at) {
      const std::string which = "schedule " + std::to_string(at + 1);
      if (all[at].size() != cluster.class_count())
        throw policy_error(which + " has " + std::to_string(all[at].size()) + " classes; expected " +
                           std::to_string(cluster.class_count()));
      std::uint64_t cores = 0;
      for (const class_id id : cluster.classes())
        cores += std::uint64_t{cluster.need(id)} * all[at][static_cast<std::size_t>(id)];
      if (cores > cluster.all_cores())
        throw policy_error(which + " needs " + std::to_string(cores) + " cores; expected at most " +
                           std::to_string(cluster.all_cores()));
    }
    return all;
  }

  value operator()(const square_matrix_parameter&) const {
    const auto& rows = as<std::vector<std::vector<double>>>(given, "a matrix of numbers");
    for (const auto& row : rows) {
      if (row.size() != rows.size())
        throw policy_error("expected as many numbers in each row as there are rows, found " +
                           std::to_string(row.size()) + " numbers and " + std::to_string(rows.size()) + " rows");
      for (const double number : row)
        if (!(number >= 0.0 && std::isfinite(number)))
          throw policy_error("expected finite numbers >= 0, found " + shown(number));
    }
    return rows;
  }
};

/// The default of a parameter; nothing: it has none.
struct default_of {
  const known_cluster& known;

  std::optional<value> operator()(const integer_parameter& p) const { return p.standard.at(known.cores); }
  std::optional<value> operator()(const number_parameter& p) const { return p.standard; }
  std::optional<value> operator()(const choice_parameter& p) const { return std::string{p.words.front()}; }
  std::optional<value> operator()(const class_order_parameter&) const {
    std::vector<class_id> order;
    for (const class_id id : known.all_classes().classes()) order.push_back(id);
    return order;
  }
  std::optional<value> operator()(const schedules_parameter&) const { return std::nullopt; }
  std::optional<value> operator()(const square_matrix_parameter&) const { return std::nullopt; }
};

const parameter* find(const std::vector<parameter>& parameters, std::string_view name) {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [name](const parameter& p) { return p.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

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
      throw policy_error("its default is " + shown(*p.standard) + "; expected " + std::string{p.range});
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
};

// Checks what a parameter says of others. The text of its error does not name the parameter.
void check_relations(const parameter& p, const std::vector<parameter>& all) {
  const auto optional = [](const parameter& one) {
    const auto* number = std::get_if<number_parameter>(&one.type);
    return number && !number->standard;
  };
  if (!p.instead_of.empty()) {
    const parameter* other = find(all, p.instead_of);
    if (!other || other == &p || !optional(*other) || !optional(p))
      throw policy_error("it stands instead of " + shown_name(p.instead_of) +
                         "; expected both to be numbers without a default, of the same policy");
  }
  if (!p.no_effect_with.parameter.empty()) {
    const parameter* other = find(all, p.no_effect_with.parameter);
    const auto* choice = other ? std::get_if<choice_parameter>(&other->type) : nullptr;
    if (!choice || std::find(choice->words.begin(), choice->words.end(), p.no_effect_with.word) == choice->words.end())
      throw policy_error("it has no effect with " + shown_name(p.no_effect_with.parameter) + " = " +
                         shown_name(p.no_effect_with.word) +
                         "; expected a choice of the same policy that has the word");
  }
}

void check_parameter(const parameter& p, const std::vector<parameter>& all) {
  if (const auto expected = expected_name(p.name)) throw policy_error("expected " + *expected);
  if (find(all, p.name) != &p) throw policy_error("it is listed twice");
  std::visit(type_check{}, p.type);
  check_relations(p, all);
}

// @param whose owner of the parameters, for messages @param policy name that the settings use in messages
settings completed(const std::string& whose, std::string_view policy, const std::vector<parameter>& of,
                   const known_cluster& known, const settings& given) {
  for (const auto& [called, v] : given.all()) {
    if (find(of, called)) continue;
    std::vector<std::string_view> names;
    names.reserve(of.size());
    for (const parameter& p : of) names.push_back(p.name);
    throw policy_error(whose + " has no parameter " + shown_name(called) +
                       (names.empty() ? "; it has no parameters" : "; expected one of: " + listed(names)));
  }
  if (const auto wrong = conflicts(of, given); !wrong.empty())
    throw policy_error(whose + ", " + std::string{wrong.front().parameter} + ": " + wrong.front().what);
  settings all{policy};
  for (const parameter& p : of) {
    try {
      if (given.has(p.name))
        all.set(p.name, std::visit(value_check{known, given.at(p.name)}, p.type));
      else if (auto standard = std::visit(default_of{known}, p.type); standard && has_effect(of, p, given))
        all.set(p.name, std::move(*standard));
    } catch (const policy_error& e) {
      throw policy_error(whose + ", " + std::string{p.name} + ": " + e.what());
    }
  }
  return all;
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
    throw policy_error(whose + ": its " + function + " is " + shown(work) + "; expected a number >= 0, or infinity");
}

}  // namespace

namespace {

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

std::unique_ptr<policy> policy_entry::make(const cluster_view& cluster, const settings& given,
                                           random_numbers& random) const {
  const std::string whose = "policy " + shown_name(name);
  if (const auto why = objection_to_classes(cluster)) throw policy_error(whose + " cannot run these classes: " + *why);
  for (const class_id id : cluster.classes()) {
    const std::string of_class = whose + ", class " + shown_name(cluster.name(id));
    const known_cluster known{cluster.all_cores(), nullptr};
    const settings all = completed(of_class, name, class_parameters, known, cluster.parameters(id));
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
  return completed("policy " + shown_name(name), name, parameters, {cluster.all_cores(), &cluster}, given);
}

void policy_entry::complete_classes(table<class_id, job_class>& classes, unsigned all_cores) const {
  for (job_class& type : classes)
    type.parameters = completed("policy " + shown_name(name) + ", class " + shown_name(type.name), name,
                                class_parameters, {all_cores, nullptr}, type.parameters);
}

std::vector<setting_conflict> conflicts(const std::vector<parameter>& of, const settings& given) {
  std::vector<setting_conflict> all;
  for (const parameter& p : of) {
    if (!p.instead_of.empty()) {
      const std::string one{p.instead_of}, other{p.name};
      if (given.has(one) && given.has(other))
        all.push_back(
            {p.name, std::string{"found "}.append(one).append(" and ").append(other).append("; expected one of them")});
      else if (!given.has(one) && !given.has(other))
        all.push_back({p.instead_of, std::string{"missing; expected "}.append(one).append(" or ").append(other)});
    }
    if (given.has(p.name) && !has_effect(of, p, given))
      all.push_back({p.name, "has no effect with " + std::string{p.no_effect_with.parameter} + " '" +
                                 std::string{p.no_effect_with.word} + "'; expected no " + std::string{p.name} +
                                 " beside it"});
  }
  return all;
}

bool has_effect(const std::vector<parameter>& of, const parameter& p, const settings& given) {
  const auto& [choice, word] = p.no_effect_with;
  if (choice.empty()) return true;
  if (!given.has(choice)) return std::get<choice_parameter>(find(of, choice)->type).words.front() != word;
  const auto* chosen = std::get_if<std::string>(&given.at(choice));
  return !chosen || *chosen != word;
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
    } catch (const policy_error& e) {
      throw policy_error(whose + ", class parameter " + shown_name(p.name) + ": " + e.what());
    }
  }
}

}  // namespace muster
