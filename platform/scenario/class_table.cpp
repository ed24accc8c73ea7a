#include "platform/scenario/class_table.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include <boost/range/iterator_range.hpp>

#include "platform/scenario/compatibility_graph.h"

namespace muster {

std::vector<std::size_t> by_descending_need(const scenario& what) {
  std::vector<std::size_t> order(what.classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const class_spec& first = what.classes[a];
    const class_spec& second = what.classes[b];
    return std::tie(second.need, first.name) < std::tie(first.need, second.name);
  });
  return order;
}

double mean_size(const scenario& what) {
  double mean = 0.0;
  for (const class_spec& c : what.classes) mean += c.share * c.size.mean();
  return mean;
}

table<class_id, job_class> class_table(const scenario& what) {
  const compatibility_graph graph = make_compatibility_graph(what);
  const auto users = [&](group_id g) { return out_degree(what.classes.size() + static_cast<std::size_t>(g), graph); };
  table<class_id, job_class> classes;
  for (const std::size_t at : by_descending_need(what)) {
    std::vector<group_id> groups;
    for (const auto server : boost::make_iterator_range(adjacent_vertices(at, graph)))
      groups.push_back(static_cast<group_id>(graph[server].index));
    std::sort(groups.begin(), groups.end());
    std::stable_sort(groups.begin(), groups.end(), [&](group_id a, group_id b) { return users(a) < users(b); });
    classes.push_back({what.classes[at].name, what.classes[at].need, std::move(groups)});
  }
  return classes;
}

table<group_id, unsigned> group_cores(const scenario& what) {
  table<group_id, unsigned> cores;
  for (const server_spec& s : what.servers) cores.push_back(s.count * s.cores);
  return cores;
}

settings policy_settings(const scenario& what) {
  std::unordered_map<std::string_view, class_id> id_of;
  for (const std::size_t at : by_descending_need(what))
    id_of.emplace(what.classes[at].name, static_cast<class_id>(id_of.size()));
  settings converted;
  for (const auto& [name, value] : what.policy.settings) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      converted.set(name, *integer);
    } else if (const auto* number = std::get_if<double>(&value)) {
      converted.set(name, *number);
    } else if (const auto* choice = std::get_if<std::string>(&value)) {
      converted.set(name, *choice);
    } else {
      std::vector<class_id> order;
      for (const std::string& class_name : std::get<std::vector<std::string>>(value))
        order.push_back(id_of.at(class_name));
      converted.set(name, std::move(order));
    }
  }
  if (converted.has("interruptions_per_job"))
    converted.set("theta", mean_size(what) / converted.number("interruptions_per_job"));
  return converted;
}

}  // namespace muster
