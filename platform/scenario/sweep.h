#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "platform/scenario/override_value.h"
#include "platform/toml/toml_reader.h"
#include "platform/toml/toml_value.h"

namespace muster {

/// A key of a sweep and the values that it takes.
struct sweep_axis {
  std::string key;  ///< as written
  std::vector<std::string> path;
  position key_where;
  toml_array values;
};

/// A study before its sweep is expanded: what all points share, and in what they differ.
class sweep_plan {
 public:
  /// Takes a document apart into its `sweep` and the rest, then works the overrides in.
  /// @param overrides `dotted.key=value`; the i-th is source i + 1 of its positions
  sweep_plan(toml_value document, const std::vector<std::string>& overrides, findings& errors);

  const std::vector<sweep_axis>& axes() const { return axes_; }
  /// The number of points. More than `most_points` have been reported, and must not be expanded.
  std::size_t point_count() const { return point_count_; }
  /// Puts numbers in place of strings with units, wherever these stand.
  void replace(const std::vector<converted_value>& numbers);
  /// The document of one point; the first key varies slowest.
  toml_value point(std::size_t index, findings& errors) const;
  /// The values that the sweep puts into a point, in their short form, in the order of the keys.
  std::vector<std::string> values(std::size_t index) const;
  /// The file's own scenario, with values of the sweep only where it has none itself.
  toml_value without_sweep(findings& errors) const;
  /// The keys of a document of this study that the sweep replaces.
  std::vector<std::string> swept_keys(const toml_value& document) const;
  /// The `sweep` table again.
  toml_value sweep_table() const;

  static constexpr std::size_t most_points = 100'000;
  static constexpr std::size_t most_keys = 100;

 private:
  using setting = override_value;

  void take_axes(findings& errors);
  void add_axis(const toml_entry& entry, findings& errors);
  void refuse_several_time_units(findings& errors) const;
  void apply(setting given, findings& errors);
  void drop_axis(const std::vector<std::string>& path);
  bool apply_to_axes(const setting& given, findings& errors);
  const sweep_axis* axis_over_all_like(const std::string& key) const;
  void assign_to(toml_value& document, const std::vector<std::string>& path, position key_where, toml_value value,
                 findings& errors) const;
  std::vector<std::size_t> choices(std::size_t index) const;
  bool names_other_policy(const toml_value& given) const;

  toml_value file_;  // as written, without its sweep, but with the policy that an override names
  toml_value base_;  // with the overrides
  std::vector<sweep_axis> file_axes_, axes_;
  std::vector<std::size_t> by_depth_;  // axes, whole tables before what lies within them
  std::size_t point_count_ = 1;
};

}  // namespace muster
