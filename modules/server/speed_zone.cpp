#include "muster/modules/server/speed_zone.h"

namespace muster {

speed_zone::speed_zone(timekeeper& time, std::uint32_t first, std::uint32_t count, double fraction)
    : time_(time), first_(first), count_(count), fraction_(fraction), marks_((count + 63) / 64) {}

work_clock& speed_zone::join(double speed) {
  shared_clock& c = clocks_.try_emplace(speed, time_, speed * fraction_).first->second;
  ++c.servers;
  return c.work;
}

void speed_zone::leave(double speed) {
  const auto found = clocks_.find(speed);
  if (--found->second.servers == 0) clocks_.erase(found);
}

void speed_zone::set_fraction(double fraction) {
  fraction_ = fraction;
  for (auto& [speed, clock] : clocks_) clock.work.set_pace(speed * fraction);
}

void speed_zone::add_notified(std::uint32_t server) {
  const std::uint32_t n = server - first_;
  marks_[n / 64] |= std::uint64_t{1} << n % 64;
  ++notified_;
}

void speed_zone::remove_notified(std::uint32_t server) {
  const std::uint32_t n = server - first_;
  marks_[n / 64] &= ~(std::uint64_t{1} << n % 64);
  --notified_;
}

}  // namespace muster
