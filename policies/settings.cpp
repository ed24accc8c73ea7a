#include "muster/policies/settings.h"

#include <algorithm>

#include "muster/policies/name.h"

namespace muster {

void settings::refuse(std::string_view name, const std::string& why) const {
  const std::string whose = policy_.empty() ? "a policy" : "policy " + shown_name(policy_);
  throw policy_error(whose + " asks for its setting " + shown_name(name) + why);
}

const settings::value& settings::at(std::string_view name) const {
  const auto found = values_.find(name);
  if (found != values_.end()) return found->second;
  std::string names;
  for (const auto& [other, unused] : values_) (names += names.empty() ? "" : ", ") += other;
  refuse(name, names.empty() ? ", but has none" : ", which it does not have; expected one of: " + names);
}

template <class T>
const T& settings::as(std::string_view name, const char* type) const {
  const T* found = std::get_if<T>(&at(name));
  if (!found) refuse(name, std::string{" as "} + type + ", but it is of another type");
  return *found;
}

std::int64_t settings::integer(std::string_view name) const { return as<std::int64_t>(name, "an integer"); }
double settings::number(std::string_view name) const { return as<double>(name, "a number"); }
const std::string& settings::choice(std::string_view name) const { return as<std::string>(name, "a word"); }
const std::vector<class_id>& settings::order(std::string_view name) const {
  return as<std::vector<class_id>>(name, "an order of classes");
}
const std::vector<schedule>& settings::schedules(std::string_view name) const {
  return as<std::vector<schedule>>(name, "schedules");
}
const std::vector<std::vector<double>>& settings::matrix(std::string_view name) const {
  return as<std::vector<std::vector<double>>>(name, "a matrix of numbers");
}
const std::vector<named_settings>& settings::tables(std::string_view name) const {
  return as<std::vector<named_settings>>(name, "tables");
}

std::optional<std::size_t> place_of(const std::vector<named_settings>& tables, std::string_view name) {
  const auto found =
      std::find_if(tables.begin(), tables.end(), [&](const named_settings& one) { return one.name == name; });
  if (found == tables.end()) return std::nullopt;
  return static_cast<std::size_t>(found - tables.begin());
}

}  // namespace muster
