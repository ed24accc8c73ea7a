#include <unistd.h>

#include "muster/policies/plugin.h"

// Policies that fail as programs do.

namespace muster {
namespace {

class never_returns final : public policy {
  void arrived(const job&, const cluster_view&, decisions&) override {
    for (;;) ::pause();
  }
};

class uses_null_pointer final : public policy {
  __attribute__((no_sanitize("address", "undefined"))) void completed(const job&, const cluster_view&,
                                                                      decisions&) override {
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
  }
  void schedule(const cluster_view& cluster, decisions& decide) override {
    if (const job* next = cluster.earliest_fitting()) decide.start(*next);
  }
};

class recurses_for_ever final : public policy {
  void arrived(const job&, const cluster_view&, decisions&) override { deepest_ = depth(1); }
  unsigned depth(unsigned reached) {
    volatile unsigned frame[100] = {reached};  // no compiler makes a loop of this
    deepest_ = reached;
    return deepest_ > 0 ? depth(reached + 1) + frame[reached % 100] : 0;
  }
  volatile unsigned deepest_ = 0;
};

struct own_problem {};

class throws_int final : public policy {
  void arrived(const job&, const cluster_view&, decisions&) override { throw 42; }
};

class throws_own_type final : public policy {
  void arrived(const job&, const cluster_view&, decisions&) override { throw own_problem(); }
};

class throws_out_of_range final : public policy {
  void arrived(const job&, const cluster_view&, decisions&) override { std::string().at(7); }
};

class throws_when_made final : public policy {
 public:
  throws_when_made() { throw 43; }
};

class begins_phase_99 final : public policy {
  unsigned phases() const override { return 2; }
  void schedule(const cluster_view&, decisions&) override { begin_phase(99); }
};

std::optional<std::string> throws_out_of_unsuited(const cluster_view&) { throw own_problem(); }

template <class Policy>
std::unique_ptr<policy> make(const cluster_view&, const settings&, random_numbers&) {
  return std::make_unique<Policy>();
}

const policy_entry entries[] = {{"never_returns", "", {}, make<never_returns>},
                                {"uses_null_pointer", "", {}, make<uses_null_pointer>},
                                {"recurses_for_ever", "", {}, make<recurses_for_ever>},
                                {"throws_int", "", {}, make<throws_int>},
                                {"throws_own_type", "", {}, make<throws_own_type>},
                                {"throws_out_of_range", "", {}, make<throws_out_of_range>},
                                {"throws_when_made", "", {}, make<throws_when_made>},
                                {"begins_phase_99", "", {}, make<begins_phase_99>},
                                {"throws_when_asked", "", {}, make<throws_int>, throws_out_of_unsuited}};

}  // namespace
}  // namespace muster

MUSTER_PLUGIN(&muster::entries[0], &muster::entries[1], &muster::entries[2], &muster::entries[3], &muster::entries[4],
              &muster::entries[5], &muster::entries[6], &muster::entries[7], &muster::entries[8])
