#include "platform/theory/stability/server_mixes.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace muster {

namespace {

/// Whether items that each need parts of one device fit on so many devices. Each item is put on every device that
/// differs from those before, the largest items first.
class device_packing {
 public:
  /// @param steps left for this search and later ones; 0 at the end: undecided
  device_packing(std::vector<std::uint64_t> items, std::size_t devices, std::uint64_t parts, std::size_t& steps)
      : items_(std::move(items)), free_(devices, parts), steps_(steps) {
    std::sort(items_.begin(), items_.end(), std::greater<>());
  }

  bool fits() {
    const std::uint64_t needed = std::accumulate(items_.begin(), items_.end(), std::uint64_t{0});
    return needed <= std::accumulate(free_.begin(), free_.end(), std::uint64_t{0}) && place(0);
  }

 private:
  bool place(std::size_t item) {
    if (item == items_.size()) return true;
    std::vector<std::uint64_t> tried;
    for (std::uint64_t& device : free_) {
      if (device < items_[item] || std::find(tried.begin(), tried.end(), device) != tried.end()) continue;
      if (steps_ == 0) return false;
      --steps_;
      tried.push_back(device);
      device -= items_[item];
      if (place(item + 1)) return true;
      device += items_[item];
    }
    return false;
  }

  std::vector<std::uint64_t> items_, free_;
  std::size_t& steps_;
};

// The dual feasible function of Fekete and Schepers for k >= 1: with needs whose sum is at most the amount, the sum of
// its values is at most 1.
double rounded_share(std::uint64_t need, std::uint64_t amount, std::uint64_t k) {
  const std::uint64_t multiple = (k + 1) * need;
  if (multiple % amount == 0) return static_cast<double>(need) / static_cast<double>(amount);
  const std::uint64_t rounded = multiple / amount;
  return static_cast<double>(rounded) / static_cast<double>(k);
}

constexpr std::uint64_t finest_rounding = 5;
constexpr std::uint64_t largest_to_round = std::numeric_limits<std::uint64_t>::max() / (finest_rounding + 1);

}  // namespace

server_room::server_room(const std::vector<resource_type>& types, const amounts& of_server,
                         std::vector<const task_need*> needs)
    : layout_(types, of_server), needs_(std::move(needs)) {
  for (const task_need* need : needs_) {
    if (!need) {
      alone_.push_back(0);
      continue;
    }
    task_need of_any = *need;
    if (!need->exclusive) {
      of_any.tasks = std::numeric_limits<unsigned>::max();
      of_any.at_most_per_server = 0;
    }
    alone_.push_back(layout_.tasks_that_fit(layout_.all(), of_any));
  }
}

/// Lists mixes class by class, from the most tasks that fit downwards.
class server_room::lister {
 public:
  lister(const server_room& room, std::size_t most) : room_(room), most_(most), mix_(room.needs_.size()) {
    for (std::size_t c = 0; c < mix_.size(); ++c)
      if (room.alone_[c] > 0 && !room.holds_whole_server(c)) order_.push_back(c);
    // Classes of which few tasks fit come first, as the last one needs no search.
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return room.alone_[a] < room.alone_[b]; });
  }

  std::optional<std::vector<task_mix>> list() {
    if (!order_.empty()) extend(0);
    for (std::size_t c = 0; c < mix_.size(); ++c) {
      if (room_.alone_[c] == 0 || !room_.holds_whole_server(c)) continue;
      found_.emplace_back(mix_.size())[c] = room_.alone_[c];
    }
    if (steps_ == 0 || found_.size() > most_) return {};
    return std::move(found_);
  }

 private:
  void extend(std::size_t at) {
    const std::size_t c = order_[at];
    unsigned& tasks = mix_[c];
    while (tasks < room_.alone_[c] && fits_with_one_more(c)) ++tasks;
    if (at + 1 == order_.size()) {
      if (is_maximal()) found_.push_back(mix_);
      tasks = 0;
      return;
    }
    for (;; --tasks) {
      extend(at + 1);
      if (tasks == 0 || steps_ == 0 || found_.size() > most_) break;
    }
    tasks = 0;
  }

  // The last class has as many tasks as fit already.
  bool is_maximal() {
    return std::none_of(order_.begin(), order_.end() - 1, [&](std::size_t c) { return fits_with_one_more(c); });
  }

  bool fits_with_one_more(std::size_t c) {
    ++mix_[c];
    const bool fit = fits();
    --mix_[c];
    return fit;
  }

  bool fits() {
    if (steps_ > 0) --steps_;
    for (std::size_t r = 0; r < room_.layout_.resource_count(); ++r)
      if (steps_ == 0 || !(room_.layout_.parts(r) > 0 ? fit_on_devices(r) : fit_in_amount(r))) return false;
    return true;
  }

  std::uint64_t need(std::size_t c, std::size_t r) const {
    const amounts& of_task = room_.needs_[c]->per_task;
    return mix_[c] > 0 && r < of_task.size() ? of_task[r] : 0;
  }

  bool fit_in_amount(std::size_t r) const {
    std::uint64_t left = room_.whole(r);
    for (const std::size_t c : order_) {
      const std::uint64_t of_each = need(c, r);
      if (of_each == 0) continue;
      if (left / of_each < mix_[c]) return false;
      left -= of_each * mix_[c];
    }
    return true;
  }

  bool fit_on_devices(std::size_t r) {
    const std::uint64_t parts = room_.layout_.parts(r);
    std::size_t devices = room_.layout_.count(r);
    std::vector<std::uint64_t> items;
    for (const std::size_t c : order_) {
      const std::uint64_t of_each = need(c, r);
      if (of_each == 0) continue;
      if (of_each < parts) {
        items.insert(items.end(), mix_[c], of_each);
        continue;
      }
      const std::uint64_t whole = of_each / parts;
      if (devices / whole < mix_[c]) return false;
      devices -= whole * mix_[c];
    }
    return items.empty() || device_packing(std::move(items), devices, parts, steps_).fits();
  }

  const server_room& room_;
  std::size_t most_;
  std::size_t steps_ = 50'000;  // so that it takes some hundredths of a second at most
  std::vector<std::size_t> order_;
  task_mix mix_;
  std::vector<task_mix> found_;
};

std::optional<std::vector<task_mix>> server_room::maximal_mixes(std::size_t most) const {
  return lister(*this, most).list();
}

// A class that holds servers as a whole takes all of it with its tasks, whatever is measured.
template <class Measure>
std::vector<double> server_room::by_class(const Measure& of_need) const {
  std::vector<double> all(needs_.size());
  for (std::size_t c = 0; c < needs_.size(); ++c)
    if (alone_[c] > 0) all[c] = holds_whole_server(c) ? 1.0 / alone_[c] : of_need(*needs_[c]);
  return all;
}

std::vector<std::vector<double>> server_room::measures() const {
  std::vector<std::vector<double>> all;
  const auto of = [](const task_need& need, std::size_t r) {
    return r < need.per_task.size() ? need.per_task[r] : std::uint64_t{0};
  };
  for (std::size_t r = 0; r < layout_.resource_count(); ++r) {
    const std::uint64_t amount = whole(r), parts = layout_.parts(r);
    if (amount == 0) continue;
    const auto devices = static_cast<double>(layout_.count(r));
    all.push_back(by_class(
        [&](const task_need& need) { return static_cast<double>(of(need, r)) / static_cast<double>(amount); }));
    for (std::uint64_t k = 1; k <= finest_rounding && amount <= largest_to_round; ++k) {
      all.push_back(by_class([&](const task_need& need) { return rounded_share(of(need, r), amount, k); }));
      if (parts > 1)
        all.push_back(by_class([&](const task_need& need) {
          const std::uint64_t taken = of(need, r), devices_taken = taken / parts;
          return (taken < parts ? rounded_share(taken, parts, k) : static_cast<double>(devices_taken)) / devices;
        }));
    }
  }
  return all;
}

}  // namespace muster
