#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muster {

/// The values of a parameter among which a search goes.
class search_range {
 public:
  /// `LOW:HIGH`: of integers, if both ends are written as integers, else of real numbers. `LOW:HIGH:STEP`: LOW, LOW +
  /// STEP and so on, up to HIGH; integers if all three are. `A,B,..`: these values, at least two, which may be names;
  /// as numbers they are 0, 1 and so on. Numbers may have a unit, the same behind each, such as `1 s:60 s`.
  /// @throws std::invalid_argument that says what was expected
  explicit search_range(std::string_view given);

  double low() const { return low_; }
  double high() const { return high_; }  ///< with steps the last of them
  bool whole() const { return whole_; }  ///< integers only
  /// Whether it is a list of values, which have no order.
  bool is_list() const { return !listed_.empty(); }
  /// How many steps lie between low() and high(): of integers 1 each, unless a step is given; 0: real numbers without.
  std::size_t steps() const { return steps_; }
  /// The value after so many steps; there are some.
  double after(std::size_t steps) const;
  /// The values with which a search begins: all of a list, and of values in steps that are at most a fifth more than
  /// `most`; else that many values. They lie in geometric steps where the range spans more than a decade above zero.
  /// @param most at least 2
  std::vector<double> coarse(std::size_t most = 10) const;
  /// The value halfway between two of the range, as coarse() parts it. None if there is no step between them, or, of
  /// real numbers without steps, if they lie no further apart than a share of the range.
  std::optional<double> between(double a, double b, double finest = 0.01) const;
  /// The place of a value: 0 at low(), 1 at high(), by the steps of coarse().
  double share(double value) const;
  /// The value at a place, not rounded, of integers neither. The inverse of share().
  double at(double share) const;
  /// The value as TOML has it, or as a number with a unit.
  std::string text(double value) const;
  /// The unit behind each number; empty: none, or a list.
  const std::string& unit() const { return unit_; }
  /// A number that stands for a value, with the unit, if there is one.
  std::string with_unit(const std::string& number) const;
  /// The range in words: "from LOW to HIGH", or "among A, B".
  std::string words() const;

 private:
  void read_list(std::vector<std::string> values);
  void read_ends(std::string_view given);
  double scaled(double value) const;
  double rounded(double value) const;

  double low_ = 0.0, high_ = 0.0;
  double step_ = 1.0;
  std::size_t steps_ = 0;
  bool whole_ = false, geometric_ = false;
  std::string unit_;
  std::vector<std::string> listed_;  // the texts of a list; else empty
};

/// A key of a scenario, and the values of the key among which a search goes.
struct search_axis {
  std::string key;
  search_range range;
};

/// A value of each axis.
using search_values = std::vector<double>;

/// The combinations of values among which a search goes: one value of each axis.
class search_space {
 public:
  /// @param axes at least one
  explicit search_space(std::vector<search_axis> axes) : axes_(std::move(axes)) {}

  const std::vector<search_axis>& axes() const { return axes_; }
  /// The keys of all axes.
  std::vector<std::string> keys() const {
    std::vector<std::string> keys;
    keys.reserve(axes_.size());
    for (const search_axis& axis : axes_) keys.push_back(axis.key);
    return keys;
  }
  /// Each value as a TOML value.
  std::vector<std::string> texts(const search_values& values) const {
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < axes_.size(); ++k) texts.push_back(axes_[k].range.text(values[k]));
    return texts;
  }
  /// All values as TOML values, parted by a comma.
  std::string text(const search_values& values) const { return fmt::format("{}", fmt::join(texts(values), ", ")); }
  /// "KEY = VALUE" of each axis.
  std::string assignments(const search_values& values, const char* between = ", ") const {
    std::vector<std::string> words = texts(values);
    for (std::size_t k = 0; k < words.size(); ++k) words[k] = axes_[k].key + " = " + words[k];
    return fmt::format("{}", fmt::join(words, between));
  }
  /// What a combination is called: "value" where there is one axis, else "combination".
  const char* noun() const { return axes_.size() == 1 ? "value" : "combination"; }

 private:
  std::vector<search_axis> axes_;
};

/// Combinations of the values of a space, coarse at first and then finer around some of them. Of real numbers the gaps
/// are halved down to about a hundredth of the range.
class search_grid {
 public:
  /// @param most values of an axis in the coarse grid, see search_range::coarse(); at least 2
  search_grid(const search_space& space, std::size_t most);

  /// All combinations of the coarse values of each axis.
  std::vector<search_values> coarse() const;
  /// How often halve() finds a gap to halve.
  std::size_t halvings() const;
  /// Halves the gaps between the values of each axis that has an order.
  void halve() { ++level_; }
  /// The combinations of the next values, or the same one, of each axis that has an order; not the combination itself.
  std::vector<search_values> around(const search_values& values) const;

 private:
  std::optional<double> beside(std::size_t axis, double value, bool above) const;

  const search_space& space_;
  std::vector<std::vector<double>> coarse_;  // of each axis
  std::size_t level_ = 0;                    // how often gaps have been halved
};

}  // namespace muster
