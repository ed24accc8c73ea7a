#include "platform/report/server_data.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "platform/model/joined_servers.h"
#include "platform/tables/page.h"

namespace muster {

namespace {

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
