#include "platform/report/core_pictures.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <vector>

#include <nlohmann/json.hpp>

#include "platform/model/class_table.h"
#include "platform/model/joined_servers.h"
#include "platform/model/resource_places.h"
#include "platform/tables/number_text.h"

namespace muster {

namespace {

/// Which rows of a picture are free, a bit each: to find some takes a step for each run of free ones, not for each row.
class free_rows {
 public:
  /// All are free. @param size number of rows
  explicit free_rows(std::uint32_t size) : size_(size), words_(size / bits + 1, ~std::uint64_t{0}) {}

  std::uint32_t size() const { return size_; }
  /// The first free row from one on; size() if there is none.
  std::uint32_t next_free(std::uint32_t from) const { return next(from, 0); }
  /// The first row from one on that is not free; size() if there is none.
  std::uint32_t next_held(std::uint32_t from) const { return next(from, ~std::uint64_t{0}); }
  /// The first of so many neighbouring free rows; size() if there are nowhere so many.
  std::uint32_t first_run(std::uint32_t count) const {
    for (std::uint32_t begin = next_free(0); begin < size_;) {
      const std::uint32_t end = next_held(begin);
      if (end - begin >= count) return begin;
      begin = next_free(end);
    }
    return size_;
  }

  void take(std::uint32_t first, std::uint32_t count) {
    for_words(first, count, [](std::uint64_t& word, std::uint64_t mask) { word &= ~mask; });
  }
  void give_back(std::uint32_t first, std::uint32_t count) {
    for_words(first, count, [](std::uint64_t& word, std::uint64_t mask) { word |= mask; });
  }

 private:
  static constexpr std::uint32_t bits = 64;

  // The first row from one on whose bit differs from those of `others`.
  std::uint32_t next(std::uint32_t from, std::uint64_t others) const {
    if (from >= size_) return size_;
    std::uint32_t at = from / bits;
    std::uint64_t word = (words_[at] ^ others) & (~std::uint64_t{0} << (from % bits));
    while (word == 0 && ++at < words_.size()) word = words_[at] ^ others;
    return word == 0 ? size_ : std::min(size_, at * bits + static_cast<std::uint32_t>(__builtin_ctzll(word)));
  }

  // Calls a function with each word that has some of the rows, and a mask of them.
  template <class Change>
  void for_words(std::uint32_t first, std::uint32_t count, const Change& change) {
    while (count > 0) {
      const std::uint32_t from = first % bits, here = std::min(count, bits - from);
      change(words_[first / bits], (~std::uint64_t{0} >> (bits - here)) << from);
      first += here;
      count -= here;
    }
  }

  std::uint32_t size_;
  std::vector<std::uint64_t> words_;
};

/// The rows of one server.
class server_rows {
 public:
  server_rows(std::uint32_t first, std::uint32_t count) : first_(first), free_(count) {}

  /// @param begun not before that of the slice placed before
  void place(std::size_t slice, std::uint32_t count, double begun, double ended, std::vector<row_block>& all) {
    for (; !held_.empty() && held_.top().until <= begun; held_.pop())
      free_.give_back(held_.top().first, held_.top().count);
    const std::uint32_t together = free_.first_run(count);
    const bool whole = together < free_.size();
    for (std::uint32_t from = whole ? together : free_.next_free(0); count > 0 && from < free_.size();
         from = free_.next_free(from)) {
      const std::uint32_t taken = whole ? count : std::min(count, free_.next_held(from) - from);
      free_.take(from, taken);
      held_.push({ended, from, taken});
      all.push_back({slice, first_ + from, taken});
      count -= taken;
    }
  }

 private:
  /// Neighbouring rows that a slice holds.
  struct held {
    double until;
    std::uint32_t first, count;

    bool operator>(const held& other) const { return until > other.until; }
  };

  std::uint32_t first_;
  free_rows free_;
  std::priority_queue<held, std::vector<held>, std::greater<>> held_;  // the first to end on top
};

/// The rows of the devices of one server.
class device_rows {
 public:
  device_rows(std::uint32_t first, std::uint32_t count) : first_(first), holders_(count) {}

  void place(std::size_t slice, const std::vector<held_device>& devices, double begun, double ended,
             std::vector<row_block>& all) {
    for (const held_device& device : devices) {
      if (device.number >= holders_.size()) continue;
      const std::uint32_t row = first_ + device.number;
      for (const part& taken : take(holders_[device.number], device.share, begun, ended)) {
        row_block* const last = all.empty() ? nullptr : &all.back();  // of the slice's cores, or of its device before
        const bool joins = last && last->slice == slice && last->first >= first_ && last->first + last->count == row;
        if (joins && last->height == 1000 && taken.height() == 1000)
          ++last->count;
        else
          all.push_back({slice, row, 1, taken.below, taken.height()});
      }
    }
  }

 private:
  /// A part of a device that a slice holds, in thousandths.
  struct part {
    std::uint16_t below, behind;
    double until;

    std::uint16_t height() const { return static_cast<std::uint16_t>(behind - below); }
  };

  // Takes the lowest free part of a device that is high enough, else the lowest free parts.
  static std::vector<part> take(std::vector<part>& held, std::uint16_t share, double begun, double ended) {
    held.erase(std::remove_if(held.begin(), held.end(), [&](const part& p) { return p.until <= begun; }), held.end());
    std::vector<part> taken;
    std::uint16_t from = 0;
    for (std::size_t n = 0; n <= held.size(); ++n) {
      const std::uint16_t until = n < held.size() ? held[n].below : 1000;
      if (until > from) taken.push_back({from, until, ended});
      if (n < held.size()) from = held[n].behind;
    }
    const auto whole = std::find_if(taken.begin(), taken.end(), [&](const part& p) { return p.height() >= share; });
    if (whole != taken.end()) taken = {*whole};
    std::uint16_t left = share;
    for (part& p : taken) {
      p.behind = static_cast<std::uint16_t>(p.below + std::min(p.height(), left));
      left = static_cast<std::uint16_t>(left - p.height());
    }
    taken.erase(std::remove_if(taken.begin(), taken.end(), [](const part& p) { return p.height() == 0; }), taken.end());
    held.insert(held.end(), taken.begin(), taken.end());
    std::sort(held.begin(), held.end(), [](const part& a, const part& b) { return a.below < b.below; });
    return taken;
  }

  std::uint32_t first_;
  std::vector<std::vector<part>> holders_;  // of each device, the lowest part first
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

std::vector<row_block> rows_of(const core_window& window, const std::vector<std::uint32_t>& cores,
                               const std::vector<std::uint32_t>& devices, const cluster_rows& of_cluster) {
  std::vector<server_rows> servers;
  std::vector<device_rows> beside;
  device_rows behind(of_cluster.first, of_cluster.count);
  std::uint32_t first = 0;
  for (std::size_t server = 0; server < cores.size(); ++server) {
    servers.emplace_back(first, cores[server]);
    first += cores[server];
    if (devices.empty()) continue;
    beside.emplace_back(first, devices[server]);
    first += devices[server];
  }
  std::vector<std::size_t> order(window.slices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return window.slices[a].begun < window.slices[b].begun; });
  std::vector<row_block> all;
  all.reserve(order.size());
  for (const std::size_t at : order) {
    const core_slice& s = window.slices[at];
    const double ended = s.ended.value_or(window.end);
    const bool is_of_cluster = of_cluster.count > 0 && s.server == of_cluster.server;
    if (!is_of_cluster) servers.at(s.server).place(at, s.count, s.begun, ended, all);
    if (is_of_cluster)
      behind.place(at, s.devices, s.begun, ended, all);
    else if (!beside.empty())
      beside[s.server].place(at, s.devices, s.begun, ended, all);
  }
  return all;
}

cluster_rows rows_of_cluster(const scenario& model) {
  const std::vector<std::uint32_t> devices = devices_of_entries(model);
  std::uint64_t rows = 0;
  for (std::size_t at = 0; at < devices.size(); ++at)
    rows += std::uint64_t{model.servers[at].count} * (model.servers[at].cores + devices[at]);
  return {total_servers(model), static_cast<std::uint32_t>(rows),
          static_cast<std::uint32_t>(devices_in_pictures(model).size())};
}

json server_data(const std::vector<time_bin>& bins, const scenario& model, std::size_t most_cells) {
  return joined(bins, model, most_cells);
}

json server_data(const std::vector<server_bin>& bins, const scenario& model, std::size_t most_cells) {
  return joined(bins, model, most_cells);
}

std::vector<std::uint32_t> devices_of_entries(const scenario& model) {
  std::vector<std::uint32_t> devices;
  for (const server_spec& s : model.servers) {
    devices.push_back(static_cast<std::uint32_t>(device_names(places_of_server(model, s)).size()));
  }
  return devices;
}

json server_entries(const scenario& model) {
  json all = json::array();
  for (const server_spec& s : model.servers) {
    if (s.count == 0) continue;
    json entry{s.name, s.count, s.cores};
    std::vector<std::string> devices = device_names(places_of_server(model, s));
    if (!devices.empty()) entry.push_back(std::move(devices));
    all.push_back(std::move(entry));
  }
  return all;
}

}  // namespace muster
