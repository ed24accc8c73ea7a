#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <fmt/format.h>

#include "muster/version.h"
#include "platform/python/python_cluster.h"
#include "platform/python/setting_text.h"

// The module `muster` of Python: names, docstrings, and what is an object of Python.

namespace muster {
namespace {

namespace py = pybind11;

constexpr const char* about_module = R"(Clusters of muster for exploration.

    import muster
    with muster.Cluster("my_cluster.toml", set={"arrivals.load": 0.8}) as c:
        c.step(100)
        print(c.now, c.unit, c["waiting.large"])
        c.run()
        print(c.results())

help(muster.Cluster) tells more.)";

constexpr const char* about_cluster = R"(A scenario's cluster, in a process of its own.

    c = muster.Cluster("my_cluster.toml", set={"arrivals.load": 0.8, "policy.name": "msf"})
    c.step(100)                    # 100 units of the scenario's time_unit, see c.unit
    c.variables()                  # all that can be read or set now, as a pandas frame
    c["waiting.large"]             # a variable's value now
    c.set_speed("node", 0.5)       # the same as c["speed.node"] = 0.5
    before = c.snapshot()
    c.run()                        # until the window of measurement has ended
    c.results()                    # what `muster run` writes for one replication, as a pandas frame
    c.restore(before)              # back to where it was, as often as wanted

Times are in the scenario's unit of time, as the numbers in its file are: with time_unit = "h", c.step(24) is a day.
Inputs keep their values until they are set again, and a snapshot has them. Without a change by hand the results are
those of `muster run` with --replications 1, whatever the steps are.

Any number of clusters may be open at once. While a cluster simulates, other threads of Python run, and those that use
the same cluster wait for the end of its step. Ctrl-C ends either wait: a cluster whose step it ends stands at some
instant in between, and goes on with the next step.

A setting or value that is refused is a ValueError with what was expected, a variable that does not exist a KeyError. A
fault of the policy, or a process that has died, is a muster.ClusterError.)";

constexpr const char* about_init = R"(Starts the cluster at time 0.

scenario: path of the scenario's file
set: dotted keys and their values, as after --set of `muster run`: numbers, strings ("20 min", too), bools, paths,
    lists, and dicts for tables. A scenario with a sweep needs a value for each swept key
replication: number of the replication; keys all random streams, together with run.seed)";

constexpr const char* about_step = R"(Runs for a duration, in the scenario's unit of time.

stop_at_event: end at the first instant at which a whole number changes that has been read from this cluster, such as
    c["waiting.large"]; c.variables() reads them all. ValueError if none has been read
Returns whether it has ended earlier, for an event.

The duration is rounded to ticks of the cluster (a nanosecond or less). Steps of 1/3 drift by that, while
run_until(n / 3) does not.)";

constexpr const char* about_run_until =
    R"(Runs until a time, in the scenario's unit of time, all that happens at that instant included.

stop_at_event: as for step()
Returns whether it has ended earlier, for an event.)";

constexpr const char* about_run = R"(Runs until the window of measurement has ended, and results() can be read.

It may go on behind that by 1/64 of the time so far, which changes no result.)";

constexpr const char* about_variables = R"(All variables now, as a pandas frame.

By name: unit (of the SI; empty for counts and shares), help, input (whether it can be set), value.)";

constexpr const char* about_results =
    R"(The results of the window of measurement as a pandas frame, in the columns of results.csv.

Changes by hand are in them. Raises ClusterError before the window has ended, see finished and run().)";

bool is_program(const std::filesystem::path& file) {
  return std::filesystem::is_regular_file(file) && access(file.c_str(), X_OK) == 0;
}

/// The program `muster` that a cluster's process runs: the one that was installed together with the module, else what
/// the environment variable MUSTER_PROGRAM names, else the one in PATH.
/// @param module_file the module's `__file__`
/// @throws cluster_process_error if there is none
std::string program_file(const py::str& module_file) {
  const std::filesystem::path folder = std::filesystem::path(std::string(module_file)).parent_path();
  const std::filesystem::path installed = (folder / MUSTER_PROGRAM_FROM_MODULE).lexically_normal();
  if (is_program(installed)) return installed;
  if (const char* named = std::getenv("MUSTER_PROGRAM"); named && *named) {
    if (!is_program(named)) throw cluster_process_error(fmt::format("MUSTER_PROGRAM: '{}' is no program", named));
    return named;
  }
  const py::object in_path = py::module_::import("shutil").attr("which")("muster");
  if (!in_path.is_none()) return in_path.cast<std::string>();
  throw cluster_process_error(
      fmt::format("the program 'muster' is neither '{}' nor in PATH; expected its path in the environment variable "
                  "MUSTER_PROGRAM",
                  installed.string()));
}

std::vector<std::pair<std::string, std::string>> settings_of(const py::dict& set) {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const auto& [key, value] : set) settings.emplace_back(py::str(key), setting_text(value));
  return settings;
}

std::unique_ptr<python_cluster> make(const std::filesystem::path& scenario, const py::dict& set,
                                     std::uint32_t replication) {
  const cluster_start what{program_file(py::module_::import("muster").attr("__file__")), scenario, settings_of(set),
                           replication};
  return std::make_unique<python_cluster>(what);
}

std::vector<std::string> names(const python_cluster& c) {
  std::vector<std::string> all;
  for (const cluster_variable& v : c.variables()) all.push_back(v.name);
  return all;
}

std::size_t find_key(python_cluster& c, const std::string& variable) {
  try {
    return c.find(variable);
  } catch (const std::invalid_argument& e) {
    if (c.closed()) throw;
    throw py::key_error(e.what());
  }
}

// Sets the variable KIND.ENTRY of an entry of servers.
void set_of(python_cluster& c, const char* kind, const std::string& entry, double value) {
  c.set(c.find(kind + ("." + entry)), value);
}

py::object frame_of_variables(python_cluster& c) {
  py::list unit, help, input, value;
  for (std::size_t n = 0; n < c.variables().size(); ++n) {
    const cluster_variable& v = c.variables()[n];
    unit.append(v.unit);
    help.append(v.help);
    input.append(v.use == cluster_variable::role::input);
    value.append(py::float_(c.value(n)));
  }
  py::dict columns;
  columns["unit"] = unit;
  columns["help"] = help;
  columns["input"] = input;
  columns["value"] = value;
  const py::module_ pandas = py::module_::import("pandas");
  return pandas.attr("DataFrame")(columns, py::arg("index") = pandas.attr("Index")(names(c), py::arg("name") = "name"));
}

py::object frame_of_results(python_cluster& c) {
  const py::object text = py::module_::import("io").attr("StringIO")(c.results_csv());
  return py::module_::import("pandas").attr("read_csv")(text);
}

std::string text_of(python_cluster& c) {
  if (c.closed()) return fmt::format("<muster.Cluster '{}', closed>", c.name());
  return fmt::format("<muster.Cluster '{}' at {} {}>", c.name(), c.now(), c.unit());
}

void define_time(py::class_<python_cluster>& cluster) {
  cluster.def_property_readonly("now", &python_cluster::now, "The time so far, in the scenario's unit of time.")
      .def_property_readonly("finished", &python_cluster::finished,
                             "Whether the window of measurement has ended. The cluster serves jobs all the same.")
      .def("step", &python_cluster::step, py::arg("duration"), py::arg("stop_at_event") = false, about_step)
      .def("run_until", &python_cluster::run_until, py::arg("time"), py::arg("stop_at_event") = false, about_run_until)
      .def("run", &python_cluster::run, about_run)
      .def("snapshot", &python_cluster::take_snapshot,
           "Keeps where the cluster is, for restore(): by a process that waits until the snapshot is garbage.")
      .def("restore", &python_cluster::restore, py::arg("snapshot"),
           "Goes back, or forward, to a snapshot of this cluster. Raises ValueError for one of another cluster.");
}

void define_variables(py::class_<python_cluster>& cluster) {
  cluster.def("variables", &frame_of_variables, about_variables)
      .def(
          "__getitem__", [](python_cluster& c, const std::string& name) { return c.value(find_key(c, name)); },
          "The value of a variable now: an int if it is a whole number.")
      .def(
          "__setitem__",
          [](python_cluster& c, const std::string& name, double value) { c.set(find_key(c, name), value); },
          "Sets an input, at the present instant.")
      .def(
          "__iter__", [](const python_cluster& c) { return py::iter(py::cast(names(c))); },
          "The names of the variables.")
      .def(
          "__len__", [](const python_cluster& c) { return c.variables().size(); }, "The number of variables.")
      .def(
          "__contains__",
          [](const python_cluster& c, const std::string& name) {
            const std::vector<std::string> all = names(c);
            return std::find(all.begin(), all.end(), name) != all.end();
          },
          "Whether there is a variable of that name.")
      .def("_ipython_key_completions_", &names);
}

void define_control(py::class_<python_cluster>& cluster) {
  cluster
      .def(
          "set_speed", [](python_cluster& c, const std::string& e, double s) { set_of(c, "speed", e, s); },
          py::arg("entry"), py::arg("speed"),
          "Sets the speed of all servers of an entry of platform.servers, as a factor from 0.001 to 10.\n"
          "What is left of their work goes on at it.")
      .def(
          "set_arrival_rate", [](python_cluster& c, double f) { c.set(c.find("arrival_rate"), f); }, py::arg("factor"),
          "Multiplies the scenario's rate of arrivals by a factor from 0.001 to 10; 1 is the scenario's own.")
      .def(
          "drain", [](python_cluster& c, const std::string& e) { set_of(c, "in_service", e, 0.0); }, py::arg("entry"),
          "Takes the servers of an entry out of service: they end the work that they have, and get no more.")
      .def(
          "restore_servers", [](python_cluster& c, const std::string& e) { set_of(c, "in_service", e, 1.0); },
          py::arg("entry"), "Takes the servers of an entry into service again.")
      .def(
          "set_policy_parameter",
          [](python_cluster& c, const std::string& name, py::handle v) { c.set_parameter(name, setting_text(v)); },
          py::arg("name"), py::arg("value"),
          "Replaces a parameter of the policy, from its next event on. Raises ValueError if the policy cannot do so.");
}

void define_rest(py::class_<python_cluster>& cluster) {
  cluster.def_property_readonly("name", &python_cluster::name, "The scenario's name.")
      .def_property_readonly("unit", &python_cluster::unit, "The scenario's unit of time: s, min, h, ..")
      .def("results", &frame_of_results, about_results)
      .def("results_csv", &python_cluster::results_csv,
           "The text of results.csv as `muster run` writes it for this replication alone. Raises as results() does.")
      .def("close", &python_cluster::close, "Ends the cluster's process. Leaving a `with` block does so, too.")
      .def("__enter__", [](py::object self) { return self; })
      .def("__exit__", [](python_cluster& c, const py::args&) { c.close(); })
      .def("__repr__", &text_of);
}

}  // namespace

PYBIND11_MODULE(muster, module) {
  module.doc() = about_module;
  module.attr("__version__") = version;
  py::register_exception<cluster_process_error>(module, "ClusterError", PyExc_RuntimeError).doc() =
      "What has gone wrong in a cluster's process, or that it has died.";
  py::class_<python_snapshot>(module, "Snapshot", "Where a cluster was; see Cluster.snapshot() and Cluster.restore().")
      .def_readonly("now", &python_snapshot::now, "Its time, in the scenario's unit of time.")
      .def("__repr__", [](const python_snapshot& s) { return fmt::format("<muster.Snapshot at {}>", s.now); });
  py::class_<python_cluster> cluster(module, "Cluster", about_cluster);
  cluster.def(py::init(&make), py::arg("scenario"), py::arg("set") = py::dict(), py::arg("replication") = 0,
              about_init);
  define_time(cluster);
  define_variables(cluster);
  define_control(cluster);
  define_rest(cluster);
}

}  // namespace muster
