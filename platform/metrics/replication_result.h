#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/metrics/caution.h"
#include "platform/metrics/replication_pictures.h"

namespace muster {

/// One number that a replication measured. Without a value there was nothing to estimate it from (see the notes).
struct measurement {
  std::string class_name;  ///< "all": the whole system; "phase_1", ..: a phase of the policy
  std::string metric;
  bool has_value = true;
  double value = 0.0;
  std::uint64_t jobs = 0;  ///< completions behind the value
  /// The half-width of the 95 % interval by overlapping batch means of this replication, where there is one.
  std::optional<double> half_width{};
  cautions marks{};  ///< reasons for caution
  /// The values of successive parts of the window of measurement, with equal numbers of completions; empty: not
  /// recorded.
  std::vector<double> parts{};

  std::optional<double> value_if_any() const { return has_value ? std::optional(value) : std::nullopt; }
  /// The half-width over the value, if there is one.
  std::optional<double> relative_half_width() const {
    if (!half_width) return std::nullopt;
    return *half_width == 0.0 ? 0.0 : *half_width / std::abs(value);
  }
};

/// The numbers of jobs of a class that have left and that have not.
struct class_balance {
  std::string class_name;
  std::uint64_t left = 0;     ///< jobs that left in the window of measurement
  std::uint64_t present = 0;  ///< jobs present at its end

  /// Whether so many are present that means over those that have left are biased: at least 10, and a tenth of them.
  bool many_left_behind() const { return present >= 10 && present * 10 >= left; }
  /// The marks of means over the completed jobs, which are too low where many have not completed.
  cautions marks() const { return many_left_behind() ? caution::biased : cautions{}; }
};

/// Jobs in the system at one instant.
struct presence_sample {
  double time = 0.0;  ///< units of time since the start
  std::string class_name;
  std::uint64_t jobs = 0;
};

/// A note for readers of a replication's numbers.
struct remark {
  std::string text;
  std::string class_name{};  ///< empty: it is not about one class

  /// The remark as a sentence, such as "class 'light': TEXT".
  std::string in_words() const { return class_name.empty() ? text : fmt::format("class '{}': {}", class_name, text); }
};

/// A mean over arrivals whose expectation is known exactly.
struct control_variate {
  std::string name;
  double deviation = 0.0;       ///< deviation from the expectation, over the whole window
  std::vector<double> parts{};  ///< deviations in each part of the window
};

/// The jobs at the beginning of a replication that belong to its warm-up.
struct found_warm_up {
  std::uint64_t jobs = 0;  ///< number of jobs that leave before the measurement begins
  bool settled = true;     ///< false: the replication is too short to show a steady state, and `jobs` is half of it
};

/// The result of a replication.
struct replication_result {
  /// The measurement of a metric of a class; null if there is none.
  const measurement* find(const std::string& class_name, const std::string& metric) const {
    for (const measurement& m : measurements)
      if (m.class_name == class_name && m.metric == metric) return &m;
    return nullptr;
  }

  /// Adds a measurement. @param behind completions behind the value
  measurement& add(std::string class_name, std::string_view metric, double value, std::uint64_t behind,
                   bool has_value = true) {
    return measurements.emplace_back(
        measurement{std::move(class_name), std::string(metric), has_value, value, behind, {}, {}, {}});
  }

  /// The marks of means over the completed jobs of all classes.
  cautions marks() const {
    cautions any;
    for (const class_balance& balance : balances) any.add(balance.marks());
    return any;
  }
  /// Whether the replication ended early, see overload_guard.
  bool overloaded() const { return !measurements.empty() && measurements.front().marks.has(caution::overloaded); }

  std::vector<measurement> measurements;
  std::vector<class_balance> balances;  ///< balance of each class
  std::vector<presence_sample> presence;
  replication_pictures pictures;
  std::vector<remark> notes;
  std::vector<control_variate> controls;
  bool in_parts = false;        ///< whether parts and control variates are recorded, where there are any
  std::uint64_t jobs = 0;       ///< completions, warm-up included
  std::uint64_t events = 0;     ///< timers expired
  double simulated_time = 0.0;  ///< units of time
  double seconds = 0.0;         ///< processor time of the simulation
};

}  // namespace muster
