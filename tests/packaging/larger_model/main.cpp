// Two clusters of muster in somebody's larger model, with a clock and other modules; one runs the model's own policy.
// All times are multiples of 5 ns, so that much happens at the same instant. What it prints does not depend on the
// quantum. usage: larger_model QUANTUM_IN_NS

#include <cstdlib>
#include <iostream>
#include <memory>
#include <vector>

#include <muster/policies/catalogue.h>

#include "cluster.h"
#include "neighbours.h"

namespace {

/// The class with the longest queue goes first, where it fits.
class longest_queue_first final : public muster::rigid_policy {
  void schedule(muster::rigid_view cluster, muster::rigid_decisions& decide) override {
    for (;;) {
      const muster::job* next = nullptr;
      for (const muster::class_id id : cluster.classes())
        if (cluster.first(id) && cluster.fits(id) && (!next || cluster.waiting(id) > cluster.waiting(next->type)))
          next = cluster.first(id);
      if (!next) return;
      decide.start(*next);
    }
  }
};

const muster::policy_entry longest_queue_first_entry = [] {
  muster::policy_entry entry;
  entry.name = "longest_queue_first";
  entry.about = "The class with the longest queue goes first, where it fits";
  entry.construct = muster::without_settings<longest_queue_first>;
  return entry;
}();

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 2) return 2;
  tlm::tlm_global_quantum::instance().set(sc_core::sc_time(std::atof(argv[1]), sc_core::SC_NS));

  record all;
  cluster edge{"edge", 1, 2, longest_queue_first_entry};
  cluster centre{"centre", 2, 2, *muster::find_policy("msf")};

  sc_core::sc_clock clock{"clock", 10, sc_core::SC_NS};
  camera front{"front", all};
  camera back{"back", all};
  front.clock(clock);
  back.clock(clock);
  front.socket.bind(edge.scheduler.submissions);
  back.socket.bind(centre.scheduler.submissions);
  std::vector<std::unique_ptr<program>> programs;
  for (unsigned n = 0; n < 8; ++n) {
    programs.push_back(std::make_unique<program>(("program_" + std::to_string(n)).c_str(), all, 10 + 5 * (n % 4)));
    programs.back()->socket.bind((n % 2 == 0 ? edge : centre).scheduler.submissions);
  }

  sc_core::sc_start(20, sc_core::SC_US);
  all.print(std::cout);
  for (const cluster* c : {&edge, &centre})
    if (c->scheduler.jobs_completed() != c->scheduler.jobs_arrived() || c->scheduler.outstanding_slices() > 0) return 1;
  return 0;
}
