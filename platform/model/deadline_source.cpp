#include "platform/model/deadline_source.h"

#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>

namespace muster {

std::uint64_t deadline_source::next(std::uint64_t arrival) {
  switch (spec_.kind) {
    case deadline_spec::law::none:
      return 0;
    case deadline_spec::law::constant:
      return arrival + spec_.first;
    case deadline_spec::law::uniform:
      return arrival + boost::random::uniform_int_distribution<std::uint64_t>{spec_.first, spec_.second}(bits_);
    case deadline_spec::law::two_valued:
      return arrival + (boost::random::uniform_01<double>{}(bits_) < spec_.tight_share ? spec_.first : spec_.second);
    case deadline_spec::law::fixed_slot:
      return spec_.first;
  }
  return 0;
}

}  // namespace muster
