#include "platform/exported_fmu/library/exported_instance.h"

// The functions of FMI 3.0 that the standard wants to be there although the FMU does not support them.

using namespace muster;

namespace {

fmi3Status refuse(fmi3Instance instance, const char* function, const char* why) {
  return guarded(instance, function, [&](exported_instance&) { throw illegal_call(why); });
}

fmi3Instance refuse_to_instantiate(const char* function, fmi3InstanceEnvironment environment,
                                   fmi3LogMessageCallback callback) {
  importer_log{callback, environment, false}.tell(fmi3Error, error_category,
                                                  std::string(function) + ": the FMU is one for co-simulation alone");
  return nullptr;
}

fmi3Status refuse_type(fmi3Instance instance, const char* function, const fmi3ValueReference references[],
                       std::size_t count) {
  return guarded(instance, function, [&](exported_instance& of) {
    if (count == 0) return;
    const cluster_variable& v = of.variable(references[0]);
    throw illegal_call("'" + v.name + "' is " + (v.whole ? "an Int64" : "a Float64"));
  });
}

constexpr const char* of_model_exchange = "is a function of model exchange; the FMU is one for co-simulation";
constexpr const char* no_serialization = "canSerializeFMUState is false: a state is a process";
constexpr const char* no_derivatives = "the FMU has no derivatives";
constexpr const char* no_clocks = "the FMU has no clocks";
constexpr const char* no_structure = "the FMU has no structural parameters";
constexpr const char* no_elements = "providesPerElementDependencies is false";

using reference = fmi3ValueReference;
using size = std::size_t;

}  // namespace

fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                          fmi3InstanceEnvironment environment, fmi3LogMessageCallback callback) {
  return refuse_to_instantiate("fmi3InstantiateModelExchange", environment, callback);
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback callback,
                                               fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                               fmi3UnlockPreemptionCallback) {
  return refuse_to_instantiate("fmi3InstantiateScheduledExecution", environment, callback);
}

#define MUSTER_REFUSED_TYPE(Type)                                                                                 \
  fmi3Status fmi3Get##Type(fmi3Instance instance, const reference references[], size count, fmi3##Type[], size) { \
    return refuse_type(instance, "fmi3Get" #Type, references, count);                                             \
  }                                                                                                               \
  fmi3Status fmi3Set##Type(fmi3Instance instance, const reference references[], size count, const fmi3##Type[],   \
                           size) {                                                                                \
    return refuse_type(instance, "fmi3Set" #Type, references, count);                                             \
  }
MUSTER_REFUSED_TYPE(Float32)
MUSTER_REFUSED_TYPE(Int8)
MUSTER_REFUSED_TYPE(UInt8)
MUSTER_REFUSED_TYPE(Int16)
MUSTER_REFUSED_TYPE(UInt16)
MUSTER_REFUSED_TYPE(Int32)
MUSTER_REFUSED_TYPE(UInt32)
MUSTER_REFUSED_TYPE(UInt64)
MUSTER_REFUSED_TYPE(Boolean)
MUSTER_REFUSED_TYPE(String)
#undef MUSTER_REFUSED_TYPE

fmi3Status fmi3GetBinary(fmi3Instance instance, const reference references[], size count, size[], fmi3Binary[], size) {
  return refuse_type(instance, "fmi3GetBinary", references, count);
}

fmi3Status fmi3SetBinary(fmi3Instance instance, const reference references[], size count, const size[],
                         const fmi3Binary[], size) {
  return refuse_type(instance, "fmi3SetBinary", references, count);
}

fmi3Status fmi3GetClock(fmi3Instance instance, const reference references[], size count, fmi3Clock[]) {
  return refuse_type(instance, "fmi3GetClock", references, count);
}

fmi3Status fmi3SetClock(fmi3Instance instance, const reference references[], size count, const fmi3Clock[]) {
  return refuse_type(instance, "fmi3SetClock", references, count);
}

// A function that is refused whatever its arguments are.
#define MUSTER_REFUSED(function, why, parameters) \
  fmi3Status function parameters { return refuse(instance, #function, why); }

MUSTER_REFUSED(fmi3EnterConfigurationMode, no_structure, (fmi3Instance instance))
MUSTER_REFUSED(fmi3ExitConfigurationMode, no_structure, (fmi3Instance instance))
MUSTER_REFUSED(fmi3GetNumberOfVariableDependencies, no_elements, (fmi3Instance instance, reference, size*))
MUSTER_REFUSED(fmi3GetVariableDependencies, no_elements,
               (fmi3Instance instance, reference, size[], reference[], size[], fmi3DependencyKind[], size))
MUSTER_REFUSED(fmi3SerializedFMUStateSize, no_serialization, (fmi3Instance instance, fmi3FMUState, size*))
MUSTER_REFUSED(fmi3SerializeFMUState, no_serialization, (fmi3Instance instance, fmi3FMUState, fmi3Byte[], size))
MUSTER_REFUSED(fmi3DeserializeFMUState, no_serialization,
               (fmi3Instance instance, const fmi3Byte[], size, fmi3FMUState*))
MUSTER_REFUSED(fmi3GetDirectionalDerivative, no_derivatives,
               (fmi3Instance instance, const reference[], size, const reference[], size, const fmi3Float64[], size,
                fmi3Float64[], size))
MUSTER_REFUSED(fmi3GetAdjointDerivative, no_derivatives,
               (fmi3Instance instance, const reference[], size, const reference[], size, const fmi3Float64[], size,
                fmi3Float64[], size))
MUSTER_REFUSED(fmi3GetOutputDerivatives, no_derivatives,
               (fmi3Instance instance, const reference[], size, const fmi3Int32[], fmi3Float64[], size))
MUSTER_REFUSED(fmi3GetIntervalDecimal, no_clocks,
               (fmi3Instance instance, const reference[], size, fmi3Float64[], fmi3IntervalQualifier[]))
MUSTER_REFUSED(fmi3GetIntervalFraction, no_clocks,
               (fmi3Instance instance, const reference[], size, fmi3UInt64[], fmi3UInt64[], fmi3IntervalQualifier[]))
MUSTER_REFUSED(fmi3GetShiftDecimal, no_clocks, (fmi3Instance instance, const reference[], size, fmi3Float64[]))
MUSTER_REFUSED(fmi3GetShiftFraction, no_clocks,
               (fmi3Instance instance, const reference[], size, fmi3UInt64[], fmi3UInt64[]))
MUSTER_REFUSED(fmi3SetIntervalDecimal, no_clocks, (fmi3Instance instance, const reference[], size, const fmi3Float64[]))
MUSTER_REFUSED(fmi3SetIntervalFraction, no_clocks,
               (fmi3Instance instance, const reference[], size, const fmi3UInt64[], const fmi3UInt64[]))
MUSTER_REFUSED(fmi3SetShiftDecimal, no_clocks, (fmi3Instance instance, const reference[], size, const fmi3Float64[]))
MUSTER_REFUSED(fmi3SetShiftFraction, no_clocks,
               (fmi3Instance instance, const reference[], size, const fmi3UInt64[], const fmi3UInt64[]))
MUSTER_REFUSED(fmi3ActivateModelPartition, no_clocks, (fmi3Instance instance, reference, fmi3Float64))
MUSTER_REFUSED(fmi3EvaluateDiscreteStates, "providesEvaluateDiscreteStates is false", (fmi3Instance instance))
MUSTER_REFUSED(fmi3EnterContinuousTimeMode, of_model_exchange, (fmi3Instance instance))
MUSTER_REFUSED(fmi3CompletedIntegratorStep, of_model_exchange,
               (fmi3Instance instance, fmi3Boolean, fmi3Boolean*, fmi3Boolean*))
MUSTER_REFUSED(fmi3SetTime, of_model_exchange, (fmi3Instance instance, fmi3Float64))
MUSTER_REFUSED(fmi3SetContinuousStates, of_model_exchange, (fmi3Instance instance, const fmi3Float64[], size))
MUSTER_REFUSED(fmi3GetContinuousStateDerivatives, of_model_exchange, (fmi3Instance instance, fmi3Float64[], size))
MUSTER_REFUSED(fmi3GetEventIndicators, of_model_exchange, (fmi3Instance instance, fmi3Float64[], size))
MUSTER_REFUSED(fmi3GetContinuousStates, of_model_exchange, (fmi3Instance instance, fmi3Float64[], size))
MUSTER_REFUSED(fmi3GetNominalsOfContinuousStates, of_model_exchange, (fmi3Instance instance, fmi3Float64[], size))
MUSTER_REFUSED(fmi3GetNumberOfEventIndicators, of_model_exchange, (fmi3Instance instance, size*))
MUSTER_REFUSED(fmi3GetNumberOfContinuousStates, of_model_exchange, (fmi3Instance instance, size*))
#undef MUSTER_REFUSED
