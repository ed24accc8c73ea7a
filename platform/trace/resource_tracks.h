#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "muster/modules/server/server_observer.h"
#include "platform/model/resource_places.h"
#include "platform/trace/perfetto_file.h"

namespace muster {

/// The tracks of devices and amounts in a Perfetto trace: of each server and of the cluster as a whole a thread for
/// each device and a counter for each amount, of the cluster also a counter for what all servers hold of an amount.
/// There are none where only cores count.
///
/// Slices of jobs that hold parts of the same device overlap. The first of them is on the device's thread, the others
/// are on tracks of the same name below it, which are there once they are needed.
class resource_tracks {
 public:
  using track = perfetto_file::track;

  /// @param next number of the next track, which is increased
  void describe_cluster(const scenario& model, track process, perfetto_file& out, track& next) {
    if (!model.counts_tasks()) return;
    const auto& types = model.resources.types;
    of_all_.resize(types.size());
    for (std::size_t r = 1; r < types.size(); ++r)
      if (!types[r].is_devices() && !types[r].of_cluster) of_all_[r] = add_counter(types[r].name, process, out, next);
    cluster_.places = places_of_cluster(model);
    any_ = any_ || !cluster_.places.empty();
    describe_places(cluster_, "", process, out, next);
  }
  /// Describes the tracks of the servers of an entry, in the order of the entries. @param next as above
  void describe_servers(const scenario& model, const server_spec& servers, track process, perfetto_file& out,
                        track& next) {
    bank_tracks& bank = banks_.emplace_back();
    bank.places = places_of_server(model, servers);
    any_ = any_ || !bank.places.empty();
    for (std::uint32_t server = 0; server < servers.count; ++server)
      describe_places(bank, servers.count == 1 ? "" : fmt::format("server {} ", server), process, out, next);
  }
  bool any() const { return any_; }

  /// Lets a slice hold its devices and amounts. @param next as above
  void slice_begins(const slice_view& slice, perfetto_file& out, track& next) {
    if (slice.resources) begin(banks_[slice.bank], slice.server, slice.resources, slice.job, out, next);
  }
  /// Lets a slice hold nothing more.
  void slice_ends(const slice_view& slice) {
    if (slice.resources) end(banks_[slice.bank], slice.server, slice.resources, slice.job);
  }
  /// Lets a job that has got its first slice hold what it has of the cluster. @param next as above
  void job_begins(const job_extension& job, perfetto_file& out, track& next) {
    if (const amounts* const held = of_cluster(job)) begin(cluster_, 0, held->data(), job.id, out, next);
  }
  /// Lets a job whose last slice has ended hold nothing more of the cluster.
  void job_ends(const job_extension& job) {
    if (const amounts* const held = of_cluster(job)) end(cluster_, 0, held->data(), job.id);
  }

  /// @param visit called with the slice's track of each device that it holds, between its beginning and its end
  template <class Visit>
  void for_each_device(const slice_view& slice, Visit visit) const {
    if (slice.resources) for_each_device(banks_[slice.bank], slice.server, slice.resources, slice.job, visit);
  }
  /// @param visit called with the job's track of each device of the cluster, between its beginning and its end
  template <class Visit>
  void for_each_device(const job_extension& job, Visit visit) const {
    if (const amounts* const held = of_cluster(job)) for_each_device(cluster_, 0, held->data(), job.id, visit);
  }
  /// Writes the counters that have changed since they were written last.
  void put_counters(const packet_head& at, perfetto_file& out) {
    for (const std::size_t which : changed_) {
      counter& c = counters_[which];
      c.changed = false;
      if (c.value == c.shown) continue;
      c.shown = c.value;
      out.put(track_event(at, track_event::kind::counter).value(c.value), c.number);
    }
    changed_.clear();
  }

 private:
  /// A track for one of the jobs that hold a device.
  struct lane {
    track number;
    std::optional<std::uint64_t> job{};
  };
  /// A device, or an amount, of a server.
  struct row {
    std::vector<lane> lanes{};  // of a device; the first is its thread
    std::size_t counter = 0;    // of an amount: place in counters_
  };
  struct bank_tracks {
    std::vector<resource_place> places;  // of each server
    std::vector<row> rows;               // by server and place
  };
  struct counter {
    track number;
    std::uint64_t value = 0, shown = ~std::uint64_t{0};
    bool changed = true;
  };

  /// What a job holds in each place of the cluster; null: nothing.
  static const amounts* of_cluster(const job_extension& job) {
    const cluster_holding* const part = job.own.of_cluster.get();
    return part && !part->held.empty() ? &part->held : nullptr;
  }
  template <class Visit>
  static void for_each_device(const bank_tracks& bank, std::size_t server, const std::uint64_t* held, std::uint64_t job,
                              Visit visit) {
    const std::size_t first = server * bank.places.size();
    for (std::size_t n = 0; n < bank.places.size(); ++n)
      if (bank.places[n].is_device && held[n] > 0) visit(track_of(bank.rows[first + n], job));
  }
  static track track_of(const row& device, std::uint64_t job) {
    return std::find_if(device.lanes.begin(), device.lanes.end(), [&](const lane& l) { return l.job == job; })->number;
  }
  // Adds the rows of a server, or of the cluster. @param prefix of their names
  void describe_places(bank_tracks& bank, const std::string& prefix, track process, perfetto_file& out, track& next) {
    for (const resource_place& place : bank.places) {
      row& added = bank.rows.emplace_back();
      if (place.is_device) {
        added.lanes.push_back({next});
        out.describe_thread(next++, process, prefix + place.name);
      } else {
        added.counter = add_counter(prefix + place.name, process, out, next);
      }
    }
  }
  // Lets a job hold its devices and amounts of a server, or of the cluster, and hold them no longer.
  void begin(bank_tracks& bank, std::size_t server, const std::uint64_t* held, std::uint64_t job, perfetto_file& out,
             track& next) {
    const std::size_t first = server * bank.places.size();
    for (std::size_t n = 0; n < bank.places.size(); ++n) {
      if (held[n] == 0) continue;
      row& at = bank.rows[first + n];
      if (!bank.places[n].is_device) {
        change_amount(bank, at, bank.places[n].resource, held[n]);
        continue;
      }
      auto free = std::find_if(at.lanes.begin(), at.lanes.end(), [](const lane& l) { return !l.job; });
      if (free == at.lanes.end()) {
        out.describe(next, at.lanes.front().number, bank.places[n].name);
        free = at.lanes.insert(free, {next++});
      }
      free->job = job;
    }
  }
  void end(bank_tracks& bank, std::size_t server, const std::uint64_t* held, std::uint64_t job) {
    const std::size_t first = server * bank.places.size();
    for (std::size_t n = 0; n < bank.places.size(); ++n) {
      if (held[n] == 0) continue;
      row& at = bank.rows[first + n];
      if (bank.places[n].is_device)
        std::find_if(at.lanes.begin(), at.lanes.end(), [&](const lane& l) { return l.job == job; })->job.reset();
      else
        change_amount(bank, at, bank.places[n].resource, 0 - held[n]);
    }
  }
  std::size_t add_counter(const std::string& name, track process, perfetto_file& out, track& next) {
    any_ = true;
    out.describe(next, process, name, true);
    counters_.push_back({next++});
    changed_.push_back(counters_.size() - 1);
    return counters_.size() - 1;
  }
  // Adds to a counter. @param more modulo 2^64
  void change(std::size_t which, std::uint64_t more) {
    counter& c = counters_[which];
    c.value += more;
    if (std::exchange(c.changed, true)) return;
    changed_.push_back(which);
  }
  void change_amount(const bank_tracks& bank, const row& amount, std::size_t resource, std::uint64_t more) {
    change(amount.counter, more);
    if (&bank != &cluster_) change(of_all_[resource], more);
  }

  bool any_ = false;
  bank_tracks cluster_;  // its places, once
  std::vector<bank_tracks> banks_;
  std::vector<counter> counters_;
  std::vector<std::size_t> changed_;  // counters that may have another value than is shown
  std::vector<std::size_t> of_all_;   // counter of what all servers hold of an amount, by resource
};

}  // namespace muster
