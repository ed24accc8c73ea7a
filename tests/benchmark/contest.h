#pragma once

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "measure.h"
#include "platform/model/scenario.h"

namespace muster::bare {

/// What is held against another: a scenario, and the way that it goes.
struct entrant {
  scenario model;
  outcome (*way)(const scenario&);
};

/// Outcomes of both in each round.
using rounds = std::vector<std::array<outcome, 2>>;

/// Both in turn, so that what else the machine does meets them alike.
inline rounds alternate(const entrant& first, const entrant& second, int times) {
  rounds all(static_cast<std::size_t>(times));
  for (auto& [one, other] : all) {
    one = in_a_process_of_its_own([&] { return first.way(first.model); });
    other = in_a_process_of_its_own([&] { return second.way(second.model); });
  }
  return all;
}

/// Medians of a figure of both, and of its ratio.
inline void print(const std::string& title, const entrant& first, const entrant& second, const rounds& all,
                  double (*figure)(const scenario&, const outcome&), const char* target) {
  std::vector<double> left, right, ratios;
  for (const auto& [one, other] : all) {
    left.push_back(figure(first.model, one));
    right.push_back(figure(second.model, other));
    ratios.push_back(left.back() / right.back());
  }
  fmt::print("{:<50} {:>14.2f} {:>14.2f} {:>7.3f} {:>7}\n", title, median(left), median(right), median(ratios), target);
}

inline void print_heading(const std::string& title, const std::string& first, const std::string& second) {
  fmt::print("{:<50} {:>14} {:>14} {:>7} {:>7}\n", title, first, second, "ratio", "target");
}

}  // namespace muster::bare
