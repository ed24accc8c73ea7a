#pragma once

#include <cstddef>
#include <vector>

#include <tlm>

namespace muster {

/// The base protocol's exclusion rule for one direction of one hop: the next BEGIN_REQ (or BEGIN_RESP) leaves only
/// after the one before it was answered. Peers that answer at once, as muster's own do, never make anybody wait.
///
/// A peer may answer, and others may pass, from within a send.
class exclusion_queue {
 public:
  /// Sends the payload now, or when its turn comes.
  /// @param send sends the payload it is given; returns whether the peer has answered already
  template <class Send>
  void pass(tlm::tlm_generic_payload& payload, Send send) {
    if (unanswered_) {
      wait(payload);
      return;
    }
    unanswered_ = &payload;
    if (send(payload)) answered(payload, send);
  }

  /// The peer has answered the payload: sends what waits. Of no effect if it had answered before, so that a later
  /// phase, which implies an answer that was left out, can be told here too.
  template <class Send>
  void answered(const tlm::tlm_generic_payload& payload, Send send) {
    if (unanswered_ != &payload) return;
    unanswered_ = nullptr;
    if (!waiting_.empty()) send_next(send);
  }

  /// Whether the payload has been sent and not been answered.
  bool awaits(const tlm::tlm_generic_payload& payload) const { return unanswered_ == &payload; }

 private:
  // Out of line, as on most hops nobody ever waits.
  [[gnu::noinline]] void wait(tlm::tlm_generic_payload& payload) { waiting_.push_back(&payload); }

  template <class Send>
  [[gnu::noinline]] void send_next(Send send) {
    while (!unanswered_ && !waiting_.empty()) {
      tlm::tlm_generic_payload* const next = take_next();
      unanswered_ = next;
      if (send(*next) && unanswered_ == next) unanswered_ = nullptr;
    }
  }

  // A queue in a vector: in steady state it does not allocate, as a std::deque does that moves through its blocks.
  tlm::tlm_generic_payload* take_next() {
    tlm::tlm_generic_payload* const next = waiting_[gone_++];
    if (2 * gone_ >= waiting_.size()) {
      waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(gone_));
      gone_ = 0;
    }
    return next;
  }

  const tlm::tlm_generic_payload* unanswered_ = nullptr;
  std::vector<tlm::tlm_generic_payload*> waiting_;
  std::size_t gone_ = 0;  // of waiting_, from its beginning
};

}  // namespace muster
