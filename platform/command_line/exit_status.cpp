#include "platform/command_line/exit_status.h"

#include <cstdio>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "muster/policies/thrown_text.h"
#include "platform/command_line/plugins.h"
#include "platform/ranks/started_ranks.h"
#include "platform/search/scenario_search.h"
#include "platform/store/database.h"
#include "platform/store/stored_run.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

template <class... Errors>
bool is_any_of(const std::exception& e) {
  return (... || dynamic_cast<const Errors*>(&e));
}

int tell(int status, const std::string& what) {
  const std::string line = fmt::format("{}{}\n", status == fault ? "fault: " : "", what);
  std::fputs(line.c_str(), stderr);  // unlike fmt::print() without an exception, should that be full too
  return status;
}

}  // namespace

int reporting_errors(const std::function<int()>& act) {
  try {
    return act();
  } catch (const std::system_error& e) {
    if (!std::ferror(stdout)) return tell(fault, e.what());
    return tell(bad_input, fmt::format("{}: {}", unwritable_output, e.code().message()));
  } catch (const std::exception& e) {
    const bool refused = is_any_of<scenario_error, plugin_error, results_error, rank_error, output_error>(e);
    const int status = refused ? bad_input : is_any_of<search_interrupted>(e) ? interrupted : fault;
    return tell(status, e.what());
  } catch (...) {
    return tell(fault, "an exception, " + thrown_text());
  }
}

}  // namespace muster
