#include "platform/simulation/weighted_deviations.h"

#include <algorithm>

#include "platform/model/class_table.h"

namespace muster {

weighted_deviations::weighted_deviations(const scenario& model) : unit_(model.unit) {
  const double ticks_of_unit = 1.0 / unit_.to_units(1.0);
  const std::vector<std::size_t> order = by_descending_need(model);
  double widest = 0.0, narrowest = model.classes.front().need;
  for (const class_spec& c : model.classes) {
    widest = std::max<double>(widest, c.need);
    narrowest = std::min<double>(narrowest, c.need);
  }
  several_needs_ = narrowest < widest;
  double share_of_widest = 0.0;
  for (const class_spec& c : model.classes) {
    const double share = c.rate / model.arrivals.rate;
    mean_work_ += share * c.need * c.size.mean() * ticks_of_unit;
    if (c.need >= widest) share_of_widest += share;
  }
  mean_gap_ = ticks_of_unit / model.arrivals.rate;
  for (const std::size_t at : order) {
    const double need = model.classes[at].need, is_widest = need >= widest ? 1.0 : 0.0;
    rows_.push_back({{1.0, is_widest}, is_widest - share_of_widest});
  }
}

std::vector<weighted_deviations::sum> weighted_deviations::take() {
  const auto time = [this](double in_ticks) { return unit_.to_units(in_ticks); };
  std::vector<sum> all{{"interarrival_time times jobs", time(gaps_[0])}, {"work times jobs", time(work_[0])}};
  if (several_needs_) {
    all.push_back({"interarrival_time times widest jobs", time(gaps_[1])});
    all.push_back({"work times widest jobs", time(work_[1])});
    all.push_back({"widest jobs times jobs", widest_[0]});
    all.push_back({"widest jobs times widest jobs", widest_[1]});
  }
  gaps_ = work_ = widest_ = {};
  return all;
}

}  // namespace muster
