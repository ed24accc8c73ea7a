#include "muster/modules/server/slice_data.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace muster {

slice_data::slice_data(timekeeper& time, const server_settings& given, slice_data_observer& observer)
    : time_(time),
      network_(*given.fetch_over),
      source_(*given.data),
      first_(given.first_in_network),
      observer_(observer),
      disk_ticks_per_byte_(given.disk ? given.disk->ticks_per_byte : 0.0) {
  for (std::uint32_t n = 0; n < given.count; ++n)
    to_storage_.push_back(network_.latency(first_ + n, network::at_storage));
  if (given.disk) disks_.assign(given.count, disk{input_cache{given.disk->cache}});
}

bool slice_data::fetch_input(std::uint32_t slice, std::uint32_t server, const slice_extension& extension,
                             std::uint32_t cores) {
  if (slice >= parts_.size()) parts_.resize(slice + 1);
  part& p = parts_[slice] = part{};
  p.data = source_.of(extension.holder->declared_class(), extension.descriptor.job);
  p.input = p.data.input_of_slice(extension.slices);
  p.output = p.data.output_of_slice(extension.slices);
  p.server = server;
  p.cores = cores;
  if (p.input == 0) return false;
  ++moved_.fetches;
  const bool whole = p.input == p.data.input;
  if (!whole || disks_.empty()) p.data.set = job_data::of_its_own;
  if (p.data.set != job_data::of_its_own && disks_[server].held.use(p.data.set)) {
    read_disk(slice, extension);
  } else {
    p.under_way = way::storage;
    p.message = network_.transfer(time_.now() + to_storage_[server], network::at_storage, first_ + server, p.input,
                                  *this, slice);
  }
  if (!p.data.overlap) wait(p);
  return p.waits;
}

void slice_data::read_disk(std::uint32_t slice, const slice_extension& extension) {
  part& p = parts_[slice];
  ++moved_.hits;
  ticks& busy_until = disks_[p.server].busy_until;
  const double takes = std::min(static_cast<double>(p.input) * disk_ticks_per_byte_, static_cast<double>(end_of_clock));
  busy_until = std::min(std::max(busy_until, time_.now()) + static_cast<ticks>(std::llround(takes)), end_of_clock);
  p.under_way = way::disk;
  p.timer = time_.arm(busy_until, extension.descriptor.job, *this, slice);
}

bool slice_data::settle(std::uint32_t slice) {
  if (slice >= parts_.size()) return false;
  part& p = parts_[slice];
  if (p.under_way == way::none) {
    const std::uint64_t bytes = std::exchange(p.output, 0);
    if (bytes == 0) return false;
    p.input = bytes;
    p.under_way = way::out;
    p.message = network_.transfer(time_.now(), first_ + p.server, network::at_storage, bytes, *this, slice);
  }
  wait(p);
  return true;
}

bool slice_data::forget(std::uint32_t slice) {
  if (slice >= parts_.size()) return false;
  part& p = parts_[slice];
  p.output = 0;
  const way left = std::exchange(p.under_way, way::none);
  if (left == way::none) return false;
  if (left == way::disk)
    time_.cancel(p.timer);
  else
    network_.forget(p.message);
  const bool waited = p.waits;
  stop_waiting(p, time_.now());
  return waited;
}

void slice_data::expired(ticks now, std::uint32_t slice) {
  part& p = parts_[slice];
  const way came = std::exchange(p.under_way, way::none);
  if (came != way::disk) moved_.bytes += p.input;
  if (came == way::storage && p.data.set != job_data::of_its_own) disks_[p.server].held.keep(p.data.set, p.input);
  const bool waited = p.waits;
  stop_waiting(p, now);
  if (waited) observer_.data_moved(now, slice);
}

void slice_data::wait(part& p) {
  p.waits = true;
  p.since = time_.now();
  waiting_cores_ += p.cores;
  since_ += tick_sum{p.since} * p.cores;
}

void slice_data::stop_waiting(part& p, ticks now) {
  if (!std::exchange(p.waits, false)) return;
  waiting_cores_ -= p.cores;
  since_ -= tick_sum{p.since} * p.cores;
  moved_.waited += tick_sum{now - p.since} * p.cores;
}

moved_data slice_data::moved(ticks now) const {
  moved_data all = moved_;
  all.waited += tick_sum{now} * waiting_cores_ - since_;
  return all;
}

}  // namespace muster
