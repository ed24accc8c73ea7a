#pragma once

#include <boost/random/discrete_distribution.hpp>

#include "modules/job_source.h"
#include "platform/scenario/scenario.h"
#include "policies/table.h"

namespace muster {

/// Jobs of a scenario's arrival process and size distributions.
///
/// Each purpose draws from a stream of its own (times of arrival, class of the next job, sizes and servers of each
/// class), so that
/// every policy and every platform sees the same jobs, whatever the order in which the classes are written.
class synthetic_workload final : public workload {
 public:
  synthetic_workload(const scenario& what, std::uint32_t replication);

  bool next(job_request& job) override;

 private:
  struct size_source {
    random_stream bits;
    distribution size;
    random_stream server_bits;
    std::uint32_t drawn;  // servers of each job; 0: it does not draw them
  };

  void draw_servers(size_source& source, std::vector<std::uint64_t>& servers);

  time_unit unit_;
  random_stream arrival_bits_, class_bits_;
  distribution interarrival_;
  boost::random::discrete_distribution<std::uint32_t> choice_;
  table<class_id, size_source> sizes_;
  std::uint64_t servers_ = 0;
  ticks now_ = 0;
};

}  // namespace muster
