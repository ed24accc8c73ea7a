#include "platform/report/figures.h"

#include <algorithm>
#include <map>
#include <variant>

#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>

#include "platform/scenario/scenario_schema.h"
#include "platform/store/results_csv.h"
#include "platform/tables/data_table.h"
#include "platform/toml/dotted_key.h"

namespace muster {

namespace {

constexpr std::size_t few_classes = 8;

struct measured_metric {
  std::string name, unit;
  std::vector<std::string> classes;  // in the order of the results
};

std::vector<measured_metric> measured_metrics(const study& s, const study_estimates& all) {
  std::vector<measured_metric> metrics;
  std::map<std::string, std::size_t> places;
  for (std::size_t p = 0; p < all.measured.size(); ++p)
    for (const estimate& e : all.measured[p]) {
      const auto [place, is_new] = places.emplace(e.metric, metrics.size());
      if (is_new) metrics.push_back({e.metric, unit_of(e.metric, s, p), {}});
      std::vector<std::string>& classes = metrics[place->second].classes;
      if (std::find(classes.begin(), classes.end(), e.class_name) == classes.end()) classes.push_back(e.class_name);
    }
  return metrics;
}

bool says_something(const std::vector<curve>& curves) {
  const auto not_zero = [](const curve_point& p) { return p.y != 0.0; };
  return std::any_of(curves.begin(), curves.end(), [&](const curve& c) {
    return std::any_of(c.measured.begin(), c.measured.end(), not_zero) ||
           std::any_of(c.known.begin(), c.known.end(), not_zero);
  });
}

}  // namespace

std::string unit_of_key(const study& s, const std::string& key) {
  const key_node* node = &scenario_schema();
  for (const std::string& part : split_key(key).value_or(std::vector<std::string>{})) {
    const bool has_elements = !node->children.empty() && lies_within(node->children.front().path, node->path + ".*");
    if (const key_node* child = node->find(part))
      node = child;
    else if (!has_elements)  // else it is the name of one
      return "";
  }
  const auto* number = node->key ? std::get_if<number_key>(&node->key->type) : nullptr;
  const auto* integer = node->key ? std::get_if<integer_key>(&node->key->type) : nullptr;
  const std::string unit{number ? number->unit : integer ? integer->unit : ""};
  return boost::replace_all_copy(unit, "time", s.points.front().model.unit.name);
}

std::vector<std::pair<std::string, std::string>> figures_of(const study& s, const study_estimates& all) {
  if (s.points.size() < 2) return {};
  std::vector<std::string> names;
  std::vector<figure> figures;
  const abscissa over = usual_abscissa(s);
  const std::vector<stability_mark> marks = stability_marks(s, over, all.stability.points);
  const std::string key = over.key ? s.keys[*over.key] : "";
  for (const measured_metric& metric : measured_metrics(s, all)) {
    const bool few = metric.classes.size() <= few_classes;
    for (const std::string& class_name : metric.classes) {
      if (class_name != "all" && !few) continue;
      figure f{fmt::format("{}: {}", s.name, metric.name),    head_of(column(key).in(unit_of_key(s, key))),
               head_of(column(metric.name).in(metric.unit)),  over.numeric ? std::vector<std::string>{} : over.values,
               curves_of(all, over, metric.name, class_name), marks};
      if (class_name != "all") f.title += ", " + class_name;
      if (!says_something(f.curves)) continue;
      names.push_back(metric.name + (class_name == "all" ? "" : "." + class_name) + ".svg");
      figures.push_back(std::move(f));
    }
  }
  std::vector<std::pair<std::string, std::string>> files;
  for (std::string& svg : to_svg(figures)) files.emplace_back(std::move(names[files.size()]), std::move(svg));
  return files;
}

}  // namespace muster
