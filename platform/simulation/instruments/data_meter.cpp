#include "platform/metrics/replication_result.h"
#include "platform/model/class_table.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Measures what jobs read and write: the bytes on the network, the inputs that disks held, and the time of cores that
/// waited for them.
class data_meter final : public instrument {
 public:
  explicit data_meter(const observed_replication& replication) : replication_(replication) {}

  void window_opens(ticks now) override { before_ = moved_at(now); }
  void window_closes(ticks now) override { after_ = moved_at(now); }
  void add_to(replication_result& result) override {
    const scenario& point = replication_.point;
    const double cores = static_cast<double>(total_cores(point));
    const std::uint64_t left = replication_.jobs.counts().left();
    const std::uint64_t fetches = after_.fetches - before_.fetches, hits = after_.hits - before_.hits;
    const std::uint64_t bytes = after_.bytes - before_.bytes;
    result.add("all", "bytes_moved", static_cast<double>(bytes) / static_cast<double>(left), left, left > 0);
    result.add("all", "data_share",
               point.unit.to_units(after_.waited - before_.waited) / (cores * replication_.window()), left);
    if (replication_.measures("input_hits"))
      result.add("all", "input_hits", static_cast<double>(hits) / static_cast<double>(fetches), left, fetches > 0);
  }

 private:
  moved_data moved_at(ticks now) const {
    moved_data all;
    for (const auto& bank : replication_.simulated.servers()) all += bank->moved(now);
    return all;
  }

  const observed_replication& replication_;
  moved_data before_, after_;
};

}  // namespace

extern const instrument_entry data_meter_instrument{
    instrument_order::cost_rows,
    [](const observed_replication& replication) { return replication.measures("bytes_moved"); },
    add_instrument<data_meter>};

}  // namespace muster
