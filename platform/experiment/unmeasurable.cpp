#include "platform/experiment/unmeasurable.h"

#include <fmt/format.h>

#include "platform/experiment/experiment.h"
#include "platform/results/stored_run.h"

namespace muster {

void throw_unmeasurable(const search_range& range, const left_out& shown, bool by_fault) {
  const std::string text = fmt::format("no value from {} to {} can be measured; {}: {}", range.text(range.low()),
                                       range.text(range.high()), range.text(shown.value), shown.why);
  if (by_fault) throw simulation_fault(text);
  throw results_error(text);
}

}  // namespace muster
