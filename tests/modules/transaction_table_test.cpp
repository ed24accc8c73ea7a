#include "muster/modules/kernel/transaction_table.h"

#include <deque>
#include <map>
#include <random>

#include <gtest/gtest.h>

namespace muster {
namespace {

// Held against std::map over many insertions, look-ups and removals, at all sizes from none to a hundred.
TEST(transaction_table, finds_what_was_inserted_and_not_erased) {
  std::deque<tlm::tlm_generic_payload> objects(200);
  std::map<const tlm::tlm_generic_payload*, unsigned> expected;
  transaction_table<unsigned> table;
  std::mt19937 random{7};
  for (unsigned n = 0; n < 50'000; ++n) {
    const tlm::tlm_generic_payload& p = objects[random() % objects.size()];
    const bool grows = n / 5000 % 2 == 0;
    if (expected.count(&p) == 0 && random() % 3 < (grows ? 2 : 1)) {
      table.insert(p, n);
      expected[&p] = n;
    } else if (random() % 3 < (grows ? 1 : 2)) {
      table.erase(p);
      expected.erase(&p);
    }
    ASSERT_EQ(table.size(), expected.size());
    const tlm::tlm_generic_payload& asked = objects[random() % objects.size()];
    const auto known = expected.find(&asked);
    const unsigned* const found = table.find(asked);
    ASSERT_EQ(found != nullptr, known != expected.end());
    if (found) {
      ASSERT_EQ(*found, known->second);
    }
  }
}

}  // namespace
}  // namespace muster
