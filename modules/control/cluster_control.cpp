#include "muster/modules/control/cluster_control.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "muster/policies/catalogue.h"

namespace muster {

namespace {

using refusal = std::invalid_argument;

std::optional<double> cap_of(const control_request& wanted) {
  return wanted.value == control_request::no_cap ? std::nullopt : std::optional{wanted.value};
}

}  // namespace

void cluster_control::add(server& bank) {
  const std::uint32_t count = bank.settings().count;
  banks_.push_back({&bank, {servers_, count}});
  servers_ += count;
}

server_range cluster_control::bank(std::string_view name) const {
  const auto found = std::find_if(banks_.begin(), banks_.end(),
                                  [&](const bank_of_servers& b) { return name == b.module->basename(); });
  if (found != banks_.end()) return found->servers;
  std::string names;
  for (const bank_of_servers& b : banks_) names += (names.empty() ? "" : ", ") + std::string{b.module->basename()};
  throw refusal(fmt::format("there is no bank of servers '{}'; expected one of: {}", name, names));
}

const cluster_control::bank_of_servers* cluster_control::bank_of(std::uint32_t server) const {
  const auto found = std::find_if(banks_.begin(), banks_.end(),
                                  [&](const bank_of_servers& b) { return server - b.servers.first < b.servers.count; });
  return found == banks_.end() ? nullptr : &*found;
}

bool cluster_control::is_withdrawn(std::uint32_t server) const {
  const bank_of_servers* b = bank_of(server);
  return b && b->module->may_be_out() && b->module->health().is_withdrawn(server - b->servers.first);
}

double cluster_control::power_cap(server_range servers) const {
  return power_ ? power_->cap(servers.first, servers.count).value_or(control_request::no_cap) : control_request::no_cap;
}

void cluster_control::request_at(ticks at, const control_request& wanted) {
  check(wanted);
  if (at < time_.now())
    throw refusal(fmt::format("a request is made at tick {} for tick {}, which has passed", time_.now(), at));
  if (at >= end_of_clock) return;
  time_.arm(at, timer_rank::control(made_++), *this, requests_.take(wanted));
}

void cluster_control::check(const control_request& wanted) const {
  switch (wanted.what) {
    case action::drain:
    case action::remove:
    case action::restore:
      check_servers(wanted.servers);
      for (const bank_of_servers& b : banks_)
        if (!b.module->may_be_out() && b.servers.first < wanted.servers.first + wanted.servers.count &&
            wanted.servers.first < b.servers.first + b.servers.count)
          throw refusal(
              fmt::format("the servers of '{}' cannot leave service; expected a fault clock in their settings, "
                          "such as no_faults, and `fails` in their group",
                          b.module->basename()));
      break;
    case action::speed: check_speeds(wanted); break;
    case action::power_cap: check_power(wanted); break;
    case action::arrival_rate: check_arrivals(wanted.value); break;
    case action::parameter:
      if (schedulers_.empty())
        throw refusal("no scheduler is controlled; expected one, whose policy has the parameter");
      for (const scheduler* const s : schedulers_) static_cast<void>(s->parameters_with(wanted.name, wanted.setting));
      break;
  }
}

void cluster_control::check_servers(server_range servers) const {
  if (servers.count == 0) throw refusal("a request is for 0 servers; expected at least 1");
  if (servers.first >= servers_ || servers.count > servers_ - servers.first)
    throw refusal(fmt::format("servers {} to {} of a cluster of {}; expected servers of it", servers.first,
                              std::uint64_t{servers.first} + servers.count - 1, servers_));
  for (std::uint32_t n = servers.first; n < servers.first + servers.count; ++n)
    if (!bank_of(n)) throw refusal(fmt::format("server {} is of a foreign module; expected servers of the cluster", n));
}

void cluster_control::check_speeds(const control_request& wanted) const {
  check_servers(wanted.servers);
  if (!speeds_) throw refusal("the speeds of servers cannot change; expected server_speeds in the settings of all");
  speeds_->check(wanted.servers.first, wanted.value);
  if (!governors_) return;
  for (std::uint32_t n = wanted.servers.first; n < wanted.servers.first + wanted.servers.count; ++n)
    if (governors_->sets_speed(n))
      throw refusal(fmt::format("the speed of server {} is set by its governor; expected one of fixed frequency", n));
}

void cluster_control::check_power(const control_request& wanted) const {
  check_servers(wanted.servers);
  if (!power_) throw refusal("the power of servers is not known; expected servers with power whose speeds may change");
  power_->check_cap(wanted.servers.first, wanted.servers.count, cap_of(wanted));
}

void cluster_control::check_arrivals(double factor) const {
  if (sources_.empty()) throw refusal("no source of jobs is controlled; expected at least one");
  if (!(factor >= paced_arrivals::least && factor <= paced_arrivals::most))
    throw refusal(fmt::format("the rate of arrivals is multiplied by {}; expected a number from {} to {}", factor,
                              paced_arrivals::least, paced_arrivals::most));
  for (const job_source* s : sources_)
    if (!s->fixes_arrivals().empty())
      throw refusal(
          fmt::format("the rate of arrivals of '{}' cannot be changed, as {}", s->basename(), s->fixes_arrivals()));
}

void cluster_control::expired(ticks, std::uint32_t cookie) {
  const control_request due = std::move(requests_[cookie]);
  requests_.give_back(cookie);
  carry_out(due);
}

void cluster_control::carry_out(const control_request& wanted) {
  if (wanted.what == action::arrival_rate) {
    arrival_rate_ = wanted.value;
    for (job_source* const s : sources_) s->set_rate(wanted.value);
    return;
  }
  if (wanted.what == action::parameter) {
    for (scheduler* const s : schedulers_) s->replace_parameter(wanted.name, wanted.setting);
    return;
  }
  if (wanted.what == action::power_cap) {
    power_->set_cap(wanted.servers.first, wanted.servers.count, cap_of(wanted));
    return;
  }
  for (std::uint32_t n = wanted.servers.first; n < wanted.servers.first + wanted.servers.count; ++n) {
    if (wanted.what == action::speed) {
      speeds_->set(n, wanted.value);
      continue;
    }
    const bank_of_servers& b = *bank_of(n);
    server_health& health = b.module->health();
    if (wanted.what == action::restore)
      health.restore(n - b.servers.first);
    else
      health.withdraw(n - b.servers.first, wanted.what == action::remove);
  }
}

}  // namespace muster
