#include "muster/modules/server/work_clock.h"

#include <utility>

namespace muster {

work_clock::work_clock(timekeeper& time, double pace)
    : time_(time), pace_(pace), parts_(parts_per_tick(pace)), since_(time.now()) {}

void work_clock::set_pace(double pace) {
  const ticks now = time_.now();
  reading_ = reading(now);
  since_ = now;
  pace_ = pace;
  parts_ = parts_per_tick(pace);
  set_timer();
}

work_clock::follower work_clock::add(work_clock_observer& observer, std::uint32_t cookie, std::uint64_t job,
                                     tick_sum left) {
  const follower f = works_.take({&observer, cookie, 0, job});
  heap_.emplace_back();
  rise(heap_.size() - 1, {reading(time_.now()) + left, f});
  if (works_[f].place == 0) set_timer();
  return f;
}

tick_sum work_clock::remove(follower f) {
  const std::size_t at = works_[f].place;
  const tick_sum rest = left(heap_[at].end, reading(time_.now()));
  erase(at);
  works_.give_back(f);
  if (at == 0) set_timer();
  return rest;
}

// Hands on all works that are done at this instant. The timer has the rank of the first job, so that the timers that
// their observers set for the same instant expire in the order of the jobs.
void work_clock::expired(ticks now, std::uint32_t) {
  armed_ = false;
  const tick_sum here = reading(now);
  while (!heap_.empty()) {
    const tick_sum rest = left(heap_.front().end, here);
    if (ticks_for(rest, parts_) > 0) break;
    const follower f = heap_.front().owner;
    const work done = works_[f];
    erase(0);
    works_.give_back(f);
    done.observer->work_is_due(done.cookie, rest);
  }
  set_timer();
}

// Sets the timer for the first end.
void work_clock::set_timer() {
  if (std::exchange(armed_, false)) time_.cancel(timer_);
  if (heap_.empty()) return;
  const node& first = heap_.front();
  const ticks now = time_.now();
  const ticks at = now + ticks_for(left(first.end, reading(now)), parts_);
  timer_ = time_.arm(at, at < end_of_clock ? 0 : works_[first.owner].job, *this, 0);
  armed_ = true;
}

void work_clock::erase(std::size_t at) {
  const node last = heap_.back();
  heap_.pop_back();
  if (at == heap_.size()) return;
  if (at > 0 && last.end < heap_[(at - 1) / 2].end)
    rise(at, last);
  else
    sink(at, last);
}

void work_clock::place(std::size_t at, const node& n) {
  heap_[at] = n;
  works_[n.owner].place = static_cast<std::uint32_t>(at);
}

void work_clock::rise(std::size_t at, const node& n) {
  for (; at > 0 && n.end < heap_[(at - 1) / 2].end; at = (at - 1) / 2) place(at, heap_[(at - 1) / 2]);
  place(at, n);
}

void work_clock::sink(std::size_t at, const node& n) {
  for (std::size_t child = 2 * at + 1; child < heap_.size(); child = 2 * at + 1) {
    if (child + 1 < heap_.size() && heap_[child + 1].end < heap_[child].end) ++child;
    if (heap_[child].end >= n.end) break;
    place(at, heap_[child]);
    at = child;
  }
  place(at, n);
}

}  // namespace muster
