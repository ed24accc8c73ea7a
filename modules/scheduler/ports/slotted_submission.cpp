#include "muster/modules/scheduler/ports/slotted_submission.h"

#include <cmath>
#include <cstring>

#include "muster/modules/protocol/protocol.h"
#include "muster/policies/utility.h"

namespace muster {

using namespace tlm;

std::uint64_t submitted_deadline(const tlm_generic_payload& p) {
  std::uint64_t slot;
  std::memcpy(&slot, p.get_data_ptr() + sizeof(job_descriptor), sizeof slot);
  return slot;
}

std::vector<double> submitted_gains(const tlm_generic_payload& p) {
  constexpr std::size_t before = sizeof(job_descriptor) + sizeof(std::uint64_t);
  std::vector<double> gains((p.get_data_length() - before) / sizeof(double));
  if (!gains.empty()) std::memcpy(gains.data(), p.get_data_ptr() + before, gains.size() * sizeof(double));
  return gains;
}

bool are_gains_of_a_utility(const std::vector<double>& gains) {
  utility_sum sum = 0;
  for (const double gain : gains) {
    if (!(gain >= 0.0 && std::isfinite(gain))) return false;
    sum += gain;
  }
  return std::isfinite(static_cast<double>(sum));
}

}  // namespace muster
