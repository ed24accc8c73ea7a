#include <unistd.h>

#include "muster/policies/plugin.h"

// Policies that fail as programs do.

namespace muster {
namespace {

class never_returns final : public rigid_policy {
  void arrived(const job&, rigid_view, rigid_decisions&) override {
    for (;;) ::pause();
  }
};

class uses_null_pointer final : public rigid_policy {
  __attribute__((no_sanitize("address", "undefined"))) void completed(const job&, rigid_view,
                                                                      rigid_decisions&) override {
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
  }
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    if (const job* next = cluster.earliest_fitting()) decide.start(*next);
  }
};

class recurses_for_ever final : public rigid_policy {
  void arrived(const job&, rigid_view, rigid_decisions&) override { deepest_ = depth(1); }
  unsigned depth(unsigned reached) {
    volatile unsigned frame[100] = {reached};  // no compiler makes a loop of this
    deepest_ = reached;
    return deepest_ > 0 ? depth(reached + 1) + frame[reached % 100] : 0;
  }
  volatile unsigned deepest_ = 0;
};

struct own_problem {};

class throws_int final : public rigid_policy {
  void arrived(const job&, rigid_view, rigid_decisions&) override { throw 42; }
};

class throws_own_type final : public rigid_policy {
  void arrived(const job&, rigid_view, rigid_decisions&) override { throw own_problem(); }
};

class throws_out_of_range final : public rigid_policy {
  void arrived(const job&, rigid_view, rigid_decisions&) override { std::string().at(7); }
};

class throws_when_made final : public rigid_policy {
 public:
  throws_when_made() { throw 43; }
};

class begins_phase_99 final : public rigid_policy {
  unsigned phases() const override { return 2; }
  void schedule(rigid_view, rigid_decisions&) override { begin_phase(99); }
};

template <class Policy>
policy_entry entry_of(std::string_view name) {
  policy_entry entry;
  entry.name = name;
  entry.construct = without_settings<Policy>;
  return entry;
}

policy_entry entry_that_throws() {
  policy_entry entry = entry_of<throws_int>("throws_when_asked");
  entry.check_classes = [](const cluster_view&) -> std::optional<std::string> { throw own_problem(); };
  return entry;
}

const policy_entry entries[] = {entry_of<never_returns>("never_returns"),
                                entry_of<uses_null_pointer>("uses_null_pointer"),
                                entry_of<recurses_for_ever>("recurses_for_ever"),
                                entry_of<throws_int>("throws_int"),
                                entry_of<throws_own_type>("throws_own_type"),
                                entry_of<throws_out_of_range>("throws_out_of_range"),
                                entry_of<throws_when_made>("throws_when_made"),
                                entry_of<begins_phase_99>("begins_phase_99"),
                                entry_that_throws()};

}  // namespace
}  // namespace muster

MUSTER_PLUGIN(&muster::entries[0], &muster::entries[1], &muster::entries[2], &muster::entries[3], &muster::entries[4],
              &muster::entries[5], &muster::entries[6], &muster::entries[7], &muster::entries[8])
