#include "platform/model/arrival_entry.h"

namespace muster {

extern const arrival_entry deterministic_arrivals{"deterministic", 3, arrival_kind::renewal, {}, [](double mean) {
                                                    return distribution::make("deterministic", {{"value", {mean}}});
                                                  }};

}  // namespace muster
