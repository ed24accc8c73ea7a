#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

constexpr number_range share_of_mean{"a share > 0 and < 1, such as 0.01 or \"1%\"", 0.0, true, 1.0, true};

// What a replication of such jobs measures.
std::vector<std::string> metrics_of_classes(const scenario& what) {
  std::vector<std::string> names{"response_time", "response_time_p50", "response_time_p95",     "response_time_p99",
                                 "waiting_time",  "slowdown",          "jobs_in_system",        "throughput",
                                 "service_rate",  "utilization",       "interruptions_per_job", "migrations_per_job"};
  if (!what.classes.empty() && what.classes.front().slotted)
    for (const char* name : {"utility", "utility_rate", "completed_share", "expired_share", "preemptions_per_job"})
      names.emplace_back(name);
  return names;
}

// What batch means give an interval.
const std::vector<std::string> metrics_with_batches{"response_time", "waiting_time"};

std::vector<std::string> metrics_of_all(const scenario& what) {
  std::vector<std::string> names{"weighted_response_time", "fairness_jain", "overhead_share"};
  if (std::any_of(what.servers.begin(), what.servers.end(), [](const server_spec& s) { return s.power.any(); }))
    for (const char* name : {"average_power", "energy_per_job", "asleep_share"}) names.emplace_back(name);
  return names;
}

// 0.01 or "1%".
double read_half_width(table_reader& table) {
  const toml_value* found = table.find("half_width");
  const std::string* text = found ? found->as<std::string>() : nullptr;
  if (!text) return table.number("half_width", share_of_mean);
  char* end = nullptr;
  const double percent = std::strtod(text->c_str(), &end);
  const bool whole = !text->empty() && end == text->c_str() + text->size() - 1 && *end == '%';
  if (whole && share_of_mean.holds(percent / 100.0)) return percent / 100.0;
  table.complain("half_width", fmt::format("expected {}, found {}", share_of_mean.words, in_quotes(*text)));
  return 0.01;
}

}  // namespace

std::optional<precision_spec> read_precision(table_reader& run, const slotted_form& form, const scenario& what,
                                             bool classes_known) {
  if (!run.find("precision")) return std::nullopt;
  table_reader table = run.table("precision");
  precision_spec wanted;
  wanted.half_width = read_half_width(table);
  const bool batches = what.run.batch_means;
  const char* standard = form.finite() ? "utility" : form.jobs && !batches ? "utility_rate" : "response_time";
  const std::vector<std::string> single = batches ? std::vector<std::string>{} : metrics_of_all(what);
  std::vector<std::string> metrics = batches ? metrics_with_batches : metrics_of_classes(what);
  metrics.insert(metrics.end(), single.begin(), single.end());
  wanted.metric = classes_known ? table.word("metric", "metric", metrics, standard) : table.text("metric", standard);
  std::vector<std::string> classes{"all"};
  for (const class_spec& c : what.classes) classes.push_back(c.name);
  wanted.class_name = classes_known ? table.word("class", "class", classes, "all") : table.text("class", "all");
  if (wanted.class_name != "all" && std::find(single.begin(), single.end(), wanted.metric) != single.end())
    table.complain("class", fmt::format("{} is measured of all classes together; expected 'all', found {}",
                                        wanted.metric, in_quotes(wanted.class_name)));
  table.close();
  return wanted;
}

}  // namespace muster
