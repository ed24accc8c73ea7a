#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include <Random123/philox.h>

namespace muster {

/// A counter-based stream of random bits: the n-th number is a function of (seed, replication, module, purpose, n).
///
/// Streams of other modules, other purposes or another number of workers never change it. Philox-4x64-10 of Salmon et
/// al., "Parallel random numbers: as easy as 1, 2, 3". Satisfies UniformRandomBitGenerator.
class random_stream {
 public:
  using result_type = std::uint64_t;

  /// @param module name of the module that draws
  /// @param purpose what it draws for
  random_stream(std::uint64_t seed, std::uint64_t replication, std::string_view module, std::string_view purpose)
      : seed_(seed), name_(hash(module, purpose)), replication_(replication) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  result_type operator()() {
    const std::size_t at = drawn_ % block_.size();
    if (at == 0) refill();
    ++drawn_;
    return block_[at];
  }

 private:
  using generator = r123::Philox4x64;

  // FNV-1a: stays the same on every machine, unlike std::hash.
  static std::uint64_t hash(std::string_view module, std::string_view purpose) {
    std::uint64_t h = 0xcbf29ce484222325u;
    const auto eat = [&h](std::string_view text) {
      for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
      h = (h ^ 0xffu) * 0x100000001b3u;
    };
    eat(module);
    eat(purpose);
    return h;
  }

  void refill() {
    const generator::ctr_type counter{{drawn_ / block_.size(), replication_, 0, 0}};
    const generator::key_type key{{seed_, name_}};
    const generator::ctr_type block = generator{}(counter, key);
    for (std::size_t i = 0; i < block_.size(); ++i) block_[i] = block[i];
  }

  std::uint64_t seed_, name_, replication_;
  std::uint64_t drawn_ = 0;
  std::array<result_type, 4> block_{};
};

}  // namespace muster
