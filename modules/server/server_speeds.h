#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "muster/modules/server/gang_exchange.h"
#include "muster/modules/server/speed_zone.h"

namespace muster {

class job_extension;
class server_governors;
class server_power;

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
/// A server works at the speed that is set, or at the fraction of it that a cap on power leaves, see server_power.
/// Servers of a zone whose fraction has changed have a clock of work, which slices follow whose pace it has.
///
/// A rigid job on several servers goes on at the pace of the slowest of them, until its last slice ends there: the
/// least product of capacity and speed. Where its tasks exchange data, it goes at most at the pace that its exchange
/// permits, see gang_exchange, from the instant at which the last of its slices has begun to work until the first one
/// stops working.
class server_speeds final : private exchange_observer {
 public:
  static constexpr double least = 0.001, most = 10.0;

  /// @param capacities of a core of each server, by place among all servers
  explicit server_speeds(const std::vector<double>& capacities);

  std::size_t server_count() const { return servers_.size(); }
  /// The speed that is set for a server. @param server place among all servers
  double speed(std::uint32_t server) const { return servers_[server].speed; }
  /// The speed at which a server works.
  double working_speed(std::uint32_t server) const {
    const server_state& s = servers_[server];
    return s.clock ? s.clock->pace() : s.speed;
  }
  /// The clock of a server's work; null: it has none, as its speed has only been set so far.
  work_clock* clock(std::uint32_t server) const { return servers_[server].clock; }
  /// Sets the speed of a server, now. Called when the simulation has started.
  /// @throws std::invalid_argument for a speed out of range, or of a server that is not there
  void set(std::uint32_t server, double speed);
  /// @throws std::invalid_argument where set() would
  void check(std::uint32_t server, double speed) const;

  /// @name Called by the power of the servers, if that is known
  /// @{
  /// Connects what is told of changes of speeds. Called before the simulation.
  void connect(server_power& power) { power_ = &power; }
  /// Lets the servers of a zone's places belong to it, and no more to the one of the same fraction that they belonged
  /// to.
  /// @param zone outlives this object
  void enter(speed_zone& zone);
  /// Lets the servers of a zone work at a fraction of the speeds that are set. @param fraction from `least` to 1
  void limit(speed_zone& zone, double fraction);
  /// @}

  /// Lets gangs exchange data. Called before the simulation. @param exchange outlives this object
  void use(gang_exchange& exchange) {
    exchange_ = &exchange;
    exchange.connect(*this);
  }
  /// Connects what chooses the frequencies of some servers. Called before the simulation.
  void connect(server_governors& governors) { governors_ = &governors; }

  /// @name Called by the banks
  /// @{
  /// Connects the servers of a bank. Called before the simulation. @param first place of its first server
  void connect(pace_observer& bank, std::uint32_t first, std::uint32_t count);
  /// The power of the servers; null: it is not known.
  server_power* power() const { return power_; }
  /// What chooses the frequencies of servers; null: nothing does.
  server_governors* governors() const { return governors_; }
  /// Lets a server's bank be told of each change of its working speed, as a slice begins there that does not follow the
  /// server's clock, and until as many such slices have ended.
  void add_notice(std::uint32_t server);
  void remove_notice(std::uint32_t server);
  /// Adds a slice that begins, of a rigid job on several servers.
  /// @return its place among the slices of the job
  std::size_t join(pace_observer& bank, std::uint32_t slice, std::uint32_t server, const job_extension& job);
  /// The pace of a job, as one of its slices has just joined.
  double pace(const job_extension& job) const { return gangs_.at(&job).pace; }
  /// Notes that a slice that has joined begins to work. @param place among the slices of the job
  void works(const job_extension& job, std::size_t place, std::uint32_t cores) {
    if (exchange_) note_work(job, place, cores);
  }
  /// Notes that a slice that has joined stops working, and goes on.
  void pauses(const job_extension& job, std::size_t place) {
    if (exchange_) note_pause(gangs_.at(&job), place);
  }
  /// The clock of a job that has joined; null: there is none of its pace.
  work_clock* clock(const job_extension& job) const { return gangs_.at(&job).clock; }
  /// Notes the end of a slice that has joined. @param place among the slices of the job
  void leave(const job_extension& job, std::size_t place);
  /// @}

 private:
  struct server_state {
    double capacity = 1.0;
    double speed = 1.0;
    speed_zone* zone = nullptr;   // null: there has been no cap on its power
    work_clock* clock = nullptr;  // of the zone
    std::uint32_t notices = 0;
    pace_observer* bank = nullptr;
    std::uint32_t number = 0;                 // within the bank
    std::vector<const job_extension*> gangs;  // jobs on several servers, of which this is one
  };
  struct member {
    pace_observer* bank;  // null: the slice has ended
    std::uint32_t slice;
    std::uint32_t server;
    std::uint32_t working_cores = 0;  // 0: it does not work
  };
  /// A rigid job on several servers, until its last slice ends.
  struct gang {
    double slowest = 0.0;  // the least product of capacity and speed, relative to the capacity that the job counts with
    double fastest = 1.0;  // the greatest speed, at least 1
    double least = 0.0;    // the least capacity, likewise relative
    work_clock* common = nullptr;  // of all members' servers; null: they have none, or not the same
    double pace = 0.0;
    work_clock* clock = nullptr;  // the common one, if the pace is its own
    std::size_t open = 0;         // members that have not ended
    std::vector<member> members;
    std::size_t slices = 0;   // of the job
    std::size_t working = 0;  // members that work, where gangs exchange data
    gang_exchange::number exchange = gang_exchange::none;
  };

  void change(std::uint32_t server, double speed, speed_zone* zone, bool has_clock);
  void working_speed_changed(std::uint32_t server);
  void add(gang& all, std::uint32_t server, double capacity_of_job) const;
  void add_members(gang& all, double capacity_of_job) const;
  void adapt(const job_extension& job);
  void set_pace(gang& all);
  void change_pace(gang& all, double pace, work_clock* clock);
  void note_work(const job_extension& job, std::size_t place, std::uint32_t cores);
  void note_pause(gang& all, std::size_t place);
  void exchange_changes(const job_extension& job, double pace) override { change_pace(gangs_.at(&job), pace, nullptr); }

  std::vector<server_state> servers_;
  server_power* power_ = nullptr;
  gang_exchange* exchange_ = nullptr;  // null: gangs exchange nothing
  std::unordered_map<const job_extension*, gang> gangs_;
  server_governors* governors_ = nullptr;
};

}  // namespace muster
