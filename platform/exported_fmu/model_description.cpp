#include "platform/exported_fmu/model_description.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "muster/version.h"
#include "platform/exported_fmu/fmu_names.h"

namespace muster {

namespace {

using element = pugi::xml_node;

// Text without what XML cannot have in any form, or what an attribute would lose: control characters become blanks.
std::string for_xml(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return text;
}

void give(element& to, const char* name, const std::string& value) {
  to.append_attribute(name).set_value(for_xml(value).c_str());
}
void give(element& to, const char* name, const char* value) { give(to, name, std::string{value}); }
void give(element& to, const char* name, bool value) { to.append_attribute(name).set_value(value); }
void give(element& to, const char* name, fmi3ValueReference value) { to.append_attribute(name).set_value(value); }

// A number as its variable's type has it, complete.
std::string number(double value, bool whole) {
  return whole ? fmt::format("{}", std::llround(value)) : fmt::format("{}", value);
}

// The exponents of a unit's base units; nothing for one that is not known.
struct base_unit {
  const char* name;
  int kg, m, s;
};
constexpr base_unit base_units[] = {{"s", 0, 0, 1},  {"1/s", 0, 0, -1}, {"Hz", 0, 0, -1},
                                    {"J", 1, 2, -2}, {"W", 1, 2, -3},   {"kg", 1, 0, 0}};

void add_interface(element& root, const std::string& name) {
  element co_simulation = root.append_child("CoSimulation");
  give(co_simulation, "modelIdentifier", model_identifier(name));
  give(co_simulation, "needsExecutionTool", false);
  give(co_simulation, "canBeInstantiatedOnlyOncePerProcess", false);
  give(co_simulation, "canGetAndSetFMUState", true);
  give(co_simulation, "canSerializeFMUState", false);
  give(co_simulation, "canHandleVariableCommunicationStepSize", true);
  give(co_simulation, "mightReturnEarlyFromDoStep", true);
  give(co_simulation, "canReturnEarlyAfterIntermediateUpdate", false);
  give(co_simulation, "hasEventMode", true);
}

// @param variables of which Float64s have units
void add_units(element& root, const std::vector<cluster_variable>& variables) {
  std::set<std::string> units{"s"};
  for (const cluster_variable& v : variables)
    if (!v.whole && !v.unit.empty()) units.insert(v.unit);
  element all = root.append_child("UnitDefinitions");
  for (const std::string& name : units) {
    element unit = all.append_child("Unit");
    give(unit, "name", name);
    for (const base_unit& known : base_units) {
      if (name != known.name) continue;
      element base = unit.append_child("BaseUnit");
      for (const auto& [exponent_of, exponent] : {std::pair{"kg", known.kg}, {"m", known.m}, {"s", known.s}})
        if (exponent != 0) give(base, exponent_of, std::to_string(exponent));
    }
  }
}

void add_log_categories(element& root) {
  element all = root.append_child("LogCategories");
  for (const fmu_log_category& known : fmu_log_categories) {
    element category = all.append_child("Category");
    give(category, "name", known.name);
    give(category, "description", std::string{known.about});
  }
}

void add_experiment(element& root, std::optional<double> stop) {
  element experiment = root.append_child("DefaultExperiment");
  give(experiment, "startTime", "0");
  if (stop) give(experiment, "stopTime", number(*stop, false));
}

void add_variable(element& all, const cluster_variable& v, fmi3ValueReference reference) {
  element variable = all.append_child(v.whole ? "Int64" : "Float64");
  const bool input = v.use == cluster_variable::role::input;
  give(variable, "name", v.name);
  give(variable, "valueReference", reference);
  if (!v.help.empty()) give(variable, "description", v.help);
  give(variable, "causality", input ? "input" : "output");
  give(variable, "variability", v.whole ? "discrete" : "continuous");
  give(variable, "initial", input ? "exact" : "calculated");
  if (!v.whole && !v.unit.empty()) give(variable, "unit", v.unit);
  if (!input) return;
  // A bound beyond the whole numbers that a double has one by one is none.
  const auto bounds = [&](double bound) { return std::isfinite(bound) && (!v.whole || std::abs(bound) < 9e15); };
  if (bounds(v.least)) give(variable, "min", number(v.least, v.whole));
  if (bounds(v.most)) give(variable, "max", number(v.most, v.whole));
  give(variable, "start", number(v.start, v.whole));
}

void add_variables(element& root, const std::vector<cluster_variable>& variables) {
  element all = root.append_child("ModelVariables");
  element time = all.append_child("Float64");
  give(time, "name", "time");
  give(time, "valueReference", time_reference);
  give(time, "description", "Simulated time");
  give(time, "causality", "independent");
  give(time, "variability", "continuous");
  give(time, "unit", "s");
  for (std::size_t v = 0; v < variables.size(); ++v) add_variable(all, variables[v], reference_of(v));
}

// Inputs act from the next step on, and outputs are those at the end of the last one: none depends on an input
// directly, so that there are no algebraic loops. None has a value before initialization.
void add_structure(element& root, const std::vector<cluster_variable>& variables) {
  element structure = root.append_child("ModelStructure");
  for (const char* kind : {"Output", "InitialUnknown"})
    for (std::size_t v = 0; v < variables.size(); ++v) {
      if (variables[v].use != cluster_variable::role::output) continue;
      element unknown = structure.append_child(kind);
      give(unknown, "valueReference", reference_of(v));
      give(unknown, "dependencies", "");
    }
}

}  // namespace

std::string model_identifier(const std::string& name) {
  std::string identifier;
  for (const char c : name) identifier += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (identifier.empty() || std::isdigit(static_cast<unsigned char>(identifier.front())) != 0)
    identifier.insert(0, "m_");
  return identifier;
}

std::string model_description(const exported_model& what) {
  pugi::xml_document document;
  element declaration = document.append_child(pugi::node_declaration);
  give(declaration, "version", "1.0");
  give(declaration, "encoding", "UTF-8");
  element root = document.append_child("fmiModelDescription");
  give(root, "fmiVersion", "3.0");
  give(root, "modelName", what.name);
  give(root, "instantiationToken", what.token);
  if (!what.about.empty()) give(root, "description", what.about);
  give(root, "generationTool", fmt::format("muster {}", version));
  give(root, "variableNamingConvention", "flat");
  add_interface(root, what.name);
  add_units(root, what.variables);
  add_log_categories(root);
  add_experiment(root, what.stop);
  add_variables(root, what.variables);
  add_structure(root, what.variables);
  std::ostringstream text;
  document.save(text, "  ", pugi::format_indent, pugi::encoding_utf8);
  return text.str();
}

}  // namespace muster
