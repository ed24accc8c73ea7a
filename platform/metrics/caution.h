#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// A reason for caution with an estimate. A new one has a row in the catalogue, and is added where it is detected: to a
/// measurement by a replication, to the estimates of a point by results_of(). Tables, files, figures and page show it.
enum class caution : std::uint8_t {
  biased,        ///< a mean over the jobs that have completed, where too many have not
  unstable,      ///< the point has no steady state
  overloaded,    ///< a replication ended early, see overload_guard
  growing,       ///< significantly fewer jobs left than came, see measured_window
  imprecise,     ///< run.precision wanted a narrower interval of it
  short_window,  ///< the measured windows are too short for the load
  heavy,         ///< a few jobs dominate the estimate
};

struct caution_entry {
  caution reason;
  std::string_view word;   ///< the word in the column `note` of results.csv
  char letter;             ///< the letter behind a number in the tables of a terminal
  std::string_view about;  ///< an explanation that completes "WORD: "
};

/// All reasons, in the order in which results list them.
const std::vector<caution_entry>& caution_catalogue();

/// The reasons that an estimate has.
class cautions {
 public:
  cautions() = default;
  cautions(caution reason) { add(reason); }  // NOLINT(google-explicit-constructor): one reason is a set of reasons
  /// The reasons whose words() these are; other words are left out.
  static cautions of_words(const std::string& words);

  void add(caution reason) { bits_ |= bit(reason); }
  void add(const cautions& others) { bits_ |= others.bits_; }
  bool has(caution reason) const { return (bits_ & bit(reason)) != 0; }
  bool any() const { return bits_ != 0; }
  /// Whether the estimate has no limit, as it grows with the length of the simulation.
  bool without_limit() const { return has(caution::unstable) || has(caution::overloaded); }
  /// The words of the reasons, such as "biased; unstable"; empty if there are none.
  std::string words() const;
  /// The letters of the reasons, such as "bu".
  std::string letters() const;

  friend bool operator==(const cautions& a, const cautions& b) { return a.bits_ == b.bits_; }

 private:
  static std::uint32_t bit(caution reason) { return std::uint32_t{1} << static_cast<unsigned>(reason); }

  std::uint32_t bits_ = 0;
};

}  // namespace muster
