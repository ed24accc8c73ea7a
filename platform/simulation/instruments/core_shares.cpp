#include "platform/metrics/replication_result.h"
#include "platform/model/class_table.h"
#include "platform/simulation/cluster_energy.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Measures the shares of the core time in each state, of all classes together and of each.
class core_shares final : public instrument {
 public:
  explicit core_shares(const observed_replication& replication)
      : replication_(replication), before_(sums_at(0)), after_(before_) {}

  void window_opens(ticks now) override { before_ = sums_at(now); }
  void window_closes(ticks now) override { after_ = sums_at(now); }
  void add_to(replication_result& result) override {
    const std::uint64_t completed = replication_.jobs.counts().completed;
    result.add("all", "utilization", share(after_.running - before_.running), completed);
    result.add("all", "overhead_share", share(after_.overhead - before_.overhead), completed);
    if (counts_down_) result.add("all", "down_share", share(after_.down - before_.down), completed);
    for (const class_id id : replication_.classes())
      result.add(replication_.class_of(id).name, "utilization", share(after_.running_of[id] - before_.running_of[id]),
                 replication_.jobs.classes()[id].completed);
  }

 private:
  struct sums {
    tick_sum overhead = 0, running = 0, down = 0;
    table<class_id, tick_sum> running_of;
  };

  sums sums_at(ticks now) const {
    sums all;
    all.running_of = table<class_id, tick_sum>(replication_.point.classes.size());
    for (const auto& bank : replication_.simulated.servers()) {
      const bank_times times = bank_times::of(*bank, now);
      all.overhead += times.overhead;
      all.running += times.running;
      bank->add_running_times(all.running_of, now);
      for (std::uint32_t core = 0; counts_down_ && core < bank->core_count(); ++core)
        all.down += bank->down_time(core, now);
    }
    return all;
  }
  double share(tick_sum core_time) const {
    const scenario& point = replication_.point;
    return point.unit.to_units(core_time) / (static_cast<double>(total_cores(point)) * replication_.window());
  }

  const observed_replication& replication_;
  const bool counts_down_ = replication_.measures("down_share");
  sums before_, after_;
};

}  // namespace

extern const instrument_entry core_shares_instrument{
    instrument_order::core_rows,
    [](const observed_replication& replication) { return replication.simulated.has_all_servers(); },
    add_instrument<core_shares>};

}  // namespace muster
