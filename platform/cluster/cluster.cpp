#include "platform/cluster/cluster.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sysc/kernel/sc_kernel_ids.h>

#include "platform/cautions/point_cautions.h"
#include "platform/cluster/pilot.h"
#include "platform/metrics/results_csv.h"
#include "platform/scenario/range_of_clock.h"
#include "platform/simulation/cluster_energy.h"
#include "platform/simulation/cluster_variables.h"
#include "platform/simulation/measured_cluster.h"
#include "platform/theory/stability/stability.h"
#include "platform/trace/trace_kind.h"

namespace muster {

namespace {

// Sets the time resolution, unless something has fixed the right one before.
void take_resolution(const time_unit& unit) {
  const auto femtoseconds = static_cast<std::uint64_t>(std::lround(std::pow(10.0, unit.resolution_exponent + 15)));
  const sc_core::sc_actions before = sc_core::sc_report_handler::set_actions(sc_core::SC_ID_SET_TIME_RESOLUTION_,
                                                                             sc_core::SC_ERROR, sc_core::SC_THROW);
  bool fixed = false;
  try {
    sc_core::sc_set_time_resolution(static_cast<double>(femtoseconds), sc_core::SC_FS);
  } catch (const sc_core::sc_report&) {
    fixed = true;
  }
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_SET_TIME_RESOLUTION_, sc_core::SC_ERROR, before);
  if (!fixed) return;
  const auto resolution =
      static_cast<std::uint64_t>(std::lround(sc_core::sc_get_time_resolution().to_seconds() * 1e15));
  if (resolution == femtoseconds) return;
  throw std::invalid_argument(fmt::format(
      "the time resolution is {} fs, but a scenario whose time_unit is {} has {} fs; expected the first cluster before "
      "any sc_time, or sc_set_time_resolution({}, SC_FS), and scenarios of the same resolution in one simulation",
      resolution, unit.name, femtoseconds, femtoseconds));
}

const server_spec* find_entry(const scenario& model, const std::string& name) {
  const auto found =
      std::find_if(model.servers.begin(), model.servers.end(), [&](const server_spec& s) { return s.name == name; });
  return found == model.servers.end() ? nullptr : &*found;
}

[[noreturn]] void refuse(const std::string& message) { throw std::invalid_argument(message); }

void check_entries(const scenario& model, const std::set<std::string>& entries, const char* option) {
  std::vector<std::string> names;
  for (const server_spec& s : model.servers) names.push_back(s.name);
  for (const std::string& name : entries)
    if (!find_entry(model, name))
      refuse(fmt::format("{}: no servers are called '{}'; expected one of {}", option, name, fmt::join(names, ", ")));
}

watching watching_of(const cluster_options& options) {
  watching watch;
  watch.check_protocol = options.check_protocol;
  for (const auto& [kind, file] : options.traces) {
    const trace_kind* found = find_trace_kind(kind);
    if (!found) {
      std::vector<std::string> names;
      for (const trace_kind& k : trace_catalogue()) names.emplace_back(k.name);
      refuse(fmt::format("traces: no kind is called '{}'; expected one of {}", kind, fmt::join(names, ", ")));
    }
    watch.traces.push_back({found, file});
  }
  return watch;
}

void check_options(const scenario& model, const cluster_options& options) {
  check_entries(model, options.foreign_servers, "foreign_servers");
  check_entries(model, options.foreign_links, "foreign_links");
  static_cast<void>(watching_of(options));
  for (const std::string& name : options.foreign_servers) {
    if (options.foreign_links.count(name) > 0)
      refuse(fmt::format("foreign_links: '{}' is one of foreign_servers; expected a server of the scenario", name));
    const server_spec& s = *find_entry(model, name);
    const bool capped = std::any_of(model.power_caps.begin(), model.power_caps.end(),
                                    [&](const power_cap_event& e) { return e.servers.empty() || e.servers == name; });
    if (!s.outages.empty() || !s.speeds.empty() || capped)
      refuse(fmt::format("foreign_servers: [[events]] change '{}', which only servers of muster's follow", name));
  }
}

void warn_of_range(const sc_core::sc_module& cluster, const scenario& model) {
  if (const auto found = find_long_replication(model))
    SC_REPORT_WARNING("/muster/cluster", fmt::format("'{}': {}", cluster.name(), found->words).c_str());
}

scenario with_warm_up(const sc_core::sc_module& cluster, scenario model) {
  if (!model.run.warm_up_by_mser5 || model.run.warm_up_jobs) return model;
  const found_warm_up warm_up = warm_up_by_pilot(model);
  if (!warm_up.settled)
    SC_REPORT_WARNING("/muster/cluster", fmt::format("'{}': MSER-5 sees no steady state in {} jobs; the first half of "
                                                     "the replication is taken for the warm-up",
                                                     cluster.name(), model.run.jobs)
                                             .c_str());
  model.run.warm_up_jobs = warm_up.jobs;
  return model;
}

scenario with_control(scenario model, const cluster_options& options) {
  model.controlled = model.controlled || options.controlled;
  return model;
}

hardware_options hardware_of(const cluster_options& options) {
  return {options.check_protocol, false, options.foreign_servers, options.foreign_links};
}

}  // namespace

/// What a cluster consists of. The run ends with a timer that expires last of its instant.
class cluster::parts final : private timer_observer, private rest_observer {
 public:
  parts(const scenario& model, std::uint32_t replication, const cluster_options& options)
      : watch(watching_of(options)),
        point(as_it_runs(with_control(model, options), watch)),
        whole(
            point, replication, watch, [this] { end_with_the_instant(); }, hardware_of(options)),
        variables(point, whole.hardware()) {
    whole.add_instruments();
    whole.begin();
    hardware().time.observe_rest(*this);
  }

  cluster_hardware& hardware() { return whole.hardware(); }
  scheduler& central() { return hardware().central; }

  const muster::watching watch;  // sc_module has a function of that name
  const scenario point;
  measured_cluster whole;
  cluster_variables variables;
  bool finished = false;
  std::optional<std::string> fault;  // none: the result is there
  sc_core::sc_event finished_event{"finished"};

 private:
  void end_with_the_instant() {
    timekeeper& time = hardware().time;
    time.arm(time.now(), timer_rank::observation, *this, 0);
    ++timers_of_the_end_;
  }
  void expired(ticks, std::uint32_t) override { finish(); }

  // A workload that has come to its end: the policy is told, as it may have left an empty cluster idle.
  void nothing_is_left() override {
    if (finished || !hardware().source.exhausted() || !hardware().is_closed()) return;
    if (!hardware().end_stream()) finish();
  }

  void finish() {
    if (std::exchange(finished, true)) return;
    try {
      whole.complete();
      whole.result().events -= timers_of_the_end_;
    } catch (const std::exception& e) {
      fault = e.what();
    }
    finished_event.notify(sc_core::SC_ZERO_TIME);
  }

  std::uint64_t timers_of_the_end_ = 0;
};

cluster::cluster(const sc_core::sc_module_name& name, const scenario& model, std::uint32_t replication,
                 const cluster_options& options)
    : sc_module(name) {
  check_options(model, options);
  take_resolution(model.unit);
  warn_of_range(*this, model);
  parts_ = std::make_unique<parts>(with_warm_up(*this, model), replication, options);
}

cluster::~cluster() = default;

tlm::tlm_base_target_socket_b<>& cluster::submissions() { return parts_->hardware().submissions(); }

tlm::tlm_initiator_socket<>& cluster::dispatch_of(const std::string& entry) {
  protocol_checker* hop = parts_->hardware().foreign_hop(entry);
  if (!hop)
    refuse(fmt::format("dispatch_of: '{}' is none of cluster_options::foreign_servers and foreign_links", entry));
  return hop->out;
}

tlm::tlm_base_target_socket_b<>& cluster::servers_of(const std::string& entry) {
  server* bank = parts_->hardware().bank_behind_foreign_link(entry);
  if (!bank) refuse(fmt::format("servers_of: '{}' is none of cluster_options::foreign_links", entry));
  return bank->dispatch;
}

cluster_control& cluster::control() { return parts_->hardware().control; }

cluster_variables& cluster::variables() { return parts_->variables; }

parameter_list cluster::parameters() {
  parameter_list all = list_parameters(*this);
  cluster_variables& shown = variables();
  for (std::size_t n = 0; n < shown.all().size(); ++n) {
    const cluster_variable& v = shown.all()[n];
    if (v.use == cluster_variable::role::input)
      all.add_level(
          *this, v.name, v.unit, v.help, [&shown, n] { return shown.value(n); },
          [&shown, n](double value) { shown.set(n, value); });
    else if (v.whole)
      all.add_count(*this, v.name, v.unit, v.help, [&shown, n] { return static_cast<std::uint64_t>(shown.value(n)); });
    else
      all.add_level(*this, v.name, v.unit, v.help, [&shown, n] { return shown.value(n); });
  }
  return all;
}

bool cluster::finished() const { return parts_->finished; }
const sc_core::sc_event& cluster::finished_event() const { return parts_->finished_event; }

const replication_result& cluster::results() const {
  if (!parts_->finished) throw std::logic_error(fmt::format("{} has not finished: it has no results yet", name()));
  if (parts_->fault) throw std::runtime_error(*parts_->fault);
  return parts_->whole.result();
}

std::string cluster::results_csv() const {
  const scenario& model = parts_->point;
  const measured_point measured({results()});
  std::vector<estimate> estimates = measured.estimates();
  if (model.run.warm_up_by_mser5 && model.run.warm_up_jobs)
    estimates.push_back(
        {"all", "warm_up_jobs", static_cast<double>(*model.run.warm_up_jobs), {}, {}, 1, model.run.jobs});
  point_cautions(model, examine_stability(model), measured).mark(estimates, model);
  study alone;
  alone.name = model.name;
  alone.points.push_back({model, {}});
  return muster::results_csv(alone, {estimates});
}

const scenario& cluster::model() const { return parts_->point; }
std::uint64_t cluster::jobs_arrived() const { return parts_->hardware().jobs_arrived(); }
std::uint64_t cluster::jobs_completed() const { return parts_->hardware().jobs_completed(); }

std::vector<jobs_of_class> cluster::jobs() const {
  std::vector<jobs_of_class> all;
  for (const class_spec& c : parts_->point.classes) all.push_back({c.name});
  for (const scheduler* const s : parts_->hardware().schedulers()) {
    const cluster_view& view = s->view();
    for (const class_id id : view.classes()) {
      const auto of =
          std::find_if(all.begin(), all.end(), [&](const jobs_of_class& c) { return c.name == view.name(id); });
      of->waiting += view.waiting(id);
      of->in_service += view.in_service(id);
    }
  }
  return all;
}

core_time cluster::cores() const {
  cluster_hardware& hardware = parts_->hardware();
  const time_unit& unit = parts_->point.unit;
  const ticks now = hardware.time.now();
  core_time sum;
  for (const auto& bank : hardware.servers()) {
    const bank_times times = bank_times::of(*bank, now);
    sum.idle += unit.to_units(times.idle);
    sum.overhead += unit.to_units(times.overhead);
    sum.running += unit.to_units(times.running);
    sum.asleep += unit.to_units(times.asleep);
    tick_sum down = 0;
    for (std::uint32_t core = 0; core < bank->core_count(); ++core) down += bank->down_time(core, now);
    sum.down += unit.to_units(down);
  }
  return sum;
}

double cluster::now() const { return parts_->point.unit.to_units(parts_->hardware().time.now()); }

}  // namespace muster
