#include "platform/import/slurm/gres_check.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "platform/log/log_text.h"
#include "platform/log/node_list.h"

namespace muster {

void check_gres(const std::vector<site_line>& lines, const site_hardware& hardware, unused_values& unused) {
  std::map<std::string, const site_nodes*> by_name;
  for (const site_nodes& nodes : hardware.nodes)
    for (const std::string& name : nodes.names) by_name.emplace(name, &nodes);
  std::map<std::pair<std::string, std::string>, std::pair<double, site_place>> told;  // of a node and a name
  for (const site_line& line : lines) {
    const std::string* name = line.value("Name");
    for (const auto& [key, value] : line.words) {
      const auto is_one_of = [&k = key](std::initializer_list<const char*> names) {
        return std::any_of(names.begin(), names.end(), [&](const char* name) { return same_word(k, name); });
      };
      if (is_one_of({"NodeName", "Name", "Count", "File", "Type"})) continue;
      unused.add(line.at, is_one_of({"AutoDetect", "Flags"}) ? schedule_effect::none : schedule_effect::possible,
                 fmt::format("{}={}", key, value),
                 is_one_of({"Cores", "CPUs", "Links"}) ? "devices are not bound to cores, nor to each other"
                                                       : "the devices of slurm.conf are taken");
    }
    if (name == nullptr) continue;
    double number = 1.0;
    if (const std::string* count = line.value("Count"))
      number = memory_of(*count).value_or(0.0);
    else if (const std::string* file = line.value("File"))
      if (const auto files = names_in_node_list(*file, most_nodes_of_site)) number = static_cast<double>(files->size());
    const std::string* list = line.value("NodeName");
    std::vector<std::string> names;
    if (list == nullptr)
      for (const auto& [node, nodes] : by_name) {
        if (nodes->gres.count(*name) != 0) names.push_back(node);
      }
    else if (const auto listed = names_in_node_list(*list, most_nodes_of_site))
      names = *listed;
    else
      unused.add(line.at, schedule_effect::possible, "NodeName=" + *list, "expected a list of nodes such as n[01-10]");
    for (const std::string& node : names) told.try_emplace({node, *name}, 0.0, line.at).first->second.first += number;
  }
  for (const auto& [what, number] : told) {
    const auto found = by_name.find(what.first);
    const auto own = found == by_name.end()                        ? 0.0
                     : found->second->gres.count(what.second) != 0 ? found->second->gres.at(what.second)
                                                                   : 0.0;
    if (own != number.first)
      unused.add(number.second, schedule_effect::certain,
                 fmt::format("{} {} on node {}", number.first, what.second, what.first),
                 fmt::format("slurm.conf has {}, which is taken", own));
  }
}

}  // namespace muster
