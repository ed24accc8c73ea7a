#include "muster/policies/cluster_state.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <unordered_set>

#include "muster/policies/name.h"
#include "muster/policies/split_by_need.h"

namespace muster {

namespace {

[[noreturn]] void refuse(const job_class& type, const std::string& why) {
  throw std::invalid_argument("class " + shown_name(type.name) + why);
}

void check_declared(const job_class& type, const char* property, const std::optional<double>& value) {
  if (value && !(*value > 0.0 && std::isfinite(*value)))
    refuse(type, std::string{" declares "} + property + " of " + std::to_string(*value) + "; expected a number > 0");
}

void check(const job_class& type, const task_need& need) {
  if (need.tasks == 0) refuse(type, " needs 0 tasks; expected at least 1");
  if (need.per_task.empty() || need.per_task.front() == 0)
    refuse(type, " needs tasks without cores; expected at least one core for each");
  const std::uint64_t cores = need.tasks * need.per_task.front();
  if (type.need != cores)
    refuse(type, " needs " + std::to_string(type.need) + " cores, but its tasks need " + std::to_string(cores) +
                     "; expected as many");
}

void check_need(const job_class& type, std::uint64_t usable) {
  if (type.need == 0) refuse(type, " needs 0 cores; expected at least 1");
  if (type.tasks) check(type, *type.tasks);
  if (type.need > usable)
    refuse(type, " needs " + std::to_string(type.need) + " cores, but the servers that it may use have " +
                     std::to_string(usable) + "; expected at most that");
}

// Checks the needs that jobs of a class may bring. @param usable cores of the servers that the class may use
void check_submitted(const job_class& type, std::uint64_t usable) {
  if (type.submitted.empty()) return;
  job_class alone = type;
  alone.submitted.clear();
  for (std::size_t n = 0; n < type.submitted.size(); ++n) {
    alone.name = type.name + ", need " + std::to_string(n + 1);
    std::tie(alone.need, alone.tasks) = std::tie(type.submitted[n].cores, type.submitted[n].tasks);
    if (alone.tasks.has_value() != type.tasks.has_value())
      refuse(alone, " differs from its class in what counts; expected tasks for both or none");
    check_need(alone, usable);
  }
}

// Checks one class.
void check(const job_class& type, const table<group_id, unsigned>& cores) {
  if (const auto expected = expected_name(type.name, "_-."))
    refuse(type, " has an invalid name; expected " + *expected);
  if (type.groups.empty()) refuse(type, " may use no servers; expected at least one group");
  std::vector<bool> listed(cores.size());
  std::uint64_t usable = 0;
  for (const group_id group : type.groups) {
    const auto number = static_cast<std::size_t>(group);
    if (number >= cores.size())
      refuse(type, " may use group " + std::to_string(number) +
                       " of servers, which does not exist; expected one of the " + std::to_string(cores.size()) +
                       " groups, counted from 0");
    if (listed[number])
      refuse(type, " lists group " + std::to_string(number) + " of servers twice; expected each group once");
    listed[number] = true;
    usable += cores[group];
  }
  check_need(type, usable);
  check_submitted(type, usable);
  check_declared(type, "a mean size", type.mean_size);
  check_declared(type, "an arrival rate", type.arrival_rate);
  check_declared(type, "a share of arrivals", type.arrival_share);
  if (type.drawn > type.groups.size())
    refuse(type, " draws " + std::to_string(type.drawn) + " groups of servers for each job, but may use " +
                     std::to_string(type.groups.size()) + "; expected at most that");
}

// Checks all classes and groups.
void check(const table<class_id, job_class>& classes, const table<group_id, unsigned>& cores) {
  std::uint64_t all_cores = 0;
  for (const group_id group : id_range<group_id>{cores.size()}) {
    if (cores[group] == 0)
      throw std::invalid_argument("group " + std::to_string(static_cast<std::size_t>(group)) +
                                  " of servers has no cores; expected at least 1");
    all_cores += cores[group];
  }
  if (all_cores > std::numeric_limits<unsigned>::max())
    throw std::invalid_argument("all groups of servers together have " + std::to_string(all_cores) +
                                " cores; expected at most " + std::to_string(std::numeric_limits<unsigned>::max()));
  std::unordered_set<std::string_view> names;
  const job_class* before = nullptr;
  for (const job_class& type : classes) {
    check(type, cores);
    if (!names.insert(type.name).second) refuse(type, " has the name of an earlier class; expected a name of its own");
    if (before && before->tasks.has_value() != type.tasks.has_value())
      refuse(type,
             " and class " + shown_name(before->name) + " differ in what counts; expected tasks for both or none");
    if (before && before->tasks && before->tasks->share < type.tasks->share)
      refuse(type, " needs a larger share of its scarcest resource than class " + shown_name(before->name) +
                       " before it; expected classes in descending order of that share");
    if (before && !before->tasks && before->need < type.need)
      refuse(type, " needs " + std::to_string(type.need) + " cores and stands behind class " +
                       shown_name(before->name) + ", which needs " + std::to_string(before->need) +
                       "; expected classes in descending order of need");
    before = &type;
  }
}

// Computes the shares of all arrivals where every class declares a rate.
void complete_shares(table<class_id, job_class>& classes) {
  double all = 0.0;
  for (const job_class& type : classes) {
    if (!type.arrival_rate) return;
    all += *type.arrival_rate;
  }
  for (job_class& type : classes)
    if (!type.arrival_share) type.arrival_share = *type.arrival_rate / all;
}

}  // namespace

cluster_state::cluster_state(table<class_id, job_class> classes, table<group_id, unsigned> cores,
                             const simulated_clock* clock, ticks ticks_per_unit, cluster_inventory inventory,
                             std::vector<planned_outage> outages)
    : cluster_view(own_) {
  check(classes, cores);
  own_.clock = clock;
  own_.ticks_per_unit = ticks_per_unit;
  own_.inventory = std::move(inventory);
  own_.outages = std::move(outages);
  std::stable_sort(own_.outages.begin(), own_.outages.end(),
                   [](const planned_outage& a, const planned_outage& b) { return a.from < b.from; });
  complete_shares(classes);
  own_.several_needs =
      std::any_of(classes.begin(), classes.end(), [](const job_class& type) { return !type.submitted.empty(); });
  if (own_.several_needs)
    std::tie(own_.classes, by_need_) = split_by_need(classes);
  else
    own_.classes = std::move(classes);
  own_.free = std::move(cores);
  for (const unsigned of_group : own_.free) own_.all_cores += of_group;
  own_.groups = own_.free.size();
  own_.counts_tasks = !own_.classes.empty() && own_.classes[class_id{0}].tasks.has_value();
  own_.pool = virtual_queue{own_.groups};
  own_.usable = table<class_id, unsigned>(own_.classes.size());
  own_.rows = table<class_id, class_row>(own_.classes.size());
  own_.waiting_classes = class_set(own_.classes.size());
  own_.served_classes = class_set(own_.classes.size());
  for (const class_id id : this->classes()) {
    const job_class& type = own_.classes[id];
    own_.rows[id].need = type.need;
    own_.rows[id].single_group = type.groups.size() == 1;
    if (own_.rows[id].single_group) own_.rows[id].only_group = type.groups.front();
    for (const group_id group : type.groups) own_.usable[id] += own_.free[group];
  }
  if (own_.counts_tasks) count_tasks();
  for (std::size_t n = 1; n < own_.rows.size(); ++n) {
    class_row& ahead = own_.rows[static_cast<class_id>(n - 1)];
    const class_id id{static_cast<std::uint32_t>(n)};
    ahead.need_of_next = own_.counts_tasks ? tasks(static_cast<class_id>(n - 1)).share == tasks(id).share
                                           : ahead.need == own_.rows[id].need;
  }
  for (std::size_t n = 0; n < own_.first_by_digits.size(); ++n)
    while (own_.first_by_digits[n] < own_.rows.size() &&
           cluster_data::digits(own_.rows[static_cast<class_id>(own_.first_by_digits[n])].need) > n)
      ++own_.first_by_digits[n];
  own_.same_servers = !own_.counts_tasks && !own_.classes.empty() &&
                      std::all_of(own_.classes.begin(), own_.classes.end(), [this](const job_class& type) {
                        return type.groups == own_.classes[class_id{0}].groups;
                      });
}

// Lets the needs of classes be compared with the tasks that fit.
void cluster_state::count_tasks() {
  for (const class_id id : classes()) {
    class_row& row = own_.rows[id];
    row.need = tasks(id).tasks;
    row.single_group = true;
    row.only_group = static_cast<group_id>(static_cast<std::uint32_t>(own_.free.size()));
    own_.free.push_back(0);
  }
}

// Enters a job into service that does not enter in the order of arrival.
void cluster_state::enter_service_behind(job& j) {
  class_row& row = own_.rows[j.type];
  leave_queue(j, row);
  job* ahead = row.served;
  while (ahead->behind && ahead->behind->id > j.id) ahead = ahead->behind;
  j.ahead = ahead;
  j.behind = ahead->behind;
  if (j.behind) j.behind->ahead = &j;
  ahead->behind = &j;
  ++row.in_service;
  ++own_.in_service;
}

void cluster_state::begin_leaving(job& j) {
  j.where = job::place::leaving;
  ++own_.rows[j.type].leaving;
}

void cluster_state::end_leaving(job& j) {
  j.where = job::place::in_service;
  --own_.rows[j.type].leaving;
}

void cluster_state::requeue(job& j, queue_place where) {
  end_leaving(j);
  leave(j);
  class_row& row = own_.rows[j.type];
  if (where == queue_place::at_tail) {
    by_arrival_ = by_arrival_ && !row.tail;
    join(j);
    return;
  }
  join_by_arrival(j);
}

void cluster_state::join_by_arrival(job& j) {
  class_row& row = own_.rows[j.type];
  job* const behind = first_after(j, row);
  if (!behind) {
    join(j);
    return;
  }
  j.where = job::place::waiting;
  j.behind = behind;
  j.ahead = behind->ahead;
  (j.ahead ? j.ahead->behind : row.head) = &j;
  behind->ahead = &j;
  row.requeued_before = behind;
  row.head_id = row.head->id;
  ++row.waiting;
}

void cluster_state::leave_waiting(job& j) {
  leave_queue(j, own_.rows[j.type]);
  j.where = job::place::outside;
}

// The first waiting job that arrived after a job; null if there is none. The search in a queue in order of arrival goes
// inwards from both ends and outwards from the place of the last requeued job. It is short in three cases: the latest
// jobs in service are preempted first, as only requeued jobs can be ahead of them; the earliest are, whose place is
// near the end; the same job comes back again and again to the midst of a long queue.
job* cluster_state::first_after(const job& j, const class_row& row) const {
  job* behind = row.head;
  if (!by_arrival_) {
    while (behind && behind->id < j.id) behind = behind->behind;
    return behind;
  }
  if (!row.tail || row.tail->id < j.id) return nullptr;
  job* beside = row.requeued_before ? row.requeued_before : behind;
  for (job* last = row.tail; behind->id < j.id; behind = behind->behind, last = last->ahead) {
    if (last->ahead->id < j.id) return last;
    if (beside->id < j.id)
      beside = beside->behind;
    else if (!beside->ahead || beside->ahead->id < j.id)
      return beside;
    else
      beside = beside->ahead;
  }
  return behind;
}

void cluster_state::server_is_repaired(const server_name& server) {
  own_.down.erase(std::find(own_.down.begin(), own_.down.end(), server));
}

void cluster_state::preempt_to_tail(job& j) {
  leave(j);
  join(j);
}

void cluster_state::join_pool(job& j) {
  join(j);
  own_.pool.join(j);
}

void cluster_state::withdraw(job& j) {
  j.where = job::place::leaving;
  own_.pool.withdraw(j);
}

void cluster_state::rejoin_pool(job& j) {
  leave(j);
  join_pool(j);
}

}  // namespace muster
