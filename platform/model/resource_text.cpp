#include "platform/model/resource_text.h"

#include <algorithm>

#include "platform/toml/diagnostics.h"
#include "platform/toml/quantity.h"

namespace muster {

std::string_view measured_by(std::string_view unit) {
  const auto& known = units_without_time();
  const auto found = std::find_if(known.begin(), known.end(), [&](const unit_of_measure& u) {
    return u.name == unit && u.numerator == 1.0 && u.denominator == 1.0;
  });
  return found == known.end() ? std::string_view{} : found->of;
}

std::string amount_text(const resource_type& type, std::uint64_t amount) {
  const auto number = static_cast<double>(amount);
  if (type.is_devices()) return shortest(number / static_cast<double>(type.parts));
  std::string best = shortest(number) + (type.unit.empty() ? "" : " " + type.unit);
  const std::string_view of = measured_by(type.unit);
  for (const unit_of_measure& unit : units_without_time()) {
    const double in_unit = number * unit.denominator / unit.numerator;
    if (unit.of != of || in_unit < 1.0) continue;
    // The unit in which the number is the shortest, of equals the larger.
    if (std::string text = shortest(in_unit) + " " + unit.name; text.size() <= best.size()) best = std::move(text);
  }
  return best;
}

}  // namespace muster
