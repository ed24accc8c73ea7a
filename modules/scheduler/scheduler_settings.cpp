#include "muster/modules/scheduler/scheduler_settings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muster/modules/scheduler/services/job_service.h"

namespace muster {

namespace {

template <class Error, class... Parts>
[[noreturn]] void refuse(fmt::format_string<const Parts&...> text, const Parts&... parts) {
  throw Error(fmt::format(text, parts...));
}

// The cores of each group. Throws if a group is invalid.
table<group_id, unsigned> cores_of(const table<group_id, server_group>& groups) {
  table<group_id, unsigned> cores;
  for (const server_group& g : groups) {
    if (g.count == 0) refuse<std::invalid_argument>("group '{}' has no servers; expected at least 1", g.name);
    if (g.cores == 0)
      refuse<std::invalid_argument>("the servers of group '{}' have no cores; expected at least 1 each", g.name);
    if (!(g.capacity > 0.0) || !std::isfinite(g.capacity))
      refuse<std::invalid_argument>("the cores of group '{}' have a capacity of {}; expected a number > 0", g.name,
                                    g.capacity);
    const std::uint64_t all = std::uint64_t{g.count} * g.cores;
    if (all > std::numeric_limits<unsigned>::max())
      refuse<std::invalid_argument>("group '{}' has {} servers of {} cores each; expected at most {} cores in all",
                                    g.name, g.count, g.cores, std::numeric_limits<unsigned>::max());
    cores.push_back(static_cast<unsigned>(all));
  }
  return cores;
}

void check_kind(const scheduler_settings& s) {
  if (!s.policy)
    refuse<policy_error>(
        "no policy is set; expected the entry of one, such as find_policy(\"fcfs\"), which is null where the catalogue "
        "has no policy of that name");
  s.policy->check();
  if (s.policy->jobs() == job_kind::slotted && !s.slot)
    refuse<policy_error>("the jobs of policy '{}' are slotted, but slots have no length; expected one", s.policy->name);
  if (s.policy->jobs() != job_kind::slotted && s.slot)
    refuse<policy_error>("slots have a length, but the jobs of policy '{}' are {}; expected a policy of slotted jobs",
                         s.policy->name, word_for(s.policy->jobs()));
  if (s.slot && (*s.slot == 0 || *s.slot >= end_of_clock))
    refuse<policy_error>("a slot lasts {} ticks; expected at least 1, and less than {}", *s.slot, end_of_clock);
  if (!s.slot) return;
  for (const server_group& g : s.groups)
    if (g.capacity != 1.0)
      refuse<policy_error>(
          "the cores of group '{}' have a capacity of {}, but jobs are slotted, and a core does one unit in a slot; "
          "expected 1",
          g.name, g.capacity);
}

bool counts_tasks(const scheduler_settings& s) { return !s.classes.empty() && s.classes[class_id{0}].tasks; }

// Throws where the rule of placement needs racks, and that of a server is not known.
void check_racks(const scheduler_settings& s) {
  if (!s.placement || !s.placement->needs_racks) return;
  bool known = s.racks.count > 0 && s.racks.of_servers.size() == s.groups.size();
  for (const group_id g : id_range<group_id>{s.groups.size()})
    known = known && s.racks.of_servers[g].size() == s.groups[g].count &&
            std::all_of(s.racks.of_servers[g].begin(), s.racks.of_servers[g].end(),
                        [&](std::uint32_t rack) { return rack < s.racks.count; });
  if (!known)
    refuse<std::invalid_argument>(
        "jobs are placed by '{}', which needs racks; expected the rack of each server, below their "
        "number, {}",
        s.placement->name, s.racks.count);
}

void check_placement(const scheduler_settings& s) {
  if (!s.placement || (!s.placement->choose && !s.placement->score)) return;
  if (s.policy->own_placement(counts_tasks(s)))
    refuse<policy_error>("jobs are placed by '{}', but policy '{}' places them itself; expected 'first', the default",
                         s.placement->name, s.policy->name);
  if (s.policy->jobs() != job_kind::rigid)
    refuse<policy_error>(
        "jobs are placed by '{}', but the jobs of policy '{}' are {}, which the policy places; expected a policy of "
        "rigid jobs",
        s.placement->name, s.policy->name, word_for(s.policy->jobs()));
  if (s.placement->draws && !s.placement_random)
    refuse<policy_error>("jobs are placed by '{}', which draws random numbers; expected a source, placement_random",
                         s.placement->name);
}

void check_estimates(const scheduler_settings& s) {
  if (s.estimates.stated() && s.policy->jobs() != job_kind::rigid)
    refuse<policy_error>(
        "jobs may state estimates and users, but the jobs of policy '{}' are {}; expected a policy of rigid jobs",
        s.policy->name, word_for(s.policy->jobs()));
}

// Checks that jobs of the class can be of the policy's kind.
void check_class(const job_class& type, const scheduler_settings& s) {
  const job_kind jobs = s.policy->jobs();
  const auto refuse_class = [&](const std::string& finding, const char* expected) {
    refuse<policy_error>("class '{}' {}, but the jobs of policy '{}' are {}; expected {}", type.name, finding,
                         s.policy->name, word_for(jobs), expected);
  };
  if (jobs != job_kind::rigid && type.need != 1)
    refuse_class(fmt::format("needs {} cores", type.need), jobs == job_kind::pooled
                                                               ? "need 1, as they take whole servers"
                                                               : "need 1, as they take any number of cores");
  if (jobs != job_kind::pooled && type.drawn > 0)
    refuse_class("draws its servers for each job", "a policy of pooled jobs");
  if (jobs != job_kind::rigid && !type.submitted.empty())
    refuse_class("declares needs that jobs bring", "a policy of rigid jobs");
  if (jobs == job_kind::slotted && type.groups.size() != s.groups.size())
    refuse_class(fmt::format("may use {} of {} groups of servers", type.groups.size(), s.groups.size()),
                 "all groups, as they share all cores");
  if (jobs != job_kind::slotted && type.worth) refuse_class("has a utility of its units", "a policy of slotted jobs");
  if (type.drawn == 0) return;
  for (const server_group& g : s.groups)
    if (g.count != 1)
      refuse<policy_error>(
          "class '{}' draws its servers for each job, but group '{}' has {} servers; expected groups of one server "
          "each",
          type.name, g.name, g.count);
}

const char* word_for(estimate_settings::source from) {
  constexpr const char* words[] = {"size", "stated", "learnt"};
  return words[static_cast<std::size_t>(from)];
}

const char* yes_or_no(bool is) { return is ? "yes" : "no"; }

template <class Values>
std::string or_none(const Values& values) {
  return values.empty() ? "none" : fmt::format("{}", fmt::join(values, ", "));
}

std::string in_ticks(const std::optional<ticks>& time) { return time ? fmt::format("{} ticks", *time) : "none"; }

/// A parameter's value as users write it.
class value_text {
 public:
  explicit value_text(const table<class_id, job_class>& classes) : classes_(classes) {}

  std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
  std::string operator()(double number) const { return fmt::format("{}", number); }
  std::string operator()(const std::string& word) const { return word; }
  std::string operator()(const std::vector<class_id>& order) const {
    std::vector<std::string> names;
    names.reserve(order.size());
    for (const class_id id : order) names.push_back(name_of(static_cast<std::size_t>(id)));
    return or_none(names);
  }
  std::string operator()(const std::vector<schedule>& schedules) const {
    std::vector<std::string> all;
    for (const schedule& jobs : schedules) {
      std::vector<std::string> some;
      for (std::size_t i = 0; i < jobs.size(); ++i)
        if (jobs[i] > 0) some.push_back(fmt::format("{} = {}", name_of(i), jobs[i]));
      all.push_back(fmt::format("{{ {} }}", or_none(some)));
    }
    return or_none(all);
  }
  std::string operator()(const std::vector<named_settings>& tables) const {
    std::vector<std::string> all;
    for (const auto& [name, values] : tables) {
      std::vector<std::string> each;
      for (const auto& [key, value] : values.all())
        each.push_back(fmt::format("{} = {}", key, std::visit(*this, value)));
      all.push_back(fmt::format("{} = {{ {} }}", name, or_none(each)));
    }
    return or_none(all);
  }
  std::string operator()(const std::vector<std::vector<double>>& rows) const {
    std::vector<std::string> all;
    all.reserve(rows.size());
    for (const std::vector<double>& row : rows) all.push_back(fmt::format("[{}]", fmt::join(row, ", ")));
    return or_none(all);
  }

 private:
  std::string name_of(std::size_t number) const {
    return number < classes_.size() ? classes_[static_cast<class_id>(number)].name : fmt::format("class {}", number);
  }

  const table<class_id, job_class>& classes_;
};

std::string in_words(const task_need& need) {
  return fmt::format("{} of [{}], [{}] for the job, {} on a server{}", need.tasks, fmt::join(need.per_task, ", "),
                     fmt::join(need.per_job, ", "),
                     need.at_most_per_server > 0 ? fmt::format("at most {}", need.at_most_per_server) : "any number",
                     need.exclusive ? ", exclusive" : "");
}

void print_class(std::ostream& out, const job_class& type, const scheduler_settings& s) {
  const auto& [classes, groups] = std::tie(s.classes, s.groups);
  const auto set = [&](const char* name, const std::string& value) {
    out << "classes." << type.name << '.' << name << " = " << value << '\n';
  };
  std::vector<std::string> usable;
  for (const group_id g : type.groups) {
    const auto number = static_cast<std::size_t>(g);
    usable.push_back(number < groups.size() ? groups[g].name : fmt::format("group {}", number));
  }
  set("need", fmt::format("{} cores", type.need));
  set("groups", or_none(usable));
  set("drawn", type.drawn == 0 ? "all" : fmt::format("{} groups", type.drawn));
  set("tasks", type.tasks ? in_words(*type.tasks) : "none");
  std::vector<std::string> submitted;
  for (const job_need& need : type.submitted)
    submitted.push_back(need.tasks ? in_words(*need.tasks) : fmt::format("{} cores", need.cores));
  set("submitted", submitted.empty() ? "none" : fmt::format("{}", fmt::join(submitted, "; ")));
  set("state", fmt::format("{} bytes", type.state));
  std::vector<double> gains;
  for (unsigned unit = 0; type.worth && unit < type.worth->units(); ++unit) gains.push_back(type.worth->gain(unit));
  set("worth", or_none(gains));
  const auto declared = [](const std::optional<double>& value, const char* unit) {
    return value ? fmt::format("{} {}", *value, unit) : "none";
  };
  set("mean_size", declared(type.mean_size, "units of time"));
  set("arrival_rate", declared(type.arrival_rate, "per unit of time"));
  set("arrival_share", type.arrival_share ? fmt::format("{}", *type.arrival_share) : "none");
  for (const auto& [name, value] : type.parameters.all())
    out << "classes." << type.name << ".parameters." << name << " = " << std::visit(value_text{classes}, value) << '\n';
}

std::vector<std::string> in_words(const std::vector<planned_outage>& outages,
                                  const table<group_id, server_group>& groups) {
  std::vector<std::string> all;
  for (const planned_outage& o : outages) {
    const auto number = static_cast<std::size_t>(o.server.group);
    const std::string group = number < groups.size() ? groups[o.server.group].name : fmt::format("group {}", number);
    all.push_back(fmt::format("{}[{}] from {} to {} ticks", group, o.server.server, o.from, o.until));
  }
  return all;
}

std::vector<std::string> names_of(const cluster_resources& resources) {
  std::vector<std::string> names;
  for (const resource_type& r : resources.types) names.push_back(r.name);
  return names;
}

void print_group(std::ostream& out, const server_group& g) {
  out << fmt::format("groups.{}.count = {} servers\n", g.name, g.count)
      << fmt::format("groups.{}.cores = {} cores\n", g.name, g.cores)
      << fmt::format("groups.{}.capacity = {} per unit of time\n", g.name, g.capacity)
      << fmt::format("groups.{}.same_bank = {}\n", g.name, yes_or_no(g.same_bank))
      << fmt::format("groups.{}.fails = {}\n", g.name, yes_or_no(g.fails))
      << fmt::format("groups.{}.resources = {}\n", g.name, or_none(g.resources));
}

// What the servers have where tasks count. Whether it is valid is checked later.
cluster_inventory inventory_of(const scheduler_settings& s) {
  cluster_inventory all;
  if (!counts_tasks(s)) return all;
  all.of_cluster = resource_layout::of_cluster(s.resources);
  for (const server_group& g : s.groups)
    all.groups.push_back({g.count, {s.resources.types, g.resources.empty() ? amounts{g.cores} : g.resources}});
  return all;
}

// The outages that are known, with the cores of their servers. Throws if one is invalid.
std::vector<planned_outage> planned_outages_of(const scheduler_settings& s) {
  std::vector<planned_outage> outages = s.planned_outages;
  for (planned_outage& o : outages) {
    const auto number = static_cast<std::size_t>(o.server.group);
    if (number >= s.groups.size())
      refuse<std::invalid_argument>("an outage is planned of a server of group {}; expected one of {} groups", number,
                                    s.groups.size());
    const server_group& g = s.groups[o.server.group];
    if (o.server.server >= g.count)
      refuse<std::invalid_argument>("an outage is planned of server {} of group '{}', which has {}", o.server.server,
                                    g.name, g.count);
    if (!g.fails)
      refuse<std::invalid_argument>(
          "an outage is planned of a server of group '{}', which does not declare that its servers may fail; expected "
          "fails = true",
          g.name);
    if (o.from >= o.until || o.until > end_of_clock)
      refuse<std::invalid_argument>(
          "an outage of a server of group '{}' is planned from {} to {} ticks; expected an end after the beginning, at "
          "most {}",
          g.name, o.from, o.until, end_of_clock);
    o.cores = g.cores;
  }
  return outages;
}

// Throws if a place that is named for a job is none of a server, or they do not ascend.
void check_named_places(const scheduler_settings& s) {
  if (!s.named_places.empty() && s.policy && s.policy->jobs() != job_kind::rigid)
    refuse<std::invalid_argument>("places are named for jobs of policy '{}', which are {}; expected rigid jobs",
                                  s.policy->name, word_for(s.policy->jobs()));
  for (std::size_t n = 0; n < s.named_places.size(); ++n) {
    const placement* before = nullptr;
    for (const placement& at : s.named_places[n]) {
      const auto number = static_cast<std::size_t>(at.group);
      if (number >= s.groups.size() || at.server >= s.groups[at.group].count || at.cores == 0)
        refuse<std::invalid_argument>(
            "job {} is to hold {} cores of server {} of group {}; expected at least one, and a server that there is", n,
            at.cores, at.server, number);
      if (before && server_number(before->group, before->server) >= server_number(at.group, at.server))
        refuse<std::invalid_argument>("the servers named for job {} do not ascend; expected each once, in order", n);
      before = &at;
    }
  }
}

}  // namespace

cluster_state initial_state(const scheduler_settings& s, const simulated_clock& clock) {
  if (s.ticks_per_unit == 0) refuse<std::invalid_argument>("a unit of time has 0 ticks; expected at least 1");
  if (s.classes.empty()) refuse<std::invalid_argument>("no class of jobs is declared; expected at least one");
  check_named_places(s);
  check_racks(s);
  return {s.classes, cores_of(s.groups), &clock, s.ticks_per_unit, inventory_of(s), planned_outages_of(s)};
}

void check_policy(const scheduler_settings& s) {
  check_kind(s);
  check_placement(s);
  check_estimates(s);
  for (const job_class& type : s.classes) check_class(type, s);
}

std::ostream& operator<<(std::ostream& out, const scheduler_settings& s) {
  for (const job_class& type : s.classes) print_class(out, type, s);
  for (const server_group& g : s.groups) print_group(out, g);
  out << "policy = " << (s.policy ? s.policy->name : "none") << '\n';
  for (const auto& [name, value] : s.parameters.all())
    out << "parameters." << name << " = " << std::visit(value_text{s.classes}, value) << '\n';
  out << "slot = " << in_ticks(s.slot) << '\n';
  if (s.decision_time)
    out << "decision_time.fixed = " << in_ticks(s.decision_time->fixed) << '\n'
        << "decision_time.per_job = " << in_ticks(s.decision_time->per_job) << '\n'
        << "decision_time.per_dispatch = " << in_ticks(s.decision_time->per_dispatch) << '\n';
  else
    out << "decision_time = none\n";
  return out << "checkpoint = " << in_ticks(s.checkpoint) << '\n'
             << "accounts_times = " << yes_or_no(s.accounts_times) << '\n'
             << "ticks_per_unit = " << in_ticks(s.ticks_per_unit) << '\n'
             << "random = " << yes_or_no(s.random != nullptr) << '\n'
             << "placement = " << (s.placement ? s.placement->name : "first") << '\n'
             << "placement_random = " << yes_or_no(s.placement_random != nullptr) << '\n'
             << "resources = " << or_none(names_of(s.resources)) << '\n'
             << "estimates.from = " << word_for(s.estimates.from) << '\n'
             << "estimates.users = " << s.estimates.users << '\n'
             << "estimates.qos = " << s.estimates.qos << '\n'
             << "planned_outages = " << or_none(in_words(s.planned_outages, s.groups)) << '\n'
             << "named_places = "
             << (s.named_places.empty() ? "none" : fmt::format("of {} jobs", s.named_places.size())) << '\n'
             << "slices_end_apart = " << yes_or_no(s.slices_end_apart) << '\n'
             << "racks = " << (s.racks.count > 0 ? fmt::format("{}", s.racks.count) : "none") << '\n';
}

}  // namespace muster
