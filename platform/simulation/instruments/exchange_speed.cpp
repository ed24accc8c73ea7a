#include "platform/metrics/replication_result.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Measures how fast jobs were whose tasks exchange data, against the speed of their servers.
class exchange_speed final : public instrument {
 public:
  explicit exchange_speed(const observed_replication& replication) : replication_(replication), before_(sums_at(0)) {}

  void window_opens(ticks now) override { before_ = sums_at(now); }
  void window_closes(ticks now) override { after_ = sums_at(now); }
  void add_to(replication_result& result) override {
    double running = 0.0, lost = 0.0;
    for (const class_id id : replication_.classes()) {
      if (!replication_.class_of(id).exchange) continue;
      const auto of_class = static_cast<double>(after_.running[id] - before_.running[id]);
      const double lost_by_class = after_.lost[id] - before_.lost[id];
      running += of_class;
      lost += lost_by_class;
      add(result, replication_.class_of(id).name, of_class, lost_by_class, replication_.jobs.classes()[id].completed);
    }
    add(result, "all", running, lost, replication_.jobs.counts().completed);
  }

 private:
  /// Times of cores until an instant, in ticks.
  struct sums {
    table<class_id, tick_sum> running;
    table<class_id, double> lost;
  };

  sums sums_at(ticks now) const {
    sums all{table<class_id, tick_sum>(replication_.point.classes.size()),
             table<class_id, double>(replication_.point.classes.size())};
    for (const auto& bank : replication_.simulated.servers()) bank->add_running_times(all.running, now);
    if (const gang_exchange* const exchange = replication_.simulated.exchange())
      for (const class_id id : replication_.classes()) all.lost[id] = exchange->lost(id, now);
    return all;
  }
  static void add(replication_result& result, const std::string& name, double running, double lost,
                  std::uint64_t completed) {
    result.add(name, "exchange_speed", 1.0 - lost / running, completed, running > 0.0);
  }

  const observed_replication& replication_;
  sums before_, after_;
};

}  // namespace

extern const instrument_entry exchange_speed_instrument{instrument_order::core_rows,
                                                        [](const observed_replication& replication) {
                                                          return replication.measures("exchange_speed") &&
                                                                 replication.simulated.has_all_servers();
                                                        },
                                                        add_instrument<exchange_speed>};

}  // namespace muster
