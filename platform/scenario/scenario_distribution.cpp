#include <stdexcept>
#include <unordered_set>

#include "platform/scenario/scenario_reader.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

// The unit of a parameter: that of the values of the distribution, if it scales as they do.
std::string_view unit_of(const distribution_parameter& p, std::string_view of) {
  if (p.scaled == under_scaling::multiplied) return of;
  if (p.scaled != under_scaling::divided) return "";
  return of == "time" ? "1/time" : "1/bytes";
}

}  // namespace

std::optional<distribution> read_distribution(table_reader& table, std::string_view key, std::string_view of) {
  if (!table.find(key)) {
    table.complain(key, "missing; expected a table such as { distribution = \"exponential\", mean = 1.0 }");
    return std::nullopt;
  }
  const std::size_t before = table.problems();
  table_reader given = table.table(key);
  given.describe({"distribution", word_key{"distribution", names_of(distribution_catalogue())}, required{}, ""});
  const std::string name = given.word("distribution");
  distribution_values values;
  for (const distribution_entry* entry : distribution_catalogue()) {
    if (entry->name != name) continue;
    std::unordered_set<std::string_view> seen;  // one parameter may belong to several forms
    for (const distribution_form& form : entry->forms)
      for (const distribution_parameter& p : form) {
        if (!seen.insert(p.name).second) continue;
        given.describe({p.name, number_key{any_number, unit_of(p, of)}, left_out{}, ""});
        if (given.find(p.name))
          values.emplace_back(p.name, p.list ? given.numbers(p.name) : std::vector<double>{given.number(p.name)});
      }
    given.close();
  }
  if (table.problems() != before) return std::nullopt;
  try {
    return distribution::make(name, values);
  } catch (const std::invalid_argument& refused) {
    given.complain(refused.what());
    return std::nullopt;
  }
}

}  // namespace muster
