#include "platform/scenario/abbreviation.h"

namespace muster {

void spell_out_policy(toml_value& document) {
  toml_value* policy = document.find("policy");
  if (!policy || !policy->as<std::string>()) return;
  const position where = policy->where;
  toml_value name = std::move(*policy);
  *policy = {where, toml_table{{"name", where, std::move(name)}}};
}

void spell_out_precision(toml_value& document) {
  toml_value* run = document.find("run");
  toml_value* precision = run ? run->find("precision") : nullptr;
  if (!precision || precision->as<toml_table>() || precision->as<toml_array>()) return;
  const position where = precision->where;
  toml_value half_width = std::move(*precision);
  *precision = {where, toml_table{{"half_width", where, std::move(half_width)}}};
}

}  // namespace muster
