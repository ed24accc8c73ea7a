#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "platform/scenario/scenario_file.h"
#include "tests/content_of.h"

namespace muster {

/// In the order of their names.
inline std::vector<std::filesystem::path> scenarios_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Settings under which a scenario has few jobs, where it has many, and few points. Of a log they are those of the
/// first five days, and other finite arrivals are few as they are. What differs in what goes over the sockets stays:
/// policies, costs, interruptions, graphs.
inline std::vector<std::string> small_size(const std::filesystem::path& file) {
  const std::string text = content_of(file);
  const auto has = [&](const std::string& words, std::size_t from) { return text.find(words, from) != text.npos; };
  std::vector<std::string> settings{"run.replications=1"};
  if (has("\njobs = ", text.find("\n[run]"))) settings.emplace_back("run.jobs=1000");
  if (has("\nprocess = \"log\"", 0)) settings.emplace_back(R"(arrivals.to="5 d")");
  for (const char* setting :
       {"arrivals.load=0.8", "arrivals.rate=4", "arrivals.slots=20", "platform.costs.epsilon=0.05",
        "policy.interruptions_per_job=5", R"(classes.*.size={ distribution = "exponential", mean = 1.0 })",
        R"(classes.job.size={ distribution = "exponential", mean = 1.0 })",
        R"(classes.*.utility.function="bing_search")", R"(classes.free.utility.function="bing_search")"}) {
    std::string key = setting;
    key.resize(key.find('='));
    if (has("\"" + key + "\" = ", text.find("\n[sweep]"))) settings.emplace_back(setting);
  }
  return settings;
}

}  // namespace muster
