#include "platform/scenario/scenario_schema.h"

#include <algorithm>
#include <iterator>

#include "muster/policies/catalogue.h"
#include "muster/policies/dispatching.h"
#include "muster/policies/placement.h"
#include "platform/model/arrival_entry.h"
#include "platform/model/data_spec.h"
#include "platform/model/deadline_entry.h"
#include "platform/model/topology_entry.h"
#include "platform/scenario/file_kinds.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

constexpr number_range from_0_to_1{"a number from 0 to 1", 0.0, false, 1.0};
constexpr number_range up_to_1{"a number > 0 and <= 1", 0.0, true, 1.0};
constexpr number_range from_0_to_10{"a number from 0 to 10", 0.0, false, 10.0};
constexpr number_range below_1{"a number >= 0 and < 1", 0.0, false, 1.0, true};
constexpr number_range finite_in_sums{"a number > 0 and <= 1e+100", 0.0, true, 1e100};
constexpr number_range factor_of_rate{"a number from 0.001 to 10", rate_event::least, false, rate_event::most};
constexpr number_range speed_of_servers{"a number from 0.001 to 10", speed_event::least, false, speed_event::most};
constexpr number_range slot_length{"a slot length > 0", 0.0, true};

constexpr number_key duration{zero_or_more, "time", clock_limit::range};
constexpr number_key mean_time{above_zero, "time", clock_limit::range};
constexpr number_key exchange_time{above_zero, "time", clock_limit::range_and_step};
constexpr number_key bandwidth{above_zero, "bytes/time"};
constexpr number_key rate{above_zero, "1/time"};
constexpr integer_key message{0, 1'000'000'000, "bytes"};
constexpr integer_key replications{1, 100'000};
constexpr integer_key some_units{1, static_cast<std::int64_t>(most_units)};
constexpr integer_key cores_of_server{1, 1'000'000};
constexpr integer_key number_of_tasks{1, most_cores};
constexpr integer_key number_of_jobs{1, 1'000'000'000'000};
constexpr integer_key number_of_inputs{1, 10'000'000};
constexpr other_key some_bytes{"number or table", "{ distribution = \"exponential\", mean = \"1 GB\" }"};
constexpr integer_key any_seed{0, std::numeric_limits<std::int64_t>::max()};

key_condition with(std::string_view key, std::string_view word) {
  return {"with " + std::string{key} + " = \"" + std::string{word} + "\"", key, word};
}

// The keys of all entries of a catalogue. Each has an effect where the key `by` of its table names its entry, or one of
// the two that share it.
template <class Entry, class Keys>
std::vector<described_key> keys_of(const std::vector<const Entry*>& catalogue, std::string_view by, Keys keys) {
  std::vector<described_key> all;
  for (const Entry* entry : catalogue)
    for (const described_key& key : keys(*entry)) {
      const auto shared =
          std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.name == key.name; });
      if (shared == all.end()) {
        all.emplace_back(key).only = with(by, entry->name);
        continue;
      }
      shared->only.or_word = entry->name;
      shared->only.words += " or \"" + std::string{entry->name} + "\"";
    }
  return all;
}

// The condition that the document has a trait.
key_condition of_trait(const char* words, std::string_view trait, const char* complaint) {
  return {words, {}, {}, false, trait, complaint};
}

// The condition that another key of the same table is there.
key_condition beside(std::string_view key, const char* complaint) {
  return {"with " + std::string{key}, key, {}, false, {}, complaint};
}

key_condition or_zero(key_condition only) {
  only.or_zero = true;
  return only;
}

const key_condition with_units =
    of_trait("with slotted jobs", slotted_jobs, "has no effect without slotted jobs; expected units beside {}");
const key_condition with_slots =
    of_trait("with slotted jobs", slotted_jobs, "has no effect without slotted jobs; expected classes with units");
const key_condition with_faults =
    of_trait("with faults", failing_servers, "has no effect without faults; expected servers with faults");
const key_condition with_looks =
    of_trait("with run.precision", looks_at_replications, "has no effect without run.precision or run.equal_within");
const key_condition endless =
    of_trait("not with finite arrivals", endless_arrivals, "expected no {} here, because the arrivals are finite");
const key_condition of_cluster{"with of = \"cluster\"",
                               "of",
                               "cluster",
                               false,
                               {},
                               "belongs to servers; expected it in power.resources of a server"};
const key_condition no_graph = of_trait("not with platform.graph", servers_of_classes,
                                        "expected no {} here, because platform.graph has the edges of all classes");
const key_condition where_others_are_looked_at =
    of_trait("with partition = \"shared\", work_stealing, or dispatching = \"shortest_queue\" or \"power_of_d\"",
             looks_at_others,
             "has no effect where nothing looks at other schedulers; expected partition 'shared', work_stealing, or "
             "dispatching 'shortest_queue' or 'power_of_d'");
const key_condition with_sleep = beside("sleep_after", "expected no wake without sleep_after: cores never sleep then");
const key_condition with_checkpoints =
    or_zero(beside("checkpoint_every", "has no effect without checkpoint_every; expected work between checkpoints"));
const key_condition with_input = beside("input", "has no effect without input; expected bytes that jobs read");
const key_condition with_inputs =
    or_zero(beside("inputs", "has no effect without inputs; expected the number of data sets"));
const key_condition with_rigid{"with rigid jobs"};
const key_condition with_listed{"with a list or log"};
const key_condition with_until = beside("until", "expected 'until' beside it, the end of the record");
const key_condition no_file{"not with topology = \"file\"",
                            "topology",
                            "file",
                            true,
                            {},
                            "has no effect with topology = \"file\": the file has it, edge by edge"};

std::optional<std::string_view> alternative(const std::vector<parameter>& parameters, std::string_view name) {
  for (const parameter& p : parameters) {
    if (p.instead_of.empty()) continue;
    if (name == p.name) return p.instead_of;
    if (name == p.instead_of) return p.name;
  }
  return std::nullopt;
}

}  // namespace

const key_node& scenario_schema() {
  // The defaults that the values of a scenario have themselves.
  static const scenario unset;
  static const server_spec server;
  static const class_spec job_class;
  static const slotted_spec slotted;
  const auto whole = [](auto value) { return static_cast<std::int64_t>(value); };
  static const std::vector<key_table> tables{
      {"",
       {{"name", name_key{}, required{}, "name of the study and its results directory"},
        {"about", text_key{}, "", "one line for tables and report"},
        {"time_unit", word_key{"time unit", names_of(time_units())}, "s", "what 1.0 means in all times"}}},
      {"platform.servers.*",
       {{"name", name_key{}, required{}, "name of the entry"},
        {"count", integer_key{0, most_servers}, whole(server.count), "number of like servers; 0: none of them"},
        {"cores", cores_of_server, whole(server.cores), "of each server; of one with a log: MaxProcs"},
        {"capacity", number_key{above_zero}, server.capacity, "work that a core does in a unit of time"}}},
      {"platform.servers.*",
       {{"frequencies", other_key{"list", "[{ frequency = 2.4e9, watts = 8.0, speed = 1.0 }]"}, left_out{"one"},
         "table of the frequencies of the cores"},
        {"governor", word_key{"governor", names_of(governor_catalogue())}, "race_to_idle", "what chooses a frequency",
         beside("frequencies", "has no effect without frequencies; expected their table")},
        {"frequency", number_key{above_zero, "Hz"}, required{}, "the one that is kept", with("governor", "fixed")}}},
      {"platform.servers.*.frequencies.*",
       {{"frequency", number_key{above_zero, "Hz"}, required{}, "frequency of all cores of a server"},
        {"watts", power_key, required{}, "power of a core that works at it"},
        {"speed", number_key{speed_of_servers}, required{}, "factor of the capacity at it"}}},
      {"platform.servers.*.power",
       {{"idle", power_key, 0.0, "power of an idle core"},
        {"active", power_key, 0.0, "power of a core that does a job's work"},
        {"overhead", power_key, left_out{"as active"}, "power of a core in overhead"},
        {"asleep", power_key, 0.0, "power of a core that sleeps"},
        {"sleep_after", duration, left_out{"never"}, "idle time after which a core sleeps"},
        {"wake", duration, 0.0, "time until a core that slept is ready", with_sleep},
        {"resources", other_key{"table", "{ gpu = { idle = 50.0, busy = 300.0 } }"}, left_out{"none"},
         "power of devices, of units of amounts"}}},
      {"platform.servers.*.faults",
       {{"to_failure", mean_time, required{}, "mean time from a repair to a failure"},
        {"to_repair", mean_time, required{}, "mean time from a failure to its repair"}}},
      {"platform.servers.*",
       {{"resources", other_key{"table", "{ memory = 256e9, gpu = 4 }"}, left_out{"none"},
         "amount of each resource, or number of devices"}}},
      {"platform.servers.*.disk",
       {{"rate", bandwidth, left_out{"no limit"}, "rate at which an input is read from it"},
        {"cache", number_key{above_zero, "bytes", clock_limit::none, most_bytes}, required{}, "inputs that it holds"}}},
      {"platform.storage",
       {{"latency", duration, 0.0, "latency between scheduler and storage"},
        {"bandwidth", bandwidth, left_out{"no limit"}, "bandwidth to the storage, each way"}}},
      {"platform.resources.NAME",
       {{"kind", word_key{"kind of resource", {"devices", "amount"}}, required{}, "single units, or divided freely"},
        {"shares", integer_key{1, 1'000'000}, std::int64_t{1}, "parts in which a device may be held",
         with("kind", "devices")},
        {"of", word_key{"owner", {"servers", "cluster"}}, "servers", "owner: each server, or the cluster as a whole"},
        {"amount", number_key{whole_amount}, required{}, "of the cluster; of devices their number",
         with("of", "cluster")},
        {"unit", name_key{"_-/%"}, left_out{"none"}, "unit in tables; B: also written as 64 GB",
         with("kind", "amount")},
        {"power", other_key{"table", "{ idle = 0.5, busy = 2.0 }"}, left_out{"none"},
         "of each device or unit, idle or held by a job", of_cluster}}},
      {"platform",
       {{"checkpoint_every", duration, left_out{}, "work between checkpoints, 0: continuous", with_faults},
        {"checkpoint_cost", duration, left_out{"0"}, "time that a checkpoint takes a job's cores", with_checkpoints},
        {"slot", number_key{slot_length, "time", clock_limit::range_and_step}, unset.slot, "length of a slot",
         with_slots},
        {"graph", text_key{"graph.txt"}, left_out{}, "file with the compatibility graph"},
        {"placement", word_key{"rule of placement", names_of(placement_catalogue())}, left_out{"first"},
         "where rigid jobs go, see `list placements`"}}},
      {"platform.costs",
       {{"dispatch_latency", duration, 0.0, "cost of every slice, at its beginning"},
        {"set_up", duration, 0.0, "cost of starting a job that lost no core yet"},
        {"save", duration, 0.0, "cost of storing a job that loses its cores"},
        {"restore", duration, 0.0, "cost of starting a job that has lost cores"},
        {"migration", duration, 0.0, "cost on a server without the job's state"},
        {"bandwidth", bandwidth, left_out{"no limit"}, "rate at which the state of a job is moved"},
        {"epsilon", number_key{from_0_to_1}, 0.0, "share of a slot that a new job costs a core", or_zero(with_slots)}}},
      {"platform.timers",
       {{"law", word_key{"law", {"exponential", "deterministic"}}, "exponential", "law of the interruption timers"},
        {"tick", number_key{zero_or_more, "time", clock_limit::range_and_step}, 0.0,
         "timers are rounded up to it; 0: not at all"}}},
      {"platform.link",
       {{"topology", word_key{"topology", names_of(topology_catalogue())}, "star",
         "shape of the network to the servers"},
        {"latency", duration, 0.0, "latency of every edge", no_file},
        {"bandwidth", bandwidth, left_out{"no limit"}, "bandwidth of every edge, each way", no_file},
        {"file", text_key{"network.graphml"}, required{}, "GraphML file of the network", with("topology", "file")}}},
      {"platform.link",
       keys_of(topology_catalogue(), "topology", [](const auto& entry) { return entry.keys(most_servers); })},
      {"platform.link",
       {{"dispatch_bytes", message, whole(unset.network.dispatch_bytes), "size of a dispatch"},
        {"message_bytes", message, whole(unset.network.message_bytes), "size of every other message"},
        {"sharing", word_key{"sharing", {"fifo", "max_min"}}, "fifo", "how messages share an edge"}}},
      {"platform.decision",
       {{"fixed", duration, 0.0, "time of a decision of the scheduler"},
        {"per_job", duration, 0.0, "time for every job that the policy examines"},
        {"per_dispatch", duration, 0.0, "time for every slice, one after the other"}}},
      {"platform.schedulers",
       {{"count", integer_key{1, 1'000}, required{}, "schedulers of the cluster"},
        {"dispatching", word_key{"dispatching rule", names_of(dispatching_catalogue())}, "random",
         "which scheduler gets a job"},
        {"choices", integer_key{1, 1'000}, whole(unset.schedulers.choices), "schedulers drawn for each job",
         with("dispatching", "power_of_d")},
        {"information_delay", duration, 0.0, "age of what is known of schedulers", where_others_are_looked_at},
        {"partition", word_key{"partition", {"servers", "shared"}}, "servers", "what the schedulers share out"},
        {"work_stealing", truth_key{}, left_out{"false"}, "idle schedulers take waiting jobs",
         with("partition", "servers")}}},
      {"events.*",
       {{"at", mean_time, required{}, "when it happens"},
        {"servers", text_key{"node"}, required{}, "name of an entry of servers; none for a rate"},
        {"count", integer_key{1, most_servers}, left_out{"all"}, "so many of them, the first ones"},
        {"action", word_key{"action", {"drain", "fail", "return"}}, left_out{}, "what they do, or else a speed"},
        {"speed", number_key{speed_of_servers}, left_out{}, "factor of their capacity; or an action"},
        {"known", truth_key{}, left_out{"false"}, "whether policies know of it beforehand"},
        {"rate", number_key{factor_of_rate}, left_out{}, "factor of the rates of arrival"},
        {"power_cap", number_key{above_zero, "W"}, left_out{}, "most that they draw together, or \"none\""},
        {"frequency", number_key{above_zero, "Hz"}, left_out{}, "of servers with governor \"fixed\""},
        {"rack", integer_key{0, most_servers - 1}, left_out{}, "rack whose power is capped, from 0"},
        {"parameter", text_key{"threshold"}, left_out{}, "a parameter of the policy to be replaced"},
        {"value", other_key{"value", "4"}, left_out{}, "what the parameter becomes"}}},
      {"fmu.*",
       {{"file", text_key{"cooling.fmu"}, required{}, "FMU for co-simulation, FMI 2.0 or 3.0"},
        {"name", name_key{"_-."}, left_out{"of the file"}, "name of the FMU in messages"},
        {"every", exchange_time, required{}, "time from exchange to exchange"},
        {"inputs", other_key{"table", "{ heat = \"power\" }"}, left_out{"none"}, "its inputs, each what it takes"},
        {"outputs", other_key{"table", "{ speed = \"speed.node\" }"}, left_out{"none"},
         "its outputs, each what it sets"},
        {"start", other_key{"table", "{ setpoint = 22.0 }"}, left_out{"its own"}, "values of its parameters"}}},
      {"classes.*",
       {{"name", name_key{"_-."}, required{}, "name of the class"},
        {"need", integer_key{1, most_cores, "cores"}, whole(job_class.need), "cores that a job holds at once"},
        {"tasks", number_of_tasks, left_out{"1"}, "tasks of a job, each whole on one server"},
        {"per_task", other_key{"table", "{ cores = 16, gpu = 2 }"}, left_out{"a core"}, "what each task holds"},
        {"per_job", other_key{"table", "{ licence = 1 }"}, left_out{"nothing"},
         "what a job holds of the cluster's resources"},
        {"exclusive", truth_key{}, left_out{"false"}, "whether a job holds its servers whole"},
        {"at_most_per_server", number_of_tasks, left_out{"no limit"}, "tasks of a job that one server may hold"},
        {"on", word_key{"place", {"one_server"}}, left_out{"any servers"}, "where all tasks of a job are"},
        {"servers", other_key{"list", "[\"node\"]"}, left_out{"all"}, "names of compatible servers", no_graph},
        {"share", number_key{up_to_1}, left_out{}, "share of all arrivals, or else a rate", endless},
        {"rate", rate, left_out{}, "arrivals of the class, or else a share", endless},
        {"units", some_units, required{}, "units of work, each of a core and a slot", with_units},
        {"value", number_key{finite_in_sums}, slotted.value, "factor of the utility", with_units},
        {"initialisation", number_key{below_1}, 0.0, "share of the units that earns nothing", with_units},
        {"utility", other_key{"table", "{ function = \"linear\" }"}, left_out{"linear"},
         "what the work that is done is worth", with_units},
        {"deadline", other_key{"table", "{ distribution = \"constant\", slots = 9 }"}, left_out{"none"},
         "when a job expires, in slots after arrival", with_units},
        {"jobs", integer_key{1, most_slotted_jobs}, required{}, "number of jobs", with_units},
        {"size", a_distribution, required{}, "work of a job: time on a core of capacity 1", {"not with slotted jobs"}},
        {"state", number_key{zero_or_more, "bytes"}, 0.0, "data that moves when a job migrates"},
        {"input", some_bytes, left_out{"nothing"}, "bytes that a job reads before its work"},
        {"output", some_bytes, left_out{"nothing"}, "bytes that it writes after it"},
        {"inputs", number_of_inputs, left_out{"one a job"}, "data sets that all jobs read", with_input},
        {"input_skew", number_key{from_0_to_10}, 0.0, "set n is drawn by n^-skew", with_inputs},
        {"broadcast", truth_key{}, left_out{"false"}, "whether each server of a job reads all", with_input},
        {"overlap", truth_key{}, left_out{"false"}, "whether it works while its input comes", with_input},
        {"policy", other_key{"table", "{ weight = 2.0 }"}, left_out{}, "class parameters, see `muster list policies`"},
        {"exchange", other_key{"table", "{ pattern = \"ring\", bytes = 1e6, every = 0.1 }"}, left_out{"nothing"},
         "what tasks exchange while they work", with_rigid}}},
      {"classes.*.exchange",
       {{"pattern", word_key{"pattern", {std::begin(exchange_pattern_words), std::end(exchange_pattern_words)}},
         required{}, "to which tasks each task sends"},
        {"bytes", number_key{zero_or_more, "bytes"}, required{}, "to each of them, for `every` of the work"},
        {"every", mean_time, required{}, "work, as in sizes"}}},
      {"classes.*.per_task", {{"cores", cores_of_server, std::int64_t{1}, "cores of each task"}}},
      {"classes.*.servers",
       {{"random", integer_key{1, most_servers}, left_out{}, "servers that are drawn for each pooled job"}}},
      {"classes.*.size",
       {{"distribution", other_key{"word", "exponential"}, required{}, "name; see `muster list distributions`"}}},
      {"classes.*.input", {{"distribution", other_key{"word", "exponential"}, left_out{}, "law of the bytes"}}},
      {"classes.*.output", {{"distribution", other_key{"word", "exponential"}, left_out{}, "law of the bytes"}}},
      {"classes.*.utility",
       {{"function", other_key{"word", "linear"}, left_out{}, "name; see `muster list utilities`"},
        {"points", other_key{"list", "[[0.0, 0.0], [0.5, 0.8], [1.0, 1.0]]"}, left_out{},
         "pairs of share of work and utility, instead"}}},
      {"classes.*.deadline",
       {{"distribution", word_key{"distribution of deadlines", names_of(deadline_catalogue())}, required{},
         "law of the deadlines"}}},
      {"classes.*.deadline",
       keys_of(deadline_catalogue(), "distribution", [](const auto& entry) { return entry.keys; })},
      {"arrivals",
       {{"process", word_key{"process", names_of(arrival_catalogue())}, "poisson",
         "law; finite: uniform, list, log, none"}}},
      {"arrivals", keys_of(arrival_catalogue(), "process", [](const auto& entry) { return entry.keys; })},
      {"arrivals.columns",
       {{"arrival", text_key{"submit"}, left_out{"arrival"}, "column of the times of arrival"},
        {"size", text_key{"elapsed"}, left_out{"size"}, "column of the run times"},
        {"cores", text_key{"ncpus"}, left_out{"cores"}, "column of the cores of a job; else one"},
        {"memory", text_key{"mem"}, left_out{"memory"}, "column of the memory; bytes, or with a unit"},
        {"requested", text_key{"timelimit"}, left_out{"requested"}, "column of the times that were asked for"},
        {"user", text_key{"uid"}, left_out{"user"}, "column of the users"},
        {"partition", text_key{"partition"}, left_out{"partition"}, "column of the partitions"},
        {"queue", text_key{"qos"}, left_out{"queue"}, "column of the queues"},
        {"job", text_key{"jobid"}, left_out{"job"}, "column of the numbers of the jobs"},
        {"after", text_key{"dependency"}, left_out{"after"}, "column of the jobs that are to end before"},
        {"think", text_key{"think"}, left_out{"think"}, "column of the think times behind them"},
        {"start", text_key{"start"}, left_out{"start"}, "column of the times of their starts"}}},
      {"arrivals",
       {{"rate", rate, left_out{}, "arrivals of all classes, or else a load", endless},
        {"load", number_key{above_zero}, left_out{}, "share of all capacity, or else a rate", endless},
        {"factor", number_key{above_zero}, left_out{"1.0"}, "factor of all rates of arrival, however given", endless},
        {"estimate", other_key{"table", "{ factor = 2.0 }"}, left_out{"by jobs"},
         "believed sizes; also exact, requested, learnt", with_rigid},
        {"kill_at_estimate", truth_key{}, left_out{"false"}, "jobs end at their request or estimate", with_rigid}}},
      {"arrivals.estimate", {{"factor", number_key{above_zero}, required{}, "estimate of a job over its size"}}},
      {"arrivals.interarrival",
       {{"distribution", other_key{"word", "exponential"}, required{}, "name; see `muster list distributions`"}}},
      {"initial", {{"file", text_key{"queue.csv"}, required{}, "jobs at time 0, by squeue or as a table"}}},
      {"policy", {{"name", other_key{"word", "fcfs"}, required{}, "name; parameters: see `muster list policies`"}}},
      {"run",
       {{"jobs", number_of_jobs, whole(unset.run.jobs), "jobs of a replication, warm-up included", endless},
        {"intervals", word_key{"kind of intervals", {"replications", "batch_means"}}, "replications",
         "source of the confidence intervals"},
        {"replications", replications, whole(unset.run.replications), "replications of a point; batch means: 1"},
        {"seed", any_seed, whole(unset.run.seed), "seed of all random streams"},
        {"warm_up", number_key{below_1}, unset.run.warm_up, "share of jobs not measured, or \"mser5\""},
        {"cool_down", number_key{below_1}, left_out{"0"}, "share of the last jobs, not measured", with_listed},
        {"precision", other_key{"table", "{ half_width = 0.01 }"}, left_out{},
         "what intervals must reach; also a list"},
        {"equal_within", number_key{share_of_mean}, left_out{}, "until policies are told apart or this close"},
        {"most_replications", integer_key{10, 100'000}, whole(precision_spec{}.most_replications),
         "a point stops after so many", with_looks},
        {"most_jobs_in_system", integer_key{1'000, 1'000'000'000}, left_out{"by policy"},
         "a replication ends there; mostly 1000000", endless},
        {"control_variates", truth_key{}, left_out{"true"}, "known means make estimates more precise"}}},
      {"run.precision",
       {{"half_width", number_key{share_of_mean}, required{}, "half of the interval, as a share of the mean"},
        {"metric", text_key{"waiting_time"}, left_out{"response_time"}, "see `muster list metrics`; slotted: utility"},
        {"class", text_key{"all"}, "all", "class, or all of them"}}},
      {"record",
       {{"jobs_in_system_every", number_key{above_zero, "time", clock_limit::range_and_step}, left_out{},
         "time between samples of jobs_in_system.csv", with_until},
        {"until", mean_time, left_out{}, "end of jobs_in_system.csv"}}},
      {"price",
       {{"servers", other_key{"table", "{ node = 3.2 }"}, left_out{"0"}, "price of each server, by the entry's name"},
        {"core", price_key, left_out{"0"}, "price of each core"},
        {"watt", price_key, left_out{"0"}, "price of each watt of the average power"},
        {"link", price_key, left_out{"0"}, "price of each edge of the network"},
        {"resources", other_key{"table", "{ gpu = 1.2, memory = \"0.004 / GB\" }"}, left_out{"0"},
         "price of each device, or unit of an amount"},
        {"energy", other_key{"number or table", "{ prices = [0.2, 0.4], period = 86400.0 }"}, left_out{"0"},
         "price of a kWh, always or over time"},
        {"carbon", other_key{"number or table", "{ file = \"grid.csv\", column = \"gCO2\" }"}, left_out{"0"},
         "grams for each kWh, always or over time"}}},
      {"price.energy",
       {{"prices", numbers_key{price_key, 1, 10'000, "[0.2, 0.4]"}, required{},
         "of a kWh, by equal parts of the period"},
        {"period", number_key{above_zero, "time", clock_limit::range_and_step}, required{},
         "time after which they are the same again"}}},
      {"price.carbon",
       {{"file", text_key{"grid.csv"}, required{}, "CSV file with a header"},
        {"column", text_key{"gCO2"}, required{}, "column of the grams for each kWh"},
        {"time", text_key{"time"}, "time", "column of the times from which they hold"},
        {"period", number_key{above_zero, "time", clock_limit::range_and_step}, left_out{"never"},
         "time after which the file begins anew"}}},
      {"report",
       {{"metrics", other_key{"list", "[\"response_time_p99[small]\", \"weighted_response_time\"]"}, left_out{},
         "judge policies: METRIC or METRIC[CLASS]"},
        {"where", other_key{"list", "[\"waiting_time_p99[small] <= 20\"]"}, left_out{},
         "bounds that the best policy must keep"},
        {"explain", truth_key{}, left_out{"false"}, "metrics of what jobs' time is spent on"},
        {"slowdown_bound", mean_time, left_out{"10 s"}, "least run time in bounded_slowdown", with_rigid}}},
      {"",
       {{"sweep", other_key{"table", "{ \"arrivals.rate\" = [1.0, 2.0] }"}, left_out{},
         "values of keys, a point per combination"}}},
  };
  static const key_node root = tree_of(tables);
  return root;
}

std::optional<std::vector<std::string>> alternative_key(const std::vector<std::string>& path) {
  using key = std::vector<std::string>;
  if (path == key{"arrivals", "rate"}) return key{"arrivals", "load"};
  if (path == key{"arrivals", "load"}) return key{"arrivals", "rate"};
  const bool of_policy = path.size() == 2 && path.front() == "policy";
  const bool of_class = path.size() > 3 && path.front() == "classes" && path[path.size() - 2] == "policy";
  if (!of_policy && !of_class) return std::nullopt;
  for (const policy_entry* entry : policy_catalogue()) {
    const auto other = alternative(of_policy ? entry->parameters : entry->class_parameters, path.back());
    if (!other) continue;
    key replaced = path;
    replaced.back() = *other;
    return replaced;
  }
  return std::nullopt;
}

}  // namespace muster
