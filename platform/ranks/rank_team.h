#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "platform/experiment/task_runner.h"
#include "platform/ranks/rank_link.h"
#include "platform/ranks/rank_report.h"

namespace muster {

/// Rank 0's side: hands tasks out to all ranks, this one included, and collects what they find.
///
/// A simulation whose process dies is run again on another rank; the third time in a row it is a fault. A rank that is
/// silent for 10 s is taken for dead: what it had goes to the others, until it answers again.
class rank_team : public task_runner {
 public:
  explicit rank_team(rank_link& link) : link_(link), seats_(link.ranks()) {}
  /// Sends the others home.
  ~rank_team() override;
  rank_team(const rank_team&) = delete;
  rank_team& operator=(const rank_team&) = delete;

  /// Waits until every rank has read the study. @param workers simulations at a time on this rank
  /// @throws rank_error if one has not, or has read something else
  void agree_on(const study& s, std::size_t workers);

  void run(task_giver& giver) override;
  std::size_t workers() const override;

 private:
  using clock = std::chrono::steady_clock;

  struct seat {
    rank_report report;
    std::set<std::size_t> tasks{};  // at work
    clock::time_point heard{};
    bool there = false, silent = false;
  };
  struct attempt {
    std::size_t task;
    std::size_t after;  // the rank where it came to nothing
  };

  std::string name(std::size_t rank) const;
  void hand_out(task_giver& giver);
  std::optional<std::size_t> task_for(std::size_t rank, task_giver& giver);
  bool hear(const rank_message& message, task_giver& giver);
  bool settle(std::size_t rank, task_outcome outcome, task_giver& giver);
  void watch_for_silence(task_giver& giver);
  void lose(std::size_t rank);
  bool is_idle() const;
  void stop();

  rank_link& link_;
  const study* study_ = nullptr;
  std::vector<seat> seats_;
  child_processes own_;
  std::vector<attempt> again_;                 // to be run again, the oldest first
  std::map<std::size_t, std::size_t> deaths_;  // in a row, by task
  clock::time_point awake_{};                  // when this rank last looked
  bool stopped_ = false;
};

}  // namespace muster
