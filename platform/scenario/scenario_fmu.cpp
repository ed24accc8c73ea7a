#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/algorithm/string/predicate.hpp>

#include "platform/model/connected_fmu.h"
#include "platform/model/shown_variables.h"
#include "platform/scenario/fmu_file.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

using kind = fmu_variable::kind;

/// The connections of one FMU while they are read, and what other FMUs set.
class fmu_reader {
 public:
  /// @param setters by input of the cluster: the FMU that sets it
  fmu_reader(table_reader& table, const fmu_description& fmu, const std::vector<shown_variable>& cluster,
             std::map<std::string, std::string>& setters, const schedulers_spec& schedulers)
      : table_(table), fmu_(fmu), cluster_(cluster), setters_(setters), schedulers_(schedulers) {}

  std::vector<connected_fmu::connection> read_inputs() {
    std::vector<connected_fmu::connection> all;
    for (const toml_entry& e : entries("inputs", "{ heat = \"power\" }")) {
      const fmu_variable* const variable = find("inputs", e, {"input"});
      const shown_variable* const shown = find_of_cluster("inputs", e, false);
      if (!variable || !shown) continue;
      check_type("inputs", e, *variable, shown->whole ? numbers() : std::vector{kind::real});
      check_units("inputs", e, *variable, *shown);
      all.push_back({*variable, shown->name});
    }
    return all;
  }

  std::vector<connected_fmu::connection> read_outputs(const std::string& name) {
    std::vector<connected_fmu::connection> all;
    for (const toml_entry& e : entries("outputs", "{ speed = \"speed.node\" }")) {
      const fmu_variable* const variable = find("outputs", e, {"output"});
      const shown_variable* const shown = find_of_cluster("outputs", e, true);
      if (!variable || !shown) continue;
      check_type("outputs", e, *variable, shown->whole ? all_kinds() : numbers());
      check_stays("outputs", e, *shown);
      check_units("outputs", e, *variable, *shown);
      if (const auto [other, is_new] = setters_.emplace(shown->name, name); !is_new)
        table_.complain_at(e.value, "outputs",
                           fmt::format("{} of the cluster is set by FMU {} already; expected one output that sets it",
                                       in_quotes(shown->name), in_quotes(other->second)));
      all.push_back({*variable, shown->name});
    }
    return all;
  }

  std::vector<std::pair<fmu_variable, double>> read_start(const std::vector<connected_fmu::connection>& inputs) {
    std::vector<std::pair<fmu_variable, double>> all;
    for (const toml_entry& e : entries("start", "{ setpoint = 22.0 }")) {
      const fmu_variable* const variable = find("start", e, {"parameter", "input"});
      if (!variable || !check_type("start", e, *variable, all_kinds())) continue;
      if (std::any_of(inputs.begin(), inputs.end(), [&](const auto& c) { return c.variable.name == e.key; }))
        table_.complain_at(e.value, "start",
                           fmt::format("{} is among the inputs, which the cluster sets", in_quotes(e.key)));
      if (const std::optional<double> value = value_for(*variable, e)) all.emplace_back(*variable, *value);
    }
    return all;
  }

 private:
  static std::vector<kind> numbers() { return {kind::real, kind::integer, kind::long_integer}; }
  static std::vector<kind> all_kinds() { return {kind::real, kind::integer, kind::long_integer, kind::boolean}; }

  // The entries of a table whose keys are variables of the FMU.
  toml_table entries(const char* key, const char* example) {
    const toml_value* const given = table_.find(key);
    const auto* const all = as_if<toml_table>(given);
    if (given && !all) table_.wrong_type(key, fmt::format("a table such as {}", example), *given);
    return all ? *all : toml_table{};
  }

  // The variable of the FMU that is the key of an entry. Null if there is none that fits, which is reported.
  const fmu_variable* find(const char* key, const toml_entry& e, const std::vector<std::string>& causalities) {
    const fmu_variable* const found = fmu_.find(e.key);
    const auto fits = [&](const fmu_variable& v) {
      return std::find(causalities.begin(), causalities.end(), v.causality) != causalities.end();
    };
    const std::string expected = fmt::format("{}", fmt::join(causalities, " or "));
    if (!found) {
      std::vector<std::string> names;
      for (const fmu_variable& v : fmu_.variables)
        if (fits(v)) names.push_back(v.name);
      table_.complain_at(
          e.value, key,
          names.empty()
              ? fmt::format("the FMU has no variable {}, and none at all that is {}", in_quotes(e.key), expected)
              : fmt::format("the FMU has no variable {}{}", in_quotes(e.key), table_.hint(e.key, names)));
    } else if (!fits(*found)) {
      table_.complain_at(e.value, key,
                         fmt::format("{} of the FMU has the causality {}; expected {}", in_quotes(e.key),
                                     in_quotes(found->causality), expected));
    }
    return found && fits(*found) ? found : nullptr;
  }

  // The variable of the cluster that is the value of an entry, likewise.
  const shown_variable* find_of_cluster(const char* key, const toml_entry& e, bool is_input) {
    const auto* const name = e.value.as<std::string>();
    if (!name) {
      table_.wrong_type(key, "the name of a variable of the cluster", e.value);
      return nullptr;
    }
    std::vector<std::string> names;
    for (const shown_variable& v : cluster_) {
      if (v.is_input == is_input) names.push_back(v.name);
      if (v.name == *name && v.is_input == is_input) return &v;
    }
    const bool is_other = std::any_of(cluster_.begin(), cluster_.end(), [&](const auto& v) { return v.name == *name; });
    table_.complain_at(e.value, key,
                       is_other ? fmt::format("{} of the cluster is {}", in_quotes(*name),
                                              is_input ? "an output; expected an input, which can be set"
                                                       : "an input; expected an output, which can be read")
                                : fmt::format("the cluster has no {} {}{}", is_input ? "input" : "output",
                                              in_quotes(*name), table_.hint(*name, names)));
    return nullptr;
  }

  bool check_type(const char* key, const toml_entry& e, const fmu_variable& variable, const std::vector<kind>& fit) {
    if (std::find(fit.begin(), fit.end(), variable.type) != fit.end()) return true;
    const bool new_names = fmu_.major() == 3;
    std::vector<std::string> words;
    for (const kind k : fit)
      if (k != kind::long_integer || new_names)
        words.emplace_back(k == kind::real           ? (new_names ? "Float64" : "Real")
                           : k == kind::integer      ? (new_names ? "Int32" : "Integer")
                           : k == kind::long_integer ? "Int64"
                                                     : "Boolean");
    const bool is_array = variable.type == kind::array;
    table_.complain_at(
        e.value, key,
        fmt::format("{} of the FMU is {} {}; expected {}{}", in_quotes(e.key), is_array ? "an array of" : "of the type",
                    printable(variable.type_name), is_array ? "a single " : "", fmt::join(words, " or ")));
    return false;
  }

  void check_units(const char* key, const toml_entry& e, const fmu_variable& variable, const shown_variable& shown) {
    if (variable.unit.empty() || shown.unit.empty() || variable.unit == shown.unit) return;
    table_.complain_at(e.value, key,
                       fmt::format("{} of the FMU is in {}, but {} of the cluster in {}; expected the same unit",
                                   in_quotes(e.key), printable(variable.unit), in_quotes(shown.name), shown.unit));
  }

  // Servers stay in service where schedulers share them, or take jobs from each other.
  void check_stays(const char* key, const toml_entry& e, const shown_variable& shown) {
    const bool stays = schedulers_.several() && (schedulers_.share_servers || schedulers_.steal);
    if (!stays || !boost::starts_with(shown.name, "in_service.")) return;
    table_.complain_at(
        e.value, key,
        fmt::format("{} of the cluster takes servers out of service, and schedulers {}", in_quotes(shown.name),
                    schedulers_.share_servers
                        ? "share them; expected another input, or partition \"servers\""
                        : "take jobs from each other; expected another input, or no work_stealing"));
  }

  std::optional<double> value_for(const fmu_variable& variable, const toml_entry& e) {
    if (const auto* const truth = e.value.as<bool>(); truth && variable.type == kind::boolean)
      return *truth ? 1.0 : 0.0;
    const std::optional<double> number = e.value.number();
    const auto is_whole = [&](double most) { return *number == std::floor(*number) && std::abs(*number) <= most; };
    const bool fits = number && std::isfinite(*number) &&
                      (variable.type == kind::real || (variable.type == kind::integer && is_whole(2147483647.0)) ||
                       (variable.type == kind::long_integer && is_whole(largest_whole_number)));
    if (fits) return number;
    const char* const expected = variable.type == kind::real           ? "a number"
                                 : variable.type == kind::integer      ? "an integer of 32 bits"
                                 : variable.type == kind::long_integer ? "an integer of at most 53 bits"
                                                                       : "true or false";
    // The value of a number that does not fit the variable says more than its type.
    if (number && variable.type != kind::boolean)
      table_.complain_at(e.value, "start",
                         fmt::format("expected {} for {}, found {}", expected, in_quotes(e.key), shortest(*number)));
    else
      table_.wrong_type("start", fmt::format("{} for {}", expected, in_quotes(e.key)), e.value);
    return std::nullopt;
  }

  table_reader& table_;
  const fmu_description& fmu_;
  const std::vector<shown_variable>& cluster_;
  std::map<std::string, std::string>& setters_;
  const schedulers_spec& schedulers_;
};

// The FMU that the key `file` names. Null if it cannot be used, which is reported.
std::shared_ptr<const fmu_file> read_file_of_fmu(table_reader& table, const std::string& path, study_files& files) {
  if (path.empty()) return nullptr;
  std::shared_ptr<const fmu_file>& file = files.fmus[path];
  if (!file) file = std::make_shared<const fmu_file>(read_fmu_file(path));
  if (!file->refusal.empty()) {
    std::error_code ignored;
    const bool is_there = std::filesystem::exists(path, ignored);
    table.complain("file", in_quotes(table.text("file")) + " " + file->refusal +
                               (is_there ? "" : likely_path(files.folder(), table.text("file"))));
    return nullptr;
  }
  table.stands_for("file", path);
  return file;
}

}  // namespace

void read_fmus(table_reader& document, point_draft& point) {
  if (!document.find("fmu")) return;
  scenario& model = point.model;
  const std::vector<shown_variable> cluster =
      point.classes_known ? shown_variables(model) : std::vector<shown_variable>{};
  std::map<std::string, std::string> setters;
  for (table_reader& table : document.tables("fmu")) {
    connected_fmu fmu;
    fmu.file = path_of_file(table, point.files);
    fmu.name = std::filesystem::path{fmu.file}.stem().string();
    if (table.find("name")) fmu.name = table.name("name");
    fmu.every = table.number("every");
    table.close();
    const auto file = read_file_of_fmu(table, fmu.file, point.files);
    const auto same = [&](const auto& other) { return other->name == fmu.name; };
    if (std::any_of(model.fmus.begin(), model.fmus.end(), same))
      table.complain("name", fmt::format("another FMU is called {}; expected a name of its own", in_quotes(fmu.name)));
    if (!file || !point.classes_known) continue;
    fmu.description = file->description;
    if (fmu.description.once_per_process &&
        std::any_of(model.fmus.begin(), model.fmus.end(), [&](const auto& other) { return other->file == fmu.file; }))
      table.complain("file", fmt::format("{} can be used once in a simulation, and another FMU has it",
                                         in_quotes(table.text("file"))));
    fmu_reader reader(table, fmu.description, cluster, setters, model.schedulers);
    fmu.inputs = reader.read_inputs();
    fmu.outputs = reader.read_outputs(fmu.name);
    fmu.start = reader.read_start(fmu.inputs);
    model.controlled = true;
    model.fmus.push_back(std::make_shared<const connected_fmu>(std::move(fmu)));
  }
}

}  // namespace muster
