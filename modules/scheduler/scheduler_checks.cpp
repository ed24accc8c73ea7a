#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "muster/modules/scheduler/scheduler.h"
#include "muster/policies/catalogue.h"

// Checks of what a scheduler is given before time 0: consistent in itself, and with the modules that are bound.

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

/// Reads registers over the debug transport, which takes no time and leaves no trace.
class debug_read {
 public:
  debug_read() {
    p_.set_read();
    p_.set_data_ptr(reinterpret_cast<unsigned char*>(&value_));
    p_.set_data_length(sizeof value_);
    p_.set_streaming_width(sizeof value_);
  }

  /// Null where nothing answers.
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

}  // namespace

void scheduler::misuse(const std::string& what) const { scheduler_fault(time_, fmt::format("'{}': {}", name(), what)); }

void scheduler::check_before_elaboration(const char* function) const {
  if (service_) misuse(fmt::format("{} comes after the end of elaboration; expected it before", function));
}

// The state of a cluster of these classes and groups, if one can be.
cluster_state scheduler::checked(table<class_id, job_class> classes, const table<group_id, server_group>& groups,
                                 ticks ticks_per_unit) const {
  if (ticks_per_unit == 0) misuse("a unit of time has 0 ticks; expected at least 1");
  if (classes.empty()) misuse("no class of jobs is declared; expected at least one");
  table<group_id, unsigned> cores;
  for (const server_group& g : groups) {
    if (g.count == 0) misuse(fmt::format("group '{}' has no servers; expected at least 1", g.name));
    if (g.cores == 0) misuse(fmt::format("the servers of group '{}' have no cores; expected at least 1 each", g.name));
    if (!(g.capacity > 0.0) || !std::isfinite(g.capacity))
      misuse(fmt::format("the cores of group '{}' have a capacity of {}; expected a number > 0", g.name, g.capacity));
    const std::uint64_t all = std::uint64_t{g.count} * g.cores;
    if (all > std::numeric_limits<unsigned>::max())
      misuse(fmt::format("group '{}' has {} servers of {} cores each; expected at most {} cores in all", g.name,
                         g.count, g.cores, std::numeric_limits<unsigned>::max()));
    cores.push_back(static_cast<unsigned>(all));
  }
  try {
    return {std::move(classes), std::move(cores), &time_, ticks_per_unit};
  } catch (const std::invalid_argument& e) {
    misuse(e.what());
  }
}

void scheduler::check_policy() const {
  if (!policy_) misuse("no policy is set; expected set_policy() before the end of elaboration");
  const policy_entry* entry = policy_->entry();
  if (!entry)
    misuse(
        "no entry has made the policy, so that the kind of its jobs is not known; expected a policy from "
        "policy_entry::make(), such as find_policy(\"fcfs\")->make(view, {})");
  if (entry->jobs == progress::slotted && !slot_)
    misuse(
        fmt::format("the jobs of policy '{}' are slotted, but slots have no length; expected set_slots() before the "
                    "end of elaboration",
                    entry->name));
  if (entry->jobs != progress::slotted && slot_)
    misuse(fmt::format("slots are set, but the jobs of policy '{}' are {}; expected a policy of slotted jobs",
                       entry->name, kind_of_jobs(*policy_)));
  for (const class_id id : state_.classes()) check_class(state_.type(id));
}

// Whether jobs of the class can be of the policy's kind.
void scheduler::check_class(const job_class& type) const {
  const progress jobs = policy_->entry()->jobs;
  const auto refuse = [&](const std::string& what, const char* expected) {
    misuse(fmt::format("class '{}' {}, but the jobs of policy '{}' are {}; expected {}", type.name, what,
                       policy_->entry()->name, kind_of_jobs(*policy_), expected));
  };
  if (jobs != progress::rigid && type.need != 1)
    refuse(fmt::format("needs {} cores", type.need), jobs == progress::pooled
                                                         ? "need 1, as they take whole servers"
                                                         : "need 1, as they take any number of cores");
  if (jobs != progress::pooled && type.drawn > 0) refuse("draws its servers for each job", "a policy of pooled jobs");
  if (jobs == progress::slotted && type.groups.size() != groups_.size())
    refuse(fmt::format("may use {} of {} groups of servers", type.groups.size(), groups_.size()),
           "all groups, as they share all cores");
  if (jobs != progress::slotted && type.worth) refuse("has a utility of its units", "a policy of slotted jobs");
  if (type.drawn == 0) return;
  for (const server_group& g : groups_)
    if (g.count != 1)
      misuse(
          fmt::format("class '{}' draws its servers for each job, but group '{}' has {} servers; expected groups of "
                      "one server each",
                      type.name, g.name, g.count));
}

void scheduler::check_banks() {
  const std::size_t banks = bank_count(groups_);
  if (dispatches.size() != banks)
    misuse(
        fmt::format("{} banks of servers are declared, {} are bound; expected each bank's target to be bound to "
                    "dispatches, in the order of the groups",
                    banks, dispatches.size()));
}

// A target that does not answer the debug transport, as a foreign server need not, is not checked.
void scheduler::check_servers() {
  debug_read read;
  for (const group_id id : id_range<group_id>{groups_.size()}) {
    const server_group& g = groups_[id];
    const group_location& at = cores_.location(id);
    const auto value = [&](std::uint64_t server, std::uint64_t of) {
      return read(*dispatches[static_cast<int>(at.bank)], server * server_register::stride + of);
    };
    const auto idle_cores = [&](std::uint64_t server) { return value(server, server_register::idle_cores); };
    if (!idle_cores(0)) continue;
    const std::uint64_t last = std::uint64_t{at.first_in_bank} + at.servers - 1;
    const auto cores = idle_cores(last);
    if (!cores)
      misuse(
          fmt::format("group '{}' declares {} servers up to number {} of their bank, which has none of that number; "
                      "expected as many as the bank has",
                      g.name, g.count, last));
    if (*cores != g.cores)
      misuse(
          fmt::format("group '{}' declares servers of {} cores, but number {} of their bank has {}; expected the same",
                      g.name, g.cores, last, *cores));
    if (!g.fails && value(last, server_register::until_failed))
      misuse(fmt::format("the servers of group '{}' may fail, but the group does not declare it; expected fails = true",
                         g.name));
    const auto next = static_cast<group_id>(static_cast<std::uint32_t>(id) + 1);
    const bool bank_ends = static_cast<std::size_t>(next) == groups_.size() || !groups_[next].same_bank;
    if (bank_ends && idle_cores(last + 1))
      misuse(fmt::format("the bank of group '{}' has more servers than the {} that are declared; expected as many",
                         g.name, last + 1));
  }
}

}  // namespace muster
