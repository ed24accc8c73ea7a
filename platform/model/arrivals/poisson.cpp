#include "platform/model/arrival_entry.h"

namespace muster {

extern const arrival_entry poisson_arrivals{"poisson", 1, arrival_kind::poisson, {}, exponential_times};

}  // namespace muster
