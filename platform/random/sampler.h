#pragma once

#include <memory>
#include <utility>
#include <variant>

#include <boost/random/exponential_distribution.hpp>

#include "platform/random/random_stream.h"

namespace muster {

/// Draws of any law, copied with it.
class any_sampler {
 public:
  /// @param law callable with a random_stream& and with a compact_random_stream&; returns a double
  template <class Law>
  explicit any_sampler(Law law) : draws_(std::make_unique<draws_of<Law>>(std::move(law))) {}
  any_sampler(const any_sampler& other) : draws_(other.draws_->copy()) {}
  any_sampler(any_sampler&&) noexcept = default;
  any_sampler& operator=(any_sampler other) noexcept {
    draws_ = std::move(other.draws_);
    return *this;
  }
  ~any_sampler() = default;

  template <class Bits>
  double operator()(Bits& bits) {
    return draws_->draw(bits);
  }

 private:
  struct draws {
    virtual ~draws() = default;
    virtual std::unique_ptr<draws> copy() const = 0;
    virtual double draw(random_stream& bits) = 0;
    virtual double draw(compact_random_stream& bits) = 0;
  };
  template <class Law>
  struct draws_of final : draws {
    explicit draws_of(Law l) : law(std::move(l)) {}
    std::unique_ptr<draws> copy() const override { return std::make_unique<draws_of>(law); }
    double draw(random_stream& bits) override { return law(bits); }
    double draw(compact_random_stream& bits) override { return law(bits); }
    Law law;
  };

  std::unique_ptr<draws> draws_;
};

/// Exponential times, the most frequent ones, are drawn without a virtual call.
using sampler = std::variant<boost::random::exponential_distribution<double>, any_sampler>;

/// A number from 0 to below 1.
template <class Bits>
double uniform_number(Bits& bits) {
  return static_cast<double>(bits() >> 11) * 0x1p-53;
}

}  // namespace muster
