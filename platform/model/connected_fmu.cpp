#include "platform/model/connected_fmu.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/model/scenario.h"
#include "platform/toml/diagnostics.h"

namespace muster {

std::string connected_fmu::note(const std::string& unit) const {
  std::vector<std::string> takes, sets;
  for (const connection& c : inputs) takes.push_back(fmt::format("{} = {}", printable(c.variable.name), c.of_cluster));
  for (const connection& c : outputs) sets.push_back(fmt::format("{} = {}", c.of_cluster, printable(c.variable.name)));
  std::string text =
      fmt::format("FMU {} (FMI {}), every {} {}", in_quotes(name), description.version, shortest(every), unit);
  if (!takes.empty()) text += fmt::format("; it takes {}", fmt::join(takes, ", "));
  if (!sets.empty())
    text += fmt::format(
        "; the cluster takes {}: loads are those without these changes, and no limit that is derived and no exact "
        "value counts them",
        fmt::join(sets, ", "));
  return text;
}

bool scenario::fmus_control() const {
  return std::any_of(fmus.begin(), fmus.end(), [](const auto& fmu) { return !fmu->outputs.empty(); });
}

std::vector<std::string> scenario::notes_on_fmus() const {
  std::vector<std::string> notes;
  for (const auto& fmu : fmus) notes.push_back(fmu->note(unit.name));
  return notes;
}

}  // namespace muster
