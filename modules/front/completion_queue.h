#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "muster/modules/front/device_registers.h"

namespace muster {

/// Completions that the client of a job_device has not taken, in the order in which they came: first those in its ring,
/// if it has one, then those that the device holds. A full ring stays as it is until the client moves its head; no
/// completion is lost.
class completion_queue {
 public:
  void push(const job_completion& c) { held_.push_back(c); }

  /// Completions that the client can take now: those in its ring or, without one, those held.
  std::uint64_t takeable() const { return has_ring() ? in_ring() : held_.size(); }
  /// All completions that have not been taken.
  std::uint64_t all() const { return in_ring() + held_.size(); }

  /// @name Without a ring
  /// @{
  /// The earliest completion; null: none is held, or there is a ring.
  const job_completion* front() const { return has_ring() || held_.empty() ? nullptr : &held_.front(); }
  /// Takes the earliest completion. @return false: there is none to be taken so
  bool pop();
  /// @}

  /// @name The ring
  /// @{
  bool has_ring() const { return size_ != 0; }
  std::uint64_t size() const { return size_; }
  std::uint64_t head() const { return head_; }
  std::uint64_t tail() const { return tail_; }
  /// Begins an empty ring, or ends it (0). What has been written to an earlier ring counts as taken.
  /// @return false: the size is none that a ring may have
  bool resize(std::uint64_t size);
  /// The client has taken completions. @return false: the new head is not between the head and the tail
  bool move_head(std::uint64_t head);
  /// A completion to be written to the ring.
  struct entry {
    job_completion content;
    std::uint64_t place = 0;  ///< in the ring, from 0
    std::uint64_t ring = 0;   ///< number of the ring, see written()
  };
  /// The next completion for which the ring has room; nothing: there is none.
  std::optional<entry> next_for_ring() const;
  /// The completion stands in the ring. It remains held where another ring has begun meanwhile, or none is left.
  void written(const entry& e);
  /// @}

 private:
  std::uint32_t in_ring() const { return tail_ - head_; }

  std::deque<job_completion> held_;
  std::uint64_t size_ = 0;
  std::uint64_t rings_ = 0;            // that have begun or ended
  std::uint32_t head_ = 0, tail_ = 0;  // count on modulo 2^32, which is a multiple of the size
};

}  // namespace muster
