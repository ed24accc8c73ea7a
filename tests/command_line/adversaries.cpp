#include <cstdlib>

#include <systemc>

#include "platform/command_line/command_line.h"
#include "policies/catalogue.h"

// The whole command line with policies that break the rules, in place of the real ones.

namespace muster {
namespace {

class starts_nothing final : public policy {
  void schedule(const cluster_view&, decisions&) override {}
};

class over_allocates final : public policy {
  void schedule(const cluster_view& cluster, decisions& decide) override {
    while (const job* next = cluster.largest()) decide.start(*next);
  }
};

class starts_twice final : public policy {
  void schedule(const cluster_view& cluster, decisions& decide) override {
    const job* next = cluster.earliest_fitting();
    if (!next) return;
    decide.start(*next);
    decide.start(*next);
  }
};

template <class Policy>
std::unique_ptr<policy> make(const cluster_view&, const settings&) {
  return std::make_unique<Policy>();
}

const policy_entry entries[] = {{"starts_nothing", "", {}, make<starts_nothing>},
                                {"over_allocates", "", {}, make<over_allocates>},
                                {"starts_twice", "", {}, make<starts_twice>}};

}  // namespace

const std::vector<const policy_entry*>& policy_catalogue() {
  static const std::vector<const policy_entry*> all{&entries[0], &entries[1], &entries[2]};
  return all;
}

const policy_entry* find_policy(std::string_view name) {
  for (const policy_entry& e : entries)
    if (e.name == name) return &e;
  return nullptr;
}

}  // namespace muster

int sc_main(int argc, char* argv[]) { return muster::command_line(argc, argv); }

int main(int argc, char* argv[]) {
  ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
  return sc_main(argc, argv);
}
