#include "muster/policies/class_set.h"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace muster {
namespace {

class_id id(std::size_t number) { return static_cast<class_id>(static_cast<std::uint32_t>(number)); }

RC_GTEST_PROP(class_set, agrees_with_an_ordered_set_of_numbers_within_one_word_and_beyond, ()) {
  const auto classes = *rc::gen::inRange<std::size_t>(1, 200);
  class_set tested(classes), other(classes);
  std::set<std::size_t> members, of_other;
  for (const auto& step : *rc::gen::container<std::vector<std::pair<std::size_t, int>>>(
           rc::gen::pair(rc::gen::inRange<std::size_t>(0, classes), rc::gen::inRange(0, 3)))) {
    const auto [number, what] = step;
    if (what == 0) tested.erase(id(number)), members.erase(number);
    if (what == 1) tested.insert(id(number)), members.insert(number);
    if (what == 2) other.insert(id(number)), of_other.insert(number);
    RC_ASSERT(tested.empty() == members.empty());
    RC_ASSERT(tested.count() == members.size());
    bool common = false;
    for (std::size_t n = 0; n < classes; ++n) {
      RC_ASSERT(tested.contains(id(n)) == (members.count(n) > 0));
      common = common || (members.count(n) > 0 && of_other.count(n) > 0);
    }
    RC_ASSERT(tested.intersects(other) == common);
    for (std::size_t n = 0; n <= classes; ++n) {
      const auto found = members.lower_bound(n);
      RC_ASSERT(tested.from(n) == (found == members.end() ? class_set::none : id(*found)));
      if (n < classes) RC_ASSERT(tested.next(id(n)) == tested.from(n + 1));
    }
    RC_ASSERT(tested.first() == tested.from(0));
  }
}

}  // namespace
}  // namespace muster
