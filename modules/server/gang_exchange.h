#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/network/exchange_pattern.h"
#include "muster/modules/network/network.h"
#include "muster/modules/network/sharing/max_min.h"
#include "muster/policies/algorithms/index_pool.h"
#include "muster/policies/table.h"

namespace muster {

class job_extension;

/// What the tasks of jobs of a class exchange while they work.
struct class_exchange {
  exchange_pattern pattern{};
  double bytes = 0.0;  ///< that a task sends to each partner in a tick of work on capacity 1, > 0
  std::uint32_t cores_per_task = 1;
  std::uint32_t most_per_server = 0;  ///< tasks of a job that one server may hold; 0: any number
  std::uint32_t tasks = 0;            ///< of a job; 0: as many as its cores hold
};

/// Receives the paces that the exchange of gangs permits.
class exchange_observer {
 public:
  /// @param pace work per tick, where 1 is that of the duration of the gang's slices
  virtual void exchange_changes(const job_extension& job, double pace) = 0;

 protected:
  ~exchange_observer() = default;
};

/// The exchange of data within gangs, jobs on several servers, over a network whose edges all streams share.
///
/// A stream leads from each task to each of its partners on other servers. The streams of a gang are equal, and are one
/// flow of the max-min fair rates: the gang goes at the pace at which the rate of its streams is what its work takes,
/// and at most at that of its slowest server. What is exchanged within a server takes no time. Tasks are numbered by
/// server, in the order of the servers' places.
class gang_exchange final : private rate_observer {
 public:
  using number = std::uint32_t;
  static constexpr number none = ~number{0};
  /// What a gang holds of a server.
  struct part {
    std::uint32_t server;  ///< place among all servers
    std::uint32_t cores;
  };

  /// @param over what the streams are sent, a network with max-min fair sharing; outlives this object
  /// @param classes by declared class; nothing: its tasks exchange nothing
  gang_exchange(timekeeper& time, network& over, table<class_id, std::optional<class_exchange>> classes);

  /// Whether the tasks of jobs of a declared class exchange anything.
  bool has(class_id id) const { return classes_[id].has_value(); }
  /// Connects what is told of paces. Called before the simulation.
  void connect(exchange_observer& observer) { observer_ = &observer; }
  /// Begins the exchange of a gang of a class that has one, all of whose slices work. Its pace is told at the end of
  /// the present instant.
  /// @param parts on different servers @param capacity of a core that is work at pace 1
  /// @param most the pace that the servers permit
  /// @return none: no edge on the way has a finite bandwidth
  number begin(const job_extension& job, std::vector<part> parts, double capacity, double most);
  /// Changes the pace that the servers of a gang permit. Its own is told at the end of the present instant.
  void limit(number gang, double most);
  /// Ends the exchange of a gang.
  void end(number gang);

  /// The time of cores of a declared class that exchange has cost until `now`, in ticks: of each core the time for
  /// which its gang exchanged, times the share of the pace of its servers by which it was slower.
  double lost(class_id id, ticks now) const;
  /// The bytes that gangs have sent over an arc of finite bandwidth until `now`.
  double bytes(network_arc arc, ticks now) const;

 private:
  struct gang {
    const job_extension* job = nullptr;  // null: there is none
    class_id type{};
    std::uint64_t cores = 0;
    double bytes = 0.0;  // of each stream in a tick at pace 1
    double most = 1.0;   // pace
    double pace = 0.0;
    ticks since = 0;    // of the pace
    double sent = 0.0;  // of each stream until then
    shared_edges::flow flow = 0;
    std::vector<shared_edges::use> uses;
  };

  void rate_changes(ticks now, std::uint32_t cookie, double rate) override;
  void find_uses(const class_exchange& type, const std::vector<part>& parts, std::vector<shared_edges::use>& uses);
  void settle(gang& g, ticks now);

  timekeeper& time_;
  network& network_;
  max_min& sharing_;
  table<class_id, std::optional<class_exchange>> classes_;
  exchange_observer* observer_ = nullptr;
  index_pool<gang> gangs_;
  table<class_id, double> lost_;
  std::vector<double> bytes_;  // by arc, of gangs that have ended
};

}  // namespace muster
