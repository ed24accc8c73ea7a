#include "muster/policies/dispatching.h"

namespace muster {

namespace {

class at_random final : public dispatching_rule {
 public:
  explicit at_random(const dispatching_settings& s) : schedulers_(s.schedulers), random_(s.random) {}
  std::uint32_t choose(const dispatching_request&) override { return random_.below(schedulers_); }

 private:
  std::uint32_t schedulers_;
  random_numbers& random_;
};

}  // namespace

extern const dispatching_entry random_dispatching{
    "random", 0, "Any of the schedulers, with equal probability",
    [](const dispatching_settings& s) -> std::unique_ptr<dispatching_rule> { return std::make_unique<at_random>(s); }};

}  // namespace muster
