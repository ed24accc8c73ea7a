#pragma once

// The interface of FMI 2.0, https://fmi-standard.org, as sections 2.1 and 4.2 of the standard define it: names, types
// and the order of arguments are the standard's. It has what co-simulation needs, without partial derivatives, states
// that are kept, and steps that go on in the background.

#include <cstddef>

// NOLINTBEGIN(readability-identifier-naming): the names are the standard's
extern "C" {

/// @name Types of values
/// @{
using fmi2Real = double;
using fmi2Integer = int;
using fmi2Boolean = int;  ///< 0 or 1
using fmi2Char = char;
using fmi2String = const fmi2Char*;  ///< ends with a null, in UTF-8
using fmi2ValueReference = unsigned int;
/// @}

/// @name What stands for something else
/// @{
using fmi2Component = void*;             ///< one instance of an FMU, known to the FMU
using fmi2ComponentEnvironment = void*;  ///< handed back to the importer with each message
/// @}

/// How a call has ended. From fmi2Error on the instance can only be reset or freed.
enum fmi2Status {
  fmi2OK = 0,
  fmi2Warning = 1,  ///< carried out, with something to say about it
  fmi2Discard = 2,  ///< of a step: carried out in part, or not at all
  fmi2Error = 3,    ///< this instance cannot go on
  fmi2Fatal = 4,    ///< no instance of the FMU can go on
  fmi2Pending = 5   ///< of a step: it goes on in the background
};

enum fmi2Type { fmi2ModelExchange = 0, fmi2CoSimulation = 1 };

/// @name Callbacks, which the importer defines
/// @{
/// Takes a message, whose arguments follow as those of printf do.
using fmi2CallbackLogger = void (*)(fmi2ComponentEnvironment componentEnvironment, fmi2String instanceName,
                                    fmi2Status status, fmi2String category, fmi2String message, ...);
/// Gives memory for so many objects of a size, all bytes 0; null if there is none.
using fmi2CallbackAllocateMemory = void* (*)(std::size_t nobj, std::size_t size);
using fmi2CallbackFreeMemory = void (*)(void* obj);
/// Says that a step has ended that went on in the background.
using fmi2StepFinished = void (*)(fmi2ComponentEnvironment componentEnvironment, fmi2Status status);

struct fmi2CallbackFunctions {
  fmi2CallbackLogger logger;
  fmi2CallbackAllocateMemory allocateMemory;
  fmi2CallbackFreeMemory freeMemory;
  fmi2StepFinished stepFinished;  ///< null: a step may not go on in the background
  fmi2ComponentEnvironment componentEnvironment;
};
/// @}

/// @name The whole interface, in any state
/// @{
/// @return "default": the types are those above
const char* fmi2GetTypesPlatform();
/// @return "2.0"
const char* fmi2GetVersion();
/// Switches messages on and off. @param nCategories 0: all categories
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, std::size_t nCategories,
                               const fmi2String categories[]);
/// @}

/// @name From nothing to an instance, and back
/// @{
/// @param fmuGUID as in modelDescription.xml
/// @param fmuResourceLocation URI of the FMU's folder resources
/// @param functions must outlive the instance
/// @return null if there is none
fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                              fmi2String fmuResourceLocation, const fmi2CallbackFunctions* functions,
                              fmi2Boolean visible, fmi2Boolean loggingOn);
/// Ends an instance, in any state. Null is allowed.
void fmi2FreeInstance(fmi2Component c);
/// @}

/// @name From state to state
/// @{
/// @param tolerance of numerical solvers @param startTime,stopTime seconds
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real startTime,
                               fmi2Boolean stopTimeDefined, fmi2Real stopTime);
fmi2Status fmi2EnterInitializationMode(fmi2Component c);
fmi2Status fmi2ExitInitializationMode(fmi2Component c);
/// Ends the simulation; values may still be read.
fmi2Status fmi2Terminate(fmi2Component c);
/// Makes the instance what it was when it had been made.
fmi2Status fmi2Reset(fmi2Component c);
/// @}

/// @name Values of variables
/// @{
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr, fmi2Real value[]);
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr, fmi2Integer value[]);
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr, fmi2Boolean value[]);
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr, fmi2String value[]);
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr, const fmi2Real value[]);
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr, const fmi2Integer value[]);
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr, const fmi2Boolean value[]);
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr, const fmi2String value[]);
/// @}

/// Computes from a communication point to the next. Times are seconds.
/// @param noSetFMUStatePriorToCurrentPoint whether no state from before currentCommunicationPoint will be set again
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
                      fmi2Boolean noSetFMUStatePriorToCurrentPoint);
}
// NOLINTEND(readability-identifier-naming)
