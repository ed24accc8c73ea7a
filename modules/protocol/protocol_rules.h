#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <systemc>
#include <tlm>

/// @file
/// Rules of the TLM-2.0 base protocol that more than one module checks, and the report of a violation. Needs SystemC
/// alone.

namespace muster {

/// A rule of TLM-2.0 that was broken.
struct broken_rule {
  const char* words;
  const char* clause;  ///< clause of IEEE Std 1666-2011
};

/// Rules about the order of phases and the life of a transaction object.
namespace rule {
inline constexpr broken_rule no_memory_manager{"nb_transport with a transaction that has no memory manager", "14.5 i)"};
inline constexpr broken_rule used_again{"the transaction object is used again while it is in progress", "14.5 x)"};
inline constexpr broken_rule not_from_initiator{"a phase other than BEGIN_REQ and END_RESP comes from the initiator",
                                                "15.2.3 c)"};
inline constexpr broken_rule not_from_target{"a phase other than END_REQ and BEGIN_RESP comes from the target",
                                             "15.2.3 c)"};
inline constexpr broken_rule not_returned_by_initiator{
    "a phase other than END_RESP comes from the initiator in the return path", "15.2.3 c)"};
inline constexpr broken_rule phase_unchanged{"TLM_UPDATED is returned and the phase is not changed", "11.1.2.7"};
inline constexpr broken_rule extended_not_in_progress{"an extended phase of a transaction that is not in progress",
                                                      "15.2.5"};
inline constexpr broken_rule answer_not_in_progress{"END_REQ or BEGIN_RESP of a transaction that is not in progress",
                                                    "15.2.4"};
inline constexpr broken_rule second_end_req{"END_REQ comes twice, or after BEGIN_RESP", "15.2.4"};
inline constexpr broken_rule second_begin_resp{"BEGIN_RESP comes twice", "15.2.4"};
inline constexpr broken_rule stray_end_resp{"END_RESP without a BEGIN_RESP that is unanswered", "15.2.4"};
inline constexpr broken_rule completed_late{"TLM_COMPLETED is returned to BEGIN_REQ after the target has sent a phase",
                                            "15.2.4"};
inline constexpr broken_rule answered_already{"TLM_COMPLETED in answer to a BEGIN_RESP that has been answered already",
                                              "15.2.4"};
}  // namespace rule

/// Whether a phase is not one of the base protocol's four. A module ignores an extended phase that it does not know
/// (15.2.5).
inline bool is_extended(const tlm::tlm_phase& phase) { return phase > tlm::END_RESP; }

/// A transaction as messages name it. The name is taken before a call, as the object may be deleted or reused during
/// it.
struct transaction_name {
  /// What a transaction belongs to, in the words of the model: "job 12".
  struct owner {
    const char* kind;  ///< outlives the name
    std::uint64_t number;
  };
  /// Finds it by what the model has attached to a payload; nothing: the payload has no owner that the model knows.
  using owner_function = std::optional<owner> (*)(const tlm::tlm_generic_payload&);

  const void* object;
  tlm::tlm_command command;
  std::uint64_t address;
  std::optional<owner> belongs_to;

  explicit transaction_name(const tlm::tlm_generic_payload& p);
  /// Object, command, address and owner.
  std::string text() const;

  /// Lets messages name the owners that a model knows. The first function that finds one counts. @return true
  static bool add_owners(owner_function find);
};

/// Reports the violation of a rule, by its severity a SystemC error, of type /muster/protocol.
/// @param hop name of the module or socket that has detected it
/// @param at effective time of the call
/// @param phase UNINITIALIZED_PHASE: the call has none
/// @param more what follows in the message
void report_violation(const broken_rule& broken, const std::string& hop, const sc_core::sc_time& at,
                      const tlm::tlm_phase& phase, const transaction_name& transaction, const std::string& more = "",
                      sc_core::sc_severity severity = sc_core::SC_ERROR);

/// Reports the violation of a rule for a module that cannot continue: throws even if the report does not.
/// @param at effective time of the call, in steps of the time resolution
[[noreturn]] void violated(const broken_rule& broken, const std::string& hop, std::uint64_t at,
                           const tlm::tlm_phase& phase, const tlm::tlm_generic_payload& p);

}  // namespace muster
