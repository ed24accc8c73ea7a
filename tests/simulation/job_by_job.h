#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/algorithm/string/split.hpp>

#include "platform/simulation/cluster_hardware.h"
#include "tests/modules/child.h"
#include "tests/simulation/first_jobs.h"

// The first jobs of a scenario in the simulator, to hold them one by one against rules written anew.

namespace muster {

/// What became of each job, in the order of arrival.
using lines = std::vector<std::string>;

/// What is told of a job that leaves. @param at when
using job_line = std::function<std::string(ticks at, const job_extension&)>;

/// What became of so many jobs; what went wrong, if something did.
inline lines through_the_simulator(const scenario& model, std::size_t jobs, const job_line& told, ticks quantum,
                                   bool check_protocol = false) {
  struct recorder final : job_observer {
    recorder(const job_line& line, std::size_t jobs) : told(line), found(jobs) {}
    void job_arrives(ticks, const job_extension&) override {}
    void job_completes(ticks now, const job_extension& j) override { found[j.id] = told(now, j); }
    const job_line& told;
    lines found;
  };
  const std::string text = in_child([&]() -> std::string {
    sc_core::sc_set_time_resolution(1.0, sc_core::SC_NS);
    tlm::tlm_global_quantum::instance().set(sc_core::sc_time::from_value(quantum));
    try {
      first_jobs workload(model, 0, jobs);
      recorder seen(told, jobs);
      module_of<cluster_hardware> whole("cluster", model, 0, workload, seen, hardware_options{check_protocol});
      sc_core::sc_start();
      whole.audit(whole.time.now());
      return fmt::format("{}", fmt::join(seen.found, "\n"));
    } catch (const std::exception& fault) {
      return fault.what();
    }
  });
  lines all;
  boost::algorithm::split(all, text, [](char c) { return c == '\n'; });
  return all;
}

/// The first job of which they tell different things; nothing if there is none.
inline std::string first_difference(const lines& found, const lines& expected) {
  const auto [f, e] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
  if (found == expected) return "";
  return fmt::format("{}, expected {}", f == found.end() ? "nothing" : *f, e == expected.end() ? "nothing" : *e);
}

}  // namespace muster
