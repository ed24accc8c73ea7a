#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "platform/fmi/fmi2.h"
#include "platform/imported_fmu/fmu_binary.h"

namespace muster {

namespace {

// A function of the binary, by its name.
#define MUSTER_FUNCTION(name) binary_.function<decltype(name)>(#name)

// The path as a URI: what else than letters, digits and some signs it has is written as its bytes.
std::string uri_of(const std::string& path) {
  std::string uri = "file://";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    char code[4];
    std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    uri += plain || std::string_view{"/-._~"}.find(c) != std::string_view::npos ? std::string{c} : code;
  }
  return uri;
}

class fmi2_instance final : public checked_instance<fmi2Status, 2> {
 public:
  fmi2_instance(const fmu_description& description, const std::string& folder, const std::string& name)
      : checked_instance(folder + "/" + description.binary()) {
    instance_ = MUSTER_FUNCTION(fmi2Instantiate)(name.c_str(), fmi2CoSimulation, description.token.c_str(),
                                                 uri_of(folder + "/resources").c_str(), &callbacks_, 0, 1);
    if (!instance_) messages_.report_no_instance("fmi2Instantiate");
  }
  ~fmi2_instance() override {
    if (runs_ && goes_on()) terminate_(instance_);
    if (is_there()) free_(instance_);
  }

  void enter_initialization() override {
    check("fmi2SetupExperiment", set_up_(instance_, 0, 0.0, 0.0, 0, 0.0));
    check("fmi2EnterInitializationMode", enter_(instance_));
  }
  void exit_initialization() override {
    check("fmi2ExitInitializationMode", exit_(instance_));
    runs_ = true;
  }

  void set(const fmu_variable& variable, double value) override {
    const fmi2ValueReference reference = variable.reference;
    const fmi2Integer whole = variable.type == fmu_variable::kind::real ? 0 : to_integer(variable, value);
    if (variable.type == fmu_variable::kind::real)
      check("fmi2SetReal", set_real_(instance_, &reference, 1, &value));
    else if (variable.type == fmu_variable::kind::integer)
      check("fmi2SetInteger", set_integer_(instance_, &reference, 1, &whole));
    else
      check("fmi2SetBoolean", set_boolean_(instance_, &reference, 1, &whole));
  }

  double get(const fmu_variable& variable) override {
    const fmi2ValueReference reference = variable.reference;
    double value = 0.0;
    fmi2Integer whole = 0;
    if (variable.type == fmu_variable::kind::real) {
      check("fmi2GetReal", get_real_(instance_, &reference, 1, &value));
      return value;
    }
    if (variable.type == fmu_variable::kind::integer) {
      check("fmi2GetInteger", get_integer_(instance_, &reference, 1, &whole));
      return whole;
    }
    check("fmi2GetBoolean", get_boolean_(instance_, &reference, 1, &whole));
    return whole != 0 ? 1.0 : 0.0;
  }

  void step(double at, double length) override { check("fmi2DoStep", step_(instance_, at, length, 1)); }

 private:
  static void take_message(fmi2ComponentEnvironment messages, fmi2String, fmi2Status status, fmi2String,
                           fmi2String form, ...) {
    char text[1000] = "";
    va_list arguments;
    va_start(arguments, form);
    if (form) std::vsnprintf(text, sizeof text, form, arguments);
    va_end(arguments);
    static_cast<fmu_messages*>(messages)->add(text, severity_of(status));
  }

  const fmi2CallbackFunctions callbacks_{take_message, std::calloc, std::free, nullptr, &messages_};
  fmi2Component instance_ = nullptr;
  bool runs_ = false;  // the initialization is complete
  decltype(&fmi2SetupExperiment) set_up_ = MUSTER_FUNCTION(fmi2SetupExperiment);
  decltype(&fmi2EnterInitializationMode) enter_ = MUSTER_FUNCTION(fmi2EnterInitializationMode);
  decltype(&fmi2ExitInitializationMode) exit_ = MUSTER_FUNCTION(fmi2ExitInitializationMode);
  decltype(&fmi2Terminate) terminate_ = MUSTER_FUNCTION(fmi2Terminate);
  decltype(&fmi2FreeInstance) free_ = MUSTER_FUNCTION(fmi2FreeInstance);
  decltype(&fmi2SetReal) set_real_ = MUSTER_FUNCTION(fmi2SetReal);
  decltype(&fmi2GetReal) get_real_ = MUSTER_FUNCTION(fmi2GetReal);
  decltype(&fmi2SetInteger) set_integer_ = MUSTER_FUNCTION(fmi2SetInteger);
  decltype(&fmi2GetInteger) get_integer_ = MUSTER_FUNCTION(fmi2GetInteger);
  decltype(&fmi2SetBoolean) set_boolean_ = MUSTER_FUNCTION(fmi2SetBoolean);
  decltype(&fmi2GetBoolean) get_boolean_ = MUSTER_FUNCTION(fmi2GetBoolean);
  decltype(&fmi2DoStep) step_ = MUSTER_FUNCTION(fmi2DoStep);
};

#undef MUSTER_FUNCTION

}  // namespace

std::unique_ptr<fmu_instance> make_fmi2_instance(const fmu_description& description, const std::string& folder,
                                                 const std::string& name) {
  return std::make_unique<fmi2_instance>(description, folder, name);
}

}  // namespace muster
