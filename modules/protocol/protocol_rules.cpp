#include "muster/modules/protocol/protocol_rules.h"

#include <sstream>
#include <stdexcept>
#include <vector>

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

std::vector<transaction_name::owner_function>& owner_functions() {
  static std::vector<transaction_name::owner_function> all;
  return all;
}

std::optional<transaction_name::owner> owner_of(const tlm_generic_payload& p) {
  for (const transaction_name::owner_function find : owner_functions())
    if (const auto found = find(p)) return found;
  return std::nullopt;
}

const char* name_of(tlm_command command) {
  if (command == TLM_IGNORE_COMMAND) return "ignore";
  return command == TLM_READ_COMMAND ? "read" : "write";
}

}  // namespace

transaction_name::transaction_name(const tlm_generic_payload& p)
    : object(&p), command(p.get_command()), address(p.get_address()), belongs_to(owner_of(p)) {}

std::string transaction_name::text() const {
  std::ostringstream out;
  out << object << ", " << name_of(command) << " at address 0x" << std::hex << address << std::dec;
  if (belongs_to) out << ", " << belongs_to->kind << ' ' << belongs_to->number;
  return out.str();
}

bool transaction_name::add_owners(owner_function find) {
  owner_functions().push_back(find);
  return true;
}

void report_violation(const broken_rule& broken, const std::string& hop, const sc_time& at, const tlm_phase& phase,
                      const transaction_name& t, const std::string& more, sc_severity severity) {
  std::ostringstream out;
  out << "hop '" << hop << "' at " << at.to_string();
  if (phase != UNINITIALIZED_PHASE) out << ", " << phase.get_name();
  out << ": " << broken.words << " (IEEE 1666-2011, " << broken.clause << "); transaction " << t.text() << more;
  sc_report_handler::report(severity, "/muster/protocol", out.str().c_str(), __FILE__, __LINE__);
}

void violated(const broken_rule& broken, const std::string& hop, std::uint64_t at, const tlm_phase& phase,
              const tlm_generic_payload& p) {
  report_violation(broken, hop, sc_time::from_value(at), phase, transaction_name{p});
  throw std::runtime_error(broken.words);  // if SystemC's own exception has been disabled
}

}  // namespace muster
