#include "muster/modules/front/completion_queue.h"

namespace muster {

bool completion_queue::pop() {
  if (!front()) return false;
  held_.pop_front();
  return true;
}

bool completion_queue::resize(std::uint64_t size) {
  if (size > device_register::most_in_ring || (size & (size - 1)) != 0) return false;
  size_ = size;
  head_ = tail_ = 0;
  ++rings_;
  return true;
}

bool completion_queue::move_head(std::uint64_t head) {
  const auto moved = static_cast<std::uint32_t>(head);
  if (moved - head_ > in_ring()) return false;
  head_ = moved;
  return true;
}

std::optional<completion_queue::entry> completion_queue::next_for_ring() const {
  if (held_.empty() || in_ring() >= size_) return std::nullopt;
  return entry{held_.front(), tail_ % size_, rings_};
}

void completion_queue::written(const entry& e) {
  if (e.ring != rings_) return;
  held_.pop_front();
  ++tail_;
}

}  // namespace muster
