#include "platform/simulation/cluster_hardware.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "platform/model/data_spec.h"
#include "platform/model/job_kind.h"
#include "platform/model/network_topology.h"
#include "platform/simulation/event_requests.h"
#include "platform/simulation/module_settings.h"
#include "platform/simulation/random_data.h"
#include "platform/simulation/server_clocks.h"
#include "platform/simulation/several_schedulers.h"

namespace muster {

cluster_hardware::cluster_hardware(const scenario& model, std::uint32_t replication, workload& jobs,
                                   job_observer& observer, const hardware_options& options)
    : source("source", time, jobs, observer),
      policy_numbers_(model.run.seed, replication),
      placement_numbers_(model.run.seed, replication, "placement"),
      shared_(shared_by_schedulers(model, time)),
      central(model.schedulers.several() ? "scheduler_0" : "scheduler", time,
              settings_of_scheduler(model, 0, policy_numbers_, placement_numbers_, jobs_numbered_, shared_.get())),
      speeds_(speeds_of(model)),
      power_(power_of(model, time, speeds_.get())),
      governors_(governors_of(model, time, speeds_.get())),
      entries_(model.servers.size()),
      check_protocol_(options.check_protocol) {
  if (options.exclusive_kernel) time.assume_exclusive_kernel();
  control.add(source);
  if (model.schedulers.several()) {
    const auto settings = [&](std::uint32_t number, random_numbers& decisions, random_numbers& placement) {
      return settings_of_scheduler(model, number, decisions, placement, jobs_numbered_, shared_.get());
    };
    several_ = std::make_unique<several_schedulers>(model, replication, time, central, settings, check_protocol_,
                                                    shared_.get());
  }
  schedulers_ = several_ ? several_->all() : std::vector<scheduler*>{&central};
  for (scheduler* const s : schedulers_) control.use(*s);
  if (speeds_) control.use(*speeds_);
  if (power_) control.use(*power_);
  if (governors_) control.use(*governors_);
  if (several_)
    connect(source.submissions, several_->front.in, "source_to_dispatcher");
  else
    connect(source.submissions, central.submissions, "source_to_scheduler");
  const double theta = work_between_interruptions(central.active_policy());
  if (model.data) data_ = std::make_unique<random_data>(model, replication);
  if (has_network(model))
    network_ = std::make_unique<network>(time, network_settings{make_network_graph(model), model.network.dispatch_bytes,
                                                                model.network.message_bytes, model.network.sharing});
  if (several_ && (!options.foreign_servers.empty() || !options.foreign_links.empty()))
    throw std::invalid_argument(
        "foreign servers and links fit a cluster with one scheduler; expected none of them, or "
        "platform.schedulers.count = 1");
  if (model.exchanges_data() && network_ && network_->fair_sharing()) {
    exchange_ = std::make_unique<gang_exchange>(time, *network_, exchange_of_classes(model));
    speeds_->use(*exchange_);
  }
  std::uint32_t first = 0;
  for (std::size_t entry = 0; entry < model.servers.size(); ++entry) {
    const server_spec& s = model.servers[entry];
    const std::uint32_t first_in_network = std::exchange(first, first + s.count);
    if (options.foreign_servers.count(s.name) > 0) {
      connect_foreign(s, first_in_network, false);
      control.add_foreign(s.count);
      continue;
    }
    const std::string label = "server_" + s.name;
    if (std::isfinite(theta)) timers_.push_back(std::make_unique<random_interruptions>(model, replication, s, theta));
    if (s.faults) faults_.push_back(std::make_unique<random_faults>(model, replication, s));
    if (!s.faults && may_leave(model, s)) faults_.push_back(std::make_unique<no_faults>());
    server_settings bank{s.count, s.cores, costs_of(model, s.power)};
    if (model.counts_tasks()) bank.resources.emplace(model.resources.types, resources_of(model, s));
    if (!timers_.empty()) bank.interruptions = timers_.back().get();
    if (may_leave(model, s)) bank.faults = faults_.back().get();
    bank.fetch_over = network_.get();
    bank.first_in_network = first_in_network;
    bank.speeds = speeds_.get();
    bank.data = data_.get();
    bank.disk = disk_of(model, s);
    servers_.push_back(std::make_unique<server>(label.c_str(), time, bank));
    control.add(*servers_.back());
    if (central.times())
      servers_.back()->tell_stages(several_ ? several_->stages() : static_cast<stage_observer&>(*central.times()));
    if (options.foreign_links.count(s.name) > 0) {
      behind_foreign_links_[s.name] = servers_.back().get();
      connect_foreign(s, first_in_network, true);
      continue;
    }
    if (!network_) {
      connect_schedulers(entry, servers_.back()->dispatch, "scheduler_to_" + label);
      continue;
    }
    links_.push_back(std::make_unique<link>(("link_to_" + label).c_str(), *network_, first_in_network, s.count));
    connect_schedulers(entry, links_.back()->in, "scheduler_to_link_to_" + label);
    connect(links_.back()->out, servers_.back()->dispatch, "from_link_to_" + label);
  }
  for (const timed_request& r : requests_of_events(model)) control.request_at(r.at, r.what);
}

cluster_hardware::~cluster_hardware() = default;

tlm::tlm_base_target_socket_b<>& cluster_hardware::submissions() {
  if (several_) return several_->front.in;
  return central.submissions;
}

bool cluster_hardware::is_closed() {
  const auto submitters = several_ ? several_->front.in.size() : central.submissions.size();
  return foreign_hops_.empty() && submitters == 1;
}

std::uint64_t cluster_hardware::jobs_arrived() const {
  std::uint64_t jobs = 0;
  for (const scheduler* const s : schedulers_) jobs += s->jobs_arrived();
  return jobs;
}

std::uint64_t cluster_hardware::jobs_completed() const {
  std::uint64_t jobs = 0;
  for (const scheduler* const s : schedulers_) jobs += s->jobs_completed();
  return jobs;
}

std::vector<const job_extension*> cluster_hardware::jobs_pending_admission() const {
  std::vector<const job_extension*> jobs;
  for (const scheduler* const s : schedulers_)
    for (const job_extension* j : s->jobs_pending_admission()) jobs.push_back(j);
  return jobs;
}

time_account& cluster_hardware::account_of(const job_extension& job) {
  return several_ ? several_->account_of(job) : *central.times();
}

bool cluster_hardware::end_stream() {
  bool goes_on = false;
  for (scheduler* const s : schedulers_) goes_on = s->end_stream() || goes_on;
  return goes_on;
}

template <class To>
void cluster_hardware::connect_schedulers(std::size_t entry, To& to, const std::string& hop) {
  if (several_)
    connect(several_->divide(entry).out, to, hop);
  else
    connect(central.dispatches, to, hop);
}

// A foreign server is reached over the scenario's network, a foreign link stands in its place.
void cluster_hardware::connect_foreign(const server_spec& s, std::uint32_t first_in_network, bool in_place_of_link) {
  auto hop = std::make_unique<protocol_checker>(("to_foreign_" + s.name).c_str(),
                                                protocol_checker::addresses::may_be_translated);
  if (network_ && !in_place_of_link) {
    links_.push_back(
        std::make_unique<link>(("link_to_foreign_" + s.name).c_str(), *network_, first_in_network, s.count));
    central.dispatches.bind(links_.back()->in);
    links_.back()->out.bind(hop->in);
  } else {
    central.dispatches.bind(hop->in);
  }
  foreign_hops_[s.name] = std::move(hop);
}

protocol_checker* cluster_hardware::foreign_hop(const std::string& entry) const {
  const auto hop = foreign_hops_.find(entry);
  return hop == foreign_hops_.end() ? nullptr : hop->second.get();
}

server* cluster_hardware::bank_behind_foreign_link(const std::string& entry) const {
  const auto bank = behind_foreign_links_.find(entry);
  return bank == behind_foreign_links_.end() ? nullptr : bank->second;
}

template <class From, class To>
void cluster_hardware::connect(From& from, To& to, const std::string& hop) {
  if (!check_protocol_) {
    from.bind(to);
    return;
  }
  checkers_.push_back(std::make_unique<protocol_checker>(hop.c_str()));
  from.bind(checkers_.back()->in);
  checkers_.back()->out.bind(to);
}

std::vector<slice_view> cluster_hardware::slices() const {
  std::vector<slice_view> all;
  for (const auto& s : servers_)
    for (const slice_view& slice : s->slices()) all.push_back(slice);
  return all;
}

void cluster_hardware::observe(phase_observer& phases, server_observer* cores, network_observer* edges) {
  if (!several_) central.observe_phases(phases);
  if (edges && network_) network_->observe(*edges);
  observe_cores(cores);
}

void cluster_hardware::observe_cores(server_observer* cores) {
  for (std::uint32_t bank = 0; bank < servers_.size(); ++bank) servers_[bank]->observe(cores, bank);
}

void cluster_hardware::audit(ticks now) {
  // Times of each core add up: idle + asleep + overhead + running + down = elapsed time.
  for (const auto& s : servers_)
    for (std::uint32_t core = 0; core < s->core_count(); ++core)
      if (const ticks sum = s->times(core, now).total() + s->down_time(core, now); sum != now)
        throw std::runtime_error(
            fmt::format("core {} of '{}' accounts for {} of {} ticks", core, s->basename(), sum, now));
  // Each job that has arrived has completed, waits, or is in service.
  std::uint64_t waiting = 0;
  std::uint64_t in_service = 0;
  for (const scheduler* const s : schedulers_) {
    const cluster_view& view = s->view();
    for (const class_id id : view.classes()) {
      for (const job* j = view.first(id); j; j = j->behind) ++waiting;
      for (const job* j = view.running(id); j; j = j->behind) ++in_service;
    }
  }
  waiting += jobs_pending_admission().size();
  if (jobs_arrived() != jobs_completed() + waiting + in_service)
    throw std::runtime_error(fmt::format("{} jobs arrived, but {} completed, {} wait and {} are in service",
                                         jobs_arrived(), jobs_completed(), waiting, in_service));
  if (!is_closed()) return;
  audit_transactions();
  // Every job in service holds cores, unless it can be on its way over a link, wait for a decision, or have been
  // refused its cores. A slotted job may stay in service from slot to slot while others still save their state on cores
  // that it is to have.
  const scheduler_settings& settings = central.settings();
  if (settings.policy->jobs() == job_kind::slotted || !links_.empty() || settings.decision_time || shared_) return;
  std::set<const job_extension*> holders;
  for (const auto& s : servers_)
    for (const job_extension* j : s->holders()) holders.insert(j);
  if (holders.size() != in_service)
    throw std::runtime_error(fmt::format("{} jobs are in service, but {} hold cores", in_service, holders.size()));
}

// Open transactions are those of jobs in the system and of slices under way, and so are the payloads that the pools
// miss: nothing was left unanswered, and nobody has kept a reference or given one back too often.
void cluster_hardware::audit_transactions() {
  if (checkers_.empty()) return;
  const auto expect = [](const protocol_checker& hop, std::size_t open, std::size_t expected, const char* kind) {
    if (open != expected)
      throw std::runtime_error(
          fmt::format("hop '{}' has {} open transactions, but there are {} {}", hop.name(), open, expected, kind));
  };
  const protocol_checker& submissions = *checkers_.front();
  const std::size_t jobs = submissions.open_transactions();
  expect(submissions, jobs, jobs_arrived() - jobs_completed(), "jobs in the system");
  expect(submissions, jobs, source.outstanding_jobs(), "payloads out of the source's pool");
  // Behind the first, one or two checkers lead to each bank of servers; the latter of two is behind a link.
  const std::size_t hops = links_.empty() ? 1 : 2;
  std::size_t slices = 0;
  for (std::size_t bank = 0; bank < servers_.size(); ++bank) {
    slices += checkers_[1 + bank * hops]->open_transactions();
    const protocol_checker& last = *checkers_[bank * hops + hops];
    expect(last, last.open_transactions(), servers_[bank]->holders().size() + servers_[bank]->watchers(),
           "slices and watchers on its servers");
  }
  if (shared_) return;  // slices that were refused may be on their way back
  std::size_t sent = 0;
  for (const scheduler* const s : schedulers_) sent += s->outstanding_slices() - s->pending_slices() + s->watches();
  expect(*checkers_[1], slices, sent, "payloads out of the schedulers' pools and hands, for all servers");
}

}  // namespace muster
