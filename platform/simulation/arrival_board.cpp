#include "platform/simulation/arrival_board.h"

#include <algorithm>
#include <array>
#include <atomic>

#include <sys/mman.h>

namespace muster::arrival_board {

namespace {

constexpr std::size_t places = 1024, nowhere = places;  // children beyond that are not shown

struct board {
  std::array<std::atomic<std::uint64_t>, places> arrivals;
};

// The board, or null if the system has no memory to share.
board* shared() {
  static board* const all = [] {
    void* const memory = ::mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<board*>(memory);  // zeros
  }();
  return all;
}

std::array<bool, places> taken;
std::size_t own = nowhere;

}  // namespace

std::size_t take_place() {
  if (!shared()) return nowhere;
  const auto free = std::find(taken.begin(), taken.end(), false);
  if (free != taken.end()) *free = true;
  return static_cast<std::size_t>(free - taken.begin());
}

void give_back(std::size_t place) {
  if (place == nowhere) return;
  taken[place] = false;
  shared()->arrivals[place] = 0;
}

void use(std::size_t place) { own = place; }

void show(std::uint64_t arrivals) {
  if (own != nowhere) shared()->arrivals[own].store(arrivals, std::memory_order_relaxed);
}

std::uint64_t arrivals_under_way() {
  std::uint64_t sum = 0;
  for (std::size_t place = 0; place < places; ++place)
    if (taken[place]) sum += shared()->arrivals[place].load(std::memory_order_relaxed);
  return sum;
}

}  // namespace muster::arrival_board
