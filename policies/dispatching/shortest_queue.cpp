#include "muster/policies/dispatching.h"

namespace muster {

namespace {

class to_shortest final : public dispatching_rule {
 public:
  explicit to_shortest(const dispatching_settings& s) : random_(s.random) {}

  std::uint32_t choose(const dispatching_request& request) override {
    shortest_.clear();
    std::uint64_t fewest = ~std::uint64_t{0};
    for (std::uint32_t n = 0; n < request.jobs.size(); ++n) {
      if (request.jobs[n] > fewest) continue;
      if (request.jobs[n] < fewest) shortest_.clear();
      fewest = request.jobs[n];
      shortest_.push_back(n);
    }
    if (shortest_.size() == 1) return shortest_.front();
    return shortest_[random_.below(static_cast<std::uint32_t>(shortest_.size()))];
  }

 private:
  random_numbers& random_;
  std::vector<std::uint32_t> shortest_;
};

}  // namespace

extern const dispatching_entry shortest_queue_dispatching{
    "shortest_queue", 2, "The scheduler with the fewest jobs in its system; of equal ones any, with equal probability",
    [](const dispatching_settings& s) -> std::unique_ptr<dispatching_rule> { return std::make_unique<to_shortest>(s); },
    true};

}  // namespace muster
