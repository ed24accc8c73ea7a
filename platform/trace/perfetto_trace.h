#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/trace/decimal_time.h"
#include "platform/trace/occupancy.h"
#include "platform/trace/text_cursor.h"
#include "platform/trace/trace_file.h"
#include "platform/trace/trace_writer.h"

namespace muster {

/// trace.json: JSON trace events (the array form of the "Trace Event Format" of the Chromium project), which
/// ui.perfetto.dev and chrome://tracing open. Times are in microseconds, with all digits of the scenario's resolution.
///
/// - Process 1 is the cluster: a track with the policy's phases, the jobs as asynchronous slices from arrival to
///   departure, and counters of jobs waiting and of busy cores.
/// - Each entry of platform.servers is a process, each of its cores a thread. A slice is named after class and job; its
///   overhead and the saving of its state are slices within. Interruptions, migrations, preemptions and failures are
///   instants on the slice's first core.
/// - Where the network has edges of finite bandwidth, it is a process, and each way of such an edge a thread. A message
///   is a slice while it occupies the edge, told apart by its bytes; those that queue at the end of the run are there.
///
/// Events are in no particular order of time: what lasts is written when it is over.
class perfetto_trace final : public trace_writer {
 public:
  /// What ends the document.
  static constexpr std::string_view last_line = "]\n";

  /// @throws std::runtime_error if the file cannot be made
  perfetto_trace(const scenario& what, const std::filesystem::path& path);

  void job_arrives(ticks now, const job_extension& job) override;
  void job_completes(ticks now, const job_extension& job) override;
  void phase_begins(ticks now, unsigned begun) override;
  void slice_begins(ticks now, const slice_view& slice) override;
  void slice_saves(ticks now, const slice_view& slice) override;
  void slice_ends(ticks now, const slice_view& slice) override;
  void edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t bytes) override;
  void finish(ticks now, const cluster_view& jobs, const std::vector<slice_view>& slices) override;

 private:
  void name_process(std::uint64_t process, const std::string& name);
  void name_thread(std::uint64_t process, std::uint64_t thread, const std::string& name);
  void name_servers(const scenario& what);
  void name_edges(const scenario& what);
  /// How the events of a core begin.
  struct beginning {
    char text[63];
    unsigned char length;
  };
  const beginning& core_of(const slice_view& slice, std::uint32_t core) const {
    return cores_[first_core_[slice.bank] + core];
  }
  void print(text_cursor& to, ticks t) const { to.at = microseconds_.print(to.at, t); }
  void print_slice(ticks now, const slice_view& slice);
  void print_on_cores(const slice_view& slice, ticks from, ticks to, std::string_view name);
  void print_why(ticks now, const slice_view& slice);
  void print_instant(ticks now, const slice_view& slice, std::string_view name);
  /// @param outcome empty: it is complete
  void print_job(ticks now, const job_extension& job, std::string_view outcome);
  void print_phase(ticks now);
  void bring_counters_to(ticks now);
  template <std::size_t Size>
  void print_counter(const char (&name)[Size], std::uint64_t value, std::uint64_t& shown);

  decimal_time microseconds_;
  table<class_id, std::string> classes_;  // as the inside of JSON strings
  std::vector<std::size_t> first_core_;   // of each bank
  std::vector<beginning> cores_;
  std::uint64_t network_process_ = 0, first_edge_ = 0;  // process, and thread of its first way of an edge
  occupancy load_;
  std::uint64_t busy_cores_ = 0;
  std::uint64_t waiting_shown_ = ~std::uint64_t{0}, busy_shown_ = waiting_shown_;
  ticks counted_ = 0;  // the counters are of then
  unsigned phase_ = 0;
  ticks phase_begun_ = 0;
  trace_file out_;
};

}  // namespace muster
