#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "muster/modules/kernel/timekeeper.h"

namespace muster {

class job_extension;

/// A change of a server's speed at a given time.
struct speed_change {
  ticks at = 0;
  std::uint32_t server = 0;  ///< place among all servers
  double speed = 1.0;        ///< from server_speeds::least to server_speeds::most
};

/// Receives changes of the speeds of the servers of a bank, and of the pace of its slices.
class pace_observer {
 public:
  /// The speed of a server changes; jobs on several servers are told of their pace apart.
  /// @param server number within the bank
  virtual void speed_changes(std::uint32_t server, double speed) = 0;
  /// @param slice number within the bank @param pace work per tick, where 1 is that of the slice's duration
  virtual void pace_changes(std::uint32_t slice, double pace) = 0;

 protected:
  ~pace_observer() = default;
};

/// The speeds of all servers of a cluster: factors of their capacities, 1 at first, which may change at any time,
/// whatever the reason. Work that is under way goes on at the new speed from that instant; overhead and saving take the
/// time that they took.
///
/// A rigid job on several servers goes on at the pace of the slowest of them, until its last slice ends there: the
/// least product of capacity and speed.
///
/// Changes of an instant come after its completions and interruptions, among failures and repairs, see timer_rank.
class server_speeds final : private timer_observer {
 public:
  static constexpr double least = 0.001, most = 10.0;

  /// @param capacities of a core of each server, by place among all servers
  /// @param plan changes that come by themselves, in any order; of those of one server at one instant the last counts
  /// @throws std::invalid_argument for a speed out of range, or of a server that is not there
  server_speeds(timekeeper& time, const std::vector<double>& capacities, std::vector<speed_change> plan = {});

  std::size_t server_count() const { return servers_.size(); }
  /// The present speed of a server. @param server place among all servers
  double speed(std::uint32_t server) const { return servers_[server].speed; }
  /// Changes the speed of a server, now. Called when the simulation has started.
  /// @throws std::invalid_argument as the constructor does
  void set(std::uint32_t server, double speed);

  /// @throws std::invalid_argument where set() would
  void check(std::uint32_t server, double speed) const;

  /// @name Called by the banks
  /// @{
  /// Connects the servers of a bank. Called before the simulation. @param first place of its first server
  void connect(pace_observer& bank, std::uint32_t first, std::uint32_t count);
  /// Arms the timer of the plan. Called at the start of simulation; later calls have no effect.
  void start();
  /// Adds a slice that begins, of a rigid job on several servers.
  /// @return its place among the slices of the job
  std::size_t join(pace_observer& bank, std::uint32_t slice, std::uint32_t server, const job_extension& job);
  /// The pace of a job that has joined.
  double pace(const job_extension& job) const { return gangs_.at(&job).pace; }
  /// Notes the end of a slice that has joined. @param place among the slices of the job
  void leave(const job_extension& job, std::size_t place);
  /// @}

 private:
  struct server_state {
    double capacity = 1.0;
    double speed = 1.0;
    pace_observer* bank = nullptr;
    std::uint32_t number = 0;                 // within the bank
    std::vector<const job_extension*> gangs;  // jobs on several servers, of which this is one
  };
  struct member {
    pace_observer* bank;  // null: the slice has ended
    std::uint32_t slice;
    std::uint32_t server;
  };
  /// A rigid job on several servers, until its last slice ends.
  struct gang {
    double slowest = 0.0;  // the least product of capacity and speed, relative to the capacity that the job counts with
    double fastest = 1.0;  // the greatest speed, at least 1
    double pace = 0.0;
    std::size_t open = 0;  // members that have not ended
    std::vector<member> members;
  };

  void expired(ticks now, std::uint32_t cookie) override;
  void arm_next();
  void add(gang& all, std::uint32_t server, double capacity_of_job) const;
  void adapt(const job_extension& job);
  static void set_pace(gang& all);

  timekeeper& time_;
  std::vector<server_state> servers_;
  std::vector<speed_change> plan_;  // by time and server
  std::size_t next_ = 0;            // first change of the plan that has not come
  bool started_ = false;
  std::unordered_map<const job_extension*, gang> gangs_;
};

}  // namespace muster
