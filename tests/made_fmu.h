#pragma once

#include <gtest/gtest.h>
#include <zip.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <fmt/format.h>

namespace muster {

/// What an archive has: names of files, and their content.
using archive_files = std::map<std::string, std::string>;

inline void write_zip(const std::filesystem::path& path, const archive_files& files) {
  std::filesystem::remove(path);
  zip_t* const archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
  for (const auto& [name, content] : files)
    zip_file_add(archive, name.c_str(), zip_source_buffer(archive, content.data(), content.size(), 0),
                 ZIP_FL_ENC_UTF_8);
  ASSERT_EQ(zip_close(archive), 0);
}

inline constexpr const char* folder_of_binary[] = {"linux64", "x86_64-linux"};

/// The description of the FMU of fmu/cooling.c. @param fmi 2 or 3
inline std::string cooling_description(int fmi) {
  struct row {
    const char *name, *type, *causality;
    int reference;
    const char* unit = "";
  };
  constexpr row rows[] = {{"heat", "Real", "input", 0, "W"},
                          {"speed", "Real", "output", 1},
                          {"temperature", "Real", "output", 2, "degC"},
                          {"setpoint", "Real", "parameter", 3, "degC"},
                          {"capacity", "Real", "local", 4},
                          {"loss", "Real", "parameter", 5},
                          {"outside", "Real", "parameter", 6},
                          {"fail_at", "Real", "parameter", 7, "s"},
                          {"fail_status", "Integer", "parameter", 100},
                          {"queue", "Integer", "input", 101},
                          {"most_queued", "Integer", "parameter", 102},
                          {"open", "Boolean", "output", 200},
                          {"quiet", "Boolean", "parameter", 201},
                          {"label", "String", "parameter", 300}};
  std::string variables;
  for (const row& r : rows) {
    const std::string unit = *r.unit ? fmt::format(" unit=\"{}\"", r.unit) : "";
    const std::string type = r.type;
    if (fmi == 2)
      variables +=
          fmt::format("<ScalarVariable name=\"{}\" valueReference=\"{}\" causality=\"{}\"><{}{}/></ScalarVariable>\n",
                      r.name, r.reference, r.causality, type, unit);
    else
      variables += fmt::format("<{} name=\"{}\" valueReference=\"{}\" causality=\"{}\"{}/>\n",
                               type == "Real"      ? "Float64"
                               : type == "Integer" ? "Int32"
                                                   : type,
                               r.name, r.reference, r.causality, unit);
  }
  return fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="{}.0" modelName="cooling" {}="{{cooling}}">
<CoSimulation modelIdentifier="cooling"/>
<ModelVariables>
{}</ModelVariables>
<ModelStructure/>
</fmiModelDescription>
)",
                     fmi, fmi == 2 ? "guid" : "instantiationToken", variables);
}

/// The files of an FMU whose binary nothing can load. @param description empty: as of cooling_description()
inline archive_files described_fmu(int fmi, const std::string& description = {}) {
  return {{"modelDescription.xml", description.empty() ? cooling_description(fmi) : description},
          {fmt::format("binaries/{}/cooling.so", folder_of_binary[fmi - 2]), "nothing to be loaded"},
          {"resources/capacity.txt", "200.0\n"}};
}

/// Makes the FMU of fmu/cooling.c. @param path of the FMU, in a folder that is there
/// @param description empty: as of cooling_description()
inline void make_cooling_fmu(const std::filesystem::path& path, int fmi, const std::string& description = {}) {
  const std::string binary = path.string() + ".so";
  const std::string command =
      fmt::format("cc -shared -fPIC -O1 -DFMI={} -o '{}' '{}/tests/fmu/cooling.c' -lm", fmi, binary, MUSTER_SOURCE);
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  std::stringstream content;
  content << std::ifstream(binary, std::ios::binary).rdbuf();
  archive_files files = described_fmu(fmi, description);
  files[fmt::format("binaries/{}/cooling.so", folder_of_binary[fmi - 2])] = content.str();
  write_zip(path, files);
  std::filesystem::remove(binary);
}

}  // namespace muster
