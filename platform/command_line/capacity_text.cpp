#include "platform/command_line/capacity_text.h"

#include <fmt/format.h>

#include "platform/command_line/text_table.h"
#include "platform/theory/pooled_stability.h"

namespace muster {

namespace {

std::string number(double value) { return fmt::format("{:.6g}", value); }

}  // namespace

std::string capacity_text(const scenario& what) {
  std::vector<std::vector<std::string>> classes{
      {"class", "overhead", "load", "capacity", "largest service rate", "largest arrival rate"}};
  for (const pooled_class& c : examine_pooled_classes(what))
    classes.push_back({c.name, number(c.overhead), number(c.load), number(c.capacity), number(c.fastest),
                       c.highest_rate ? number(*c.highest_rate) : "-"});
  std::string text = fmt::format(
      "Load of each class and capacity of its servers at point 0; its largest arrival rate leaves the others as they "
      "are, overhead is that of a job, in {}:\n{}\n",
      what.unit.name, text_table(classes));
  std::vector<std::vector<std::string>> sets{{"classes", "load", "capacity", "load / capacity"}};
  for (const pooled_set& set : capacity_set(what))
    sets.push_back(
        {to_words(set, what), number(set.load), number(set.capacity), fmt::format("{:.4f}", set.load / set.capacity)});
  if (sets.size() > 1) text += "Capacity set at point 0:\n" + text_table(sets) + "\n";
  return text;
}

}  // namespace muster
