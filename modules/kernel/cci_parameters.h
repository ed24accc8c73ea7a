#pragma once

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <cci_configuration>

#include "muster/modules/kernel/parameter_list.h"

namespace muster {

/// The parameters and counters of a list as parameters of CCI (IEEE 1666.1), with the same names, while this object
/// lives. Descriptions are the help, and the metadata `unit` is the unit, where there is one.
///
/// | in the list | type | in CCI |
/// |---|---|---|
/// | setting | `sc_dt::int64`, `double` or `std::string`, by its text | immutable |
/// | count | `sc_dt::uint64` | locked; read from the model whenever it is asked for |
/// | level that can be set | `double` | mutable: what is set changes the model, what it refuses is a set_param_failed |
/// | other level | `double` | locked, likewise |
///
/// A preset of a level that can be set is set in the model at once. Any other preset that is not the model's value is a
/// SystemC error: what the model has been built with cannot change.
class cci_parameters {
 public:
  /// @param all of modules that outlive this object
  /// @param broker takes the parameters; its originator is theirs
  cci_parameters(const parameter_list& all, const cci::cci_broker_handle& broker) {
    for (const listed_parameter& p : all.all()) add(p, broker);
  }
  cci_parameters(const cci_parameters&) = delete;
  cci_parameters& operator=(const cci_parameters&) = delete;

 private:
  struct entry {
    virtual ~entry() = default;
  };

  template <class Value, cci::cci_param_mutable_type mutability>
  class shown : public entry {
   public:
    shown(const listed_parameter& of, const Value& value, const cci::cci_broker_handle& broker)
        : in_cci(of.name, value, broker, of.help, cci::CCI_ABSOLUTE_NAME, broker.get_originator()) {
      if (!of.unit.empty()) in_cci.add_metadata("unit", cci::cci_value(of.unit), "unit of the value");
    }

    cci::cci_param<Value, mutability> in_cci;
  };

  /// A value that the model changes. It can be set if the list has a function for that.
  template <class Value>
  class followed final : public shown<Value, cci::CCI_MUTABLE_PARAM> {
   public:
    followed(const listed_parameter& of, const cci::cci_broker_handle& broker)
        : shown<Value, cci::CCI_MUTABLE_PARAM>(of, number<Value>(of.value()), broker), of_(of) {
      if (const Value preset = in_cci.get_value(); preset != number<Value>(of.value())) {
        if (of.set)
          pass_on(preset);
        else
          refuse_preset(of);
      }
      in_cci.register_pre_read_callback(&followed::refresh, this);
      if (of.set)
        in_cci.register_pre_write_callback(&followed::written, this);
      else
        in_cci.lock(this);
    }

   private:
    using shown<Value, cci::CCI_MUTABLE_PARAM>::in_cci;

    void refresh(const cci::cci_param_read_event<Value>& event) {
      const Value now = number<Value>(of_.value());
      if (event.value == now) return;
      refreshing_ = true;
      in_cci.set_value(now, of_.set ? nullptr : this);
      refreshing_ = false;
    }
    bool written(const cci::cci_param_write_event<Value>& event) { return refreshing_ || pass_on(event.new_value); }
    bool pass_on(const Value& value) {
      try {
        of_.set(static_cast<double>(value));
        return true;
      } catch (const std::invalid_argument& refusal) {
        cci::cci_report_handler::set_param_failed(refusal.what(), __FILE__, __LINE__);
        return false;
      }
    }

    const listed_parameter of_;
    bool refreshing_ = false;
  };

  void add(const listed_parameter& p, const cci::cci_broker_handle& broker) {
    const std::string text = p.value();
    if (p.use == listed_parameter::role::count)
      all_.push_back(std::make_unique<followed<sc_dt::uint64>>(p, broker));
    else if (p.use == listed_parameter::role::level)
      all_.push_back(std::make_unique<followed<double>>(p, broker));
    else if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos && text.size() < 19)
      add_setting(p, number<sc_dt::int64>(text), broker);
    else if (is_number(text))
      add_setting(p, number<double>(text), broker);
    else
      add_setting(p, text, broker);
  }

  template <class Value>
  void add_setting(const listed_parameter& p, const Value& value, const cci::cci_broker_handle& broker) {
    auto added = std::make_unique<shown<Value, cci::CCI_IMMUTABLE_PARAM>>(p, value, broker);
    if (added->in_cci.get_value() != value) refuse_preset(p);
    all_.push_back(std::move(added));
  }

  static void refuse_preset(const listed_parameter& p) {
    const std::string message = "'" + p.name + "' is " + p.value() + " in the model, and is preset to another value; " +
                                "expected a preset of what can be set while the model runs";
    SC_REPORT_ERROR("/muster/cci_parameters", message.c_str());
  }

  static bool is_number(const std::string& text) {
    char* end = nullptr;
    std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0';
  }
  template <class Value>
  static Value number(const std::string& text) {
    if constexpr (std::is_same_v<Value, double>) return std::strtod(text.c_str(), nullptr);
    return static_cast<Value>(std::strtoull(text.c_str(), nullptr, 10));
  }

  std::vector<std::unique_ptr<entry>> all_;
};

}  // namespace muster
