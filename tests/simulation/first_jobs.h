#pragma once

#include <memory>

#include "platform/model/synthetic_workload.h"

namespace muster {

/// The first jobs of a scenario's replication.
class first_jobs final : public workload {
 public:
  first_jobs(const scenario& model, std::uint32_t replication, std::uint64_t jobs)
      : all_(make_workload(model, replication)), left_(jobs) {}
  bool next(job_request& job) override { return left_ > 0 && left_-- > 0 && all_->next(job); }

 private:
  std::unique_ptr<workload> all_;
  std::uint64_t left_;
};

}  // namespace muster
