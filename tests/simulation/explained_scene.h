#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/algorithm/string/split.hpp>

#include "platform/simulation/cluster_hardware.h"
#include "platform/simulation/event_distributor.h"
#include "platform/simulation/instruments/time_recorder.h"
#include "tests/modules/child.h"
#include "tests/simulation/replicate.h"

// Jobs that are given one by one to the cluster of a scenario, and what their times are spent on.

namespace muster {

/// A job of a scene: when it arrives, of which class it is (in descending order of need), how long it takes.
struct scene_job {
  double arrival;
  unsigned type;
  double size;
};

class scene_workload final : public workload {
 public:
  scene_workload(const scenario& model, const std::vector<scene_job>& jobs) : unit_(model.unit), jobs_(jobs) {}
  bool next(job_request& job) override {
    if (at_ == jobs_.size()) return false;
    const scene_job& j = jobs_[at_++];
    job = {unit_.to_ticks(j.arrival), static_cast<class_id>(j.type), unit_.to_ticks(j.size)};
    return true;
  }

 private:
  time_unit unit_;
  const std::vector<scene_job>& jobs_;
  std::size_t at_ = 0;
};

/// The text of a job that completes.
using job_text = std::function<std::string(const time_unit&, ticks now, const job_extension&)>;

/// @return a line for each job, in the order of arrival; what went wrong, if something did
inline std::vector<std::string> explained(const std::string& toml, const std::vector<scene_job>& jobs,
                                          const job_text& told) {
  struct recorder final : instrument {
    recorder(const time_unit& of, const job_text& text, std::size_t jobs) : unit(of), told(text), lines(jobs) {}
    void job_completes(ticks now, const job_extension& j) override { lines[j.id] = told(unit, now, j); }
    const time_unit& unit;
    const job_text& told;
    std::vector<std::string> lines;
  };
  const std::string text = in_child([&]() -> std::string {
    sc_core::sc_set_time_resolution(1.0, sc_core::SC_NS);
    try {
      scenario model = first_point(toml);
      model.report.explain = true;
      scene_workload workload(model, jobs);
      event_distributor events;
      module_of<cluster_hardware> whole("cluster", model, 0, workload, events);
      const job_statistics measured(model.classes.size());
      events.add(std::make_unique<time_recorder>(model.classes.size(), whole, measured));
      const recorder& seen = events.add(std::make_unique<recorder>(model.unit, told, jobs.size()));
      events.connect(whole);
      sc_core::sc_start();
      whole.audit(whole.time.now());
      return fmt::format("{}", fmt::join(seen.lines, "\n"));
    } catch (const std::exception& fault) {
      return fault.what();
    }
  });
  std::vector<std::string> lines;
  boost::algorithm::split(lines, text, [](char c) { return c == '\n'; });
  return lines;
}

}  // namespace muster
