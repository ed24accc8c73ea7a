#include "platform/imported_fmu/fmu_description.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pugixml.hpp>

#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr const char* file_name = "modelDescription.xml";
constexpr std::uint64_t largest_description = std::uint64_t{256} << 20;

#if defined(__x86_64__)
constexpr const char *platform_2 = "linux64", *platform_3 = "x86_64-linux";
#elif defined(__aarch64__)
constexpr const char *platform_2 = "aarch64-linux", *platform_3 = "aarch64-linux";
#else
constexpr const char *platform_2 = "unknown", *platform_3 = "unknown";
#endif

using kind = fmu_variable::kind;

kind type_called(std::string_view name) {
  if (name == "Real" || name == "Float64") return kind::real;
  if (name == "Integer" || name == "Int32") return kind::integer;
  if (name == "Int64") return kind::long_integer;
  return name == "Boolean" ? kind::boolean : kind::other;
}

bool is_variable_of_3(std::string_view element) {
  static const std::set<std::string_view> all{"Float32", "Float64", "Int8",        "UInt8",  "Int16",
                                              "UInt16",  "Int32",   "UInt32",      "Int64",  "UInt64",
                                              "Boolean", "String",  "Enumeration", "Binary", "Clock"};
  return all.count(element) > 0;
}

/// Units of the types that variables may have declared, by the types' names.
using declared_units = std::map<std::string, std::string>;

// In FMI 2.0 the unit is in a child of the type, in FMI 3.0 it is the type's own.
declared_units units_of_types(const pugi::xml_node& root) {
  declared_units all;
  for (const pugi::xml_node type : root.child("TypeDefinitions").children()) {
    const pugi::xml_node real = type.child("Real");
    all[type.attribute("name").value()] = (real ? real : type).attribute("unit").value();
  }
  return all;
}

// The reference of a variable. Blanks around a number mean nothing in XML.
std::uint32_t reference_of(const pugi::xml_node& node, const std::string& name) {
  constexpr std::string_view blanks = " \t\r\n";
  const pugi::xml_attribute attribute = node.attribute("valueReference");
  std::string_view text = attribute.value();
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  text = text.substr(0, text.find_last_not_of(blanks) + 1);
  std::uint32_t reference = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), reference);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size())
    throw fmu_error(fmt::format("says that the valueReference of {} is {}; expected a whole number from 0 to {}",
                                in_quotes(name), attribute ? in_quotes(attribute.value()) : "missing",
                                std::numeric_limits<std::uint32_t>::max()));
  return reference;
}

// A variable, whose type, unit and declared type are attributes of `typed`.
fmu_variable variable_of(const pugi::xml_node& node, const pugi::xml_node& typed, const declared_units& types) {
  fmu_variable v;
  v.name = node.attribute("name").value();
  v.type_name = typed.name();
  v.type = type_called(v.type_name);
  v.reference = reference_of(node, v.name);
  v.causality = node.attribute("causality").as_string("local");
  v.unit = typed.attribute("unit").value();
  const auto declared = types.find(typed.attribute("declaredType").value());
  if (v.unit.empty() && declared != types.end()) v.unit = declared->second;
  if (node.child("Dimension")) v.type = kind::array;
  return v;
}

std::vector<fmu_variable> variables_of(const pugi::xml_node& root, int major) {
  const declared_units types = units_of_types(root);
  std::vector<fmu_variable> all;
  for (const pugi::xml_node node : root.child("ModelVariables").children()) {
    if (major == 3 && is_variable_of_3(node.name())) all.push_back(variable_of(node, node, types));
    if (major == 3 || std::string_view{node.name()} != "ScalarVariable") continue;
    for (const pugi::xml_node typed : node.children())
      if (std::string_view{typed.name()} != "Annotations") {
        all.push_back(variable_of(node, typed, types));
        break;
      }
  }
  return all;
}

void check_names(const std::vector<fmu_variable>& variables) {
  std::set<std::string_view> names;
  for (const fmu_variable& v : variables)
    if (!names.insert(v.name).second)
      throw fmu_error(fmt::format("has two variables {}; expected a name of its own for each", in_quotes(v.name)));
}

// 2.0, 3.0 and its corrections 3.0.1, .., but no draft as 3.0-beta.5.
bool is_known_version(std::string_view version) {
  constexpr std::string_view corrected = "3.0.";
  if (version == "2.0" || version == "3.0") return true;
  return version.size() > corrected.size() && version.substr(0, corrected.size()) == corrected &&
         version.find_first_not_of("0123456789", corrected.size()) == std::string_view::npos;
}

// Names of the folders that have a binary for some processor.
std::set<std::string> platforms_in(const fmu_archive& archive) {
  std::set<std::string> all;
  for (const std::string& name : archive.names()) {
    constexpr std::string_view begin = "binaries/";
    const auto end = name.find('/', begin.size());
    if (name.compare(0, begin.size(), begin) == 0 && end != std::string::npos)
      all.insert(printable(name.substr(begin.size(), end - begin.size())));
  }
  return all;
}

pugi::xml_document parsed(const std::string& text) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
  if (!result) {
    const auto end = text.begin() + std::min(result.offset, static_cast<std::ptrdiff_t>(text.size()));
    throw fmu_error(fmt::format("has a {} that is not well-formed in line {}: {}", file_name,
                                std::count(text.begin(), end, '\n') + 1, result.description()));
  }
  return document;
}

// The name of a file, which may be in no folder.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.find_first_of("/\\") == std::string::npos && name.front() != '.';
}

}  // namespace

const fmu_variable* fmu_description::find(const std::string& name) const {
  const auto found =
      std::find_if(variables.begin(), variables.end(), [&](const fmu_variable& v) { return v.name == name; });
  return found == variables.end() ? nullptr : &*found;
}

std::string fmu_description::binary() const {
  return fmt::format("binaries/{}/{}.so", major() == 2 ? platform_2 : platform_3, model_identifier);
}

fmu_description read_fmu_description(const fmu_archive& archive) {
  const pugi::xml_document document = parsed(archive.content(file_name, largest_description));
  const pugi::xml_node root = document.child("fmiModelDescription");
  if (!root) throw fmu_error(fmt::format("has a {} without fmiModelDescription", file_name));
  fmu_description d;
  d.version = printable(root.attribute("fmiVersion").value());
  if (!is_known_version(d.version)) throw fmu_error(fmt::format("is of FMI '{}'; expected 2.0 or 3.0", d.version));
  d.model_name = root.attribute("modelName").value();
  d.token = root.attribute(d.major() == 2 ? "guid" : "instantiationToken").value();
  const pugi::xml_node co_simulation = root.child("CoSimulation");
  if (!co_simulation) {
    const char* const other = root.child("ModelExchange")        ? "model exchange"
                              : root.child("ScheduledExecution") ? "scheduled execution"
                                                                 : "no kind of use that is known";
    throw fmu_error(fmt::format("is for {}; expected an FMU for co-simulation", other));
  }
  if (co_simulation.attribute("needsExecutionTool").as_bool())
    throw fmu_error("needs another program that executes it; expected an FMU that stands alone");
  d.model_identifier = co_simulation.attribute("modelIdentifier").value();
  if (!is_plain_name(d.model_identifier))
    throw fmu_error(fmt::format("has the modelIdentifier {}; expected a name", in_quotes(d.model_identifier)));
  d.once_per_process = co_simulation.attribute("canBeInstantiatedOnlyOncePerProcess").as_bool();
  if (!archive.has(d.binary())) {
    const std::set<std::string> there = platforms_in(archive);
    throw fmu_error(fmt::format("has no {}; expected a binary for this processor{}", printable(d.binary(), 200),
                                there.empty() ? "" : fmt::format(", found {}", fmt::join(there, ", "))));
  }
  d.variables = variables_of(root, d.major());
  check_names(d.variables);
  return d;
}

}  // namespace muster
