#include <filesystem>
#include <set>

#include "muster/policies/catalogue.h"
#include "platform/scenario/scenario_schema.h"
#include "platform/toml/toml_reader.h"
#include "tests/made_fmu.h"
#include "tests/scenario/graph_folder.h"
#include "tests/scenario/slotted_sample.h"

namespace muster {
namespace {

const std::vector<key_table> tables{
    {"", {{"title", text_key{}, "", "a title"}}},
    {"box",
     {{"size", number_key{above_zero}, 1.0, "its size"}, {"kind", word_key{"kind", {"a", "b"}}, "a", "its kind"}}},
    {"box", {{"lid", integer_key{1, 9}, 2, "its lid", {"with kind = \"b\"", "kind", "b"}}}}};

/// What a reader says of a text.
struct reading_of {
  explicit reading_of(std::string_view text) : document(*parse_toml(text, 0, errors)) {}

  std::string complaints() const {
    std::string all;
    for (const diagnostic& d : errors.list()) all += d.key + ": " + d.message + "\n";
    return all;
  }

  findings errors{{"f.toml"}};
  toml_value document;
  key_node keys = tree_of(tables);
  reading read{errors, keys};
  table_reader top{document, read};
};

TEST(described_keys, are_read_with_the_range_the_words_and_the_default_of_their_description) {
  reading_of r("[box]\nsize = -1\nkind = \"c\"\n");
  table_reader box = r.top.table("box");
  EXPECT_EQ(box.number("size"), 1.0);
  EXPECT_EQ(box.word("kind"), "");
  EXPECT_EQ(r.complaints(),
            "box.size: expected a number > 0, found -1\nbox.kind: unknown kind 'c'; expected one of: a, b\n");
  EXPECT_EQ(r.top.text("title"), "");
  ASSERT_EQ(r.read.defaults.size(), 1u);
  EXPECT_EQ(r.read.defaults[0].path, std::vector<std::string>{"title"});
}

TEST(described_keys, without_effect_are_reported_if_given_and_else_leave_no_default) {
  reading_of given("[box]\nlid = 3\n"), none("[box]\nsize = 2\n"), with("[box]\nkind = \"b\"\n");
  EXPECT_EQ(given.top.table("box").integer("lid"), 2);
  given.top.table("box").close();
  EXPECT_EQ(given.complaints(), "box.lid: has no effect with kind 'a'; expected kind 'b'\n");
  EXPECT_EQ(none.top.table("box").integer("lid"), 2);
  EXPECT_TRUE(none.read.defaults.empty());
  EXPECT_EQ(with.top.table("box").integer("lid"), 2);
  EXPECT_EQ(with.read.defaults.size(), 1u);
}

TEST(keys_that_are_not_described, cannot_be_read_unless_the_reader_describes_them) {
  reading_of r("[box]\ncolour = 1\n");
  table_reader box = r.top.table("box");
  EXPECT_THROW(box.find("colour"), std::logic_error);
  EXPECT_THROW(box.number("kind"), std::logic_error);
  EXPECT_THROW(box.number("colour"), std::logic_error);
  EXPECT_THROW(r.top.table("bag"), std::logic_error);
  box.close();
  EXPECT_EQ(r.complaints(), "box.colour: unknown key; expected one of: size, kind, lid\n");
  box.describe({"colour", number_key{any_number}, required{}, ""});
  EXPECT_EQ(box.number("colour"), 1.0);
}

// The paths of a document; those of elements with * for their name.
void collect(const toml_value& value, const std::string& path, std::set<std::string>& all) {
  all.insert(path);
  if (const auto* table = value.as<toml_table>())
    for (const toml_entry& entry : *table) collect(entry.value, path.empty() ? entry.key : path + "." + entry.key, all);
  const auto* elements = value.as<toml_array>();
  for (const toml_value& element : elements ? *elements : toml_array{})
    if (element.as<toml_table>()) collect(element, path + ".*", all);
}

void expect_all(const key_node& node, const std::set<std::string>& found) {
  EXPECT_TRUE(!node.key || found.count(node.path) > 0) << node.path << " is described, but in no scenario";
  for (const key_node& child : node.children) expect_all(child, found);
}

class every_key_that_is_described : public graph_folder {
 protected:
  void take(const study& s) {
    findings none{{}};
    collect(*parse_toml(s.resolved, 0, none), "", found_);
  }
  /// The text with these overrides.
  void take(const std::string& text, const std::vector<std::string>& overrides) { take(read_here(text, overrides)); }

  std::set<std::string> found_;
};

class does_nothing final : public rigid_policy {};

const policy_entry of_classes = [] {
  policy_entry entry;
  entry.name = "of_classes_of_any_weight";
  entry.about = "of a test";
  entry.construct = without_settings<does_nothing>;
  entry.class_parameters = {{"weight", number_parameter{"a number > 0", 0.0, true, 1.0}, ""}};
  return entry;
}();

TEST_F(every_key_that_is_described, is_accepted_in_a_scenario) {
  for (const auto& entry : std::filesystem::directory_iterator(MUSTER_SCENARIOS))
    if (entry.path().extension() == ".toml") take(read_study(entry.path().string(), {}));
  write("jobs.csv", "id,arrival,deadline,units,marginals\n1,1,3,2,4 3\n");
  write("net.graphml",
        "<graphml><key id=\"n\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>"
        "<key id=\"k\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/><graph edgedefault=\"undirected\">"
        "<node id=\"0\"><data key=\"n\">s</data><data key=\"k\">scheduler</data></node>"
        "<node id=\"1\"><data key=\"n\">node</data><data key=\"k\">server</data></node>"
        "<edge source=\"0\" target=\"1\"/></graph></graphml>");
  add_policy(of_classes);
  write("log.csv",
        "submit,run,need,mem,asked,who,part,qos,id,on,pause,began\n0,60,1,1000,90,a,p,q,1,,,0\n"
        "1000,60,1,1000,90,a,p,q,2,1,5,1001\n");
  take(R"(name = "log"
[platform.resources]
memory = { kind = "amount", unit = "B" }
disk = { kind = "amount" }
[platform]
servers = [{ name = "node", cores = 8, resources = { memory = 4000, disk = 9 } }]
[arrivals]
process = "log"
file = "log.csv"
format = "csv"
memory = "memory"
resources = { disk = "need" }
share = 1
from = 0
to = 900
dependencies = "replay"
replicate = "shake"
shift = 1
[arrivals.columns]
arrival = "submit"
size = "run"
cores = "need"
memory = "mem"
requested = "asked"
user = "who"
partition = "part"
queue = "qos"
job = "id"
after = "on"
think = "pause"
start = "began"
[policy]
name = "fcfs"
[run]
cool_down = 0.5
)",
       {});
  write("queue.csv", "state,elapsed,size,cores\nrunning,10,60,1\n");
  write("short.csv", "arrival,size,cores\n0,60,1\n");
  take(R"(name = "queue"
[platform]
servers = [{ name = "node", cores = 8 }]
[initial]
file = "queue.csv"
[arrivals]
process = "log"
file = "short.csv"
[policy]
name = "fcfs"
)",
       {});
  take(list_sample, {});
  take(pooled_sample, {"arrivals.load=0.5", "arrivals.factor=0.5"});
  take(slotted_sample, {"classes.vip.deadline={ distribution = \"constant\", slots = 1 }"});
  take(slotted_sample, {"classes.vip.deadline={ distribution = \"fixed_slot\", slot = 90 }"});
  take(slotted_sample, {"classes.vip.utility={ points = [[0.0, 0.0], [1.0, 1.0]] }"});
  take(sample,
       {"platform.link.topology=file", "platform.link.file=net.graphml", "policy.name=of_classes_of_any_weight"});
  take(sample, {"platform.link.topology=fat_tree", "platform.link.ports=4"});
  take(sample, {"platform.link.topology=torus", "platform.link.width=4", "platform.link.sharing=max_min"});
  take(sample, {"platform.link.topology=dragonfly", "platform.link.groups=3", "platform.link.routers=2",
                "platform.link.global_latency=0.5", "platform.link.global_bandwidth=8"});
  take(sample, {"platform.link.topology=leaf_spine", "platform.link.leaves=1", "platform.link.spines=2"});
  take(sample, {"classes.light.input={ distribution = \"exponential\", mean = 5 }",
                "classes.light.output={ distribution = \"uniform\", low = 1, high = 2 }",
                "classes.light.broadcast=true", "classes.light.overlap=true"});
  take(sample, {"platform.servers.node.count=2", "platform.schedulers={ count = 2, dispatching = \"power_of_d\" }",
                "policy.name=fcfs"});
  take(sample,
       {"platform.servers.node.count=2",
        "platform.schedulers={ count = 2, partition = \"shared\", information_delay = 0.5 }", "policy.name=fcfs"});
  take(sample,
       {"platform.servers.node.count=2",
        "platform.schedulers={ count = 2, work_stealing = true, information_delay = 0.5 }", "policy.name=fcfs"});
  take(sample, {"arrivals.process=batches", "arrivals.batch=fixed", "arrivals.mean_batch=2"});
  take(sample, {"arrivals.process=profile", "arrivals.rates=[1, 3]", "arrivals.period=8"});
  take(sample, {"arrivals.process=modulated", "arrivals.rates=[1, 3]", "arrivals.stay=[8, 2]"});
  take(sample, {"arrivals.process=renewal", "arrivals.interarrival={ distribution = \"uniform\", low = 1, high = 2 }"});
  take(sample, {"run.precision={ half_width = 0.5 }", "run.equal_within=0.01", "run.most_replications=90",
                "run.control_variates=false", "run.most_jobs_in_system=5000"});
  take(sample, {"platform.servers.node.faults={ to_failure = 9, to_repair = 1 }", "platform.checkpoint_every=1",
                "platform.checkpoint_cost=0.5", "platform.placement=random",
                "platform.servers.node.power={ sleep_after = 1.0, active = 1.0 }", "price.watt=1",
                "platform.costs.bandwidth=1"});
  take(sample, {"arrivals.estimate={ factor = 2.0 }", "arrivals.kill_at_estimate=true", "report.slowdown_bound=5"});
  take(sample +
           "[[events]]\nat = 1\nservers = \"node\"\naction = \"fail\"\ncount = 1\nknown = true\n"
           "[[events]]\nat = 2\nservers = \"node\"\naction = \"return\"\n"
           "[[events]]\nat = 3\nservers = \"node\"\nspeed = 0.5\n"
           "[[events]]\nat = 4\nrate = 0.5\n"
           "[[events]]\nat = 5\npower_cap = 50\n"
           "[[events]]\nat = 6\nparameter = \"threshold\"\nvalue = 4\n",
       {"platform.servers.node.power={ active = 1.0 }"});
  write("grid.csv", "hour,g\n0,400\n");
  take(sample +
           "[[events]]\nat = 1\nservers = \"node\"\nfrequency = \"2 GHz\"\n"
           "[[events]]\nat = 2\nrack = 0\npower_cap = 50\n",
       {"platform.servers.node.frequencies=[{ frequency = 2e9, watts = 9, speed = 1 }]",
        "platform.servers.node.governor=fixed", "platform.servers.node.frequency=2e9", "platform.link.topology=racks",
        "platform.link.racks=1", "price.energy={ prices = [1, 2], period = 9 }",
        "price.carbon={ file = \"grid.csv\", column = \"g\", time = \"hour\", period = 9 }"});
  write_zip(folder_ / "room.fmu", described_fmu(3));
  take(sample +
           "[[fmu]]\nname = \"room\"\nfile = \"room.fmu\"\nevery = 1\ninputs = { queue = \"waiting.light\" }\n"
           "outputs = { speed = \"speed.node\" }\nstart = { setpoint = 22.0 }\n",
       {});
  take(sample, {"record={ until = 9, jobs_in_system_every = 1 }", "report.explain=true", "price={ core = 1, link = 2 }",
                "price.servers={ node = 3 }", "report.metrics=[\"response_time\"]",
                "report.where=[\"response_time <= 9\"]", "sweep.\"run.seed\"=[1, 2]"});
  take(sample, {"platform.resources={ NAME = { kind = \"devices\", shares = 2 } }", "policy.name=fcfs",
                "platform.servers.node.resources={ NAME = 2 }", "classes.light.at_most_per_server=1",
                "classes.heavy.on=one_server", "price={ resources = { NAME = 1.5 } }",
                "platform.servers.node.power={ active = 1.0, resources = { NAME = { idle = 1, busy = 2 } } }"});
  take(
      replaced(with("need = 1\n", ""), "msfq", "fcfs"),
      {"platform.resources={ NAME = { kind = \"amount\", unit = \"GB\", of = \"cluster\", amount = 3, power = { idle = "
       "1 } } }",
       "classes.light.tasks=2", "classes.light.per_task={ cores = 3 }", "classes.light.per_job={ NAME = 2 }",
       "classes.light.exclusive=true"});
  take(replaced(replaced(with("share = 0.9", "rate = 0.9"), "share = 0.1", "rate = 0.1"), "rate = 7.0", ""), {});
  expect_all(scenario_schema(), found_);
}

}  // namespace
}  // namespace muster
