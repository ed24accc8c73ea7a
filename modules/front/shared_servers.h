#pragma once

#include <deque>
#include <vector>

#include "muster/modules/kernel/parameter_list.h"
#include "muster/modules/network/interconnect.h"
#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/scheduler/services/shared_holdings.h"

namespace muster {

/// Servers that several schedulers share. The module stands between the schedulers and the banks: the schedulers'
/// sockets are bound to `in`, bank by bank and for each bank in the order of the schedulers, and `out` is bound to the
/// banks, or to links to them, in their order. Each scheduler knows all servers, by the same groups.
///
/// A dispatch is a commit: it is passed on if the server has as many cores that no slice holds, and refused otherwise.
/// The slices of a job on several servers are passed on together or refused together, when the last of them has come.
/// The first of several schedulers that have chosen the same cores gets them. A slice holds its cores from then until
/// its response passes. Source: Schwarzkopf, Konwinski, Abd-El-Malek and Wilkes, "Omega: flexible, scalable
/// schedulers for large compute clusters" (EuroSys 2013), Section 3.4.
///
/// Each scheduler is told one information delay later what others take and give back. Changes of one instant are told
/// in the order in which they came about.
class shared_servers final : public interconnect, public shared_holdings, public listed_module, private timer_observer {
 public:
  struct settings {
    table<group_id, server_group> groups;  ///< as all schedulers know them
    std::uint32_t schedulers = 1;
    ticks information_delay = 0;
  };

  /// Another number of sockets than the settings say is a SystemC error of type /muster/shared_servers.
  shared_servers(const sc_core::sc_module_name& name, timekeeper& time, const settings& given);

  void subscribe(holdings_observer& observer) override { observers_.push_back(&observer); }
  void catch_up(const holdings_observer& observer) override;

  /// @name Counts since the start, by scheduler. A job on several servers counts once.
  /// @{
  std::uint64_t commits(std::uint32_t scheduler) const { return commits_[scheduler]; }      ///< those refused included
  std::uint64_t conflicts(std::uint32_t scheduler) const { return conflicts_[scheduler]; }  ///< commits refused
  /// @}
  /// Cores of a server that slices hold.
  std::uint32_t held(group_id group, std::uint32_t server) const { return held_[place_of(group, server)]; }
  /// Lists the settings and counts, see list_parameters().
  void list_into(parameter_list& all) const override;

 private:
  /// What a scheduler has taken or given back.
  struct change {
    ticks told;  ///< when the others are told
    std::uint32_t by;
    bool taken;
    placement at;
  };

  void before_end_of_elaboration() override;
  std::uint32_t route(std::uint32_t from, payload& p) override;
  bool responds(std::uint32_t from, payload& p) override;
  void call(std::uint32_t from, payload& p, sc_core::sc_time& delay) override;
  unsigned look(std::uint32_t from, payload& p) override;
  void expired(ticks now, std::uint32_t) override;

  std::uint32_t commit(std::uint32_t from, payload& p, const slice_extension& slice);
  bool have_room() const;
  void change_by(std::uint32_t scheduler, bool taken, const placement& at);
  void tell(std::uint32_t scheduler, std::uint64_t until);
  void forget_told();
  std::size_t place_of(group_id group, std::uint32_t server) const { return locations_[group].first_server + server; }
  static slice_extension* slice_of(payload& p);
  static placement cores_of(const slice_extension& slice);
  static void refuse(payload& p);

  const settings settings_;
  const table<group_id, group_location> locations_;
  std::vector<std::uint32_t> held_;            // by place among all servers
  std::vector<holdings_observer*> observers_;  // by scheduler
  std::vector<std::uint64_t> told_;            // changes that each scheduler has been told of, or has made itself
  std::deque<change> changes_;                 // that some scheduler has not been told of, in their order
  std::uint64_t forgotten_ = 0;                // changes before them
  std::vector<payload*> held_back_;            // slices of jobs on several servers of which others are to come
  std::vector<payload*> gang_;                 // the slices of one job
  std::vector<std::uint64_t> commits_, conflicts_;
};

}  // namespace muster
