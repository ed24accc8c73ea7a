#pragma once

#include <string>

#include "muster/policies/table.h"
#include "platform/model/scenario.h"
#include "platform/trace/decimal_time.h"
#include "platform/trace/trace_file.h"
#include "platform/trace/trace_writer.h"

namespace muster {

/// jobs.csv: one row for each job, when it leaves. Times are in the scenario's unit and read back to the same tick.
///
/// A job that has expired has completed nowhere: `completed` and `response` tell when it left. `started` and `waiting`
/// are empty where it never had a core, `utility` where jobs have none.
class job_trace final : public trace_writer {
 public:
  /// @throws std::runtime_error if the file cannot be made
  job_trace(const scenario& what, const std::filesystem::path& path);

  void job_completes(ticks now, const job_extension& job) override;
  void finish(ticks now, const cluster_view& jobs, const std::vector<slice_view>& slices) override;

 private:
  char* print(char* to, ticks t) const;

  time_unit unit_;
  std::optional<decimal_time> exact_;
  table<class_id, std::string> classes_;  // as fields of the table
  trace_file out_;
};

}  // namespace muster
