#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#define BOOST_DLL_USE_STD_FS  // else it needs Boost.Filesystem
#include <CLI/CLI.hpp>
#include <boost/dll/shared_library.hpp>

#include "platform/cluster_process/cluster_process.h"
#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/command_line/written_file.h"
#include "platform/exported_fmu/exported_fmu.h"
#include "platform/scenario/scenario_file.h"
#include "platform/store/database.h"
#include "platform/store/stored_run.h"
#include "platform/tables/table_layout.h"

namespace muster {

namespace {

constexpr const char* export_footer = R"(
Writes the scenario's cluster as an FMU of FMI 3.0, for tools that join models of different kinds: co-simulation with
event mode and early return, states that are taken and set again, any number of instances in one importer. Inputs are
what control can change while the cluster runs, such as the speed of servers; outputs are jobs waiting and in service,
completions, utilisation, power and energy. The table that is printed lists them.

The FMU holds the program and all files that the scenario names, so that it runs where muster is not installed. Its
time is in seconds, whatever the scenario's unit is. A swept key needs one value, by --set.

Examples:
  muster export-fmu scenarios/quickswap_one_or_all.toml --set arrivals.rate=7 --set policy.name=msf
  muster export-fmu my.toml --set run.seed=2 --plugin ./libmy_policy.so -o my_cluster.fmu)";

// The library of FMI's functions: beside the program, or where it was installed, as the program's run path says.
std::filesystem::path library_of_fmu() {
  try {
    return boost::dll::shared_library("muster_fmu.so", boost::dll::load_mode::search_system_folders).location();
  } catch (const std::exception& e) {
    throw output_error(fmt::format(
        "muster_fmu.so, which an FMU is made of, cannot be loaded: {}; it is built and installed with the program",
        e.what()));
  }
}

cluster_start start_of(const scenario_options& given, const std::filesystem::path& program) {
  cluster_start start;
  start.program = program.string();
  start.scenario = given.file;
  for (const std::string& setting : given.settings)
    start.settings.emplace_back(setting.substr(0, setting.find('=')), setting.substr(setting.find('=') + 1));
  return start;
}

std::string build_of(const study& s) {
  std::string text;
  for (const auto& [file, build] : code_of(s)) text += fmt::format("{} {}\n", file, build);
  return text;
}

table_document variables_text(const std::vector<cluster_variable>& variables) {
  const auto role = [](const cluster_variable& v) {
    return v.use == cluster_variable::role::input ? "input" : "output";
  };
  table_layout<cluster_variable> layout{"variables"};
  layout.text("variable", &cluster_variable::name)
      .text("causality", role)
      .text("type", [](const cluster_variable& v) { return v.whole ? "Int64" : "Float64"; })
      .text("unit", &cluster_variable::unit)
      .text("what it is", &cluster_variable::help);
  table_document document{"variables"};
  document.add(layout.table(variables));
  return document;
}

/// `muster export-fmu`
class export_fmu_command {
 public:
  explicit export_fmu_command(CLI::App& app) {
    given_.add_to(app);
    app.add_option("-o,--out", out_, "the FMU to write (default: the scenario's name with .fmu, in this folder)")
        ->type_name("FILE.fmu");
    app.add_flag("--force", force_, "overwrite the file of --out");
    add_format(app, format_, "the variables");
    app.footer(export_footer);
  }

  int run(const invocation& how) {
    fmu_parts parts;
    parts.of = read_study(given_.file, given_.settings);
    if (parts.of.points.size() != 1)
      throw results_error(
          fmt::format("{}: the sweep has {} points, and an FMU has one; expected a value of each swept "
                      "key by --set: {}",
                      given_.file, parts.of.points.size(), fmt::join(parts.of.keys, ", ")));
    if (out_.empty()) out_ = parts.of.name + ".fmu";
    const std::filesystem::path written = file_to_write();
    parts.program = std::filesystem::read_symlink("/proc/self/exe");
    parts.build = build_of(parts.of);
    parts.library = library_of_fmu();
    parts.plugins.assign(how.plugins.begin(), how.plugins.end());
    parts.variables = variables_of(parts.program, how.plugins);
    try {
      write_fmu(written, parts);
    } catch (const std::runtime_error& e) {
      throw output_error(e.what());
    }
    fmt::print("{}", variables_text(parts.variables).in(format_));
    if (format_ == output_format::table) fmt::print("\n{} is written\n", out_);
    return done;
  }

 private:
  std::filesystem::path file_to_write() const {
    if (std::filesystem::path{out_}.extension() != ".fmu")
      throw output_error(fmt::format("--out: {} does not end in .fmu, as importers want it", out_));
    std::filesystem::path file = file_behind(out_, "an FMU to write, such as my.fmu");
    std::error_code error;
    if (const auto folder = folder_of(file); !std::filesystem::is_directory(folder, error))
      throw output_error(fmt::format("--out: there is no folder {}; make it first, or choose another one with --out",
                                     folder.string()));
    check_free(file, out_, force_);
    return file;
  }

  // As the process tells them that an instance of the FMU will start.
  std::vector<cluster_variable> variables_of(const std::filesystem::path& program,
                                             const std::vector<std::string>& plugins) const {
    try {
      cluster_start start = start_of(given_, program);
      start.plugins = plugins;
      return cluster_process{start}.variables();
    } catch (const cluster_process_error& e) {
      throw results_error(e.what());
    }
  }

  scenario_options given_;
  std::string out_;
  bool force_ = false;
  output_format format_ = output_format::table;
};

}  // namespace

extern const command_entry export_fmu_command_entry{
    "export-fmu", "write a scenario's cluster as an FMU, for co-simulation by FMI 3.0", 77,
    "muster export-fmu scenarios/quickswap_one_or_all.toml --set arrivals.rate=7 --set policy.name=msf",
    define_command<export_fmu_command>};

}  // namespace muster
