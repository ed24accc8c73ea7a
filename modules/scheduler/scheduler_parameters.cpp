#include <sstream>

#include "muster/modules/scheduler/scheduler.h"

namespace muster {

namespace {

// What the settings are that are printed of a scheduler, beside its policy's own.
std::vector<parameter_list::setting_help> help_of_scheduler_settings(const scheduler_settings& s) {
  std::vector<parameter_list::setting_help> help{
      {"classes.*.need", "cores that a job of the class needs at once"},
      {"classes.*.groups", "groups of servers that its jobs may use"},
      {"classes.*.drawn", "how many of them each job draws"},
      {"classes.*.tasks", "the tasks of a job, and what each holds"},
      {"classes.*.submitted", "further needs that its jobs may bring"},
      {"classes.*.state", "state of a job, which is saved and migrates with it"},
      {"classes.*.worth", "what each unit of a job's work adds to its utility"},
      {"classes.*.mean_size", "mean service duration of a job, as declared to the policy"},
      {"classes.*.arrival_rate", "rate at which its jobs arrive, as declared to the policy"},
      {"classes.*.arrival_share", "share of all arrivals, as declared to the policy"},
      {"groups.*.count", "servers of the group"},
      {"groups.*.cores", "cores of each server"},
      {"groups.*.capacity", "work that a core does per unit of time"},
      {"groups.*.same_bank", "whether its servers share the socket of the group before"},
      {"groups.*.fails", "whether its servers may fail"},
      {"groups.*.resources", "amounts of each resource that a server has"},
      {"policy", "the scheduling policy"},
      {"slot", "length of a slot, of slotted jobs"},
      {"decision_time", "the time that decisions take"},
      {"decision_time.fixed", "time that a decision takes"},
      {"decision_time.per_job", "time that it takes for each job that it examines"},
      {"decision_time.per_dispatch", "time that it takes for each slice that it dispatches"},
      {"checkpoint", "work at which a job's progress is saved against failures"},
      {"accounts_times", "whether it is recorded what each job's time is spent on"},
      {"ticks_per_unit", "the unit of time of declared rates and sizes"},
      {"random", "whether the policy has a source of random numbers"},
      {"placement", "the rule by which jobs are placed"},
      {"placement_random", "whether that rule has a source of random numbers"},
      {"resources", "the resources of servers and of the cluster"},
      {"estimates.from", "where estimates of sizes come from"},
      {"estimates.users", "users who may submit jobs"},
      {"estimates.qos", "QOS under which they may do so"},
      {"planned_outages", "outages of servers that the policy knows beforehand"},
      {"named_places", "servers on which the first jobs start"},
      {"slices_end_apart", "whether the policy is called where slices of a job end apart"},
      {"racks", "the racks of servers, where the rule of placement needs them"},
  };
  for (const parameter& p : s.policy->parameters)
    help.push_back({"parameters." + std::string{p.name}, std::string{p.help}});
  for (const parameter& p : s.policy->class_parameters)
    help.push_back({"classes.*.parameters." + std::string{p.name}, std::string{p.help}});
  return help;
}

}  // namespace

void scheduler::list_into(parameter_list& all) const {
  std::ostringstream printed;
  printed << settings_;
  all.add_settings(*this, printed.str(), help_of_scheduler_settings(settings_));
  all.add_count(*this, "jobs_arrived", "jobs", "jobs that have arrived", [this] { return jobs_arrived(); });
  all.add_count(*this, "jobs_completed", "jobs", "jobs that are complete or have expired",
                [this] { return jobs_completed(); });
  all.add_count(*this, "jobs_abandoned", "jobs", "completed jobs whose submitting thread was killed or reset",
                [this] { return jobs_abandoned(); });
  all.add_count(*this, "jobs_waiting", "jobs", "jobs in the queue",
                [this] { return *registers_.value(scheduler_register::jobs_waiting); });
  all.add_count(*this, "jobs_in_service", "jobs", "jobs that hold cores", [this] { return view().in_service(); });
  all.add_count(*this, "phase", "", "phase of the policy's cycle",
                [this] { return *registers_.value(scheduler_register::phase); });
  all.add_count(*this, "slices_dispatched", "slices", "slices sent to servers", [this] { return slices_dispatched(); });
  all.add_count(*this, "outstanding_slices", "slices", "slices whose transactions have not ended",
                [this] { return outstanding_slices(); });
}

}  // namespace muster
