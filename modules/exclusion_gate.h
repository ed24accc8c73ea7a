#pragma once

#include <deque>

#include <tlm>

namespace muster {

/// The base protocol's exclusion rule for one direction of one hop: the next BEGIN_REQ (or BEGIN_RESP) leaves only after
/// the one before it was answered. Peers that answer at once, as muster's own do, never make anybody wait.
class exclusion_gate {
 public:
  /// Sends the payload now, or when its turn comes.
  /// @param send sends it; returns whether the peer has answered already
  template <class Send>
  void pass(tlm::tlm_generic_payload& payload, Send&& send) {
    if (!open_) {
      waiting_.push_back(&payload);
      return;
    }
    open_ = false;
    open_ = send(payload);
  }

  /// The peer has answered: sends what waits.
  template <class Send>
  void answered(Send&& send) {
    open_ = true;
    while (open_ && !waiting_.empty()) {
      tlm::tlm_generic_payload* next = waiting_.front();
      waiting_.pop_front();
      pass(*next, send);
    }
  }

 private:
  bool open_ = true;
  std::deque<tlm::tlm_generic_payload*> waiting_;
};

}  // namespace muster
