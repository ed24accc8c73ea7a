#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <systemc>

namespace muster {

/// A parameter or a counter of a module, as a model shows it.
struct listed_parameter {
  enum class role {
    setting,  ///< has the value that it had when it was listed
    count,    ///< a whole number >= 0, which is read whenever it is asked for
    level     ///< a number, likewise
  };

  std::string name;                    ///< hierarchical: that of the module, a dot, its own
  std::string unit;                    ///< of a value that is a number; empty: none
  std::string help;                    ///< what it is, in a sentence without a full stop
  std::function<std::string()> value;  ///< reads it, as long as the module lives
  role use = role::setting;
  /// Changes a level, from this instant on; empty: it is only read.
  /// @throws std::invalid_argument if it cannot have the value, which then has not changed
  std::function<void(double)> set{};
};

/// The parameters and counters of some modules, in the order of the hierarchy.
class parameter_list {
 public:
  /// What a setting is, by its name, in which a single * stands for the name of a class, a group, or the like.
  struct setting_help {
    std::string name, help;
  };

  void add(const sc_core::sc_object& module, const std::string& name, const std::string& unit, const std::string& help,
           std::function<std::string()> value);
  /// Adds a whole number that is read whenever it is asked for.
  template <class Read>
  void add_count(const sc_core::sc_object& module, const std::string& name, const std::string& unit,
                 const std::string& help, Read read) {
    add(module, name, unit, help, [read] { return std::to_string(read()); });
    all_.back().use = listed_parameter::role::count;
  }
  /// Adds a number that is read whenever it is asked for, and can be changed where there is a `set`.
  void add_level(const sc_core::sc_object& module, const std::string& name, const std::string& unit,
                 const std::string& help, std::function<double()> read, std::function<void(double)> set = {});
  /// Adds settings as they are printed, `name = value unit` a line.
  /// @param help the first that fits the name counts
  void add_settings(const sc_core::sc_object& module, const std::string& printed,
                    const std::vector<setting_help>& help);

  const std::vector<listed_parameter>& all() const { return all_; }
  /// @param name hierarchical. @return null: there is none of that name
  const listed_parameter* find(const std::string& name) const;

 private:
  std::vector<listed_parameter> all_;
};

/// A module that shows its parameters and counters.
class listed_module {
 public:
  virtual void list_into(parameter_list& all) const = 0;

 protected:
  ~listed_module() = default;
};

/// The parameters and counters of an object and of all that stands below it in the hierarchy. Called after elaboration.
parameter_list list_parameters(const sc_core::sc_object& top);
/// The parameters and counters of the whole simulation.
parameter_list list_parameters();

/// Prints each on a line, `name = value unit  # help`, with the values of the moment.
std::ostream& operator<<(std::ostream& out, const parameter_list& all);

}  // namespace muster
