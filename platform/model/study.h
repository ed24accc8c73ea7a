#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "platform/model/scenario.h"

namespace muster {

/// A scenario file after expansion of its sweep.
struct study {
  /// One point: its scenario and its values of the sweep's keys, in the order of the keys.
  struct point {
    scenario model;
    std::vector<std::string> values;  ///< as they stand in results.csv
  };
  std::string name, about;
  std::vector<std::string> keys;  ///< dotted keys of the sweep; columns of results.csv
  std::vector<point> points;
  std::string resolved;  ///< the whole study as TOML: complete, readable again
  /// Everything that the results of a replication of a given number depend on, as text: the resolved study and its
  /// files, without the number of replications.
  std::string model_text;
  /// Files that the scenario names: path as written, relative to the scenario's folder, and content.
  std::map<std::string, std::string> files;
  /// Logs and FMUs that the scenario names, which stay where they are: path, and what tells contents apart.
  std::map<std::string, std::string> logs{};

  /// The study's name and, where it tells, what it is about.
  std::string title() const { return about.empty() ? name : name + ": " + about; }
  /// What there is to know of where the jobs of its points come from, and of speeds and rates that change, each
  /// sentence once.
  std::vector<std::string> notes() const {
    std::vector<std::string> all;
    const auto add_each = [&](const std::vector<std::string>& notes) {
      for (const std::string& note : notes)
        if (std::find(all.begin(), all.end(), note) == all.end()) all.push_back(note);
    };
    const auto add_if_any = [&](bool (*holds)(const scenario& model), const char* note) {
      if (std::any_of(points.begin(), points.end(), [&](const point& p) { return holds(p.model); }))
        all.emplace_back(note);
    };
    for (const point& p : points) add_each(p.model.arrivals.notes);
    add_if_any([](const scenario& model) { return model.speeds_change(); },
               "servers change their speeds in [[events]] or by a governor: loads are those at speed 1, and no limit "
               "that is derived and no exact value counts the changes");
    add_if_any([](const scenario& model) { return model.exchanges_data(); },
               "jobs exchange data while they work: loads are those without, and no limit that is derived and no exact "
               "value counts the exchange");
    add_if_any([](const scenario& model) { return !model.parameter_changes.empty(); },
               "parameters of the policy change in [[events]]: limits of stability and exact values are those of the "
               "first ones");
    add_if_any([](const scenario& model) { return model.rate_changes(); },
               "the rate of arrivals changes in [[events]]: loads are those of the rate at first, and limits of "
               "stability are held against the last one");
    add_if_any([](const scenario& model) { return model.data != nullptr; },
               "jobs read and write data: loads and limits of stability do not count the time for which cores wait for "
               "them");
    for (const point& p : points) add_each(p.model.notes_on_fmus());
    return all;
  }
  /// A point in words: its number and its values of the sweep's keys.
  std::string label(std::size_t at) const {
    std::string text = "point " + std::to_string(at);
    for (std::size_t k = 0; k < keys.size(); ++k) text += ", " + keys[k] + " = " + points[at].values[k];
    return text;
  }
};

}  // namespace muster
