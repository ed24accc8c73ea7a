#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/trace/occupancy.h"
#include "platform/trace/perfetto_file.h"
#include "platform/trace/trace_writer.h"

namespace muster {

/// trace.pftrace: Perfetto's own format, a stream of TracePacket protobufs, which ui.perfetto.dev opens. Times are
/// whole nanoseconds since the start: exact where the scenario resolves nanoseconds, else rounded down.
///
/// - Process 1 is the cluster: a track with the policy's phases, counters of jobs waiting and of busy cores, and the
///   jobs from arrival to departure. Jobs that overlap need tracks of their own: each class has a set of like-named
///   ones, which the viewer shows as one. A job takes over the track of one that has departed before it arrived, so
///   that there are about as many as jobs were present at once, and not as many as jobs.
/// - Each entry of platform.servers is a process, each of its cores a thread. A slice is named after class and job; its
///   overhead and the saving of its state are slices within. Interruptions, migrations, preemptions and failures are
///   instants on the slice's first core.
/// - Where the network has edges of finite bandwidth, it is a process, and each way of such an edge a thread. A message
///   is a slice while it occupies the edge, told apart by its bytes; those that queue at the end of the run are there.
/// - Arrows lead from a job's arrival over its slices, as they begin, to its departure: the flow with the job's number.
///
/// The packets of one track are in the file in order of time, a slice's begin before all that is within and its end
/// behind; those of a flow that are of the same instant are in the flow's order. As readers sort packets by time and
/// leave those of the same time in the order of the file, both hold for what lasts no time, too. Rounding keeps the
/// order.
class perfetto_trace final : public trace_writer {
 public:
  /// @throws std::runtime_error if the file cannot be made
  perfetto_trace(const scenario& what, const std::filesystem::path& path);

  void job_completes(ticks now, const job_extension& job) override;
  void job_arrives(ticks now, const job_extension& job) override;
  void phase_begins(ticks now, unsigned begun) override;
  void slice_begins(ticks now, const slice_view& slice) override;
  void slice_works(ticks now, const slice_view& slice) override;
  void slice_saves(ticks now, const slice_view& slice) override;
  void slice_ends(ticks now, const slice_view& slice) override;
  void edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t bytes) override;
  void finish(ticks now, const cluster_view& jobs, const std::vector<slice_view>& slices) override;

 private:
  using track = perfetto_file::track;

  void describe_servers(const scenario& what);
  void describe_edges(const scenario& what, track process);

  const std::string& label_of(class_id id) const { return classes_[static_cast<std::size_t>(id)]; }
  packet_head head_at(ticks t) const { return packet_head(t / ticks_in_nanosecond_); }
  /// The same, for an instant at which there are many events.
  const packet_head& at(ticks now);
  void put_on_cores(const track_event& event, const slice_view& slice);
  void put_reason(ticks now, const slice_view& slice);
  void put_instant(ticks now, const slice_view& slice, std::uint64_t name);
  void put_end(ticks now, const slice_view& slice);
  void put_phase(ticks now);
  void put_counter(std::uint64_t value, std::uint64_t& shown, track on);
  void bring_counters_to(ticks now);
  /// A track of jobs of one class, one after the other.
  struct job_track {
    track number = 0;
    std::optional<std::uint64_t> job = {};  ///< that is there now
  };
  /// The track of a job. When it is first asked for, the job's slice begins there.
  job_track& track_of(const job_extension& job);
  void end_job(ticks now, const job_extension& job, job_track& on, std::string_view outcome);

  ticks ticks_in_nanosecond_ = 1;
  packet_head head_{0};  // of the instant `head_of_`
  ticks head_of_ = 0;
  std::vector<std::string> classes_;  // their names in the trace, by class
  std::vector<track> first_core_;     // of each bank; the others follow
  track phases_ = 0, waiting_ = 0, busy_ = 0, first_edge_ = 0, next_track_ = 0;
  // By where a job is in memory, which is another's only after its departure.
  table<class_id, std::unordered_map<const job_extension*, job_track>> job_tracks_;
  occupancy load_;
  std::uint64_t busy_cores_ = 0;
  std::uint64_t waiting_shown_ = ~std::uint64_t{0}, busy_shown_ = waiting_shown_;
  ticks counted_ = 0;  // the counters are of then
  unsigned phase_ = 0;
  ticks phase_begun_ = 0;
  perfetto_file out_;
};

}  // namespace muster
