#include "platform/exported_fmu/exported_fmu.h"

#include <sys/utsname.h>

#include <utility>

#include <fmt/format.h>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

#include "platform/exported_fmu/fmu_names.h"
#include "platform/exported_fmu/model_description.h"
#include "platform/exported_fmu/zip_file.h"
#include "platform/toml/dotted_key.h"
#include "platform/toml/toml_value.h"

namespace muster {

namespace fs = std::filesystem;

namespace {

constexpr const char* dependencies =
    R"(The folder resources holds the program muster, which runs the cluster in a process of its own. It is a program
for Linux and needs the shared libraries that `ldd resources/muster` names. In Debian 12 they are in the packages of
SystemC, Clp, toml++, fmt, SQLite, zlib, Zstandard, libzip, pugixml and Boost (Graph, Random). Nothing else is needed.
)";

constexpr const char* license =
    R"(SPDX-License-Identifier: Apache-2.0

muster, the program and the library of this FMU, is under the Apache License 2.0,
https://www.apache.org/licenses/LICENSE-2.0
)";

// The name that FMI has for the platform that this runs on.
std::string platform_tuple() {
  utsname system{};
  uname(&system);
  return fmt::format("{}-linux", system.machine);
}

// A folder and its files, by what stands between them in the archive.
std::string within(std::string_view folder, std::string_view name) { return fmt::format("{}/{}", folder, name); }

// Puts a file that a table of the scenario names by its absolute path beside the scenario.
// @param name of the file, as the scenario says it then
void put_beside(toml_value& file, const std::string& name, const std::string& folder, std::vector<zipped_file>& files) {
  files.push_back({within(folder, name), "", fs::path{*file.as<std::string>()}});
  file.is = name;
}

std::string last_part(const std::string& path) { return fs::path{path}.filename().string(); }

// The scenario of the study. Logs and FMUs, which it names by absolute paths, are put beside it: each is added to the
// files.
std::string scenario_text(const study& s, const std::string& folder, std::vector<zipped_file>& files) {
  findings errors{{s.name}};
  std::optional<toml_value> document = parse_toml(s.resolved, 0, errors);
  errors.throw_if_any();
  for (const char* table : {"arrivals", "initial"}) {
    toml_value* const of = document->find(table);
    toml_value* const file = of ? of->find("file") : nullptr;
    const auto* path = as_if<std::string>(file);
    if (!path || s.logs.count(*path) == 0) continue;
    put_beside(*file, fmt::format("logs/{}/{}", table, last_part(*path)), folder, files);
  }
  auto* const all = as_if<toml_array>(document->find("fmu"));
  for (std::size_t n = 0; all && n < all->size(); ++n) {
    toml_value* const file = (*all)[n].find("file");
    put_beside(*file, fmt::format("fmus/{}/{}", n, last_part(*file->as<std::string>())), folder, files);
  }
  return to_toml(*document->as<toml_table>());
}

// The time in which the run's jobs arrive, in seconds, to three digits. Nothing for a list or log.
std::optional<double> usual_end(const scenario& model) {
  if (!(model.arrivals.rate > 0.0)) return std::nullopt;
  const double exact = static_cast<double>(model.run.jobs) / model.arrivals.rate * model.unit.seconds;
  return std::stod(fmt::format("{:.3g}", exact));
}

std::vector<zipped_file> resources(const fmu_parts& parts, const std::string& token) {
  const fs::path folder = fs::path{"resources"} / fs::path{fmu_scenario}.parent_path();
  std::vector<zipped_file> files{{within("resources", fmu_token), token},
                                 {within("resources", fmu_program), "", parts.program, true}};
  std::string text = scenario_text(parts.of, folder.string(), files);
  files.push_back({within("resources", fmu_scenario), std::move(text)});
  for (const auto& [name, content] : parts.of.files) files.push_back({within(folder.string(), name), content});
  for (std::size_t p = 0; p < parts.plugins.size(); ++p)
    files.push_back({fmt::format("resources/{}/{:02}_{}", fmu_plugins, p, parts.plugins[p].filename().string()), "",
                     parts.plugins[p], true});
  return files;
}

}  // namespace

void write_fmu(const fs::path& file, const fmu_parts& parts) {
  const scenario& model = parts.of.points.at(0).model;
  const std::string token =
      to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(parts.of.model_text + '\n' + parts.build));
  const std::string identifier = model_identifier(parts.of.name);
  std::vector<zipped_file> files{
      {"modelDescription.xml",
       model_description({parts.of.name, parts.of.about, token, usual_end(model), parts.variables})},
      {"documentation/externalDependencies.txt", dependencies},
      {"documentation/licenses/license.txt", license},
      {fmt::format("binaries/{}/{}.so", platform_tuple(), identifier), "", parts.library, true}};
  for (zipped_file& f : resources(parts, token)) files.push_back(std::move(f));
  write_zip(file, files);
}

}  // namespace muster
