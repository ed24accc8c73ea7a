// An FMU of FMI 3.0, which knows nothing of clusters: its output is 1 until its input has been 9 at the begin of a
// step, and 1/4 from then on.

#include <muster/platform/fmi/fmi3.h>

namespace {

struct governor {
  double completed = 0.0, speed = 1.0;
};

governor* of(fmi3Instance instance) { return static_cast<governor*>(instance); }

}  // namespace

fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3Boolean,
                                         fmi3Boolean, const fmi3ValueReference[], std::size_t, fmi3InstanceEnvironment,
                                         fmi3LogMessageCallback, fmi3IntermediateUpdateCallback) {
  return new governor;
}
void fmi3FreeInstance(fmi3Instance instance) { delete of(instance); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Float64) {
  return fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance) { return fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance) { return fmi3OK; }

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference[], std::size_t, const fmi3Float64 values[],
                          std::size_t) {
  of(instance)->completed = values[0];
  return fmi3OK;
}
fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference[], std::size_t, fmi3Float64 values[],
                          std::size_t) {
  values[0] = of(instance)->speed;
  return fmi3OK;
}
fmi3Status fmi3SetInt32(fmi3Instance, const fmi3ValueReference[], std::size_t, const fmi3Int32[], std::size_t) {
  return fmi3Error;
}
fmi3Status fmi3GetInt32(fmi3Instance, const fmi3ValueReference[], std::size_t, fmi3Int32[], std::size_t) {
  return fmi3Error;
}
fmi3Status fmi3SetBoolean(fmi3Instance, const fmi3ValueReference[], std::size_t, const fmi3Boolean[], std::size_t) {
  return fmi3Error;
}
fmi3Status fmi3GetBoolean(fmi3Instance, const fmi3ValueReference[], std::size_t, fmi3Boolean[], std::size_t) {
  return fmi3Error;
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 at, fmi3Float64 length, fmi3Boolean, fmi3Boolean* event,
                      fmi3Boolean* terminate, fmi3Boolean* early, fmi3Float64* reached) {
  if (of(instance)->completed >= 9.0) of(instance)->speed = 0.25;
  *event = *terminate = *early = false;
  *reached = at + length;
  return fmi3OK;
}
