#include "muster/policies/catalogue.h"
#include "muster/policies/slotted/in_turn.h"

namespace muster {

/// First in, first out: earlier arrivals before later ones. Source: ISPEED paper, Section VI-B.
class fifo final : public in_turn {
  double rank(const job&) const override { return 0.0; }
};

extern const policy_entry fifo_entry = [] {
  policy_entry entry;
  entry.name = "fifo";
  entry.about =
      "in each slot the jobs in the order of arrival, each on all cores that it can use (ISPEED, Section VI-B)";
  entry.construct = without_settings<fifo>;
  return entry;
}();

}  // namespace muster
