#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "platform/scenario/scenario_reader.h"

namespace muster {

std::optional<distribution> read_distribution(table_reader& table, std::string_view key) {
  if (!table.find(key)) {
    table.complain(key, "missing; expected a table such as { distribution = \"exponential\", mean = 1.0 }");
    return std::nullopt;
  }
  const std::size_t before = table.problems();
  std::vector<std::string> names;
  for (const distribution_entry* entry : distribution_catalogue()) names.emplace_back(entry->name);
  table_reader given = table.table(key);
  const std::string name = given.word("distribution", "distribution", names);
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) return std::nullopt;
  const distribution_entry& entry = *distribution_catalogue()[static_cast<std::size_t>(at - names.begin())];
  distribution_values values;
  std::unordered_set<std::string_view> seen;  // one parameter may belong to several forms
  for (const distribution_form& form : entry.forms)
    for (const distribution_parameter& p : form)
      if (seen.insert(p.name).second && given.find(p.name))
        values.emplace_back(p.name,
                            p.list ? given.numbers(p.name) : std::vector<double>{given.number(p.name, any_number)});
  given.close();
  if (table.problems() != before) return std::nullopt;
  try {
    return distribution::make(name, values);
  } catch (const std::invalid_argument& refused) {
    given.complain(refused.what());
    return std::nullopt;
  }
}

}  // namespace muster
