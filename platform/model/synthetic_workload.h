#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "muster/modules/source/workload.h"
#include "muster/policies/table.h"
#include "platform/model/scenario.h"
#include "platform/random/weighted_choice.h"

namespace muster {

/// Draws the deadlines of a class of slotted jobs.
class deadline_source {
 public:
  /// @param class_name keys the stream, which nothing else draws from
  deadline_source(const deadline_spec& spec, std::uint64_t seed, std::uint32_t replication,
                  const std::string& class_name)
      : spec_(spec), bits_(seed, replication, "source", "deadlines of " + class_name) {}

  /// The last slot in which the class's next job may be served; 0: no deadline. Slots count from 1.
  /// @param arrival slot
  std::uint64_t next(std::uint64_t arrival) { return spec_.law ? spec_.law->draw(spec_.values, arrival, bits_) : 0; }

 private:
  deadline_spec spec_;
  random_stream bits_;
};

/// The jobs of a scenario: the same ones for every policy.
/// @param model outlives them
/// @param replication keys the random streams
std::unique_ptr<workload> make_workload(const scenario& model, std::uint32_t replication);

/// Jobs of a scenario's arrival process and size distributions.
///
/// Each purpose draws from a stream of its own (times of arrival, class of the next job, sizes, servers and deadlines
/// of each class), so that every policy and every platform sees the same jobs, whatever the order in which the classes
/// are written.
class synthetic_workload final : public workload {
 public:
  /// @param model with arrivals that never end
  synthetic_workload(const scenario& model, std::uint32_t replication);

  [[gnu::flatten]] bool next(job_request& job) override;
  /// Whether some class draws servers, or has slotted jobs.
  bool states_more() const override { return states_more_; }
  std::string_view fixes_arrivals() const override;
  /// The time of the next arrival of the scenario's law of times between arrivals.
  ticks next_arrival() { return now_ += unit_.to_ticks(interarrival_(arrival_bits_)); }
  /// Draws all of a job but its arrival, which must be set.
  void draw(job_request& job);

 private:
  struct class_source {
    random_stream bits;
    distribution size;
    random_stream server_bits;
    std::uint32_t drawn;                       // servers of each job; 0: it does not draw them
    ticks slotted_size;                        // of slotted jobs, all alike
    std::optional<deadline_source> deadlines;  // none: the jobs are not slotted
  };

  ticks draw_size(class_source& source) const { return std::max<ticks>(1, unit_.to_ticks(source.size(source.bits))); }
  void draw_servers(class_source& source, std::vector<std::uint64_t>& servers);

  time_unit unit_;
  ticks slot_;
  random_stream arrival_bits_, class_bits_;
  distribution interarrival_;
  std::optional<weighted_choice> choice_;  // none: there is one class only
  table<class_id, class_source> classes_;
  bool states_more_ = false;
  std::uint64_t servers_ = 0;
  ticks now_ = 0;
};

}  // namespace muster
