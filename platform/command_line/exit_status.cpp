#include "platform/command_line/exit_status.h"

#include <cstdio>

#include <fmt/format.h>

#include "muster/modules/scheduler/policy_call.h"
#include "platform/command_line/plugins.h"
#include "platform/experiment/scenario_search.h"
#include "platform/ranks/started_ranks.h"
#include "platform/results/database.h"
#include "platform/results/stored_run.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

template <class... Errors>
bool is_any_of(const std::exception& e) {
  return (... || dynamic_cast<const Errors*>(&e));
}

}  // namespace

int reporting_errors(const std::function<int()>& act) {
  try {
    return act();
  } catch (const std::exception& e) {
    const bool refused = is_any_of<scenario_error, plugin_error, results_error, rank_error, output_error>(e);
    const int status = refused ? bad_input : is_any_of<search_interrupted>(e) ? interrupted : fault;
    fmt::print(stderr, "{}{}\n", status == fault ? "fault: " : "", e.what());
    return status;
  } catch (...) {
    fmt::print(stderr, "fault: an exception, {}\n", thrown_text());
    return fault;
  }
}

}  // namespace muster
