#include "muster/modules/server/gang_exchange.h"

#include <algorithm>
#include <utility>

#include "muster/modules/protocol/job_extension.h"

namespace muster {

namespace {

// The tasks on each server of a gang. A job that holds its servers whole may have fewer than their cores would hold.
std::vector<std::uint32_t> tasks_of(const class_exchange& type, const std::vector<gang_exchange::part>& parts) {
  std::vector<std::uint32_t> tasks;
  auto left = type.tasks;
  for (const gang_exchange::part& p : parts) {
    std::uint32_t here = std::max(p.cores / type.cores_per_task, 1u);
    if (type.most_per_server > 0) here = std::min(here, type.most_per_server);
    if (type.tasks > 0) left -= here = std::min(here, std::max(left, 1u));
    tasks.push_back(here);
  }
  return tasks;
}

}  // namespace

gang_exchange::gang_exchange(timekeeper& time, network& over, table<class_id, std::optional<class_exchange>> classes)
    : time_(time),
      network_(over),
      sharing_(*over.fair_sharing()),
      classes_(std::move(classes)),
      lost_(classes_.size()) {}

gang_exchange::number gang_exchange::begin(const job_extension& job, std::vector<part> parts, double capacity,
                                           double most) {
  const class_exchange& type = *classes_[job.declared_class()];
  std::sort(parts.begin(), parts.end(), [](const part& a, const part& b) { return a.server < b.server; });
  const number taken = gangs_.take();
  gang& g = gangs_[taken];
  find_uses(type, parts, g.uses);
  if (g.uses.empty()) {
    gangs_.give_back(taken);
    return none;
  }
  g.job = &job;
  g.type = job.declared_class();
  g.cores = 0;
  for (const part& p : parts) g.cores += p.cores;
  g.bytes = type.bytes * capacity;
  g.most = g.pace = most;
  g.since = time_.now();
  g.sent = 0.0;
  g.flow = sharing_.edges().add(g.uses, g.bytes * most, *this, taken);
  return taken;
}

// Finds how many streams of a gang pass each arc of finite bandwidth.
void gang_exchange::find_uses(const class_exchange& type, const std::vector<part>& parts,
                              std::vector<shared_edges::use>& uses) {
  uses.clear();
  for (const server_streams& s : streams_of(type.pattern, tasks_of(type, parts)))
    sharing_.add_way(network_.vertex_of(parts[s.from].server), network_.vertex_of(parts[s.to].server),
                     static_cast<double>(s.count), uses);
  std::sort(uses.begin(), uses.end(), [](const auto& a, const auto& b) { return a.arc < b.arc; });
  std::size_t arcs = 0;
  for (const shared_edges::use& u : uses) {
    if (arcs > 0 && uses[arcs - 1].arc == u.arc)
      uses[arcs - 1].share += u.share;
    else
      uses[arcs++] = u;
  }
  uses.resize(arcs);
  if (arcs > 0 && uses.back().arc >= bytes_.size()) bytes_.resize(uses.back().arc + 1);
}

void gang_exchange::limit(number gang_number, double most) {
  gang& g = gangs_[gang_number];
  settle(g, time_.now());
  g.most = most;
  sharing_.edges().set_cap(g.flow, g.bytes * most);
}

void gang_exchange::end(number gang_number) {
  gang& g = gangs_[gang_number];
  settle(g, time_.now());
  g.job = nullptr;
  for (const shared_edges::use& u : g.uses) bytes_[u.arc] += u.share * g.sent;
  sharing_.edges().remove(g.flow);
  gangs_.give_back(gang_number);
}

void gang_exchange::rate_changes(ticks now, std::uint32_t cookie, double rate) {
  gang& g = gangs_[cookie];
  settle(g, now);
  const bool full = rate >= g.bytes * g.most;
  g.pace = full ? g.most : rate / g.bytes;
  observer_->exchange_changes(*g.job, g.pace);
}

// Adds up what a gang has sent and lost at its present pace.
void gang_exchange::settle(gang& g, ticks now) {
  const auto time = static_cast<double>(now - std::exchange(g.since, now));
  g.sent += time * g.bytes * g.pace;
  lost_[g.type] += time * static_cast<double>(g.cores) * (1.0 - g.pace / g.most);
}

double gang_exchange::lost(class_id id, ticks now) const {
  double sum = lost_[id];
  for (const gang& g : gangs_)
    if (g.job && g.type == id)
      sum += static_cast<double>(now - g.since) * static_cast<double>(g.cores) * (1.0 - g.pace / g.most);
  return sum;
}

double gang_exchange::bytes(network_arc arc, ticks now) const {
  double sum = arc < bytes_.size() ? bytes_[arc] : 0.0;
  for (const gang& g : gangs_) {
    if (!g.job) continue;
    for (const shared_edges::use& u : g.uses)
      if (u.arc == arc) sum += u.share * (g.sent + static_cast<double>(now - g.since) * g.bytes * g.pace);
  }
  return sum;
}

}  // namespace muster
