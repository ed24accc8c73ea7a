#include "platform/toml/quantity.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::vector<unit_of_measure> units_measuring(std::string_view of, const std::vector<unit_of_measure>& base) {
  std::vector<unit_of_measure> found;
  std::copy_if(base.begin(), base.end(), std::back_inserter(found),
               [&](const unit_of_measure& unit) { return unit.of == of; });
  if (found.empty()) found.push_back({std::string{of}, of});  // such as slots: there is no other
  return found;
}

const unit_of_measure* find_unit(const quantity& given, const std::vector<unit_of_measure>& units) {
  const auto unit =
      std::find_if(units.begin(), units.end(), [&](const unit_of_measure& u) { return u.name == given.unit; });
  return unit == units.end() ? nullptr : &*unit;
}

// The unit of bytes that looks like the given unit of bits, such as GB/s of Gb/s, Gbit/s or Gbps; nothing if it is
// none.
std::optional<std::string> unit_in_bytes(const quantity& given, const std::vector<unit_of_measure>& units) {
  std::string name = given.unit;
  if (name.size() > 3 && name.compare(name.size() - 3, 3, "bps") == 0) name.replace(name.size() - 2, 2, "/s");
  const std::size_t bit = name.find('b');
  if (bit == std::string::npos) return std::nullopt;
  name.replace(bit, name.compare(bit, 3, "bit") == 0 ? 3 : 1, "B");
  const auto is_named = [&](const unit_of_measure& u) { return u.name == name; };
  return std::any_of(units.begin(), units.end(), is_named) ? std::optional(name) : std::nullopt;
}

}  // namespace

const std::vector<unit_of_measure>& units_without_time() {
  static const std::vector<unit_of_measure> all{
      {"B", "bytes"},
      {"kB", "bytes", 1e3},
      {"MB", "bytes", 1e6},
      {"GB", "bytes", 1e9},
      {"TB", "bytes", 1e12},
      {"PB", "bytes", 1e15},
      {"KiB", "bytes", std::ldexp(1.0, 10)},
      {"MiB", "bytes", std::ldexp(1.0, 20)},
      {"GiB", "bytes", std::ldexp(1.0, 30)},
      {"TiB", "bytes", std::ldexp(1.0, 40)},
      {"PiB", "bytes", std::ldexp(1.0, 50)},
      {"W", "W"},
      {"kW", "W", 1e3},
      {"MW", "W", 1e6},
      {"Hz", "Hz"},
      {"kHz", "Hz", 1e3},
      {"MHz", "Hz", 1e6},
      {"GHz", "Hz", 1e9},
  };
  return all;
}

std::optional<quantity> quantity_in(std::string_view text) {
  constexpr std::string_view begins_number = "+-.0123456789", space = " \t";
  if (text.empty() || begins_number.find(text.front()) == std::string_view::npos) return std::nullopt;
  const std::string whole{text.substr(0, 80)};
  char* end = nullptr;
  quantity found{std::strtold(whole.c_str(), &end), {}};
  const bool number = end != whole.c_str() && !is_letter(end[-1]);  // no "inf"
  if (!number || whole.find_first_of("xX") < static_cast<std::size_t>(end - whole.c_str())) return std::nullopt;
  for (const char* c = end; *c; ++c)
    if (space.find(*c) == std::string_view::npos) found.unit += *c;
  if (found.unit.rfind("1/", 0) == 0) found.unit.erase(0, 1);
  if (found.unit.empty() || !(is_letter(found.unit.front()) || found.unit.front() == '/')) return std::nullopt;
  return found;
}

bool is_exact_integer(double number) {
  constexpr double exact = 9007199254740992.0;  // 2^53
  return std::abs(number) <= exact && std::trunc(number) == number;
}

std::vector<unit_of_measure> units_of_key(std::string_view of, const std::vector<unit_of_measure>& base) {
  const std::size_t slash = of.find('/');
  if (slash == std::string_view::npos) return units_measuring(of, base);
  const std::string_view above = of.substr(0, slash);
  std::vector<unit_of_measure> found;
  for (const unit_of_measure& a :
       above == "1" ? std::vector<unit_of_measure>{{"", above}} : units_measuring(above, base))
    for (const unit_of_measure& b : units_measuring(of.substr(slash + 1), base))
      found.push_back({a.name + "/" + b.name, of, a.numerator * b.denominator, a.denominator * b.numerator});
  return found;
}

std::optional<double> in_own_unit(const quantity& given, const std::vector<unit_of_measure>& units) {
  const unit_of_measure* unit = find_unit(given, units);
  if (!unit) return std::nullopt;
  return static_cast<double>(given.number * static_cast<long double>(unit->numerator) /
                             static_cast<long double>(unit->denominator));
}

std::string wrong_unit(const quantity& given, std::string_view of, const std::vector<unit_of_measure>& units) {
  if (find_unit(given, units)) return "";
  const std::string unknown = fmt::format("unknown unit {} of {}", in_quotes(given.unit), of);
  const bool per_bit = given.unit.find('b') > given.unit.find('/');
  if (const auto bytes = unit_in_bytes(given, units))
    return fmt::format("{}; expected bytes, of 8 bits each, such as '{} {}'", unknown,
                       shortest(static_cast<double>(given.number) * (per_bit ? 8.0 : 0.125)), *bytes);
  // A rate of which the time is left out.
  if (find_unit({given.number, given.unit + "/s"}, units))
    return fmt::format("{}; did you mean '{}/s'?", unknown, given.unit);
  return unknown + suggestion(given.unit, names_of(units));
}

}  // namespace muster
