#pragma once

// The interface of FMI 3.0, https://fmi-standard.org, as sections 2 to 5 of the standard define it: names, types and
// the order of arguments are the standard's. An importer takes the type of a function that it looks up with
// `decltype(&fmi3DoStep)`; what exports an FMU defines the functions, which are all that is visible of it.

#include <cstddef>
#include <cstdint>

// NOLINTBEGIN(readability-identifier-naming): the names are the standard's
extern "C" {

/// @name Types of values
/// @{
using fmi3Float32 = float;
using fmi3Float64 = double;
using fmi3Int8 = std::int8_t;
using fmi3UInt8 = std::uint8_t;
using fmi3Int16 = std::int16_t;
using fmi3UInt16 = std::uint16_t;
using fmi3Int32 = std::int32_t;
using fmi3UInt32 = std::uint32_t;
using fmi3Int64 = std::int64_t;
using fmi3UInt64 = std::uint64_t;
using fmi3Boolean = bool;
using fmi3Char = char;
using fmi3String = const fmi3Char*;  ///< ends with a null, in UTF-8
using fmi3Byte = std::uint8_t;
using fmi3Binary = const fmi3Byte*;
using fmi3Clock = bool;  ///< whether it ticks
/// @}

/// @name What stands for something else
/// @{
using fmi3Instance = void*;             ///< one instance of an FMU, known to the FMU
using fmi3InstanceEnvironment = void*;  ///< handed back to the importer with each callback
using fmi3FMUState = void*;             ///< where an instance was, known to the FMU
using fmi3ValueReference = std::uint32_t;
/// @}

/// How a call has ended. From fmi3Error on the instance can only be reset or freed; after fmi3Discard all is as before.
enum fmi3Status {
  fmi3OK = 0,
  fmi3Warning = 1,  ///< carried out, with something to say about it
  fmi3Discard = 2,  ///< could not be carried out; another call may help
  fmi3Error = 3,    ///< this instance cannot go on
  fmi3Fatal = 4     ///< no instance of the FMU can go on
};

/// How an unknown depends on a known.
enum fmi3DependencyKind {
  fmi3Independent = 0,
  fmi3Constant = 1,  ///< by a constant factor
  fmi3Fixed = 2,     ///< by a factor that is constant after initialization
  fmi3Tunable = 3,   ///< by a factor that changes at events, with tunable parameters
  fmi3Discrete = 4,  ///< by a factor that changes at events
  fmi3Dependent = 5  ///< in any other way
};

/// What is known of a clock's next interval.
enum fmi3IntervalQualifier { fmi3IntervalNotYetKnown = 0, fmi3IntervalUnchanged = 1, fmi3IntervalChanged = 2 };

/// @name Callbacks, which the importer defines
/// @{
/// Takes a message. The strings are valid during the call alone.
/// @param category one of LogCategories in modelDescription.xml
using fmi3LogMessageCallback = void (*)(fmi3InstanceEnvironment instanceEnvironment, fmi3Status status,
                                        fmi3String category, fmi3String message);
/// Says that a triggered or countdown clock of the FMU wants to be looked at.
using fmi3ClockUpdateCallback = void (*)(fmi3InstanceEnvironment instanceEnvironment);
/// Gives access to variables between two communication points.
/// @param earlyReturnRequested set by the importer: whether the step is to end at earlyReturnTime
using fmi3IntermediateUpdateCallback = void (*)(fmi3InstanceEnvironment instanceEnvironment,
                                                fmi3Float64 intermediateUpdateTime,
                                                fmi3Boolean intermediateVariableSetRequested,
                                                fmi3Boolean intermediateVariableGetAllowed,
                                                fmi3Boolean intermediateStepFinished, fmi3Boolean canReturnEarly,
                                                fmi3Boolean* earlyReturnRequested, fmi3Float64* earlyReturnTime);
using fmi3LockPreemptionCallback = void (*)();
using fmi3UnlockPreemptionCallback = void (*)();
/// @}

#pragma GCC visibility push(default)

/// @name The whole interface, in any state
/// @{
/// @return "3.0", or "3.0.N" of a later minor version
const char* fmi3GetVersion();
/// Switches messages on and off. @param nCategories 0: all categories
fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, std::size_t nCategories,
                               const fmi3String categories[]);
/// @}

/// @name From nothing to an instance, and back
/// Each of the first three returns the instance, or null if there is none.
/// @param instanceName names the instance in messages
/// @param instantiationToken as in modelDescription.xml
/// @param resourcePath absolute path of the FMU's folder resources, with `/` or `\` at its end; may be null
/// @{
fmi3Instance fmi3InstantiateModelExchange(fmi3String instanceName, fmi3String instantiationToken,
                                          fmi3String resourcePath, fmi3Boolean visible, fmi3Boolean loggingOn,
                                          fmi3InstanceEnvironment instanceEnvironment,
                                          fmi3LogMessageCallback logMessage);
/// @param eventModeUsed whether the importer handles events, by fmi3EnterEventMode
/// @param earlyReturnAllowed whether fmi3DoStep may end before its communication step has passed
/// @param intermediateUpdate may be null
fmi3Instance fmi3InstantiateCoSimulation(fmi3String instanceName, fmi3String instantiationToken,
                                         fmi3String resourcePath, fmi3Boolean visible, fmi3Boolean loggingOn,
                                         fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,
                                         const fmi3ValueReference requiredIntermediateVariables[],
                                         std::size_t nRequiredIntermediateVariables,
                                         fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage,
                                         fmi3IntermediateUpdateCallback intermediateUpdate);
fmi3Instance fmi3InstantiateScheduledExecution(fmi3String instanceName, fmi3String instantiationToken,
                                               fmi3String resourcePath, fmi3Boolean visible, fmi3Boolean loggingOn,
                                               fmi3InstanceEnvironment instanceEnvironment,
                                               fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate,
                                               fmi3LockPreemptionCallback lockPreemption,
                                               fmi3UnlockPreemptionCallback unlockPreemption);
/// Ends an instance, in any state. Null is allowed.
void fmi3FreeInstance(fmi3Instance instance);
/// @}

/// @name From state to state
/// @{
/// @param tolerance of numerical solvers @param startTime,stopTime seconds
fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,
                                       fmi3Float64 startTime, fmi3Boolean stopTimeDefined, fmi3Float64 stopTime);
/// Enters event mode if the importer uses it, else step mode.
fmi3Status fmi3ExitInitializationMode(fmi3Instance instance);
fmi3Status fmi3EnterEventMode(fmi3Instance instance);
/// Ends the simulation; values may still be read.
fmi3Status fmi3Terminate(fmi3Instance instance);
/// Makes the instance what it was when it had been made.
fmi3Status fmi3Reset(fmi3Instance instance);
fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance);
fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance);
/// @}

/// @name Values of variables
/// @param nValues as many as all elements of the variables together; an array has its elements one after another
/// @{
#define MUSTER_FMI3_VALUES(Type)                                                                    \
  fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference valueReferences[],       \
                           std::size_t nValueReferences, fmi3##Type values[], std::size_t nValues); \
  fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference valueReferences[],       \
                           std::size_t nValueReferences, const fmi3##Type values[], std::size_t nValues)
MUSTER_FMI3_VALUES(Float32);
MUSTER_FMI3_VALUES(Float64);
MUSTER_FMI3_VALUES(Int8);
MUSTER_FMI3_VALUES(UInt8);
MUSTER_FMI3_VALUES(Int16);
MUSTER_FMI3_VALUES(UInt16);
MUSTER_FMI3_VALUES(Int32);
MUSTER_FMI3_VALUES(UInt32);
MUSTER_FMI3_VALUES(Int64);
MUSTER_FMI3_VALUES(UInt64);
MUSTER_FMI3_VALUES(Boolean);
MUSTER_FMI3_VALUES(String);
#undef MUSTER_FMI3_VALUES
/// @param valueSizes bytes of each value
fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         std::size_t nValueReferences, std::size_t valueSizes[], fmi3Binary values[],
                         std::size_t nValues);
fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         std::size_t nValueReferences, const std::size_t valueSizes[], const fmi3Binary values[],
                         std::size_t nValues);
fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[], std::size_t nValueReferences,
                        fmi3Clock values[]);
fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[], std::size_t nValueReferences,
                        const fmi3Clock values[]);
/// @}

/// @name What depends on what, where structural parameters change it
/// @{
fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference valueReference,
                                               std::size_t* nDependencies);
fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent,
                                       std::size_t elementIndicesOfDependent[], fmi3ValueReference independents[],
                                       std::size_t elementIndicesOfIndependents[], fmi3DependencyKind dependencyKinds[],
                                       std::size_t nDependencies);
/// @}

/// @name Where an instance was
/// @{
/// @param FMUState null at first: a new state is made; else the state that is written over
fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* FMUState);
/// Goes back to a state, whatever mode it was taken in. The state stays as it is.
fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState FMUState);
/// Sets the state to null, which is allowed too.
fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* FMUState);
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState FMUState, std::size_t* size);
fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState FMUState, fmi3Byte serializedState[],
                                 std::size_t size);
fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte serializedState[], std::size_t size,
                                   fmi3FMUState* FMUState);
/// @}

/// @name Partial derivatives
/// @{
fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        std::size_t nUnknowns, const fmi3ValueReference knowns[], std::size_t nKnowns,
                                        const fmi3Float64 seed[], std::size_t nSeed, fmi3Float64 sensitivity[],
                                        std::size_t nSensitivity);
fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[], std::size_t nUnknowns,
                                    const fmi3ValueReference knowns[], std::size_t nKnowns, const fmi3Float64 seed[],
                                    std::size_t nSeed, fmi3Float64 sensitivity[], std::size_t nSensitivity);
/// @}

/// @name Clocks
/// Intervals and shifts are seconds; as fractions counter / resolution.
/// @{
fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                  std::size_t nValueReferences, fmi3Float64 intervals[],
                                  fmi3IntervalQualifier qualifiers[]);
fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                   std::size_t nValueReferences, fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                   fmi3IntervalQualifier qualifiers[]);
fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                               std::size_t nValueReferences, fmi3Float64 shifts[]);
fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                std::size_t nValueReferences, fmi3UInt64 counters[], fmi3UInt64 resolutions[]);
fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                  std::size_t nValueReferences, const fmi3Float64 intervals[]);
fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                   std::size_t nValueReferences, const fmi3UInt64 counters[],
                                   const fmi3UInt64 resolutions[]);
fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                               std::size_t nValueReferences, const fmi3Float64 shifts[]);
fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                std::size_t nValueReferences, const fmi3UInt64 counters[],
                                const fmi3UInt64 resolutions[]);
/// @}

/// @name Event mode
/// @{
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance);
/// Ends an iteration at an event. @param nextEventTime seconds
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate,
                                    fmi3Boolean* terminateSimulation, fmi3Boolean* nominalsOfContinuousStatesChanged,
                                    fmi3Boolean* valuesOfContinuousStatesChanged, fmi3Boolean* nextEventTimeDefined,
                                    fmi3Float64* nextEventTime);
/// @}

/// @name Model exchange
/// @{
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance);
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                       fmi3Boolean* enterEventMode, fmi3Boolean* terminateSimulation);
fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time);
fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 continuousStates[],
                                   std::size_t nContinuousStates);
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[],
                                             std::size_t nContinuousStates);
fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 eventIndicators[], std::size_t nEventIndicators);
fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 continuousStates[],
                                   std::size_t nContinuousStates);
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[],
                                             std::size_t nContinuousStates);
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, std::size_t* nEventIndicators);
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, std::size_t* nContinuousStates);
/// @}

/// @name Co-simulation
/// @{
fmi3Status fmi3EnterStepMode(fmi3Instance instance);
fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                    std::size_t nValueReferences, const fmi3Int32 orders[], fmi3Float64 values[],
                                    std::size_t nValues);
/// Computes from a communication point to the next. Times are seconds.
/// @param noSetFMUStatePriorToCurrentPoint whether no state from before currentCommunicationPoint will be set again
/// @param eventHandlingNeeded set by the FMU: whether the importer has to enter event mode at lastSuccessfulTime
/// @param earlyReturn whether the step has ended before its end, at lastSuccessfulTime
fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint, fmi3Float64 communicationStepSize,
                      fmi3Boolean noSetFMUStatePriorToCurrentPoint, fmi3Boolean* eventHandlingNeeded,
                      fmi3Boolean* terminateSimulation, fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime);
/// @}

/// @name Scheduled execution
/// @{
fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clockReference,
                                      fmi3Float64 activationTime);
/// @}

#pragma GCC visibility pop
}
// NOLINTEND(readability-identifier-naming)
