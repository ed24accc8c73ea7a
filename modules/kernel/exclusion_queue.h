#pragma once

#include <cstddef>
#include <vector>

#include <tlm>

namespace muster {

/// The base protocol's exclusion rule for one direction of one hop: the next BEGIN_REQ (or BEGIN_RESP) leaves only
/// after the one before it was answered. With peers that answer within the call, as muster's own do, none ever waits.
///
/// Reentrant: from within a send the peer may answer, and further payloads may be passed.
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

  /// Sends the payloads that wait, as the peer has answered this one. Has no effect if it had answered before. So it
  /// can be called at a later phase too, which implies an answer that the peer left out.
  template <class Send>
  void answered(const tlm::tlm_generic_payload& payload, Send send) {
    if (unanswered_ != &payload) return;
    unanswered_ = nullptr;
    if (!waiting_.empty()) send_next(send);
  }

  /// Whether the payload has been sent and not been answered.
  bool awaits(const tlm::tlm_generic_payload& payload) const { return unanswered_ == &payload; }

 private:
  // Lets a payload wait. Not inlined, as on most hops none ever waits.
  [[gnu::noinline]] void wait(tlm::tlm_generic_payload& payload) { waiting_.push_back(&payload); }

  template <class Send>
  [[gnu::noinline]] void send_next(Send send) {
    while (!unanswered_ && !waiting_.empty()) {
      tlm::tlm_generic_payload* const next = take_next();
      unanswered_ = next;
      if (send(*next) && unanswered_ == next) unanswered_ = nullptr;
    }
  }

  // The next payload that waits. The queue is a vector: in steady state it does not allocate, as a std::deque would for
  // each of its blocks.
  tlm::tlm_generic_payload* take_next() {
    tlm::tlm_generic_payload* const next = waiting_[sent_++];
    if (2 * sent_ >= waiting_.size()) {
      waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(sent_));
      sent_ = 0;
    }
    return next;
  }

  const tlm::tlm_generic_payload* unanswered_ = nullptr;
  std::vector<tlm::tlm_generic_payload*> waiting_;
  std::size_t sent_ = 0;  // entries at the front of waiting_ that no longer wait
};

}  // namespace muster
