#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "muster/policies/algorithms/schedule_mix.h"
#include "muster/policies/job.h"

namespace muster {

/// An invalid policy entry, settings that do not fit the policy, or a policy that reads a setting which it does not
/// have. The message names policy, parameter and what was expected.
class policy_error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

struct named_settings;

/// Values of a policy's parameters: those that were given, or all of them after policy_entry::complete().
class settings {
 public:
  using value = std::variant<std::int64_t, double, std::string, std::vector<class_id>, std::vector<schedule>,
                             std::vector<std::vector<double>>, std::vector<named_settings>>;

  settings() = default;
  /// @param policy name of the policy, for messages
  explicit settings(std::string_view policy) : policy_(policy) {}

  void set(std::string_view name, value v) { values_.insert_or_assign(std::string{name}, std::move(v)); }
  bool has(std::string_view name) const { return values_.count(name) > 0; }
  /// All values, by name.
  const std::map<std::string, value, std::less<>>& all() const { return values_; }

  /// @name Access to a value
  /// Each throws a policy_error if there is no value of that name, or one of another type.
  /// @{
  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  const std::string& choice(std::string_view name) const;
  const std::vector<class_id>& order(std::string_view name) const;
  const std::vector<schedule>& schedules(std::string_view name) const;
  const std::vector<std::vector<double>>& matrix(std::string_view name) const;
  const std::vector<named_settings>& tables(std::string_view name) const;
  const value& at(std::string_view name) const;
  /// @}

 private:
  template <class T>
  const T& as(std::string_view name, const char* type) const;
  [[noreturn]] void refuse(std::string_view name, const std::string& why) const;

  std::string policy_;
  std::map<std::string, value, std::less<>> values_;
};

/// Values of a table that has a name.
struct named_settings {
  std::string name;
  settings values;
};
/// The place of the table of a name; nothing: there is none.
std::optional<std::size_t> place_of(const std::vector<named_settings>& tables, std::string_view name);
inline bool operator==(const named_settings& a, const named_settings& b) {
  return a.name == b.name && a.values.all() == b.values.all();
}
inline bool operator!=(const named_settings& a, const named_settings& b) { return !(a == b); }

}  // namespace muster
