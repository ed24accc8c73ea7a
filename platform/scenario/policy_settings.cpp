#include "platform/scenario/policy_settings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "platform/model/class_table.h"
#include "platform/model/scheduler_share.h"
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
  described_key operator()(const text_parameter&) const { return {name, text_key{}, left_out{}, ""}; }
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

  std::optional<setting_value> operator()(const text_parameter&) const {
    if (!table.find(name)) return std::nullopt;
    return table.text(name);
  }

  std::optional<setting_value> operator()(const tables_parameter& p) const {
    const toml_value* found = table.find(name);
    if (!classes_known || !found) return std::nullopt;
    std::vector<named_settings> given = read_tables(*found, p), all;
    if (p.names == table_names::any) return given;
    const std::vector<std::string>& of_jobs = p.names == table_names::qos ? model.arrivals.qos : model.arrivals.users;
    all.reserve(of_jobs.size() + given.size());
    for (const std::string& of_job : of_jobs) {
      const auto same = place_of(given, of_job);
      if (!same && p.names == table_names::qos) {
        report_no_table(of_job, given);
        return std::nullopt;
      }
      all.push_back(same ? std::move(given[*same]) : named_settings{of_job, {}});
      if (same) given.erase(given.begin() + static_cast<std::ptrdiff_t>(*same));
    }
    std::move(given.begin(), given.end(), std::back_inserter(all));
    return all;
  }

  std::vector<named_settings> read_tables(const toml_value& found, const tables_parameter& p) const {
    table_reader within = table.table(name);
    std::vector<named_settings> all;
    for (const toml_entry& entry : contents_of<toml_table>(&found)) {
      within.describe({entry.key, other_key{"table", "{}"}, left_out{}, ""});
      table_reader one = within.table(entry.key);
      all.push_back({entry.key, {}});
      for (auto& [key, value] : read_settings(one, p.of_each(), model, classes_known))
        all.back().values.set(key, std::move(value));
    }
    within.close();
    return all;
  }

  void report_no_table(const std::string& of_job, const std::vector<named_settings>& given) const {
    std::vector<std::string> known;
    known.reserve(given.size());
    for (const named_settings& one : given) known.push_back(one.name);
    table.complain(
        name, fmt::format("jobs have {}, of which there is no table{}", in_quotes(of_job), table.hint(of_job, known)));
  }

  void report_left_out(const std::vector<std::string>& all, const std::vector<std::string>& order) const {
    const std::unordered_set<std::string_view> listed(order.begin(), order.end());
    const auto left_out = std::find_if(all.begin(), all.end(),
                                       [&](const std::string& class_name) { return listed.count(class_name) == 0; });
    table.complain(name, fmt::format("class {} is missing; expected every class exactly once", in_quotes(*left_out)));
  }
};

}  // namespace

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

std::optional<setting_value> read_setting_alone(table_reader& table, std::string_view key, const parameter& type,
                                                const scenario& model, bool classes_known) {
  described_key description =
      std::visit(parameter_key{key, static_cast<std::int64_t>(cores_of_scheduler(model))}, type.type);
  description.standard = required{};
  table.describe(description);
  return std::visit(setting_reader{table, model, classes_known, key}, type.type);
}

}  // namespace muster
