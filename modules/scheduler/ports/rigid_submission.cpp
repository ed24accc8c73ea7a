#include "muster/modules/scheduler/ports/rigid_submission.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "muster/modules/protocol/protocol.h"

namespace muster {

rigid_words rigid_words::of(const tlm::tlm_generic_payload& p) {
  rigid_words words;
  const std::size_t behind = p.get_data_length() - sizeof(job_descriptor);
  if (behind > 0) std::memcpy(&words, p.get_data_ptr() + sizeof(job_descriptor), std::min(behind, sizeof words));
  return words;
}

}  // namespace muster
