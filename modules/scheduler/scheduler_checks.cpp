#include "muster/modules/scheduler/scheduler_checks.h"

#include <optional>
#include <stdexcept>

#include <tlm>

#include <fmt/format.h>

namespace muster {

using namespace tlm;

namespace {

/// Reads registers over the debug transport, which takes no time and changes nothing.
class debug_read {
 public:
  debug_read() {
    p_.set_read();
    p_.set_data_ptr(reinterpret_cast<unsigned char*>(&value_));
    p_.set_data_length(sizeof value_);
    p_.set_streaming_width(sizeof value_);
  }

  /// The value of a register; nothing where the target does not answer.
  std::optional<std::uint64_t> operator()(tlm_fw_transport_if<>& from, std::uint64_t address) {
    p_.set_address(address);
    p_.set_response_status(TLM_INCOMPLETE_RESPONSE);
    if (from.transport_dbg(p_) != sizeof value_) return std::nullopt;
    return value_;
  }

 private:
  tlm_generic_payload p_;
  std::uint64_t value_ = 0;
};

template <class... Parts>
[[noreturn]] void refuse(fmt::format_string<const Parts&...> text, const Parts&... parts) {
  throw std::invalid_argument(fmt::format(text, parts...));
}

}  // namespace

void check_banks(const scheduler_settings& s, std::size_t bound) {
  const std::size_t banks = bank_count(s.groups);
  if (bound != banks)
    refuse(
        "{} banks of servers are declared, {} are bound; expected each bank's target to be bound to "
        "dispatches, in the order of the groups",
        banks, bound);
}

void check_sharing(const scheduler_settings& s) {
  if (s.policy->jobs() != job_kind::rigid || !s.policy->shares_servers)
    refuse("policy '{}' does not share servers with other schedulers; expected one that decides by what is free alone",
           s.policy->name);
  for (const server_group& g : s.groups)
    if (g.fails)
      refuse("servers of group '{}' may fail and are shared by schedulers; expected that none fails", g.name);
  for (const job_class& type : s.classes)
    if (type.tasks)
      refuse("class '{}' needs tasks, and schedulers share the servers; expected classes that need cores", type.name);
  if (!s.named_places.empty())
    refuse("jobs have servers of their own, and schedulers share the servers; expected no named places");
}

void check_servers(const scheduler_settings& s, const table<group_id, group_location>& locations,
                   tlm_utils::multi_passthrough_initiator_socket<scheduler>& servers) {
  debug_read read;
  const auto& groups = s.groups;
  for (const group_id id : id_range<group_id>{groups.size()}) {
    const server_group& g = groups[id];
    const group_location& at = locations[id];
    const auto value = [&](std::uint64_t server, std::uint64_t of) {
      return read(*servers[static_cast<int>(at.bank)], server * server_register::stride + of);
    };
    const auto idle_cores = [&](std::uint64_t server) { return value(server, server_register::idle_cores); };
    if (!idle_cores(0)) continue;
    const std::uint64_t last = std::uint64_t{at.first_in_bank} + at.servers - 1;
    const auto cores = idle_cores(last);
    if (!cores)
      refuse(
          "group '{}' declares {} servers up to number {} of their bank, which has none of that number; "
          "expected as many as the bank has",
          g.name, g.count, last);
    if (*cores != g.cores)
      refuse("group '{}' declares servers of {} cores, but number {} of their bank has {}; expected the same", g.name,
             g.cores, last, *cores);
    if (!g.fails && value(last, server_register::until_failed))
      refuse("the servers of group '{}' may fail, but the group does not declare it; expected fails = true", g.name);
    const auto next = static_cast<group_id>(static_cast<std::uint32_t>(id) + 1);
    const bool bank_ends = static_cast<std::size_t>(next) == groups.size() || !groups[next].same_bank;
    if (bank_ends && idle_cores(last + 1))
      refuse("the bank of group '{}' has more servers than the {} that are declared; expected as many", g.name,
             last + 1);
  }
}

}  // namespace muster
