#include "platform/scenario/scenario_schema.h"

#include "platform/scenario/job_list_file.h"

namespace muster {

namespace {

constexpr std::int64_t most_bytes = 1'000'000'000;
constexpr std::int64_t most_replications = 100'000;
constexpr std::int64_t last_slot = static_cast<std::int64_t>(most_slots);
constexpr std::int64_t most_units_of_a_job = static_cast<std::int64_t>(most_units);

constexpr number_range from_0_to_1{"a number from 0 to 1", 0.0, false, 1.0};
constexpr number_range up_to_1{"a number > 0 and <= 1", 0.0, true, 1.0};
constexpr number_range below_1{"a number >= 0 and < 1", 0.0, false, 1.0, true};
constexpr number_range value_range{"a number > 0 and <= 1e+100", 0.0, true, 1e100};  // sums of values are finite

constexpr number_key duration{zero_or_more, clock_limit::range};
constexpr number_key mean_time{above_zero, clock_limit::range};
constexpr integer_key slots_after_arrival{0, last_slot, "arrival_slots"};

key_condition with(const char* key, const char* word) {
  return {std::string{"with "} + key + " = \"" + word + "\"", key, word};
}

key_condition with_slotted_jobs(const std::string& key) {
  return {
      "with slotted jobs", {}, {}, slotted_jobs, "has no effect without slotted jobs; expected units beside " + key};
}

const key_condition slots_of_time{
    "with slotted jobs", {}, {}, slotted_jobs, "has no effect without slotted jobs; expected classes with units"};
const key_condition with_sleep{
    "with sleep_after", "sleep_after", {}, {}, "expected no wake without sleep_after: cores never sleep then"};
const key_condition with_precision{"with run.precision", "precision", {}, {}, "has no effect without run.precision"};
const key_condition without_slotted_jobs{"not with slotted jobs"};
const key_condition endless{"not with finite arrivals"};

}  // namespace

const std::vector<described_key>& scenario_keys() {
  static const std::vector<described_key> all{
      {"name", name_key{}, required{}, "of the study, and of its results directory"},
      {"about", text_key{}, "", "one line for tables and report"},
      {"time_unit", word_key{"time unit", {"ns", "us", "ms", "s", "min", "h", "d"}}, "s",
       "what 1.0 means in all times"},

      {"platform.servers.*.name", name_key{}, required{}, "of the entry"},
      {"platform.servers.*.count", integer_key{1, most_servers}, 1, "how many like servers"},
      {"platform.servers.*.cores", integer_key{1, 1'000'000}, 1, "of each server"},
      {"platform.servers.*.capacity", number_key{above_zero}, 1.0, "work of a core in a unit of time"},
      {"platform.servers.*.power.idle", number_key{zero_or_more}, 0.0, "of an idle core", "W"},
      {"platform.servers.*.power.active", number_key{zero_or_more}, 0.0, "of a core that does work", "W"},
      {"platform.servers.*.power.overhead", number_key{zero_or_more}, left_out{"as active"}, "of a core in overhead",
       "W"},
      {"platform.servers.*.power.asleep", number_key{zero_or_more}, 0.0, "of a core that sleeps", "W"},
      {"platform.servers.*.power.sleep_after", duration, left_out{"never"}, "idle time after which a core sleeps",
       "time"},
      {"platform.servers.*.power.wake", duration, 0.0, "until a core that slept is ready", "time", with_sleep},
      {"platform.servers.*.faults.to_failure", mean_time, required{}, "mean time from a repair to a failure", "time"},
      {"platform.servers.*.faults.to_repair", mean_time, required{}, "mean time from a failure to its repair", "time"},
      {"platform.checkpoint_every",
       number_key{zero_or_more},
       left_out{},
       "work between checkpoints, 0: continuous",
       "work",
       {"with servers that fail"}},
      {"platform.slot", number_key{{"a slot length > 0", 0.0, true}, clock_limit::range_and_step}, 1.0,
       "length of a slot", "time", slots_of_time},
      {"platform.costs.dispatch_latency", duration, 0.0, "at the beginning of every slice", "time"},
      {"platform.costs.set_up", duration, 0.0, "where a job starts that has never given up a core", "time"},
      {"platform.costs.save", duration, 0.0, "where a job gives up its cores", "time"},
      {"platform.costs.restore", duration, 0.0, "where a job starts that has given up a core", "time"},
      {"platform.costs.migration", duration, 0.0, "where the server does not hold the job's state", "time"},
      {"platform.costs.bandwidth", number_key{above_zero}, left_out{"no limit"}, "at which a state moves",
       "bytes/time"},
      {"platform.costs.epsilon",
       number_key{from_0_to_1},
       0.0,
       "share of a slot that a core loses with a new job",
       "",
       {"with slotted jobs"}},
      {"platform.timers.law", word_key{"law", {"exponential", "deterministic"}}, "exponential",
       "of the interruption timers"},
      {"platform.timers.tick", number_key{zero_or_more, clock_limit::range_and_step}, 0.0,
       "timers are rounded up to whole ticks, 0: none", "time"},
      {"platform.link.topology", word_key{"topology", {"star", "racks", "fat_tree", "file"}}, "star",
       "of the network of scheduler and servers"},
      {"platform.link.latency", duration, 0.0, "of every edge", "time", {"not with topology = \"file\""}},
      {"platform.link.bandwidth",
       number_key{above_zero},
       left_out{"no limit"},
       "of every edge, each way",
       "bytes/time",
       {"not with topology = \"file\""}},
      {"platform.link.file", text_key{}, required{}, "GraphML file with the network", "", with("topology", "file")},
      {"platform.link.racks", integer_key{1, most_servers}, required{}, "to which the servers are distributed", "",
       with("topology", "racks")},
      {"platform.link.uplink_latency", duration, 0.0, "of the edges between scheduler and racks", "time",
       with("topology", "racks")},
      {"platform.link.uplink_bandwidth", number_key{above_zero}, left_out{"no limit"},
       "of the edges between scheduler and racks", "bytes/time", with("topology", "racks")},
      {"platform.link.ports", integer_key{2, 64}, required{}, "of each switch, an even number", "",
       with("topology", "fat_tree")},
      {"platform.link.dispatch_bytes", integer_key{0, most_bytes}, 40, "of a dispatch", "bytes"},
      {"platform.link.message_bytes", integer_key{0, most_bytes}, 8, "of every other message", "bytes"},
      {"platform.decision.fixed", duration, 0.0, "of the scheduler, for every call of the policy", "time"},
      {"platform.decision.per_job", duration, 0.0, "for every job that the policy examines", "time"},
      {"platform.graph", text_key{}, left_out{}, "file of compatible pairs of class and server"},

      {"classes.*.name", name_key{"_-."}, required{}, "of the class"},
      {"classes.*.need", integer_key{1, most_cores}, 1, "cores that a job holds at once", "cores"},
      {"classes.*.servers",
       other_key{"list"},
       left_out{"all"},
       "names of compatible servers",
       "",
       {"not with platform.graph"}},
      {"classes.*.servers.random",
       integer_key{1, most_servers},
       left_out{},
       "how many are drawn for each job",
       "",
       {"with pooled jobs"}},
      {"classes.*.share", number_key{up_to_1}, left_out{}, "of all arrivals; in all classes, or a rate in all", "",
       endless},
      {"classes.*.rate", number_key{above_zero}, left_out{}, "arrivals, instead of a share", "1/time", endless},
      {"classes.*.units", integer_key{1, most_units_of_a_job}, required{}, "of work, each a core's slot", "",
       with_slotted_jobs("units")},
      {"classes.*.value", number_key{value_range}, 1.0, "by which the utility is multiplied", "",
       with_slotted_jobs("value")},
      {"classes.*.initialisation", number_key{below_1}, 0.0, "share of the units that earns nothing", "",
       with_slotted_jobs("initialisation")},
      {"classes.*.utility", other_key{"table"}, left_out{"linear"}, "of the work that is done", "",
       with_slotted_jobs("utility")},
      {"classes.*.utility.function", other_key{"word"}, left_out{}, "see `muster list utilities`"},
      {"classes.*.utility.points", other_key{"list"}, left_out{}, "[share of the work, utility], instead"},
      {"classes.*.deadline", other_key{"table"}, left_out{"none"}, "law of the slots after that of arrival", "",
       with_slotted_jobs("deadline")},
      {"classes.*.deadline.distribution",
       word_key{"distribution of deadlines", {"constant", "uniform", "two_valued", "fixed_slot"}}, required{},
       "of the deadlines"},
      {"classes.*.deadline.slots", slots_after_arrival, required{}, "of every job", "slots",
       with("distribution", "constant")},
      {"classes.*.deadline.from", slots_after_arrival, required{}, "the least", "slots",
       with("distribution", "uniform")},
      {"classes.*.deadline.to", slots_after_arrival, required{}, "the most", "slots", with("distribution", "uniform")},
      {"classes.*.deadline.tight", slots_after_arrival, required{}, "the tight deadline", "slots",
       with("distribution", "two_valued")},
      {"classes.*.deadline.loose", slots_after_arrival, required{}, "the loose deadline", "slots",
       with("distribution", "two_valued")},
      {"classes.*.deadline.tight_share", number_key{from_0_to_1}, 0.5, "of the jobs: have the tight deadline", "",
       with("distribution", "two_valued")},
      {"classes.*.deadline.slot", integer_key{1, last_slot, "arrival_slots"}, required{},
       "the last one, counted from the beginning", "", with("distribution", "fixed_slot")},
      {"classes.*.jobs", integer_key{1, most_slotted_jobs}, required{}, "how many", "", with_slotted_jobs("jobs")},
      {"classes.*.size", other_key{"table"}, required{}, "of a job: time on one core of capacity 1", "time",
       without_slotted_jobs},
      {"classes.*.size.distribution", other_key{"word"}, required{}, "see `muster list distributions`"},
      {"classes.*.state", number_key{zero_or_more}, 0.0, "of a job, moves when it migrates", "bytes"},
      {"classes.*.policy", other_key{"table"}, left_out{}, "its class parameters, see `muster list policies`"},

      {"arrivals.process", word_key{"process", {"poisson", "renewal", "deterministic", "uniform", "list"}}, "poisson",
       "of the arrivals; uniform and list are finite"},
      {"arrivals.slots", integer_key{1, last_slot}, required{}, "the first ones, in which the jobs arrive", "slots",
       with("process", "uniform")},
      {"arrivals.file", text_key{}, required{}, "CSV file with the jobs", "", with("process", "list")},
      {"arrivals.interarrival", other_key{"table"}, required{}, "scaled to the rate if one is given", "time",
       with("process", "renewal")},
      {"arrivals.interarrival.distribution", other_key{"word"}, required{}, "see `muster list distributions`"},
      {"arrivals.rate", number_key{above_zero}, left_out{}, "arrivals of all classes", "1/time", endless},
      {"arrivals.load", number_key{above_zero}, left_out{}, "share of all capacity, instead of a rate", "", endless},

      {"policy.name", other_key{"word"}, required{}, "see `muster list policies`; parameters beside it"},

      {"run.jobs", integer_key{1, 1'000'000'000'000}, 1'000'000, "that leave in a replication, warm-up included", "",
       endless},
      {"run.intervals", word_key{"kind of intervals", {"replications", "batch_means"}}, "replications",
       "from what the intervals are computed"},
      {"run.replications", integer_key{1, most_replications}, 10, "of a point; with batch means 1"},
      {"run.seed", integer_key{0, std::numeric_limits<std::int64_t>::max()}, 1, "of all random streams"},
      {"run.warm_up", number_key{below_1}, 0.1, "share of jobs not measured, or \"mser5\""},
      {"run.precision", other_key{"table"}, left_out{}, "until then replications continue; or a list"},
      {"run.precision.half_width", number_key{share_of_mean}, required{}, "of the interval, as a share of the mean"},
      {"run.precision.metric", text_key{}, left_out{"response_time"}, "see `muster list metrics`"},
      {"run.precision.class", text_key{}, "all", "of the metric"},
      {"run.most_replications", integer_key{10, most_replications}, 1'000, "after which a point stops", "",
       with_precision},

      {"record.jobs_in_system_every",
       number_key{above_zero, clock_limit::range_and_step},
       left_out{},
       "interval of jobs_in_system.csv",
       "time",
       {"with until"}},
      {"record.until", mean_time, left_out{}, "end of jobs_in_system.csv", "time"},

      {"sweep", other_key{"table"}, left_out{}, "lists of values by dotted keys in quotes"},
  };
  return all;
}

const key_node& scenario_schema() {
  static const key_node root = by_table(scenario_keys());
  return root;
}

}  // namespace muster
