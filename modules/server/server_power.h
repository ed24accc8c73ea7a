#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/protocol/job_times.h"
#include "muster/modules/server/server_speeds.h"
#include "muster/policies/frequency_table.h"

namespace muster {

/// The power of the parts of a server, in watts, each >= 0.
struct server_watts {
  double idle = 0.0;              ///< of a core that is idle or asleep
  double overhead = 0.0;          ///< of a core in overhead
  double active = 0.0;            ///< of a core that works at speed 1
  double resources = 0.0;         ///< of all devices and amounts while no job holds any
  std::vector<double> held = {};  ///< what a held unit of each place behind the cores draws beside that
  /// What cores draw at other speeds than that of `active`, which is of the fastest row. Null: power above idle is
  /// proportional to the speed. Outlives the server.
  const frequency_table* frequencies = nullptr;
};

/// Like servers of consecutive places, and the power of each.
struct bank_watts {
  std::uint32_t count = 0;
  std::uint32_t cores = 0;  ///< of each
  server_watts each{};
};

/// Caps on the power of the servers of a cluster, and what follows from the speeds of their cores for energy.
///
/// A core that works draws `idle + (active - idle) * speed`: the part above idle power is proportional to its speed.
/// Where servers have frequencies, that part is the one that their table has for the speed that is set, times the
/// fraction of it that a cap leaves.
/// All other power does not depend on speeds. A server that is down draws nothing.
///
/// A cap is on the power of some servers together: one, those of an entry, all. While these would draw more at the
/// speeds that are set, all their cores that work go at one common fraction of these speeds: at the greatest with which
/// the cap holds, and at least at server_speeds::least. So a cap below what the servers draw without any work does not
/// hold, and their cores go at that least fraction. A core of several capped sets goes at the least of their fractions;
/// each of these is found as if there were no other cap. Cores that sleep count as idle.
///
/// Fractions are found anew at each instant at which what works, a speed or a cap has changed, behind all other events
/// of the instant, see timer_rank::power. What that costs does not grow with the number of jobs that follow the clock
/// of their server, see speed_zone; it grows with the number of pooled and slotted jobs and of rigid ones on several
/// servers, and with the zones: stretches of servers that belong to the same caps.
class server_power final : private timer_observer {
 public:
  /// @param speeds of the same servers; outlives this object
  /// @param banks of all servers, in the order of their places
  server_power(timekeeper& time, server_speeds& speeds, const std::vector<bank_watts>& banks);

  /// Sets the cap of some servers of consecutive places, in place of the one that they had together.
  /// @param watts > 0; nothing: there is no cap any more
  /// @throws std::invalid_argument as check_cap() does
  void set_cap(std::uint32_t first, std::uint32_t count, std::optional<double> watts);
  /// The cap that these servers have together; nothing: there is none.
  std::optional<double> cap(std::uint32_t first, std::uint32_t count) const;
  /// @throws std::invalid_argument if the servers are not there, or a cap is no number > 0
  void check_cap(std::uint32_t first, std::uint32_t count, std::optional<double> watts) const;
  /// Whether there has been any cap so far.
  bool any_cap_so_far() const { return !caps_.empty(); }
  /// For how long until `now` any cap has been below what its servers would have drawn without it.
  ticks time_capped(ticks now) const { return capped_ + (binding_ > 0 ? now - binding_since_ : 0); }

  /// The integral until `now` of the number of cores that work times their relative_watts() less 1, in ticks. Times of
  /// states and this give the energy of a server.
  double excess_work(std::uint32_t server, ticks now) const;
  /// What a core that works draws now above idle power, over the same of `active`.
  double relative_watts(std::uint32_t server) const;

  /// @name Called by the banks and their speeds, with places among all servers
  /// @{
  /// A slice moves from one stage to another. @param held in each place behind the cores; null: cores alone
  void slice_moves(std::uint32_t server, std::uint32_t cores, slice_stage from, slice_stage to,
                   const std::uint64_t* held);
  /// A server goes down, when it has lost its slices, or comes back.
  void set_down(std::uint32_t server, bool down);
  /// Called before the speed or the clock of a server changes.
  void clock_will_change(std::uint32_t server) { settle(servers_[server], server); }
  /// Called when the clock of a server may have changed.
  void clock_has_changed(std::uint32_t server) { servers_[server].reading = reading(server); }
  /// Called when the speed that is set for a server has changed.
  void speed_was_set(std::uint32_t server) { touch(server); }
  /// @}

 private:
  /// Servers of the same caps.
  struct capped_zone {
    speed_zone speeds;
    std::vector<std::uint32_t> caps;  // in caps_
  };
  struct server_state {
    std::uint32_t bank = 0;                   // in banks_
    std::uint32_t working = 0, overhead = 0;  // cores
    double held = 0.0;                        // watts of what is held beside cores
    bool down = false;
    ticks since = 0;       // when `excess` was settled
    tick_sum reading = 0;  // of the server's clock then
    double excess = 0.0;
    const capped_zone* zone = nullptr;  // null: no cap counts the server
    double constant = 0.0, work = 0.0;  // watts, as they are counted there: at any speed, and of work at its own
  };
  struct capped_set {
    std::uint32_t first = 0, count = 0;
    double watts = 0.0;  // infinite: no cap
    double fraction = 1.0;
    bool binds = false, changed = false;
    long double constant = 0.0L, work = 0.0L;  // sums over its servers
  };

  void expired(ticks now, std::uint32_t cookie) override;
  void touch(std::uint32_t server);
  void count(std::uint32_t server);
  void cover(std::uint32_t first, std::uint32_t end);
  void split(std::uint32_t at);
  void add_zone(std::uint32_t first, std::uint32_t count, double fraction, std::vector<std::uint32_t> caps);
  tick_sum reading(std::uint32_t server) const;
  // Not inlined, so that servers without a clock pay for a test only.
  [[gnu::noinline]] static double excess_by(const work_clock& clock, const server_state& s, ticks now,
                                            double watts_of_work);
  void change(capped_set& c);
  void adapt(capped_set& c);
  void settle(server_state& s, std::uint32_t server);
  double constant_watts(const server_state& s) const;
  double watts_of_work(const server_state& s, double speed) const;
  std::uint32_t* count_of(server_state& s, slice_stage stage);

  timekeeper& time_;
  server_speeds& speeds_;
  std::vector<bank_watts> banks_;
  std::vector<server_state> servers_;
  std::vector<capped_set> caps_;
  std::map<std::uint32_t, capped_zone> zones_;  // by the first server
  bool armed_ = false;
  std::size_t binding_ = 0;  // caps that bind
  ticks binding_since_ = 0, capped_ = 0;
};

}  // namespace muster
