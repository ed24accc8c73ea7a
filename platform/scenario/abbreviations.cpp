#include "platform/scenario/abbreviations.h"

#include <filesystem>
#include <string>
#include <utility>

#include "muster/policies/name.h"

namespace muster {

namespace {

// An FMU without a name is called as its file is, so that keys name it.
void name_fmus(toml_value* fmus) {
  auto* const tables = as_if<toml_array>(fmus);
  if (!tables) return;
  for (toml_value& fmu : *tables) {
    auto* const entries = fmu.as<toml_table>();
    const auto* const path = entries && !fmu.find("name") ? as_if<std::string>(fmu.find("file")) : nullptr;
    std::string name = path ? std::filesystem::path{*path}.stem().string() : "";
    if (path && !expected_name(name)) entries->push_back({"name", fmu.where, {fmu.where, std::move(name)}});
  }
}

}  // namespace

toml_value spelled_out(const char* key, toml_value value) {
  const position where = value.where;
  return {where, toml_table{{key, where, std::move(value)}}};
}

void spell_out_policy(toml_value* policy) {
  if (policy && policy->as<std::string>()) *policy = spelled_out("name", std::move(*policy));
}

void spell_out_abbreviations(toml_value& document) {
  spell_out_policy(document.find("policy"));
  name_fmus(document.find("fmu"));
  toml_value* run = document.find("run");
  toml_value* precision = run ? run->find("precision") : nullptr;
  if (precision && !precision->as<toml_table>() && !precision->as<toml_array>())
    *precision = spelled_out("half_width", std::move(*precision));
}

}  // namespace muster
