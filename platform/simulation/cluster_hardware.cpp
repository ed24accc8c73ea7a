#include "platform/simulation/cluster_hardware.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>

#include "muster/policies/catalogue.h"
#include "platform/model/class_table.h"
#include "platform/model/data_spec.h"
#include "platform/model/job_kind.h"
#include "platform/model/network_racks.h"
#include "platform/model/network_topology.h"
#include "platform/model/scheduler_share.h"
#include "platform/simulation/event_requests.h"
#include "platform/simulation/exchange_of_classes.h"
#include "platform/simulation/random_data.h"
#include "platform/simulation/server_clocks.h"
#include "platform/simulation/several_schedulers.h"
#include "platform/simulation/slices_apart.h"

namespace muster {

namespace {

table<group_id, server_group> groups_of(const scenario& model) {
  table<group_id, server_group> groups;
  for (const server_span& g : server_groups(model)) {
    const server_spec& s = model.servers[g.entry];
    groups.push_back({s.name, g.count, s.cores, s.capacity, g.first > 0, s.may_be_out() || model.controlled,
                      model.counts_tasks() ? resources_of(model, s) : amounts{}});
  }
  return groups;
}

// The outages that policies know beforehand.
std::vector<planned_outage> known_outages(const scenario& model) {
  std::vector<planned_outage> known;
  const table<group_id, server_span> groups = server_groups(model);
  for (const group_id g : id_range<group_id>{groups.size()}) {
    const auto& [entry, first, count] = groups[g];
    for (const server_outage& o : model.servers[entry].outages) {
      if (!o.known || o.server < first || o.server - first >= count) continue;
      const ticks from = model.unit.to_ticks(o.from);
      known.push_back({{g, o.server - first}, from, std::max(model.unit.to_ticks(o.until), from + 1)});
    }
  }
  return known;
}

// Where jobs that run at time 0 are, by the order of their arrival.
std::vector<job_places> places_at_time_0(const scenario& model) {
  std::vector<job_places> places;
  if (model.arrivals.at_time_0.empty()) return places;
  const table<group_id, server_span> groups = server_groups(model);
  std::vector<std::vector<group_id>> of_entry(model.servers.size());
  for (const group_id g : id_range<group_id>{groups.size()}) of_entry[groups[g].entry].push_back(g);
  for (const running_job& job : model.arrivals.at_time_0) {
    job_places& own = places.emplace_back();
    for (const server_part& part : job.servers)
      for (const group_id g : of_entry[part.entry])
        if (part.server >= groups[g].first && part.server - groups[g].first < groups[g].count)
          own.push_back({g, part.server - groups[g].first, part.units});
  }
  return places;
}

// The speeds of all servers, where they change; else null.
std::unique_ptr<server_speeds> speeds_of(const scenario& model) {
  if (!model.speeds_change() && !model.exchanges_data() && !model.controlled) return nullptr;
  std::vector<double> capacities;
  for (const server_spec& s : model.servers) capacities.insert(capacities.end(), s.count, s.capacity);
  return std::make_unique<server_speeds>(capacities);
}

// What the parts of the servers of an entry draw.
server_watts watts_of(const scenario& model, const server_spec& s) {
  server_watts all{s.power.idle, s.power.overhead, s.power.active};
  if (s.changes_frequency()) all.frequencies = &s.frequencies->table;
  if (s.power.resources.empty()) return all;
  const resource_layout places{model.resources.types, resources_of(model, s)};
  all.held.resize(places.places() - 1);
  for (std::size_t r = 1; r < s.power.resources.size(); ++r) {
    const resource_power& watts = s.power.resources[r];
    all.resources += watts.idle * static_cast<double>(s.resources[r]);
    const auto parts = static_cast<double>(std::max<std::uint64_t>(model.resources.types[r].parts, 1));
    for (std::size_t place = 0; place < places.count(r); ++place)
      all.held[places.first(r) - 1 + place] = (watts.busy - watts.idle) / parts;
  }
  return all;
}

// The power of all servers, where their speeds may change and any draws power; else null.
std::unique_ptr<server_power> power_of(const scenario& model, timekeeper& time, server_speeds* speeds) {
  const bool any = std::any_of(model.servers.begin(), model.servers.end(), [](const auto& s) { return s.power.any(); });
  if (!speeds || !any) return nullptr;
  std::vector<bank_watts> banks;
  for (const server_spec& s : model.servers) banks.push_back({s.count, s.cores, watts_of(model, s)});
  return std::make_unique<server_power>(time, *speeds, banks);
}

// What chooses the frequencies of servers, where they change; else null.
std::unique_ptr<server_governors> governors_of(const scenario& model, timekeeper& time, server_speeds* speeds) {
  const bool any =
      std::any_of(model.servers.begin(), model.servers.end(), [](const auto& s) { return s.changes_frequency(); });
  if (!any) return nullptr;
  std::vector<governed_bank> banks;
  for (const server_spec& s : model.servers)
    banks.push_back({s.count, s.cores, s.changes_frequency() ? s.frequencies.get() : nullptr});
  return std::make_unique<server_governors>(time, *speeds, banks);
}

// What submissions state, and what the scheduler makes of it.
estimate_settings estimates_of(const scenario& model) {
  using source = estimate_settings::source;
  if (kind_of_jobs(model) != job_kind::rigid) return {};
  const auto users = static_cast<std::uint32_t>(model.arrivals.users.size());
  switch (model.arrivals.estimates.from) {
    case estimate_spec::rule::learnt:
      return {source::learnt, users};
    case estimate_spec::rule::requested:
    case estimate_spec::rule::factor:
      return {source::stated, users};
    case estimate_spec::rule::exact:
      break;
  }
  return {source::size, users};
}

scheduler_settings scheduler_settings_of(const scenario& model, random_numbers& random,
                                         random_numbers& placement_random) {
  const auto& [unit, takes] = std::tie(model.unit, model.decision);
  scheduler_settings s;
  s.classes = class_table(model);
  s.groups = groups_of(model);
  s.policy = find_policy(model.policy.name);
  s.parameters = policy_settings(model);
  if (is_slotted(model)) s.slot = unit.to_ticks(model.slot);
  if (takes.takes_time())
    s.decision_time = {unit.to_ticks(takes.fixed), unit.to_ticks(takes.per_job), unit.to_ticks(takes.per_dispatch)};
  if (model.checkpoint_every) s.checkpoint = unit.to_ticks(*model.checkpoint_every);
  s.accounts_times = model.report.explain;
  s.ticks_per_unit = unit.ticks;
  s.random = &random;
  s.placement = model.placement;
  s.placement_random = &placement_random;
  s.resources = model.resources;
  s.estimates = estimates_of(model);
  s.planned_outages = known_outages(model);
  s.named_places = places_at_time_0(model);
  return s;
}

// The settings of one of several schedulers, or of the only one. @param numbered see scheduler_settings
scheduler_settings settings_of_scheduler(const scenario& model, std::uint32_t number, random_numbers& random,
                                         random_numbers& placement_random, std::uint64_t& numbered) {
  const bool several = model.schedulers.several();
  scheduler_settings s =
      scheduler_settings_of(several ? share_of_scheduler(model, number) : model, random, placement_random);
  if (several) s.jobs_numbered = &numbered;
  if (model.placement->needs_racks) s.racks = racks_of(model, number);
  s.slices_end_apart = slices_may_end_apart(model);
  return s;
}

server_costs costs_of(const scenario& model, const power_spec& power) {
  const auto& [unit, costs] = std::tie(model.unit, model.costs);
  server_costs all;
  all.dispatch_latency = unit.to_ticks(costs.dispatch_latency) + unit.to_ticks(costs.epsilon * model.slot);
  all.set_up = unit.to_ticks(costs.set_up);
  all.restore = unit.to_ticks(costs.restore);
  all.migration = unit.to_ticks(costs.migration);
  if (costs.bandwidth) all.ticks_per_byte = static_cast<double>(unit.ticks) / *costs.bandwidth;
  all.save = unit.to_ticks(costs.save);
  if (power.sleep_after) all.sleep_after = unit.to_ticks(*power.sleep_after);
  all.wake = unit.to_ticks(power.wake);
  all.checkpoint = unit.to_ticks(model.checkpoint_cost);
  return all;
}

// The disk of each server of an entry, if they have one.
std::optional<server_disk> disk_of(const scenario& model, const server_spec& s) {
  if (!model.data) return std::nullopt;
  const auto found = model.data->disks.find(s.name);
  if (found == model.data->disks.end()) return std::nullopt;
  const auto& [rate, cache] = found->second;
  return server_disk{rate ? static_cast<double>(model.unit.ticks) / *rate : 0.0, static_cast<std::uint64_t>(cache)};
}

}  // namespace

cluster_hardware::cluster_hardware(const scenario& model, std::uint32_t replication, workload& jobs,
                                   job_observer& observer, const hardware_options& options)
    : source("source", time, jobs, observer),
      policy_numbers_(model.run.seed, replication),
      placement_numbers_(model.run.seed, replication, "placement"),
      central(model.schedulers.several() ? "scheduler_0" : "scheduler", time,
              settings_of_scheduler(model, 0, policy_numbers_, placement_numbers_, jobs_numbered_)),
      speeds_(speeds_of(model)),
      power_(power_of(model, time, speeds_.get())),
      governors_(governors_of(model, time, speeds_.get())),
      entries_(model.servers.size()),
      check_protocol_(options.check_protocol) {
  if (options.exclusive_kernel) time.assume_exclusive_kernel();
  control.add(source);
  if (model.schedulers.several()) {
    const auto settings = [&](std::uint32_t number, random_numbers& decisions, random_numbers& placement) {
      return settings_of_scheduler(model, number, decisions, placement, jobs_numbered_);
    };
    several_ = std::make_unique<several_schedulers>(model, replication, time, central, settings, check_protocol_);
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
    if (!s.faults && (s.may_be_out() || model.controlled)) faults_.push_back(std::make_unique<no_faults>());
    server_settings bank{s.count, s.cores, costs_of(model, s.power)};
    if (model.counts_tasks()) bank.resources.emplace(model.resources.types, resources_of(model, s));
    if (!timers_.empty()) bank.interruptions = timers_.back().get();
    if (s.may_be_out() || model.controlled) bank.faults = faults_.back().get();
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
  // Every job in service holds cores, unless it can be on its way over a link or wait for a decision. A slotted job may
  // stay in service from slot to slot while others still save their state on cores that it is to have.
  const scheduler_settings& settings = central.settings();
  if (settings.policy->jobs() == job_kind::slotted || !links_.empty() || settings.decision_time) return;
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
  std::size_t sent = 0;
  for (const scheduler* const s : schedulers_) sent += s->outstanding_slices() - s->pending_slices() + s->watches();
  expect(*checkers_[1], slices, sent, "payloads out of the schedulers' pools and hands, for all servers");
}

}  // namespace muster
