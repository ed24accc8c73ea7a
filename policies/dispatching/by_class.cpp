#include "muster/policies/dispatching.h"

namespace muster {

namespace {

class to_own_scheduler final : public dispatching_rule {
 public:
  explicit to_own_scheduler(const dispatching_settings& s) : schedulers_(s.schedulers) {}
  std::uint32_t choose(const dispatching_request& request) override {
    return static_cast<std::uint32_t>(request.type) % schedulers_;
  }

 private:
  std::uint32_t schedulers_;
};

}  // namespace

extern const dispatching_entry by_class_dispatching{
    "by_class",
    4,
    "All jobs of a class to one scheduler: classes are dealt out in descending order of need, equal needs by name",
    [](const dispatching_settings& s) -> std::unique_ptr<dispatching_rule> {
      return std::make_unique<to_own_scheduler>(s);
    },
    false,
    false,
    true};

}  // namespace muster
