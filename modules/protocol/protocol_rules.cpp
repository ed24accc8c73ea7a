#include "muster/modules/protocol/protocol_rules.h"

#include <stdexcept>

#include <fmt/format.h>

#include "muster/modules/protocol/job_extension.h"

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

// The number of the job, which it has from its arrival at the scheduler on.
std::optional<std::uint64_t> job_of(const tlm_generic_payload& p) {
  if (const auto* slice = p.get_extension<slice_extension>()) return slice->descriptor.job;
  if (const auto* job = p.get_extension<job_extension>(); job && job->transaction == &p) return job->id;
  return std::nullopt;
}

const char* name_of(tlm_command command) {
  if (command == TLM_IGNORE_COMMAND) return "ignore";
  return command == TLM_READ_COMMAND ? "read" : "write";
}

}  // namespace

transaction_name::transaction_name(const tlm_generic_payload& p)
    : object(&p), command(p.get_command()), address(p.get_address()), job(job_of(p)) {}

std::string transaction_name::text() const {
  const std::string of_job = job ? fmt::format(", job {}", *job) : "";
  return fmt::format("{}, {} at address {:#x}{}", object, name_of(command), address, of_job);
}

void report_violation(const broken_rule& broken, const std::string& hop, const sc_time& at, const tlm_phase& phase,
                      const transaction_name& t) {
  const std::string during = phase == UNINITIALIZED_PHASE ? "" : fmt::format(", {}", phase.get_name());
  SC_REPORT_ERROR("/muster/protocol", fmt::format("hop '{}' at {}{}: {} (IEEE 1666-2011, {}); transaction {}", hop,
                                                  at.to_string(), during, broken.words, broken.clause, t.text())
                                          .c_str());
}

void violated(const broken_rule& broken, const std::string& hop, ticks at, const tlm_phase& phase,
              const tlm_generic_payload& p) {
  report_violation(broken, hop, to_sc_time(at), phase, transaction_name{p});
  throw std::runtime_error(broken.words);  // if SystemC's own exception has been disabled
}

}  // namespace muster
