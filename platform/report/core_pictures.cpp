#include "platform/report/core_pictures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

#include "platform/model/joined_servers.h"
#include "platform/tables/number_text.h"

namespace muster {

namespace {

/// The rows of one server.
class server_rows {
 public:
  server_rows(std::uint32_t first, std::uint32_t count) : first_(first), busy_until_(count) {}

  void place(std::size_t slice, std::uint32_t count, double begun, double ended, std::vector<row_block>& all) {
    std::vector<std::uint32_t> free;
    std::size_t together = 0;  // where as many neighbours begin
    bool found = false;
    for (std::uint32_t row = 0; row < busy_until_.size(); ++row) {
      if (busy_until_[row] > begun) continue;
      free.push_back(row);
      if (found || free.size() < count) continue;
      together = free.size() - count;
      found = free[together] + count - 1 == row;
    }
    if (!found) together = 0;
    for (std::size_t at = together; at < free.size() && count > 0; ++at, --count) {
      busy_until_[free[at]] = ended;
      const std::uint32_t row = first_ + free[at];
      if (at > together && all.back().first + all.back().count == row)
        ++all.back().count;
      else
        all.push_back({slice, row, 1});
    }
  }

 private:
  std::uint32_t first_;
  std::vector<double> busy_until_;
};

using json = nlohmann::ordered_json;

constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char letter_of(double share) { return letters[std::lround(63.0 * std::clamp(share, 0.0, 1.0))]; }

/// How many rows and bins become one, so that there are no more cells than wanted.
struct joining {
  std::size_t rows = 1, bins = 1;

  joining(std::size_t all_rows, std::size_t all_bins, std::size_t most_cells) {
    const auto parts = [](std::size_t all, std::size_t together) { return (all + together - 1) / together; };
    while (parts(all_rows, rows) * parts(all_bins, bins) > std::max<std::size_t>(1, most_cells)) {
      if (parts(all_bins, bins) > parts(all_rows, rows))
        bins *= 2;
      else
        rows *= 2;
    }
  }
};

template <class Bin>
json joined(const std::vector<Bin>& bins, const scenario& model, std::size_t most_cells) {
  if (bins.empty()) return nullptr;
  const joined_servers servers(model);
  const joining together(servers.count(), bins.size(), most_cells);
  json lasts = json::array(), rows = json::array();
  const auto end_of = [&](std::size_t first) { return std::min(first + together.bins, bins.size()); };
  for (std::size_t first = 0; first < bins.size(); first += together.bins)
    lasts.push_back(rounded_to_digits(bins[end_of(first) - 1].end - bins[first].begin, 6));
  for (std::size_t row = 0; row < servers.count(); row += together.rows) {
    const std::size_t last_row = std::min(row + together.rows, servers.count());
    std::string text;
    for (std::size_t first = 0; first < bins.size(); first += together.bins) {
      double held = 0.0, whole = 0.0;
      for (std::size_t at = first; at < end_of(first); ++at)
        for (std::size_t n = row; n < last_row; ++n) {
          const double core_time = static_cast<double>(servers.cores(n)) * (bins[at].end - bins[at].begin);
          held += bins[at].servers[n] / 1000.0 * core_time;
          whole += core_time;
        }
      text += letter_of(held / whole);
    }
    rows.push_back(std::move(text));
  }
  return {{"begin", bins.front().begin},
          {"lasts", std::move(lasts)},
          {"each", servers.each() * together.rows},
          {"rows", std::move(rows)}};
}

}  // namespace

std::vector<row_block> rows_of(const core_window& window, const std::vector<std::uint32_t>& cores) {
  std::vector<server_rows> servers;
  std::uint32_t first = 0;
  for (const std::uint32_t count : cores) {
    servers.emplace_back(first, count);
    first += count;
  }
  std::vector<std::size_t> order(window.slices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return window.slices[a].begun < window.slices[b].begun; });
  std::vector<row_block> all;
  for (const std::size_t at : order) {
    const core_slice& s = window.slices[at];
    servers.at(s.server).place(at, s.count, s.begun, s.ended.value_or(window.end), all);
  }
  return all;
}

json server_data(const std::vector<time_bin>& bins, const scenario& model, std::size_t most_cells) {
  return joined(bins, model, most_cells);
}

json server_data(const std::vector<server_bin>& bins, const scenario& model, std::size_t most_cells) {
  return joined(bins, model, most_cells);
}

json server_entries(const scenario& model) {
  json all = json::array();
  for (const server_spec& s : model.servers)
    if (s.count > 0) all.push_back({s.name, s.count, s.cores});
  return all;
}

}  // namespace muster
