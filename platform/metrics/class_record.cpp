#include "platform/metrics/class_record.h"

#include <utility>

namespace muster {

namespace {

/// Calls a function with each member that adds up over jobs.
template <class Function>
void for_each_sum(const Function& call) {
  const departed_job any;
  const auto visit = [&](auto member, auto) { call(member); };
  class_record::of_completed(any, visit);
  class_record::of_waited(any, visit);
  class_record::of_expired(any, visit);
  class_record::of_slotted(any, visit);
  class_record::of_left(any, visit);
  call(&class_record::presence);
  call(&class_record::no_resource);
}

}  // namespace

class_record counts_of(const table<class_id, class_record>& classes) {
  class_record all;
  for (const class_record& r : classes) {
    for_each_sum([&](auto member) { all.*member += r.*member; });
    for (std::size_t part = 0; part < time_parts; ++part) all.times[part] += r.times[part];
    all.longest_wait = std::max(all.longest_wait, r.longest_wait);
  }
  return all;
}

class_record sum_of(const table<class_id, class_record>& classes) {
  class_record all = counts_of(classes);
  for (const class_record& r : classes) {
    all.responses.merge(r.responses);
    all.waits.merge(r.waits);
  }
  return all;
}

double class_record::waiting_quantile(double share) const {
  const double rank = share * static_cast<double>(completed);
  const std::uint64_t all = waits.total();
  const auto waited = static_cast<double>(all);
  const double at_once = static_cast<double>(completed) - waited;
  if (rank <= at_once) return 0.0;
  return std::min(waits.quantile((rank - at_once) / waited, all),
                  static_cast<double>(longest_wait));  // a bucket may end above the longest wait
}

class_record class_record::since(const class_record& earlier) const {
  class_record part;
  for_each_sum([&](auto member) { part.*member = this->*member - earlier.*member; });
  for (std::size_t p = 0; p < time_parts; ++p) part.times[p] = times[p] - earlier.times[p];
  return part;
}

void class_record::clear() {
  duration_counts empty_responses = std::move(responses), empty_waits = std::move(waits);
  empty_responses.clear();
  empty_waits.clear();
  *this = {};
  responses = std::move(empty_responses);
  waits = std::move(empty_waits);
}

}  // namespace muster
