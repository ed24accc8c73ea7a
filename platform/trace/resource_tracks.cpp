#include "platform/trace/resource_tracks.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace muster {

void resource_tracks::describe_cluster(const scenario& model, track process, perfetto_file& out, track& next) {
  if (!model.counts_tasks()) return;
  const auto& types = model.resources.types;
  of_all_.resize(types.size());
  for (std::size_t r = 1; r < types.size(); ++r)
    if (!types[r].is_devices() && !types[r].of_cluster) of_all_[r] = add_counter(types[r].name, process, out, next);
  cluster_.places = places_of_cluster(model);
  any_ = any_ || !cluster_.places.empty();
  describe_places(cluster_, "", process, out, next);
}

void resource_tracks::describe_servers(const scenario& model, const server_spec& servers, track process,
                                       perfetto_file& out, track& next) {
  bank_tracks& bank = banks_.emplace_back();
  bank.places = places_of_server(model, servers);
  any_ = any_ || !bank.places.empty();
  for (std::uint32_t server = 0; server < servers.count; ++server)
    describe_places(bank, servers.count == 1 ? "" : fmt::format("server {} ", server), process, out, next);
}

void resource_tracks::describe_places(bank_tracks& bank, const std::string& prefix, track process, perfetto_file& out,
                                      track& next) {
  for (const resource_place& place : bank.places) {
    row& added = bank.rows.emplace_back();
    if (place.is_device) {
      added.lanes.push_back({next});
      out.describe_thread(next++, process, prefix + place.name);
    } else {
      added.counter = add_counter(prefix + place.name, process, out, next);
    }
  }
}

std::size_t resource_tracks::add_counter(const std::string& name, track process, perfetto_file& out, track& next) {
  any_ = true;
  out.describe(next, process, name, true);
  counters_.push_back({next++});
  changed_.push_back(counters_.size() - 1);
  return counters_.size() - 1;
}

void resource_tracks::slice_begins(const slice_view& slice, perfetto_file& out, track& next) {
  if (slice.resources) begin(banks_[slice.bank], slice.server, slice.resources, slice.job, out, next);
}

void resource_tracks::slice_ends(const slice_view& slice) {
  if (slice.resources) end(banks_[slice.bank], slice.server, slice.resources, slice.job);
}

void resource_tracks::job_begins(const job_extension& job, perfetto_file& out, track& next) {
  if (const amounts* const held = of_cluster(job)) begin(cluster_, 0, held->data(), job.id, out, next);
}

void resource_tracks::job_ends(const job_extension& job) {
  if (const amounts* const held = of_cluster(job)) end(cluster_, 0, held->data(), job.id);
}

void resource_tracks::begin(bank_tracks& bank, std::size_t server, const std::uint64_t* held, std::uint64_t job,
                            perfetto_file& out, track& next) {
  const std::size_t first = server * bank.places.size();
  for (std::size_t n = 0; n < bank.places.size(); ++n) {
    if (held[n] == 0) continue;
    row& at = bank.rows[first + n];
    if (!bank.places[n].is_device) {
      change_amount(bank, at, bank.places[n].resource, held[n]);
      continue;
    }
    auto free = std::find_if(at.lanes.begin(), at.lanes.end(), [](const lane& l) { return !l.job; });
    if (free == at.lanes.end()) {
      out.describe(next, at.lanes.front().number, bank.places[n].name);
      free = at.lanes.insert(free, {next++});
    }
    free->job = job;
  }
}

void resource_tracks::end(bank_tracks& bank, std::size_t server, const std::uint64_t* held, std::uint64_t job) {
  const std::size_t first = server * bank.places.size();
  for (std::size_t n = 0; n < bank.places.size(); ++n) {
    if (held[n] == 0) continue;
    row& at = bank.rows[first + n];
    if (bank.places[n].is_device)
      std::find_if(at.lanes.begin(), at.lanes.end(), [&](const lane& l) { return l.job == job; })->job.reset();
    else
      change_amount(bank, at, bank.places[n].resource, 0 - held[n]);
  }
}

resource_tracks::track resource_tracks::track_of(const row& device, std::uint64_t job) {
  return std::find_if(device.lanes.begin(), device.lanes.end(), [&](const lane& l) { return l.job == job; })->number;
}

void resource_tracks::change_amount(const bank_tracks& bank, const row& amount, std::size_t resource,
                                    std::uint64_t more) {
  change(amount.counter, more);
  if (&bank != &cluster_) change(of_all_[resource], more);
}

void resource_tracks::change(std::size_t which, std::uint64_t more) {
  counter& c = counters_[which];
  c.value += more;
  if (std::exchange(c.changed, true)) return;
  changed_.push_back(which);
}

void resource_tracks::put_counters(const packet_head& at, perfetto_file& out) {
  for (const std::size_t which : changed_) {
    counter& c = counters_[which];
    c.changed = false;
    if (c.value == c.shown) continue;
    c.shown = c.value;
    out.put(track_event(at, track_event::kind::counter).value(c.value), c.number);
  }
  changed_.clear();
}

}  // namespace muster
