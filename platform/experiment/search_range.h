#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// The values of a parameter among which a search goes.
class search_range {
 public:
  /// `LOW:HIGH`: of integers, if both ends are written as integers, else of real numbers.
  /// @throws std::invalid_argument that says what was expected
  explicit search_range(std::string_view given);

  double low() const { return low_; }
  double high() const { return high_; }
  bool whole() const { return whole_; }  ///< integers only
  /// Where to begin: all of at most 12 integers, else ten values; in geometric steps where the range spans more than a
  /// decade above zero.
  std::vector<double> coarse() const;
  /// The value halfway between two of the range, by the steps of coarse(). None if there is no integer between them, or
  /// if they lie no further apart than 1 % of the range.
  std::optional<double> between(double a, double b) const;
  /// Where a value lies: 0 at low(), 1 at high(), by the steps of coarse().
  double share(double value) const;
  /// The value that lies there, not rounded, of integers neither. The inverse of share().
  double at(double share) const;
  /// The same, rounded as the values of coarse() are.
  double rounded_at(double share) const { return rounded(at(share)); }
  /// As a TOML value.
  std::string text(double value) const;

 private:
  double scaled(double value) const;
  double rounded(double value) const;

  double low_ = 0.0, high_ = 0.0;
  bool whole_ = false, geometric_ = false;
};

}  // namespace muster
