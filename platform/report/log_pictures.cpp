#include "platform/report/core_pictures.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "platform/metrics/packed_slices.h"
#include "platform/tables/number_text.h"

namespace muster {

namespace {

using json = nlohmann::ordered_json;

}  // namespace

bool is_of_log(const scenario& model) { return model.arrivals.kind == arrival_spec::process::log; }

window_of_log unpacked_window(const core_window& stored, const scenario& model) {
  window_of_log unpacked{stored};
  core_window& window = unpacked.window;
  window.packed.clear();
  constexpr std::size_t fewest_letters = 9;  // of a slice, but for very short ones
  window.slices.reserve(stored.packed.size() / fewest_letters);
  unpacked.types.reserve(stored.packed.size() / fewest_letters);
  const double unit = model.unit.seconds;
  const auto in_units = [&](std::uint64_t seconds) {
    return std::min(window.end, window.begin + static_cast<double>(seconds) / unit);
  };
  std::string_view rest = stored.packed;
  for (packed_slice packed; take(rest, packed);) {
    core_slice& slice = window.slices.emplace_back();
    unpacked.types.push_back(static_cast<std::uint32_t>(packed.type));
    slice.server = packed.server;
    slice.job = packed.job;
    slice.count = static_cast<std::uint32_t>(packed.cores);
    slice.begun = in_units(packed.begun);
    slice.works = in_units(packed.begun + packed.overhead);
    if (!packed.lasted) continue;
    slice.ended = in_units(packed.begun + *packed.lasted);
    if (packed.saving > 0) slice.saves = in_units(packed.begun + *packed.lasted - packed.saving);
  }
  return unpacked;
}

json queue_data(const std::vector<queue_bin>& all, std::size_t points) {
  if (all.empty()) return nullptr;
  constexpr std::size_t most_queue_values = 60'000;  // on the whole page
  const std::size_t together = 1 + points * all.size() * 2 / most_queue_values;
  json used = json::array(), wanted = json::array();
  for (std::size_t first = 0; first < all.size(); first += together) {
    const std::size_t last = std::min(first + together, all.size());
    const auto mean = [&](double queue_bin::*value) {
      double sum = 0.0;
      for (std::size_t at = first; at < last; ++at) sum += all[at].*value * (all[at].end - all[at].begin);
      return rounded_to_digits(sum / (all[last - 1].end - all[first].begin), 4);
    };
    used.push_back(mean(&queue_bin::used));
    wanted.push_back(mean(&queue_bin::wanted));
  }
  return {{"begin", all.front().begin},
          {"step", all[std::min(together, all.size()) - 1].end - all.front().begin},
          {"end", all.back().end},
          {"used", std::move(used)},
          {"wanted", std::move(wanted)}};
}

json slowdown_data(const std::vector<slowdown_cell>& all) {
  if (all.empty()) return nullptr;
  json cells = json::array();
  for (const slowdown_cell& cell : all)
    cells.push_back(
        {cell.cores, cell.run_below ? json(*cell.run_below) : json(), cell.jobs, rounded_to_digits(cell.slowdown, 4)});
  return cells;
}

json clock_data(const scenario& model) {
  if (!is_of_log(model)) return nullptr;
  const std::optional<double> begins = model.arrivals.log.begins;
  return {{"seconds", model.unit.seconds}, {"start", begins ? json(*begins) : json()}};
}

}  // namespace muster
