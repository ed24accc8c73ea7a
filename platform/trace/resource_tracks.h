#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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
  void describe_cluster(const scenario& model, track process, perfetto_file& out, track& next);
  /// Describes the tracks of the servers of an entry, in the order of the entries. @param next as above
  void describe_servers(const scenario& model, const server_spec& servers, track process, perfetto_file& out,
                        track& next);
  bool any() const { return any_; }

  /// Lets a slice hold its devices and amounts. @param next as above
  void slice_begins(const slice_view& slice, perfetto_file& out, track& next);
  /// Lets a slice hold nothing more.
  void slice_ends(const slice_view& slice);
  /// Lets a job that has got its first slice hold what it has of the cluster. @param next as above
  void job_begins(const job_extension& job, perfetto_file& out, track& next);
  /// Lets a job whose last slice has ended hold nothing more of the cluster.
  void job_ends(const job_extension& job);

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
  void put_counters(const packet_head& at, perfetto_file& out);

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
  static track track_of(const row& device, std::uint64_t job);
  // Adds the rows of a server, or of the cluster. @param prefix of their names
  void describe_places(bank_tracks& bank, const std::string& prefix, track process, perfetto_file& out, track& next);
  // Lets a job hold its devices and amounts of a server, or of the cluster, and hold them no longer.
  void begin(bank_tracks& bank, std::size_t server, const std::uint64_t* held, std::uint64_t job, perfetto_file& out,
             track& next);
  void end(bank_tracks& bank, std::size_t server, const std::uint64_t* held, std::uint64_t job);
  std::size_t add_counter(const std::string& name, track process, perfetto_file& out, track& next);
  // Adds to a counter. @param more modulo 2^64
  void change(std::size_t which, std::uint64_t more);
  void change_amount(const bank_tracks& bank, const row& amount, std::size_t resource, std::uint64_t more);

  bool any_ = false;
  bank_tracks cluster_;  // its places, once
  std::vector<bank_tracks> banks_;
  std::vector<counter> counters_;
  std::vector<std::size_t> changed_;  // counters that may have another value than is shown
  std::vector<std::size_t> of_all_;   // counter of what all servers hold of an amount, by resource
};

}  // namespace muster
