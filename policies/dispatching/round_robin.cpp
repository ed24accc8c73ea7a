#include "muster/policies/dispatching.h"

namespace muster {

namespace {

class one_after_the_other final : public dispatching_rule {
 public:
  explicit one_after_the_other(const dispatching_settings& s) : schedulers_(s.schedulers) {}
  std::uint32_t choose(const dispatching_request&) override {
    const std::uint32_t chosen = next_;
    next_ = next_ + 1 == schedulers_ ? 0 : next_ + 1;
    return chosen;
  }

 private:
  std::uint32_t schedulers_, next_ = 0;
};

}  // namespace

extern const dispatching_entry round_robin_dispatching{
    "round_robin", 1, "One scheduler after the other, whatever the class of the job",
    [](const dispatching_settings& s) -> std::unique_ptr<dispatching_rule> {
      return std::make_unique<one_after_the_other>(s);
    }};

}  // namespace muster
