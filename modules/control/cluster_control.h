#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "muster/modules/control/control_request.h"
#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/scheduler/scheduler.h"
#include "muster/modules/server/server.h"
#include "muster/modules/server/server_governors.h"
#include "muster/modules/server/server_power.h"
#include "muster/modules/server/server_speeds.h"
#include "muster/modules/source/job_source.h"
#include "muster/policies/algorithms/index_pool.h"

namespace muster {

/// Controls a cluster while it runs: takes servers out of service and back, changes their speeds, caps their power,
/// changes the rate of arrivals, and replaces parameters of the policy.
///
/// A request is checked when it is made: one that cannot be carried out is a std::invalid_argument, and nothing has
/// changed. It is carried out at its instant, behind the failures and repairs of that instant and before its arrivals,
/// see timer_rank; requests of one instant are carried out in the order in which they were made. So results do not
/// depend on the order in which the kernel runs foreign processes. A request can be made at any time, also before the
/// simulation.
class cluster_control final : private timer_observer {
 public:
  using action = control_request::action;

  explicit cluster_control(timekeeper& time) : time_(time) {}

  /// @name Parts that are controlled, which outlive this object. Called before the simulation
  /// @{
  /// Adds the servers of a bank behind those that were added before. The order is that of the scheduler's groups.
  void add(server& bank);
  /// Leaves out servers that a foreign module stands for: they keep their numbers, and nothing can be requested of
  /// them.
  void add_foreign(std::uint32_t count) { servers_ += count; }
  void add(job_source& source) { sources_.push_back(&source); }
  /// @param speeds of all servers, in the order of the banks
  void use(server_speeds& speeds) { speeds_ = &speeds; }
  /// @param power of all servers, in the order of the banks
  void use(server_power& power) { power_ = &power; }
  /// @param governors of all servers, in the order of the banks
  void use(server_governors& governors) { governors_ = &governors; }
  /// Adds a scheduler; parameters of the policy are replaced at all of them.
  void use(scheduler& one) { schedulers_.push_back(&one); }
  /// @}

  std::uint32_t server_count() const { return servers_; }
  /// All servers of the cluster.
  server_range all_servers() const { return {0, servers_}; }
  /// The servers of a bank. @param name of its module, without those above it
  /// @throws std::invalid_argument if there is none of that name
  server_range bank(std::string_view name) const;

  /// Requests that something be done. @throws std::invalid_argument if it cannot be, see check()
  void request(const control_request& wanted) { request_at(time_.now(), wanted); }
  /// Requests that something be done later. One beyond the range of the clock is never carried out.
  /// @throws std::invalid_argument as check() does, and if that time has passed
  void request_at(ticks at, const control_request& wanted);
  /// @throws std::invalid_argument if a request cannot be carried out, with what was expected
  void check(const control_request& wanted) const;

  /// @name Requests to be carried out now
  /// @throws std::invalid_argument as request() does
  /// @{
  void drain(server_range servers) { request({action::drain, servers}); }
  void remove(server_range servers) { request({action::remove, servers}); }
  void restore(server_range servers) { request({action::restore, servers}); }
  /// @param speed from server_speeds::least to server_speeds::most
  void set_speed(server_range servers, double speed) { request({action::speed, servers, speed}); }
  /// Caps what the servers draw together, in place of a cap that the same servers have. @param watts > 0, or no_cap
  void set_power_cap(server_range servers, double watts) { request({action::power_cap, servers, watts}); }
  /// @param factor of the rates that the sources have by themselves, from paced_arrivals::least to
  ///   paced_arrivals::most
  void set_arrival_rate(double factor) { request({action::arrival_rate, {}, factor}); }
  void set_policy_parameter(std::string name, settings::value value) {
    request({action::parameter, {}, 1.0, std::move(name), std::move(value)});
  }
  /// @}

  /// @name What holds now. A request is seen once it has been carried out
  /// @{
  /// Whether a server is out of service by request.
  bool is_withdrawn(std::uint32_t server) const;
  /// The speed that is set for a server, whatever a cap leaves of it. @return 1 where speeds cannot change
  double speed(std::uint32_t server) const { return speeds_ ? speeds_->speed(server) : 1.0; }
  /// The cap that servers have together, in watts. @return no_cap: there is none of these servers
  double power_cap(server_range servers) const;
  /// The factor of the rate of arrivals.
  double arrival_rate() const { return arrival_rate_; }
  /// @}

 private:
  struct bank_of_servers {
    server* module;
    server_range servers;
  };

  void expired(ticks now, std::uint32_t cookie) override;
  void carry_out(const control_request& wanted);
  void check_servers(server_range servers) const;
  void check_speeds(const control_request& wanted) const;
  void check_power(const control_request& wanted) const;
  void check_arrivals(double factor) const;
  // @return null: the server is a foreign module's
  const bank_of_servers* bank_of(std::uint32_t server) const;

  timekeeper& time_;
  std::vector<bank_of_servers> banks_;
  std::uint32_t servers_ = 0;
  std::vector<job_source*> sources_;
  server_speeds* speeds_ = nullptr;        // null: speeds do not change
  server_power* power_ = nullptr;          // null: power is not known
  server_governors* governors_ = nullptr;  // null: no governor sets speeds
  std::vector<scheduler*> schedulers_;     // none: parameters of the policy cannot be replaced
  double arrival_rate_ = 1.0;
  index_pool<control_request> requests_;  // those that wait for their time
  std::uint64_t made_ = 0;                // requests so far
};

}  // namespace muster
