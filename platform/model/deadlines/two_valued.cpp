#include <boost/random/uniform_01.hpp>

#include "platform/model/deadline_entry.h"

namespace muster {

extern const deadline_entry two_valued_deadline{
    "two_valued",
    3,
    {{"tight", slots_from(0), required{}, "deadline of the tight jobs"},
     {"loose", slots_from(0), required{}, "deadline of all other jobs"},
     {"tight_share", number_key{{"a number from 0 to 1", 0.0, false, 1.0}}, 0.5, "share of tight jobs"}},
    [](const std::vector<double>& v, std::uint64_t arrival, random_stream& bits) {
      return arrival + in_slots(boost::random::uniform_01<double>{}(bits) < v[2] ? v[0] : v[1]);
    }};

}  // namespace muster
