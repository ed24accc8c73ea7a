#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <boost/align/aligned_allocator.hpp>

#include "muster/policies/job.h"
#include "platform/model/class_table.h"

// Bare loops that are faster than bare_loop.h: what a job needs and nothing else, random numbers from a fast generator.
// Their jobs are not muster's, so their results agree in distribution only.

namespace muster::bare {

/// xoshiro256++ 1.0 of Blackman and Vigna, "Scrambled linear pseudorandom number generators".
class xoshiro {
 public:
  explicit xoshiro(std::uint64_t seed) {
    for (std::uint64_t& s : state_) {  // SplitMix64, as its authors seed it
      seed += 0x9e3779b97f4a7c15;
      std::uint64_t z = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      s = z ^ (z >> 31);
    }
  }

  std::uint64_t operator()() {
    auto& [a, b, c, d] = state_;
    const std::uint64_t result = rotated(a + d, 23) + a;
    const std::uint64_t t = b << 17;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = rotated(d, 45);
    return result;
  }

 private:
  static std::uint64_t rotated(std::uint64_t x, int by) { return x << by | x >> (64 - by); }
  std::array<std::uint64_t, 4> state_;
};

/// Exponential numbers of mean 1: the ziggurat of Marsaglia and Tsang, "The ziggurat method for generating random
/// variables", with 256 layers and 53 bits.
class exponential_ziggurat {
 public:
  exponential_ziggurat() {
    constexpr double area = 3.949659822581572e-3;
    x_[0] = area / std::exp(-last);
    x_[1] = last;
    for (std::size_t n = 2; n < layers; ++n) x_[n] = -std::log(std::exp(-x_[n - 1]) + area / x_[n - 1]);
    x_[layers] = 0.0;
    for (std::size_t n = 0; n <= layers; ++n) y_[n] = std::exp(-x_[n]);
  }

  double operator()(xoshiro& bits) const {
    for (double tail = 0.0;;) {
      const std::uint64_t drawn = bits();
      const std::size_t n = drawn % layers;
      const double x = uniform(drawn) * x_[n];
      if (x < x_[n + 1]) return tail + x;
      if (n == 0)
        tail += last;  // memoryless: beyond the last layer it begins anew
      else if (y_[n] + uniform(bits()) * (y_[n + 1] - y_[n]) < std::exp(-x))
        return tail + x;
    }
  }

 private:
  static constexpr std::size_t layers = 256;
  static constexpr double last = 7.69711747013104972;
  static double uniform(std::uint64_t drawn) { return static_cast<double>(drawn >> 11) * 0x1p-53; }
  std::array<double, layers + 1> x_{}, y_{};
};

/// Numbers below n with given weights in constant time: Walker's aliases.
class aliases {
 public:
  explicit aliases(std::vector<double> weights) : rows_(weights.size()) {
    double sum = 0.0;
    for (const double w : weights) sum += w;
    std::vector<std::uint32_t> small, large;
    for (std::uint32_t n = 0; n < weights.size(); ++n) {
      weights[n] *= static_cast<double>(weights.size()) / sum;
      (weights[n] < 1.0 ? small : large).push_back(n);
    }
    for (std::uint32_t n = 0; n < weights.size(); ++n) rows_[n] = {1.0, n};
    while (!small.empty() && !large.empty()) {
      const std::uint32_t less = small.back(), more = large.back();
      small.pop_back();
      rows_[less] = {weights[less], more};
      weights[more] -= 1.0 - weights[less];
      if (weights[more] >= 1.0) continue;
      large.pop_back();
      small.push_back(more);
    }
  }

  std::uint32_t operator()(xoshiro& bits) const {
    const double at = static_cast<double>(bits() >> 11) * 0x1p-53 * static_cast<double>(rows_.size());
    const auto n = static_cast<std::uint32_t>(at);
    return at - n < rows_[n].own ? n : rows_[n].other;
  }

 private:
  struct row {
    double own;
    std::uint32_t other;
  };
  std::vector<row> rows_;
};

struct fast_request {
  ticks arrival = 0;
  std::uint32_t type = 0;
  ticks size = 0;
};

/// Poisson arrivals of exponential sizes.
class fast_workload {
 public:
  explicit fast_workload(const scenario& model)
      : bits_(model.run.seed),
        choice_(shares(model)),
        between_(model.arrivals.interarrival.mean() * resolution(model)) {
    for (const std::size_t at : by_descending_need(model))
      sizes_.push_back(model.classes[at].size.mean() * resolution(model));
  }

  void next(fast_request& job) {
    now_ += static_cast<ticks>(draw_(bits_) * between_ + 0.5);
    job.arrival = now_;
    job.type = sizes_.size() == 1 ? 0 : choice_(bits_);
    job.size = 1 + static_cast<ticks>(draw_(bits_) * sizes_[job.type]);
  }

 private:
  static double resolution(const scenario& model) { return static_cast<double>(model.unit.ticks); }
  static std::vector<double> shares(const scenario& model) {
    std::vector<double> all;
    for (const std::size_t at : by_descending_need(model)) all.push_back(model.classes[at].share);
    return all;
  }

  xoshiro bits_;
  exponential_ziggurat draw_;
  aliases choice_;
  double between_;
  std::vector<double> sizes_;
  ticks now_ = 0;
};

/// Pending completions in a 4-ary heap, four children to a cache line where a node has 16 bytes; the top is replaced in
/// place when a completion starts another job.
/// @tparam Rest what is known of a completion but its time
template <class Rest>
class fast_heap {
 public:
  bool empty() const { return nodes_.size() == root + (hole_ ? 1 : 0); }
  ticks next() const { return nodes_[root].at; }
  const Rest& rest() const { return nodes_[root].rest; }
  /// Marks the top as gone.
  void pop() { hole_ = true; }

  void push(ticks at, const Rest& rest) {
    const node n{at, rest};
    if (hole_) {
      hole_ = false;
      sink(n);
      return;
    }
    std::size_t place = nodes_.size();
    for (nodes_.push_back(n); place > root && at < nodes_[parent(place)].at; place = parent(place))
      nodes_[place] = nodes_[parent(place)];
    nodes_[place] = n;
  }

  /// Closes the gap that pop() has left, if nothing was pushed since.
  void settle() {
    if (!hole_) return;
    hole_ = false;
    const node last = nodes_.back();
    nodes_.pop_back();
    if (nodes_.size() > root) sink(last);
  }

 private:
  struct node {
    ticks at;
    Rest rest;
  };
  // With the root fourth in its line, every four children begin one.
  static constexpr std::size_t root = 3;
  static std::size_t parent(std::size_t at) { return at / 4 + 2; }

  void sink(const node n) {
    const std::size_t size = nodes_.size();
    std::size_t at = root;
    for (std::size_t child = 4 * at - 8; child < size; child = 4 * at - 8) {
      const std::size_t end = std::min(child + 4, size);
      std::size_t least = child;
      for (std::size_t other = child + 1; other < end; ++other)
        if (nodes_[other].at < nodes_[least].at) least = other;
      if (n.at <= nodes_[least].at) break;
      nodes_[at] = nodes_[least];
      at = least;
    }
    nodes_[at] = n;
  }

  using nodes = std::vector<node, boost::alignment::aligned_allocator<node, 64>>;
  nodes nodes_ = nodes(root);
  bool hole_ = false;
};

/// The heap as the loop of bare_loop.h uses it.
class fast_completions {
 public:
  struct entry {
    ticks at, arrival;
    std::uint32_t type;
  };
  bool empty() const { return heap_.empty(); }
  ticks next() const { return heap_.next(); }
  entry top() const {
    return {heap_.next(), heap_.rest() >> type_bits, static_cast<std::uint32_t>(heap_.rest() % types)};
  }
  void pop() { heap_.pop(); }
  void push(const entry& e) { heap_.push(e.at, e.arrival << type_bits | e.type); }
  void settle() { heap_.settle(); }

 private:
  static constexpr unsigned type_bits = 6;
  static constexpr std::uint64_t types = 1 << type_bits;
  fast_heap<std::uint64_t> heap_;
};

/// Single-core jobs on like servers, first come, first served: idle servers in a list, first in first out, jobs from a
/// pool.
/// @tparam Request what the workload tells of a job
/// @return mean response time, in ticks, of the jobs after the warm-up
template <class Request, class Workload>
double run_on_servers(Workload& arrivals, std::uint32_t servers, std::uint64_t jobs, std::uint64_t warm_up) {
  struct job {
    ticks arrival, size;
    std::uint32_t server, behind;
  };
  constexpr std::uint32_t none = ~std::uint32_t{0};
  std::vector<job> pool;
  std::uint32_t unused = none, first = none, last = none;
  std::vector<std::uint32_t> idle(servers);  // a ring
  for (std::uint32_t n = 0; n < servers; ++n) idle[n] = n;
  std::uint32_t idle_count = servers, idle_first = 0, idle_end = 0;
  fast_heap<std::uint32_t> pending;
  Request next;
  arrivals.next(next);
  tick_sum response = 0;
  for (std::uint64_t completed = 0; completed < jobs;) {
    if (pending.empty() || next.arrival < pending.next()) {
      std::uint32_t j = unused;
      if (j == none) {
        j = static_cast<std::uint32_t>(pool.size());
        pool.push_back({});
      } else {
        unused = pool[j].behind;
      }
      pool[j] = {next.arrival, next.size, none, none};
      if (idle_count > 0) {
        pool[j].server = idle[idle_first];
        if (++idle_first == servers) idle_first = 0;
        --idle_count;
        pending.push(next.arrival + next.size, j);
      } else {
        (first == none ? first : pool[last].behind) = j;
        last = j;
      }
      arrivals.next(next);
      continue;
    }
    const ticks now = pending.next();
    const std::uint32_t done = pending.rest();
    pending.pop();
    if (++completed > warm_up) response += now - pool[done].arrival;
    if (first == none) {
      idle[idle_end] = pool[done].server;
      if (++idle_end == servers) idle_end = 0;
      ++idle_count;
    } else {
      pool[first].server = pool[done].server;
      pending.push(now + pool[first].size, first);
      first = pool[first].behind;
    }
    pending.settle();
    pool[done].behind = unused;
    unused = done;
  }
  return static_cast<double>(response) / static_cast<double>(jobs - warm_up);
}

}  // namespace muster::bare
