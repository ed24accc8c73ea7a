#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "platform/model/class_table.h"
#include "platform/model/resource_places.h"
#include "platform/report/core_pictures.h"
#include "platform/report/page_data.h"
#include "platform/tables/number_text.h"

namespace muster {

namespace {

using json = nlohmann::ordered_json;

// On the whole page.
constexpr std::size_t most_quantiles = 13'000, most_bin_values = 24'000, most_blocks = 7'000, most_cells = 120'000,
                      most_classes_in_waits = 5;
constexpr double steps_of_window = 4000;
// Limits for logs, whose time is much longer: blocks on the whole page and of a point, and steps of the time.
constexpr std::size_t most_blocks_of_logs = 250'000, most_blocks_of_log = 50'000;
constexpr double steps_of_log = 1'000'000;

// Adds whole numbers, each with a comma behind it.
template <std::size_t count>
void add_numbers(std::string& text, const std::array<std::int64_t, count>& values) {
  constexpr std::size_t most_digits = 20;
  char digits[count * (most_digits + 1)];
  char* end = digits;
  for (const std::int64_t value : values) {
    end = std::to_chars(end, end + most_digits, value).ptr;
    *end++ = ',';
  }
  text.append(digits, static_cast<std::size_t>(end - digits));
}

/// Makes the pictures of a study; knows how many of its points share the page.
class detail_writer {
 public:
  detail_writer(const study& s, std::size_t points, plain_texts& texts) : study_(s), points_(points), texts_(texts) {}

  json shares() {
    const std::vector<double>& all = quantile_shares();
    for (std::size_t at = 0; at < all.size(); ++at)
      if (at % quantile_step() == 0 || all[at] >= 0.99 || all[at] == 0.5) shown_.push_back(at);
    json found = json::array();
    for (const std::size_t at : shown_) found.push_back(all[at]);
    return found;
  }

  json responses(const std::vector<class_quantiles>& of_point) {
    json all = json::array();
    for (const class_quantiles& of_class : of_point) {
      json times = json::array();
      for (const std::size_t at : shown_)
        if (at < of_class.times.size()) times.push_back(rounded_to_digits(of_class.times[at], 4));
      all.push_back({class_at(of_class.class_name), std::move(times)});
    }
    return all;
  }

  json bins(const std::vector<time_bin>& all, const scenario& model) {
    if (all.empty()) return nullptr;
    const std::size_t together = 1 + points_ * all.size() * (3 + model.classes.size()) / most_bin_values;
    json lasts = json::array(), running = json::array(), overhead = json::array(), jobs = json::array();
    for (std::size_t n = 0; n < model.classes.size(); ++n) jobs.push_back(json::array());
    const bool has_overhead =
        std::any_of(all.begin(), all.end(), [](const time_bin& b) { return b.overhead_share > 0; });
    const std::size_t parts = std::max<std::size_t>(1, all.size() / together);
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t first = part * all.size() / parts, last = (part + 1) * all.size() / parts;
      const double duration = all[last - 1].end - all[first].begin;
      const auto mean = [&](const auto& value_of) {
        double sum = 0.0;
        for (std::size_t at = first; at < last; ++at) sum += value_of(all[at]) * (all[at].end - all[at].begin);
        return sum / duration;
      };
      lasts.push_back(rounded_to_digits(duration, 4));
      running.push_back(rounded_to_digits(mean([](const time_bin& b) { return b.utilization; }), 3));
      if (has_overhead)
        overhead.push_back(rounded_to_digits(mean([](const time_bin& b) { return b.overhead_share; }), 3));
      for (std::size_t n = 0; n < model.classes.size(); ++n)
        jobs[n].push_back(rounded_to_digits(mean([n](const time_bin& b) { return b.jobs.at(n); }), 3));
    }
    json classes = json::array();
    for (const class_spec& c : model.classes) classes.push_back(class_at(c.name));
    return {{"begin", all.front().begin},      {"lasts", std::move(lasts)},     {"running", std::move(running)},
            {"overhead", std::move(overhead)}, {"classes", std::move(classes)}, {"jobs", std::move(jobs)}};
  }

  /// Shares of busy cores over the window of measurement; null for a log, of which cores() has them.
  json servers(const std::vector<time_bin>& all, const scenario& model) const {
    return is_of_log(model) ? json() : server_data(all, model, most_cells / 2 / points_);
  }

  /// `busy`: shares of busy cores of all servers. `detailed`: how many of the first servers have slices.
  /// `blocks`: six numbers each: place of the class, job after the least one, begin after that of the block before,
  /// length, first row, rows. `overhead`: four each: begin, length, first row, rows. Rows are whole, but for a device
  /// that is held in part. Each server has rows for its cores, then for its devices. `of_cluster`: the names of the
  /// cluster's devices, which have rows behind those of all servers; left out where there are none. Blocks of a log are
  /// so many that they are a text, with a comma behind each number, and without devices.
  json cores(const core_window& stored, const scenario& model) {
    if (stored.bins.empty()) return nullptr;
    const bool of_log = is_of_log(model);
    const window_of_log unpacked = of_log ? unpacked_window(stored, model) : window_of_log{};
    const core_window& window = of_log ? unpacked.window : stored;
    std::vector<std::uint32_t> cores = cores_shown(window, model);
    std::vector<row_block> all = rows_of(window, cores, devices_shown(cores.size(), model), rows_of_cluster(model));
    keep_servers(window, all, cores, model);
    const double end = cut(window, all, model);
    const double step = (end - window.begin) / (of_log ? steps_of_log : steps_of_window);
    const auto at_step = [&](double time) {
      return std::lround((std::clamp(time, window.begin, end) - window.begin) / step);
    };
    std::vector<std::optional<std::size_t>> places_of_types(of_log ? model.classes.size() : 0);
    const auto class_of = [&](std::size_t slice) {
      if (slice < stored.slices.size()) return class_at(stored.slices[slice].class_name);
      const std::uint32_t type = unpacked.types[slice - stored.slices.size()];
      std::optional<std::size_t>& place = places_of_types[type];
      if (!place) place = class_at(model.classes[type].name);
      return *place;
    };
    json blocks = json::array(), overhead = json::array();
    std::string blocks_of_log;
    constexpr std::size_t usual_letters = 24;  // of a block
    blocks_of_log.reserve(of_log ? usual_letters * all.size() : 0);
    std::uint64_t least_job = all.empty() ? 0 : ~std::uint64_t{0};
    for (const row_block& b : all) least_job = std::min(least_job, window.slices[b.slice].job);
    long before = 0;
    for (const row_block& b : all) {
      const core_slice& s = window.slices[b.slice];
      const double ended = s.ended.value_or(window.end);
      const long from = at_step(s.begun), to = at_step(ended);
      if (of_log) {
        add_numbers<6>(blocks_of_log,
                       {static_cast<std::int64_t>(class_of(b.slice)), static_cast<std::int64_t>(s.job - least_job),
                        from - before, to - from, b.first, b.count});
      } else {
        for (const long value :
             {static_cast<long>(class_of(b.slice)), static_cast<long>(s.job - least_job), from - before, to - from})
          blocks.push_back(value);
        add_rows(blocks, b);
      }
      before = from;
      const auto add_overhead = [&](double begin, double until) {
        if (until <= begin || at_step(until) <= at_step(begin)) return;
        overhead.push_back(at_step(begin));
        overhead.push_back(at_step(until) - at_step(begin));
        add_rows(overhead, b);
      };
      add_overhead(s.begun, s.works.value_or(ended));
      if (s.saves) add_overhead(*s.saves, ended);
    }
    json data{{"begin", window.begin},
              {"end", window.bins.back().end},
              {"slices_end", end},
              {"step", step},
              {"detailed", cores.size()},
              {"busy", server_data(window.bins, model, most_cells / (of_log ? 1 : 2) / points_)},
              {"least_job", least_job},
              {"blocks", of_log ? json(texts_.add(std::move(blocks_of_log))) : std::move(blocks)},
              {"overhead", std::move(overhead)}};
    std::vector<std::string> of_cluster = devices_in_pictures(model);
    if (!of_cluster.empty() && !of_log) data["of_cluster"] = std::move(of_cluster);
    return data;
  }

  /// The longest waits: place of the class, job, arrival, wait, whether it has left, and of the classes that ran most
  /// meanwhile place and share.
  json waits(const std::vector<long_wait>& all, const scenario& model) {
    json found = json::array();
    for (const long_wait& w : all) {
      std::vector<std::pair<double, std::size_t>> shares;
      for (std::size_t n = 0; n < w.running.size(); ++n) shares.emplace_back(w.running[n], n);
      std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
      json running = json::array();
      for (const auto& [share, n] : shares)
        if (running.size() < most_classes_in_waits && share > 0.0005)
          running.push_back({class_at(model.classes[n].name), rounded_to_digits(share, 3)});
      found.push_back({class_at(w.class_name), w.job, rounded_to_digits(w.arrival, 8), rounded_to_digits(w.wait, 4),
                       w.has_left, std::move(running)});
    }
    return found;
  }

  json classes() const { return classes_; }

 private:
  std::size_t quantile_step() const {
    std::size_t values = 0;
    for (std::size_t p = 0; p < points_; ++p) values += study_.points[p].model.classes.size() + 1;
    return 1 + values * quantile_shares().size() / most_quantiles;
  }

  std::size_t class_at(const std::string& name) {
    const auto [found, is_new] = places_.try_emplace(name, classes_.size());
    if (is_new) classes_.push_back(name);
    return found->second;
  }

  static std::vector<std::uint32_t> cores_shown(const core_window& window, const scenario& model) {
    std::vector<std::uint32_t> cores;
    for (const server_spec& s : model.servers)
      cores.insert(cores.end(), std::min<std::uint64_t>(s.count, window.servers - cores.size()), s.cores);
    return cores;
  }

  /// The devices of the first servers; empty where none of the cluster has any.
  static std::vector<std::uint32_t> devices_shown(std::size_t servers, const scenario& model) {
    const std::vector<std::uint32_t> of_entries = devices_of_entries(model);
    std::vector<std::uint32_t> devices;
    if (std::count(of_entries.begin(), of_entries.end(), 0u) == static_cast<std::ptrdiff_t>(of_entries.size()))
      return devices;
    for (std::size_t at = 0; at < of_entries.size(); ++at)
      devices.insert(devices.end(), std::min<std::size_t>(model.servers[at].count, servers - devices.size()),
                     of_entries[at]);
    return devices;
  }

  static void add_rows(json& numbers, const row_block& b) {
    if (b.height == 1000) {
      numbers.push_back(b.first);
      numbers.push_back(b.count);
    } else {
      numbers.push_back(b.first + b.below / 1000.0);
      numbers.push_back(b.height / 1000.0);
    }
  }

  std::size_t most_blocks_of_point(const scenario& model) const {
    return is_of_log(model) ? std::min(most_blocks_of_log, most_blocks_of_logs / points_)
                            : std::max<std::size_t>(128, most_blocks / points_);
  }

  static std::size_t at_first(const core_window& window, const std::vector<row_block>& all) {
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [&](const row_block& b) { return window.slices[b.slice].begun <= window.begin; }));
  }

  /// Takes away the last servers until what there is at the beginning fills half of the room at most.
  void keep_servers(const core_window& window, std::vector<row_block>& all, std::vector<std::uint32_t>& cores,
                    const scenario& model) const {
    while (!cores.empty() && at_first(window, all) > most_blocks_of_point(model) / 2) {
      cores.resize(cores.size() / 2);
      const auto is_gone = [&](const row_block& b) {
        const core_slice& s = window.slices[b.slice];
        return s.server >= cores.size() && s.count > 0;
      };
      all.erase(std::remove_if(all.begin(), all.end(), is_gone), all.end());
    }
  }

  /// Takes away what begins after as many blocks as the page has room for. @return the end of what is left
  double cut(const core_window& window, std::vector<row_block>& all, const scenario& model) const {
    const auto begun = [&](const row_block& b) { return window.slices[b.slice].begun; };
    const std::size_t most = most_blocks_of_point(model);
    if (all.size() <= most) return window.end;
    const double end = begun(all[most]);
    while (!all.empty() && begun(all.back()) >= end) all.pop_back();
    return end;
  }

  const study& study_;
  std::size_t points_;
  plain_texts& texts_;
  std::vector<std::size_t> shown_;  // places of quantile shares
  std::vector<std::string> classes_{"all"};
  std::unordered_map<std::string, std::size_t> places_{{"all", 0}};  // of the names in `classes_`
};

}  // namespace

json point_details(const study& s, const study_estimates& estimates, const std::vector<replication_pictures>& by_point,
                   plain_texts& texts) {
  const std::size_t points = std::min({s.points.size(), most_drawn_points, by_point.size()});
  detail_writer writer(s, points, texts);
  json shares = writer.shares(), parts = json::object();
  bool any = false;
  for (std::size_t p = 0; p < points; ++p) {
    const bool finished = p < estimates.responses.size() && !estimates.responses[p].empty();
    const replication_pictures& found = by_point[p];
    const scenario& model = s.points[p].model;
    any = any || finished;
    parts["responses"].push_back(finished ? writer.responses(estimates.responses[p]) : json());
    parts["bins"].push_back(finished ? writer.bins(found.bins, model) : json());
    const bool as_before = p > 0 && server_entries(s.points[p - 1].model) == server_entries(model);
    parts["entries"].push_back(as_before ? json() : server_entries(model));
    parts["cores"].push_back(finished ? writer.cores(found.cores, model) : json());
    parts["servers"].push_back(finished ? writer.servers(found.bins, model) : json());
    parts["waits"].push_back(finished ? writer.waits(found.waits, model) : json());
    parts["queues"].push_back(finished ? queue_data(found.queue, points) : json());
    parts["slowdowns"].push_back(finished ? slowdown_data(found.slowdowns) : json());
    parts["clocks"].push_back(clock_data(model));
  }
  if (!any) return nullptr;
  for (const char* name : {"queues", "slowdowns", "clocks"})
    if (std::all_of(parts[name].begin(), parts[name].end(), [](const json& one) { return one.is_null(); }))
      parts.erase(name);
  json all{{"classes", writer.classes()}, {"shares", std::move(shares)}};
  all.update(parts);
  return all;
}

}  // namespace muster
