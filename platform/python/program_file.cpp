#include "platform/python/program_file.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "platform/cluster_process/cluster_process.h"

namespace muster {

namespace {

bool is_program(const std::filesystem::path& file) {
  return std::filesystem::is_regular_file(file) && access(file.c_str(), X_OK) == 0;
}

}  // namespace

std::string program_file(const pybind11::str& module_file) {
  const std::filesystem::path folder = std::filesystem::path(std::string(module_file)).parent_path();
  const std::filesystem::path installed = (folder / MUSTER_PROGRAM_FROM_MODULE).lexically_normal();
  if (is_program(installed)) return installed;
  if (const char* named = std::getenv("MUSTER_PROGRAM"); named && *named) {
    if (!is_program(named)) throw cluster_process_error(fmt::format("MUSTER_PROGRAM: '{}' is no program", named));
    return named;
  }
  const pybind11::object in_path = pybind11::module_::import("shutil").attr("which")("muster");
  if (!in_path.is_none()) return in_path.cast<std::string>();
  throw cluster_process_error(
      fmt::format("the program 'muster' is neither '{}' nor in PATH; expected its path in the environment variable "
                  "MUSTER_PROGRAM",
                  installed.string()));
}

}  // namespace muster
