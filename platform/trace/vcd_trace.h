#pragma once

#include <string>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/trace/occupancy.h"
#include "platform/trace/trace_file.h"
#include "platform/trace/trace_writer.h"

namespace muster {

/// trace.vcd: a value change dump (IEEE 1364-2005, clause 18), which GTKWave opens. One tick of the scenario's
/// resolution is the dump's unit of time.
///
/// cluster.servers.NAME_N (NAME where it is one server, or where there are more than `most_servers`) has the numbers of
/// idle, overhead and running cores; cluster.jobs.CLASS those of waiting jobs and jobs in service; cluster.phase is the
/// policy's phase.
///
/// SystemC's own sc_trace cannot be used: it samples between delta cycles of the kernel, and timers run in local time
/// while the kernel's stands still; and it looks at every signal each time, where a change is told here.
class vcd_trace final : public trace_writer {
 public:
  static constexpr std::uint32_t most_servers = 256;

  /// @throws std::runtime_error if the file cannot be made
  vcd_trace(const scenario& what, const std::filesystem::path& path);

  void job_arrives(ticks now, const job_extension& job) override;
  void job_completes(ticks now, const job_extension& job) override;
  void phase_begins(ticks now, unsigned begun) override;
  void slice_begins(ticks now, const slice_view& slice) override;
  void slice_works(ticks now, const slice_view& slice) override;
  void slice_saves(ticks now, const slice_view& slice) override;
  void slice_ends(ticks now, const slice_view& slice) override;
  void finish(ticks now, const cluster_view& jobs, const std::vector<slice_view>& slices) override;

 private:
  using wire = std::uint32_t;
  struct signal {
    std::string code;  // its name in the dump
    std::uint64_t value = 0, shown = 0;
    bool touched = false;
  };
  struct core_wires {
    wire idle = 0, overhead = 0, running = 0;
  };
  struct job_wires {
    wire waiting = 0, in_service = 0;
  };

  wire declare(const std::string& name, unsigned bits, std::uint64_t value = 0);
  core_wires declare_cores(const std::string& name, std::uint64_t cores);
  void declare_servers(const scenario& what);
  void declare_classes(const scenario& what);
  const core_wires& wires_of(const slice_view& slice) const {
    return cores_[first_[slice.bank] + (apart_ ? slice.server : 0)];
  }
  void set(wire which, std::uint64_t value);
  void add(wire which, std::uint64_t change) { set(which, signals_[which].value + change); }
  void take(wire which, std::uint64_t change) { set(which, signals_[which].value - change); }
  void show_jobs(class_id id);
  void advance(ticks now);
  void stamp(ticks now);
  void show(const signal& s);

  std::vector<signal> signals_;
  std::vector<wire> touched_;
  bool apart_ = true;               // each server has wires of its own
  std::vector<std::size_t> first_;  // of cores_, by bank
  std::vector<core_wires> cores_;
  table<class_id, job_wires> jobs_;
  wire phase_ = 0;
  occupancy load_;
  ticks now_ = 0;
  ticks stamped_ = 0;  // the time that the dump has reached
  trace_file out_;
};

}  // namespace muster
