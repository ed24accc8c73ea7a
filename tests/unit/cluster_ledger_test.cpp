#include "muster/modules/scheduler/allocation/cluster_ledger.h"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

// Devices and amounts of the cluster against a list of holders for each device, which is added up anew at each step.

namespace muster {
namespace {

/// A device with the parts that each job holds, and what was held until now: parts times ticks. Jobs that have left ran
/// for a part of that, `ran`, and were in overhead for another.
struct plain_device {
  std::map<unsigned, std::uint64_t> holders{};
  std::uint64_t integral = 0, ran = 0, overhead = 0;

  std::uint64_t held() const {
    std::uint64_t sum = 0;
    for (const auto& [job, parts] : holders) sum += parts;
    return sum;
  }
};

// Gives a job parts of one device, of those that have enough the one with the fewest, or so many idle ones.
bool take(std::vector<plain_device>& devices, std::uint64_t of_each, std::uint64_t wanted, unsigned job) {
  std::vector<std::size_t> chosen;
  if (wanted > of_each) {
    for (std::size_t n = 0; n < devices.size() && chosen.size() * of_each < wanted; ++n)
      if (devices[n].holders.empty()) chosen.push_back(n);
    if (chosen.size() * of_each < wanted) return false;
  } else {
    for (std::size_t n = 0; n < devices.size(); ++n) {
      if (of_each - devices[n].held() < wanted) continue;
      if (chosen.empty() || devices[n].held() > devices[chosen.front()].held()) chosen = {n};
    }
    if (chosen.empty()) return false;
  }
  for (const std::size_t n : chosen) devices[n].holders[job] = std::min(wanted, of_each);
  return true;
}

TEST(resources_of_the_cluster, are_held_by_device_as_a_list_of_holders_tells) {
  std::mt19937 random(20260101);
  const auto draw = [&](std::uint64_t from, std::uint64_t to) { return from + random() % (to - from + 1); };
  unsigned refused = 0, divided = 0;
  for (unsigned course = 0; course < 100; ++course) {
    const std::uint64_t of_each = draw(1, 8), count = draw(1, 4), licences = draw(4, 12);
    cluster_ledger ledger({{{"cores"}, {"fpga", of_each, true}, {"licence", 0, true}}, {0, count, licences}});
    std::vector<plain_device> devices(count);
    std::map<unsigned, amounts> held;
    std::map<unsigned, ticks> since;
    std::map<unsigned, std::uint64_t> held_licences;
    ticks now = 0;
    for (unsigned job = 0; job < 60; ++job) {
      const ticks step = draw(0, 3);
      now += step;
      std::uint64_t free_licences = licences, free_parts = 0;
      for (plain_device& d : devices) {
        d.integral += d.held() * step;
        free_parts += of_each - d.held();
      }
      for (const auto& [holder, number] : held_licences) free_licences -= number;
      if (!held.empty() && draw(0, 2) == 0) {
        const auto leaves = std::next(held.begin(), static_cast<std::ptrdiff_t>(draw(0, held.size() - 1)));
        const ticks lasted = now - since[leaves->first], ran = draw(0, lasted);
        ledger.give_back(now, leaves->second, {lasted - ran, ran});
        for (plain_device& d : devices) {
          if (const auto parts = d.holders.find(leaves->first); parts != d.holders.end()) {
            d.ran += parts->second * ran;
            d.overhead += parts->second * (lasted - ran);
            d.holders.erase(parts);
          }
        }
        held_licences.erase(leaves->first);
        held.erase(leaves);
        continue;
      }
      const std::uint64_t parts = draw(0, 3) > 0 ? draw(1, of_each) : of_each * draw(1, count), wanted = draw(0, 1);
      const bool fits = wanted <= free_licences && take(devices, of_each, parts, job);
      ASSERT_EQ(ledger.fits({0, parts, wanted}), fits);
      refused += fits ? 0 : 1;
      divided += !fits && wanted <= free_licences && parts <= free_parts ? 1 : 0;
      if (!fits) continue;
      held_licences[job] = wanted;
      since[job] = now;
      ledger.take(now, {0, parts, wanted}, held[job], nullptr);
      for (std::size_t n = 0; n < count; ++n) ASSERT_EQ(held[job][n], devices[n].holders[job]) << "of device " << n;
      for (plain_device& d : devices)
        if (d.holders[job] == 0) d.holders.erase(job);
      ASSERT_EQ(held[job][count], wanted);
    }
    for (std::size_t n = 0; n < count; ++n) {
      EXPECT_EQ(static_cast<std::uint64_t>(ledger.held(1, n, now)), devices[n].integral);
      EXPECT_EQ(static_cast<std::uint64_t>(ledger.given_back(1, n).running), devices[n].ran);
      EXPECT_EQ(static_cast<std::uint64_t>(ledger.given_back(1, n).overhead), devices[n].overhead);
    }
  }
  EXPECT_GT(refused, 500u);
  EXPECT_GT(divided, 50u) << "enough parts, but of several devices";
}

}  // namespace
}  // namespace muster
