#include "muster/modules/kernel/parameter_list.h"

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace muster {

namespace {

using sc_core::sc_object;

// Whether a setting has the name, in which a * stands for anything.
bool fits(const std::string& pattern, const std::string& name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string::npos) return pattern == name;
  const std::size_t behind = pattern.size() - star - 1;
  return name.size() > star + behind && name.compare(0, star, pattern, 0, star) == 0 &&
         name.compare(name.size() - behind, behind, pattern, star + 1, behind) == 0;
}

// Splits "12 cores" into number and unit; anything else has no unit.
std::pair<std::string, std::string> value_and_unit(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  const auto length = static_cast<std::size_t>(end - text.c_str());
  if (length == 0 || length == text.size() || text[length] != ' ') return {text, ""};
  return {text.substr(0, length), text.substr(length + 1)};
}

void add_below(const sc_object& top, parameter_list& all) {
  if (const auto* module = dynamic_cast<const listed_module*>(&top)) module->list_into(all);
  for (const sc_object* child : top.get_child_objects()) add_below(*child, all);
}

}  // namespace

void parameter_list::add(const sc_object& module, const std::string& name, const std::string& unit,
                         const std::string& help, std::function<std::string()> value) {
  all_.push_back(
      {std::string{module.name()} + "." + name, unit, help, std::move(value), listed_parameter::role::setting, {}});
}

void parameter_list::add_level(const sc_object& module, const std::string& name, const std::string& unit,
                               const std::string& help, std::function<double()> read, std::function<void(double)> set) {
  add(module, name, unit, help, [read = std::move(read)] { return fmt::format("{}", read()); });
  all_.back().use = listed_parameter::role::level;
  all_.back().set = std::move(set);
}

void parameter_list::add_settings(const sc_object& module, const std::string& printed,
                                  const std::vector<setting_help>& help) {
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find(" = ");
    if (equals == std::string::npos) continue;
    const std::string name = line.substr(0, equals);
    const auto [value, unit] = value_and_unit(line.substr(equals + 3));
    const auto known =
        std::find_if(help.begin(), help.end(), [&](const setting_help& h) { return fits(h.name, name); });
    add(module, name, unit, known == help.end() ? "" : known->help, [text = value] { return text; });
  }
}

const listed_parameter* parameter_list::find(const std::string& name) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const listed_parameter& p) { return p.name == name; });
  return found == all_.end() ? nullptr : &*found;
}

parameter_list list_parameters(const sc_object& top) {
  parameter_list all;
  add_below(top, all);
  return all;
}

parameter_list list_parameters() {
  parameter_list all;
  for (const sc_object* top : sc_core::sc_get_top_level_objects()) add_below(*top, all);
  return all;
}

std::ostream& operator<<(std::ostream& out, const parameter_list& all) {
  for (const listed_parameter& p : all.all()) {
    out << p.name << " = " << p.value();
    if (!p.unit.empty()) out << ' ' << p.unit;
    out << "  # " << p.help << '\n';
  }
  return out;
}

}  // namespace muster
