#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace muster {

/// Computes successive blocks of four numbers of the stream that is named by the first three arguments.
/// @param first number of the first block
/// @param numbers room for four of each block
void draw_blocks(std::uint64_t seed, std::uint64_t name, std::uint64_t replication, std::uint64_t first,
                 std::uint64_t* numbers, std::size_t blocks);
/// How often streams of this process have drawn such blocks. A piece of code whose streams are its own has drawn
/// nothing if the number is the same before and after it.
std::uint64_t random_draws();

/// A counter-based stream of random bits: the n-th number is a function of (seed, replication, module, purpose, n).
///
/// Streams of other modules, other purposes or another number of workers never change it. The function is
/// Philox-4x64-10 of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3". Satisfies UniformRandomBitGenerator.
/// @tparam ahead how many numbers it computes at once, a multiple of four; what they are does not depend on it
template <std::size_t ahead>
class counter_based_stream {
 public:
  using result_type = std::uint64_t;

  /// @param module name of the module that draws
  /// @param purpose what it draws for
  counter_based_stream(std::uint64_t seed, std::uint64_t replication, std::string_view module, std::string_view purpose)
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
  // The hash FNV-1a, which is the same on every machine, unlike std::hash.
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

  void refill() { draw_blocks(seed_, name_, replication_, drawn_ / at_once, block_.data(), ahead / at_once); }

  static constexpr std::size_t at_once = 4;  // numbers that the generator gives at once
  static_assert(ahead % at_once == 0);

  std::uint64_t seed_, name_, replication_;
  std::uint64_t drawn_ = 0;
  std::array<result_type, ahead> block_{};
};

/// The usual stream: computing many numbers at once is faster.
using random_stream = counter_based_stream<64>;
/// A stream in one cache line, where there are as many as servers.
using compact_random_stream = counter_based_stream<4>;

}  // namespace muster
