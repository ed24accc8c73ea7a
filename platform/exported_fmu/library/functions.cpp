#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "platform/exported_fmu/library/exported_instance.h"

// The functions of FMI 3.0 that the FMU supports: co-simulation, variables of the types Float64 and Int64, states.

using namespace muster;

namespace {

namespace fs = std::filesystem;

// What the process runs. @param resources folder of the FMU
// @throws illegal_call if the FMU is not complete, or the token is another FMU's
cluster_start start_of(fmi3String token, fmi3String resources) {
  if (resources == nullptr) throw illegal_call("resourcePath is null; expected the path of the FMU's folder resources");
  const fs::path folder{resources}, program = folder / fmu_program;
  std::ifstream file{folder / fmu_token};
  const std::string own{std::istreambuf_iterator<char>{file}, {}};
  if (own.empty())
    throw illegal_call("resourcePath is " + folder.string() + ", which is no folder resources of muster");
  if (token == nullptr || own != token)
    throw illegal_call(std::string("instantiationToken is ") + (token ? token : "null") + "; expected " + own);
  // Archives that were unpacked by a library may have lost the permission.
  std::error_code error;
  if (access(program.c_str(), X_OK) != 0) fs::permissions(program, fs::perms::owner_exec, fs::perm_options::add, error);
  if (error) throw illegal_call(program.string() + " cannot be made a program: " + error.message());
  cluster_start start;
  start.program = program.string();
  start.scenario = (folder / fmu_scenario).string();
  for (fs::directory_iterator plugin{folder / fmu_plugins, error}, end; !error && plugin != end;
       plugin.increment(error))
    start.plugins.push_back(plugin->path().string());
  std::sort(start.plugins.begin(), start.plugins.end());
  return start;
}

// Sizes of arrays that belong together. @throws illegal_call if they differ
void expect_sizes(std::size_t references, std::size_t values) {
  if (references != values)
    throw illegal_call(std::to_string(values) + " values for " + std::to_string(references) +
                       " variables; expected one for each");
}

template <class Number>
fmi3Status get(fmi3Instance instance, const char* function, const fmi3ValueReference references[],
               std::size_t reference_count, Number values[], std::size_t value_count) {
  return guarded(instance, function, [&](exported_instance& of) {
    expect_sizes(reference_count, value_count);
    constexpr bool whole = std::is_integral_v<Number>;
    for (std::size_t i = 0; i < reference_count; ++i)
      if constexpr (whole)
        values[i] = std::llround(of.value(references[i], whole));
      else
        values[i] = of.value(references[i], whole);
  });
}

template <class Number>
fmi3Status set(fmi3Instance instance, const char* function, const fmi3ValueReference references[],
               std::size_t reference_count, const Number values[], std::size_t value_count) {
  return guarded(instance, function, [&](exported_instance& of) {
    expect_sizes(reference_count, value_count);
    std::vector<double> numbers(value_count);
    std::transform(values, values + value_count, numbers.begin(), [](Number n) { return static_cast<double>(n); });
    of.set({references, references + reference_count}, numbers, std::is_integral_v<Number>);
  });
}

}  // namespace

const char* fmi3GetVersion() { return "3.0"; }

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, std::size_t count,
                               const fmi3String categories[]) {
  return guarded(instance, "fmi3SetDebugLogging",
                 [&](exported_instance& of) { of.log().switch_categories(on, count, categories); });
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String instance_name, fmi3String token, fmi3String resources, fmi3Boolean,
                                         fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference[], std::size_t intermediate_variables,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback callback,
                                         fmi3IntermediateUpdateCallback) {
  const importer_log log{callback, environment, logging};
  const std::string name = instance_name != nullptr ? instance_name : "";
  try {
    if (intermediate_variables > 0) throw illegal_call("requiredIntermediateVariables: no variable has such updates");
    return new exported_instance{name, log, start_of(token, resources), event_mode, early_return};
  } catch (const std::exception& e) {
    log.tell(fmi3Error, error_category, name + ": fmi3InstantiateCoSimulation: " + e.what());
    return nullptr;
  }
}

void fmi3FreeInstance(fmi3Instance instance) { delete static_cast<exported_instance*>(instance); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean, fmi3Float64, fmi3Float64 start,
                                       fmi3Boolean stop_defined, fmi3Float64 stop) {
  return guarded(instance, "fmi3EnterInitializationMode", [&](exported_instance& of) {
    of.enter_initialization(start, stop_defined ? std::optional{stop} : std::nullopt);
  });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return guarded(instance, "fmi3ExitInitializationMode", [](exported_instance& of) { of.exit_initialization(); });
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return guarded(instance, "fmi3EnterEventMode", [](exported_instance& of) { of.enter_event_mode(); });
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* need_update, fmi3Boolean* terminate,
                                    fmi3Boolean* nominals_changed, fmi3Boolean* values_changed,
                                    fmi3Boolean* next_defined, fmi3Float64*) {
  return guarded(instance, "fmi3UpdateDiscreteStates", [&](exported_instance& of) {
    of.update_discrete_states();
    for (fmi3Boolean* out : {need_update, terminate, nominals_changed, values_changed, next_defined})
      if (out != nullptr) *out = false;
  });
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return guarded(instance, "fmi3EnterStepMode", [](exported_instance& of) { of.enter_step_mode(); });
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 current, fmi3Float64 step, fmi3Boolean,
                      fmi3Boolean* event_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                      fmi3Float64* last_time) {
  return guarded(instance, "fmi3DoStep", [&](exported_instance& of) {
    const exported_instance::step_end end = of.do_step(current, step);
    if (event_needed != nullptr) *event_needed = end.event;
    if (terminate != nullptr) *terminate = false;
    if (early_return != nullptr) *early_return = end.early;
    if (last_time != nullptr) *last_time = end.time;
  });
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  return guarded(instance, "fmi3Terminate", [](exported_instance& of) { of.terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  return guarded(instance, "fmi3Reset", [](exported_instance& of) { of.reset(); });
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t reference_count,
                          fmi3Float64 values[], std::size_t value_count) {
  return get(instance, "fmi3GetFloat64", references, reference_count, values, value_count);
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t reference_count,
                          const fmi3Float64 values[], std::size_t value_count) {
  return set(instance, "fmi3SetFloat64", references, reference_count, values, value_count);
}

fmi3Status fmi3GetInt64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t reference_count,
                        fmi3Int64 values[], std::size_t value_count) {
  return get(instance, "fmi3GetInt64", references, reference_count, values, value_count);
}

fmi3Status fmi3SetInt64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t reference_count,
                        const fmi3Int64 values[], std::size_t value_count) {
  return set(instance, "fmi3SetInt64", references, reference_count, values, value_count);
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* where) {
  return guarded(instance, "fmi3GetFMUState", [&](exported_instance& of) {
    exported_instance::state* const taken = of.take_state();
    if (*where != nullptr) of.free_state(static_cast<exported_instance::state*>(*where));
    *where = taken;
  });
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState where) {
  return guarded(instance, "fmi3SetFMUState",
                 [&](exported_instance& of) { of.set_state(static_cast<exported_instance::state*>(where)); });
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* where) {
  return guarded(instance, "fmi3FreeFMUState", [&](exported_instance& of) {
    if (where == nullptr || *where == nullptr) return;
    of.free_state(static_cast<exported_instance::state*>(*where));
    *where = nullptr;
  });
}
