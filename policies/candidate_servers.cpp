#include "muster/policies/candidate_servers.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace muster {

idle_ranking::idle_ranking(std::uint32_t servers, unsigned cores_each, const std::vector<std::uint32_t>& racks,
                           std::uint32_t rack_count)
    : racks_(racks), idle_(rack_count), cores_(servers, std::max(cores_each, 1u)), by_rank_(servers), rank_(servers) {
  for (std::uint32_t server = 0; server < servers; ++server) {
    by_cores_.insert(by_cores_.end(), ranked(server, cores_[server]));
    if (!idle_.empty()) idle_[racks_[server]] += cores_[server];
  }
  std::iota(by_rank_.begin(), by_rank_.end(), 0u);
  std::iota(rank_.begin(), rank_.end(), 0u);
  spare_.reserve(servers);
  for (std::uint32_t server = 0; cores_each == 0 && server < servers; ++server) set(server, 0);
}

std::optional<std::uint32_t> idle_ranking::fewest(unsigned at_least, std::uint32_t rack) const {
  const auto found = by_cores_.lower_bound({key(rack, at_least), 0});
  return found == by_cores_.end() || found->first >= key(rack + 1, 0) ? std::nullopt : std::optional{found->second};
}

std::optional<std::uint32_t> idle_ranking::most(std::uint32_t rack) const {
  const auto beyond = racks_.empty() ? by_cores_.end() : by_cores_.lower_bound({key(rack + 1, 0), 0});
  if (beyond == by_cores_.begin() || std::prev(beyond)->first < key(rack, 0)) return std::nullopt;
  return by_cores_.lower_bound({std::prev(beyond)->first, 0})->second;
}

void idle_ranking::set(std::uint32_t server, unsigned cores) {
  const unsigned before = std::exchange(cores_[server], cores);
  if (before == cores) return;
  if (!idle_.empty()) idle_[racks_[server]] += std::uint64_t{cores} - before;
  auto node = before > 0 ? by_cores_.extract(ranked(server, before)) : std::move(spare_.back());
  if (before == 0) spare_.pop_back();
  node.value() = ranked(server, cores);
  if (cores > 0)
    by_cores_.insert(std::move(node));
  else
    spare_.push_back(std::move(node));
  if (before == 0) {
    rank_[server] = static_cast<std::uint32_t>(by_rank_.size());
    by_rank_.push_back(server);
  } else if (cores == 0) {
    const std::uint32_t last = by_rank_.back();
    by_rank_[rank_[server]] = last;
    rank_[last] = rank_[server];
    by_rank_.pop_back();
  }
}

std::optional<idle_server> candidate_servers::fewest_idle(unsigned at_least, std::uint32_t rack) const {
  std::optional<idle_server> best;
  for (const group_id g : *groups_) {
    const idle_ranking& of_group = (*servers_)[g];
    const auto server = of_group.fewest(at_least, rack);
    if (server && (!best || of_group.cores(*server) < best->cores)) best = {g, *server, of_group.cores(*server)};
  }
  return best;
}

idle_server candidate_servers::most_idle(std::uint32_t rack) const {
  idle_server best{group_id{}, 0, 0};
  for (const group_id g : *groups_) {
    const idle_ranking& of_group = (*servers_)[g];
    const auto server = of_group.most(rack);
    if (server && of_group.cores(*server) > best.cores) best = {g, *server, of_group.cores(*server)};
  }
  return best;
}

idle_server candidate_servers::best_fit(unsigned cores, std::uint32_t rack) const {
  const auto holds_all = fewest_idle(cores, rack);
  return holds_all ? *holds_all : most_idle(rack);
}

std::uint64_t candidate_servers::idle_in(std::uint32_t rack) const {
  std::uint64_t all = 0;
  for (const group_id g : *groups_) all += (*servers_)[g].idle_in(rack);
  return all;
}

std::size_t candidate_servers::count() const {
  std::size_t all = 0;
  for (const group_id g : *groups_) all += (*servers_)[g].count();
  return all;
}

idle_server candidate_servers::at(std::size_t rank) const {
  auto group = groups_->begin();
  for (; rank >= (*servers_)[*group].count(); ++group) rank -= (*servers_)[*group].count();
  const idle_ranking& of_group = (*servers_)[*group];
  const std::uint32_t server = of_group.at(rank);
  return {*group, server, of_group.cores(server)};
}

}  // namespace muster
