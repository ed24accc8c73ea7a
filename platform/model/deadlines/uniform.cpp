#include <boost/random/uniform_int_distribution.hpp>

#include "platform/model/deadline_entry.h"

namespace muster {

extern const deadline_entry uniform_deadline{
    "uniform",
    2,
    {{"from", slots_from(0), required{}, "earliest deadline"}, {"to", slots_from(0), required{}, "latest deadline"}},
    [](const std::vector<double>& v, std::uint64_t arrival, random_stream& bits) {
      return arrival + boost::random::uniform_int_distribution<std::uint64_t>{in_slots(v[0]), in_slots(v[1])}(bits);
    }};

}  // namespace muster
