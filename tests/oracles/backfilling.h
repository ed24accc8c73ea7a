#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "task_places.h"

namespace muster::oracle {

/// Orders of the jobs that wait; ties by arrival.
enum class backfill_order {
  arrival,
  shortest,          ///< estimate
  smallest_area,     ///< estimate times cores of all tasks
  expansion_factor,  ///< the largest of (wait + estimate) / estimate first
  fair_share         ///< user of least usage first: core-ticks that the user's jobs have held so far
};

/// When jobs start that wait.
enum class backfill_rule {
  fcfs,      ///< in the order of arrival, each where it fits now; one that does not fit holds up all behind it
  easy,      ///< EASY backfilling: the first jobs that do not fit have reservations, others start beside these
  compress,  ///< conservative: every job has a reservation, which only moves ahead when there is more than expected
  replan     ///< conservative: all reservations are made anew in each pass
};

/// What backfill() follows.
struct backfill_settings {
  backfill_rule rule = backfill_rule::easy;
  backfill_order order = backfill_order::arrival;
  backfill_order second = backfill_order::arrival;  ///< of the jobs beside the reservations, under `easy`
  unsigned reservations = 1;                        ///< under `easy`
  bool each_event = false;  ///< a pass after each event; else one at each instant that has events
  /// The estimate of a job is found when it arrives: the mean size, in whole ticks, of the last two jobs of its user
  /// that have ended, at most the estimate given; the latter before there are two.
  bool learns = false;
};

/// A job that backfill() serves.
struct backfill_job {
  std::uint64_t arrival;   ///< tick; not before that of the job ahead
  std::uint64_t size;      ///< ticks of work at capacity 1, at least 1
  std::uint64_t estimate;  ///< of the size, at least 1
  std::size_t need = 0;    ///< its place among the cluster's needs
  std::uint32_t user = 0;
};

/// What became of a job.
struct backfill_outcome {
  std::uint64_t start = 0, completion = 0;                          ///< ticks
  std::vector<std::pair<std::size_t, unsigned>> tasks_by_server{};  ///< in the order in which servers were filled
  unsigned lost = 0;                                                ///< times that it has lost a server
};

/// EASY and conservative backfilling from their definitions (Mu'alem and Feitelson, IEEE TPDS 12, 2001), by a loop that
/// looks at all jobs and all reservations at each event and computes what is free anew for each question.
///
/// Plans take a job to last its estimate on the slowest server that it may use. A job that runs is expected to end
/// then; when it has not, after twice that time, four times, and so on. A job fits at an instant if its tasks fit into
/// the least that is free, in each place, during all its time; cores, other amounts and each device are places. Servers
/// are filled in their order, devices with the fewest free parts that suffice first, of equals the lowest.
///
/// During an outage that is known beforehand its server is not free. One that is not known is expected to go on for
/// ever as long as it lasts. A job that fits at no time then has no reservation, and counts as none.
///
/// Events of an instant: ends, then servers that leave, then arrivals, each by number of the job, then the pass. A pass
/// is made where jobs end, arrive or lose a server, where a server returns, if that is known beforehand or its group
/// then has an idle core, and, under the conservative rules, where the earliest reservation is due. In a pass under
/// `compress` reservations are made as follows, each beside those of all others at that time; then jobs start whose
/// time it is:
///  - if a running job is found to have exceeded its estimate, an outage that was not known has begun, a job has lost a
///    server, or what has a reservation now does not fit, all reservations are given up and made anew in the order of
///    their times (ties by `order`);
///  - else, if a job has ended before the end that the last pass expected, or an outage has ended whose end was not
///    known, each is given up and made anew, in `order`;
///  - in any case new jobs get theirs last, in `order`.
///
/// @param jobs in the order of arrival
/// @return one entry per job
/// @throws std::invalid_argument if jobs are out of order, std::logic_error if a job can never start
std::vector<backfill_outcome> backfill(const backfill_cluster& cluster, const std::vector<backfill_job>& jobs,
                                       const backfill_settings& settings);

}  // namespace muster::oracle
