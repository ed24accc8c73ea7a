#pragma once

#include "muster/policies/job.h"

namespace muster {

class job_extension;

/// Receives arrivals and completions of jobs at one place: at their source, or at a probe.
class job_observer {
 public:
  /// A job's BEGIN_REQ is about to be sent; the scheduler has not received the job yet.
  virtual void job_arrives(ticks now, const job_extension& job) = 0;
  /// A job's BEGIN_RESP has come.
  virtual void job_completes(ticks now, const job_extension& job) = 0;

 protected:
  ~job_observer() = default;
};

}  // namespace muster
