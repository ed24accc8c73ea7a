#include <algorithm>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/slotted/ordering_policy.h"

namespace muster {

namespace {

/// Water-filling: the level for which the sum of min(height, level) is `total`, or the largest height if their sum is
/// less than that.
/// @param heights ascending
double water_level(const std::vector<double>& heights, double total) {
  utility_sum below = 0;  // an exact sum, as a tick may be a billionth of a height
  for (std::size_t full = 0; full < heights.size(); ++full) {
    const auto others = static_cast<utility_sum>(heights.size() - full);
    if (below + others * heights[full] > total) return static_cast<double>((total - below) / others);
    below += heights[full];
  }
  return heights.back();
}

}  // namespace

/// Gives every job the same core time, or as much as its remaining work takes if that is less, with the overhead of a
/// new core. Source: ISPEED paper, Section VI-B.
///
/// In whole units, the remainder of the division goes to the jobs that have been served least.
class equal_partitioning final : public ordering_policy {
 public:
  explicit equal_partitioning(bool fractional) : fractional_(fractional) {}

  bool can_replace(std::string_view) const override { return true; }
  void replace_parameters(const settings& complete) override { fractional_ = complete.choice("share") == "fractional"; }

  std::uint64_t most_jobs_in_system() const override {
    return fractional_ ? 2'000 : policy::most_jobs_in_system();  // all jobs have a slice in every slot
  }

 private:
  double rank(const job& j) const override { return j.units->done; }

  void share_out(unsigned cores, job_order& jobs, slotted_decisions& decide) override {
    if (fractional_ && !enough_for_all(cores, jobs))
      share_core_time(cores, jobs, decide);
    else if (jobs.size() <= cores)
      share_cores(cores, jobs, decide);
    else
      for (; cores > 0; --cores) decide.serve(*jobs.take_first().owner);
  }

  // Whether every job can have all cores that it can use.
  static bool enough_for_all(unsigned cores, const job_order& jobs) {
    unsigned wanted = 0;
    for (auto p = jobs.begin(); p != jobs.end() && wanted <= cores; ++p) wanted += slotted_view::units_left(*p->owner);
    return wanted <= cores;
  }

  // The core time that a job still needs; without the overhead it would never complete.
  static double core_time_left(const job& j) { return j.units->left + j.units->overhead; }

  void share_core_time(unsigned cores, job_order& jobs, slotted_decisions& decide) {
    const double level = level_of(jobs, cores, core_time_left);
    for (const job_order::place& p : jobs) decide.serve(*p.owner, std::min(core_time_left(*p.owner), level));
    jobs.clear();
  }

  void share_cores(unsigned cores, job_order& jobs, slotted_decisions& decide) {
    const auto level = static_cast<unsigned>(level_of(jobs, cores, slotted_view::units_left));
    for (const job_order::place& p : jobs) cores -= std::min(slotted_view::units_left(*p.owner), level);
    for (const job_order::place& p : jobs) {
      const unsigned wanted = slotted_view::units_left(*p.owner);
      const bool one_more = cores > 0 && wanted > level;
      if (one_more) --cores;
      decide.serve(*p.owner, std::min(wanted, level) + (one_more ? 1 : 0));
    }
    jobs.clear();
  }

  template <class Work>
  double level_of(const job_order& jobs, unsigned cores, Work work_left) {
    if (jobs.empty()) return 0.0;
    heights_.clear();
    for (const job_order::place& p : jobs) heights_.push_back(work_left(*p.owner));
    std::sort(heights_.begin(), heights_.end());
    return water_level(heights_, cores);
  }

  bool fractional_;
  std::vector<double> heights_;
};

extern const policy_entry equal_partitioning_entry = [] {
  policy_entry entry;
  entry.name = "equal_partitioning";
  entry.about = "in each slot the same for every job that has so much work left (ISPEED, Section VI-B)";
  entry.parameters = {{"share", choice_parameter{{"whole_units", "fractional"}},
                       "whole cores, what does not divide to those served least; or equal core time, jobs sharing "
                       "cores within a slot"}};
  entry.construct = [](const cluster_view&, const settings& given, random_numbers&) -> std::unique_ptr<slotted_policy> {
    return std::make_unique<equal_partitioning>(given.choice("share") == "fractional");
  };
  return entry;
}();

}  // namespace muster
