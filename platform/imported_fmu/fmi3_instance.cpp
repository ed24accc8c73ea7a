#include "platform/fmi/fmi3.h"
#include "platform/imported_fmu/fmu_binary.h"

namespace muster {

namespace {

using kind = fmu_variable::kind;

// A function of the binary, by its name. Those of Int64 are looked for when they are called: many binaries lack them.
#define MUSTER_FUNCTION(name) binary_.function<decltype(name)>(#name)

class fmi3_instance final : public checked_instance<fmi3Status, 3> {
 public:
  fmi3_instance(const fmu_description& description, const std::string& folder, const std::string& name)
      : checked_instance(folder + "/" + description.binary()) {
    instance_ = MUSTER_FUNCTION(fmi3InstantiateCoSimulation)(name.c_str(), description.token.c_str(),
                                                             (folder + "/resources/").c_str(), false, true, false,
                                                             false, nullptr, 0, &messages_, take_message, nullptr);
    if (!instance_) messages_.report_no_instance("fmi3InstantiateCoSimulation");
  }
  ~fmi3_instance() override {
    if (runs_ && goes_on()) terminate_(instance_);
    if (is_there()) free_(instance_);
  }

  void enter_initialization() override {
    check("fmi3EnterInitializationMode", enter_(instance_, false, 0.0, 0.0, false, 0.0));
  }
  void exit_initialization() override {
    check("fmi3ExitInitializationMode", exit_(instance_));
    runs_ = true;
  }

  void set(const fmu_variable& variable, double value) override {
    const fmi3ValueReference reference = variable.reference;
    if (variable.type == kind::real) {
      check("fmi3SetFloat64", set_real_(instance_, &reference, 1, &value, 1));
    } else if (variable.type == kind::long_integer) {
      const fmi3Int64 whole = to_long_integer(variable, value);
      check("fmi3SetInt64", MUSTER_FUNCTION(fmi3SetInt64)(instance_, &reference, 1, &whole, 1));
    } else if (variable.type == kind::integer) {
      const fmi3Int32 whole = to_integer(variable, value);
      check("fmi3SetInt32", set_integer_(instance_, &reference, 1, &whole, 1));
    } else {
      const fmi3Boolean truth = to_integer(variable, value) != 0;
      check("fmi3SetBoolean", set_boolean_(instance_, &reference, 1, &truth, 1));
    }
  }

  double get(const fmu_variable& variable) override {
    const fmi3ValueReference reference = variable.reference;
    if (variable.type == kind::real) {
      double value = 0.0;
      check("fmi3GetFloat64", get_real_(instance_, &reference, 1, &value, 1));
      return value;
    }
    if (variable.type == kind::long_integer) {
      fmi3Int64 whole = 0;
      check("fmi3GetInt64", MUSTER_FUNCTION(fmi3GetInt64)(instance_, &reference, 1, &whole, 1));
      return static_cast<double>(whole);
    }
    if (variable.type == kind::integer) {
      fmi3Int32 whole = 0;
      check("fmi3GetInt32", get_integer_(instance_, &reference, 1, &whole, 1));
      return whole;
    }
    fmi3Boolean truth = false;
    check("fmi3GetBoolean", get_boolean_(instance_, &reference, 1, &truth, 1));
    return truth ? 1.0 : 0.0;
  }

  void step(double at, double length) override {
    fmi3Boolean event = false, terminate = false, early = false;
    fmi3Float64 reached = at;
    check("fmi3DoStep", step_(instance_, at, length, true, &event, &terminate, &early, &reached));
    if (terminate) messages_.report("fmi3DoStep", "OK, and the wish to end the simulation");
  }

 private:
  static void take_message(fmi3InstanceEnvironment messages, fmi3Status status, fmi3String, fmi3String text) {
    static_cast<fmu_messages*>(messages)->add(text ? text : "", severity_of(status));
  }

  fmi3Instance instance_ = nullptr;
  bool runs_ = false;  // the initialization is complete
  decltype(&fmi3EnterInitializationMode) enter_ = MUSTER_FUNCTION(fmi3EnterInitializationMode);
  decltype(&fmi3ExitInitializationMode) exit_ = MUSTER_FUNCTION(fmi3ExitInitializationMode);
  decltype(&fmi3Terminate) terminate_ = MUSTER_FUNCTION(fmi3Terminate);
  decltype(&fmi3FreeInstance) free_ = MUSTER_FUNCTION(fmi3FreeInstance);
  decltype(&fmi3SetFloat64) set_real_ = MUSTER_FUNCTION(fmi3SetFloat64);
  decltype(&fmi3GetFloat64) get_real_ = MUSTER_FUNCTION(fmi3GetFloat64);
  decltype(&fmi3SetInt32) set_integer_ = MUSTER_FUNCTION(fmi3SetInt32);
  decltype(&fmi3GetInt32) get_integer_ = MUSTER_FUNCTION(fmi3GetInt32);
  decltype(&fmi3SetBoolean) set_boolean_ = MUSTER_FUNCTION(fmi3SetBoolean);
  decltype(&fmi3GetBoolean) get_boolean_ = MUSTER_FUNCTION(fmi3GetBoolean);
  decltype(&fmi3DoStep) step_ = MUSTER_FUNCTION(fmi3DoStep);
};

#undef MUSTER_FUNCTION

}  // namespace

std::unique_ptr<fmu_instance> make_fmi3_instance(const fmu_description& description, const std::string& folder,
                                                 const std::string& name) {
  return std::make_unique<fmi3_instance>(description, folder, name);
}

}  // namespace muster
