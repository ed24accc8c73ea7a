#pragma once

#include <dlfcn.h>
#include <sys/utsname.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <regex>
#include <stdexcept>
#include <string>

#include <muster/platform/fmi/fmi3.h>

/// An FMU of FMI 3.0 that has been unpacked, loaded as any importer does it.
class fmu {
 public:
  /// @param folder with `/` at its end
  explicit fmu(const std::string& folder) : resources(folder + "resources/") {
    std::ifstream file(folder + "modelDescription.xml");
    description_.assign(std::istreambuf_iterator<char>(file), {});
    token = attribute(description_, "instantiationToken");
    const std::string name = attribute(description_, "modelIdentifier");
    utsname system{};
    uname(&system);
    const std::string library = folder + "binaries/" + system.machine + "-linux/" + name + ".so";
    library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) throw std::runtime_error(dlerror());
  }
  fmu(const fmu&) = delete;
  fmu& operator=(const fmu&) = delete;
  ~fmu() { dlclose(library_); }

  /// A function of the library. @tparam Type its type, `decltype(fmi3DoStep)`
  template <class Type>
  Type* function(const char* name) const {
    void* const found = dlsym(library_, name);
    if (found == nullptr) throw std::runtime_error(dlerror());
    return reinterpret_cast<Type*>(found);
  }
  /// The value reference of a variable.
  fmi3ValueReference operator[](const std::string& name) const {
    const std::regex element("<[A-Za-z0-9]+ name=\"" + name + "\"[^>]*>");
    std::smatch found;
    if (!std::regex_search(description_, found, element)) throw std::runtime_error("no variable " + name);
    return static_cast<fmi3ValueReference>(std::stoul(attribute(found.str(), "valueReference")));
  }

  std::string resources, token;

 private:
  static std::string attribute(const std::string& text, const std::string& name) {
    std::smatch found;
    if (!std::regex_search(text, found, std::regex(" " + name + "=\"([^\"]*)\"")))
      throw std::runtime_error("no attribute " + name);
    return found[1];
  }

  std::string description_;
  void* library_ = nullptr;
};

/// The status of a call of one of FMI's functions: `call(of, fmi3DoStep, instance, ..)`.
#define call(of, name, ...) of.function<decltype(name)>(#name)(__VA_ARGS__)

/// An instance that is ready for its first step. Every call must succeed, but for those that tests make themselves.
class instance {
 public:
  enum class events { none, used, with_early_return };

  explicit instance(const fmu& of, events handled = events::none) : of_(of), handled_(handled) {
    const bool early = handled == events::with_early_return;
    self = call(of_, fmi3InstantiateCoSimulation, "cluster", of.token.c_str(), of.resources.c_str(), false, false,
                handled != events::none, early, nullptr, 0, this, take_message, nullptr);
    if (self == nullptr) throw std::runtime_error(message);
    begin();
  }
  instance(const instance&) = delete;
  instance& operator=(const instance&) = delete;
  ~instance() { call(of_, fmi3FreeInstance, self); }

  void begin() {
    expect(call(of_, fmi3EnterInitializationMode, self, false, 0.0, 0.0, false, 0.0));
    expect(call(of_, fmi3ExitInitializationMode, self));
    if (handled_ != events::none) end_of_event();
    time = 0.0;
  }
  fmi3Status try_step(double from, double size) {
    bool terminate = false, early = false;
    double reached = 0.0;
    const fmi3Status status = call(of_, fmi3DoStep, self, from, size, false, &event, &terminate, &early, &reached);
    if (status == fmi3OK) time = early ? reached : from + size;
    return status;
  }
  /// Steps once towards a time, and through the event that there may be.
  void step_to(double until) {
    expect(try_step(time, until - time));
    if (!event) return;
    expect(call(of_, fmi3EnterEventMode, self));
    end_of_event();
  }
  void run_to(double until) {
    while (time < until) step_to(until);
  }
  std::int64_t count(fmi3ValueReference of) {
    std::int64_t value = 0;
    expect(call(of_, fmi3GetInt64, self, &of, 1, &value, 1));
    return value;
  }
  double number(fmi3ValueReference of) {
    double value = 0.0;
    expect(call(of_, fmi3GetFloat64, self, &of, 1, &value, 1));
    return value;
  }
  fmi3Status set(fmi3ValueReference what, double value) { return call(of_, fmi3SetFloat64, self, &what, 1, &value, 1); }
  fmi3Status set_whole(fmi3ValueReference what, std::int64_t value) {
    return call(of_, fmi3SetInt64, self, &what, 1, &value, 1);
  }
  void reset() {
    expect(call(of_, fmi3Reset, self));
    begin();
  }
  fmi3FMUState take_state() {
    fmi3FMUState taken = nullptr;
    expect(call(of_, fmi3GetFMUState, self, &taken));
    return taken;
  }
  void set_state(fmi3FMUState where, double at) {
    expect(call(of_, fmi3SetFMUState, self, where));
    time = at;
  }
  void expect(fmi3Status status) const {
    if (status != fmi3OK) throw std::runtime_error(message);
  }

  fmi3Instance self = nullptr;
  double time = 0.0;
  bool event = false;   ///< whether the last step has ended with one
  std::string message;  ///< the last one

 private:
  static void take_message(fmi3InstanceEnvironment of, fmi3Status, fmi3String, fmi3String text) {
    static_cast<instance*>(of)->message = text;
  }
  void end_of_event() {
    bool again = false, terminate = false, nominals = false, values = false, next = false;
    double at = 0.0;
    expect(call(of_, fmi3UpdateDiscreteStates, self, &again, &terminate, &nominals, &values, &next, &at));
    expect(call(of_, fmi3EnterStepMode, self));
  }

  const fmu& of_;
  events handled_;
};
