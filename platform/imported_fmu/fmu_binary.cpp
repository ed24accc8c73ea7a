#include "platform/imported_fmu/fmu_binary.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "platform/toml/diagnostics.h"

namespace muster {

void fmu_binary::closer::operator()(void* library) const { ::dlclose(library); }

fmu_binary::fmu_binary(const std::string& file) : library_(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (!library_) throw fmu_error(fmt::format("cannot be loaded: {}", printable(::dlerror(), 1000)));
}

void* fmu_binary::symbol(const char* name) const {
  void* const found = ::dlsym(library_.get(), name);
  if (!found) throw fmu_error(fmt::format("has no function {} in its binary", name));
  return found;
}

std::int32_t to_integer(const fmu_variable& variable, double value) {
  const auto whole = static_cast<std::int64_t>(std::clamp(value, -1e10, 1e10));
  if (static_cast<double>(whole) == value && whole == static_cast<std::int32_t>(whole))
    return static_cast<std::int32_t>(whole);
  throw fmu_error(
      fmt::format("{} is to be {}; expected an integer of 32 bits", in_quotes(variable.name), shortest(value)));
}

std::int64_t to_long_integer(const fmu_variable& variable, double value) {
  if (std::abs(value) <= largest_whole_number && value == std::floor(value)) return static_cast<std::int64_t>(value);
  throw fmu_error(
      fmt::format("{} is to be {}; expected an integer of at most 53 bits", in_quotes(variable.name), shortest(value)));
}

std::unique_ptr<fmu_instance> load_fmu(const fmu_description& description, const std::string& folder,
                                       const std::string& name) {
  return description.major() == 2 ? make_fmi2_instance(description, folder, name)
                                  : make_fmi3_instance(description, folder, name);
}

}  // namespace muster
