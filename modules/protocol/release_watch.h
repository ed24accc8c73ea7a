#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <systemc>
#include <tlm>

#include "muster/modules/protocol/protocol_rules.h"

namespace muster {

/// Watches which payloads return to their memory managers. It holds no reference to them: each carries an ignorable
/// extension that is deleted automatically, by reset() in the manager's free() or with the payload, and tells of it.
///
/// A payload without a memory manager cannot be acquired, and is not watched (14.5).
class release_watch {
 public:
  /// A payload that has been seen and has not returned.
  struct holding {
    transaction_name name;
    std::uint64_t number;                                              ///< of its latest transaction
    sc_core::sc_time requested;                                        ///< when that has begun
    sc_core::sc_time ended;                                            ///< when that has ended
    int references_at_request, references_at_end = 0, references = 0;  ///< the last: now
    bool has_ended = false;
    bool kept = false;  ///< whether it was in use before and has not returned since: its initiator uses it again
  };

  release_watch() = default;
  release_watch(const release_watch&) = delete;
  release_watch& operator=(const release_watch&) = delete;
  ~release_watch();

  /// A transaction has begun. @param number distinguishes it from others of the same object
  void begins(tlm::tlm_generic_payload& p, std::uint64_t number, const sc_core::sc_time& at);
  /// A transaction has ended. The object may be gone.
  void ends(const tlm::tlm_generic_payload* object, std::uint64_t number, const sc_core::sc_time& at);

  /// Payloads whose transaction has ended and to which somebody still has a reference, in the order of their requests.
  /// Payloads that still have references which they did not have at their latest request: a reference that the
  /// initiator keeps from before is none. Payloads that another watch still sees in a transaction are left out.
  std::vector<holding> unreleased() const;

 private:
  class mark;
  void returned(const tlm::tlm_generic_payload* object) { held_.erase(object); }

  struct entry {
    holding of;
    mark* on_payload;
  };
  std::unordered_map<const tlm::tlm_generic_payload*, entry> held_;
};

}  // namespace muster
