#include <algorithm>

#include "muster/policies/dispatching.h"

namespace muster {

namespace {

class to_shortest_of_some final : public dispatching_rule {
 public:
  explicit to_shortest_of_some(const dispatching_settings& s) : settings_(s) {}

  // Draws `choices` different schedulers: each draw has its place among those that are left, as Floyd's algorithm does.
  std::uint32_t choose(const dispatching_request& request) override {
    drawn_.clear();
    for (std::uint32_t n = settings_.schedulers - settings_.choices; n < settings_.schedulers; ++n) {
      const std::uint32_t any = settings_.random.below(n + 1);
      drawn_.push_back(std::find(drawn_.begin(), drawn_.end(), any) == drawn_.end() ? any : n);
    }
    std::uint64_t fewest = ~std::uint64_t{0};
    for (const std::uint32_t n : drawn_) fewest = std::min(fewest, request.jobs[n]);
    drawn_.erase(std::remove_if(drawn_.begin(), drawn_.end(), [&](auto n) { return request.jobs[n] > fewest; }),
                 drawn_.end());
    if (drawn_.size() == 1) return drawn_.front();
    return drawn_[settings_.random.below(static_cast<std::uint32_t>(drawn_.size()))];
  }

 private:
  dispatching_settings settings_;
  std::vector<std::uint32_t> drawn_;
};

}  // namespace

extern const dispatching_entry power_of_d_dispatching{
    "power_of_d",
    3,
    "The one with the fewest jobs of some schedulers that are drawn at random; of equal ones any, with equal "
    "probability",
    [](const dispatching_settings& s) -> std::unique_ptr<dispatching_rule> {
      return std::make_unique<to_shortest_of_some>(s);
    },
    true,
    true};

}  // namespace muster
