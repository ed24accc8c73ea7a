#include <deque>

#include "muster/policies/catalogue.h"
#include "muster/policies/rigid/service_levels.h"

namespace muster {

/// ServerFilling, preemptive. Source: Grosof, Harchol-Balter and Scheller-Wolf, "WCFS: a new framework for analyzing
/// multiserver systems" (Queueing Systems 102, 2022), Section 3; the policy of the Quickswap paper's Appendix D.
///
/// At every arrival and completion: M is the shortest prefix of the jobs in the system, by arrival, whose needs add up
/// to k, the number of cores; all jobs if they need less. The jobs of M are served by descending need (equal needs: by
/// arrival) while they fit. Where all needs are powers of two, and k too, that fills all cores whenever M needs k.
///
/// Choices where the source is open, as it demands powers of two: needs are arbitrary here. A job of M that does not
/// fit is passed over and smaller ones behind it are served (`fill = "on_past_misfits"`), or it ends the filling
/// (`"until_misfit"`); with powers of two none but the last ones does not fit, and both are the same.
///
/// M loses jobs by completion only, so that the jobs behind it have never been served.
class server_filling final : public rigid_policy {
 public:
  server_filling(const cluster_view& cluster, bool until_misfit)
      : levels_(cluster, service_levels::of::needs),
        prefix_(levels_.size()),
        served_(levels_.size()),
        until_misfit_(until_misfit) {}

  bool can_replace(std::string_view) const override { return true; }
  void replace_parameters(const settings& complete) override {
    until_misfit_ = complete.choice("fill") == "until_misfit";
    all_served_ = false;
  }

  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    behind_.push_back(levels_.level(j.type));
    if (extend_prefix(cluster) || !all_served_) schedule(cluster, decide);
  }

  void completed(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    const std::size_t level = levels_.level(j.type);
    --prefix_[level];
    needed_ -= levels_.need(level);
    extend_prefix(cluster);
    schedule(cluster, decide);
  }

 private:
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    unsigned left = cluster.all_cores();
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      served_[level] = std::min(prefix_[level], left / levels_.need(level));
      left -= served_[level] * levels_.need(level);
      if (until_misfit_ && served_[level] < prefix_[level]) left = 0;
    }
    all_served_ = levels_.serve(served_, prefix_, cluster, decide);
  }

  // @return whether M has grown
  bool extend_prefix(rigid_view cluster) {
    const std::uint64_t before = needed_;
    for (; needed_ < cluster.all_cores() && !behind_.empty(); behind_.pop_front()) {
      ++prefix_[behind_.front()];
      needed_ += levels_.need(behind_.front());
    }
    return needed_ > before;
  }

  service_levels levels_;
  std::vector<std::uint32_t> prefix_;  // jobs of M, by level
  std::uint64_t needed_ = 0;           // cores that M needs
  std::deque<std::size_t> behind_;     // levels of the jobs behind M, by arrival
  std::vector<std::uint32_t> served_;  // jobs to be in service by level
  bool all_served_ = true;             // false: cores may have come free for more since, or another rule holds
  bool until_misfit_;
};

extern const policy_entry server_filling_entry = [] {
  policy_entry entry;
  entry.name = "server_filling";
  entry.about =
      "Of the earliest jobs that need all cores together, the largest needs first (Grosof, Harchol-Balter and "
      "Scheller-Wolf 2022)";
  entry.parameters = {{"fill", choice_parameter{{"on_past_misfits", "until_misfit"}},
                       "whether a job that does not fit is passed over for smaller ones, or ends the filling"}};
  entry.construct = [](const cluster_view& cluster, const settings& given,
                       random_numbers&) -> std::unique_ptr<rigid_policy> {
    return std::make_unique<server_filling>(cluster, given.choice("fill") == "until_misfit");
  };
  entry.check_classes = unless_all_use_all_cores;
  entry.preempts = true;
  entry.stable_up_to = stability_rule::filling;
  return entry;
}();

}  // namespace muster
