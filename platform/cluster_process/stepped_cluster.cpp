#include "platform/cluster_process/stepped_cluster.h"

#include <algorithm>

#include "platform/model/class_table.h"

namespace muster {

stepped_cluster::stepped_cluster(std::string file, list_of_settings settings, std::uint32_t replication)
    : file_(std::move(file)), settings_(std::move(settings)) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  // A run that the kernel warns about is not to be trusted. That its time may end before its jobs do is told.
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
  sc_core::sc_report_handler::set_actions("/muster/cluster", sc_core::SC_WARNING, sc_core::SC_DISPLAY);
  cluster_options options;
  options.controlled = true;
  cluster_ = std::make_unique<cluster>("cluster", read_scenario(file_, settings_), replication, options);
}

std::int64_t stepped_cluster::now() { return static_cast<std::int64_t>(sc_core::sc_time_stamp().value()); }

void stepped_cluster::set_parameter(const std::string& name, const std::string& value) {
  list_of_settings with_it = settings_;
  const std::string key = "policy." + name;
  const auto given = std::find_if(with_it.begin(), with_it.end(), [&](const auto& s) { return s.first == key; });
  (given == with_it.end() ? with_it.emplace_back(key, "") : *given).second = value;
  cluster_->control().set_policy_parameter(name, policy_settings(read_scenario(file_, with_it)).at(name));
  settings_ = std::move(with_it);
}

bool stepped_cluster::advance(std::int64_t until, const std::vector<std::uint32_t>& watched) {
  if (!std::exchange(begun_, true)) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  if (watched.empty()) {
    run_to(until);
    return false;
  }
  const std::vector<double> before = values(watched);
  for (run_to(now()); values(watched) == before; run_to(next_instant(until)))
    if (now() == until) return false;
  return now() < until;
}

std::vector<double> stepped_cluster::values(const std::vector<std::uint32_t>& of) {
  std::vector<double> all;
  all.reserve(of.size());
  for (const std::uint32_t v : of) all.push_back(variables().value(v));
  return all;
}

// Runs all events until an instant. The kernel itself leaves those of the last one to the next call.
void stepped_cluster::run_to(std::int64_t until) {
  if (until > now()) sc_core::sc_start(sc_core::sc_time::from_value(static_cast<std::uint64_t>(until - now())));
  while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

// The next instant at which something happens, at most `until`.
std::int64_t stepped_cluster::next_instant(std::int64_t until) {
  if (!sc_core::sc_pending_activity()) return until;
  const sc_core::sc_time::value_type after = sc_core::sc_time_to_pending_activity().value();
  return after < static_cast<std::uint64_t>(until - now()) ? now() + static_cast<std::int64_t>(after) : until;
}

}  // namespace muster
