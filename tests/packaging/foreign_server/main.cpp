// A server that somebody else has written works beside one of muster's, and decides itself how long a slice takes.

#include <iostream>
#include <vector>

#include <muster/modules/scheduler/scheduler.h>
#include <muster/modules/server/server.h>
#include <muster/modules/source/job_source.h>
#include <muster/policies/catalogue.h>

#include "shared_memory_server.h"

namespace {

class job_list final : public muster::workload {
 public:
  explicit job_list(std::vector<muster::job_request> jobs) : jobs_(std::move(jobs)) {}
  bool next(muster::job_request& job) override {
    if (at_ == jobs_.size()) return false;
    job = jobs_[at_++];
    return true;
  }

 private:
  std::vector<muster::job_request> jobs_;
  std::size_t at_ = 0;
};

class narrator final : public muster::job_observer {
  void job_arrives(muster::ticks, const muster::job_extension&) override {}
  void job_completes(muster::ticks now, const muster::job_extension& job) override {
    std::cout << "job " << job.id << ": " << job.arrival << " to " << now << '\n';
  }
};

}  // namespace

int sc_main(int, char*[]) {
  constexpr muster::class_id gang{0}, small{1};
  muster::timekeeper time{"time"};
  muster::scheduler_settings cluster;
  const muster::group_id foreign = cluster.groups.push_back({"foreign", 1, 4, 1.0});
  const muster::group_id own = cluster.groups.push_back({"own", 1, 4, 1.0});
  cluster.classes.push_back({"gang", 6, {foreign, own}});
  cluster.classes.push_back({"small", 1, {foreign, own}});  // the foreign server's cores are taken first
  cluster.policy = muster::find_policy("first_fit");

  muster::scheduler scheduler{"scheduler", time, cluster};
  shared_memory_server foreign_server{"foreign"};
  muster::server own_server{"own", time, {1, 4}};
  scheduler.dispatches.bind(foreign_server.socket);  // in the order of the groups
  scheduler.dispatches.bind(own_server.dispatch);

  job_list jobs{{{0, small, 30}, {0, small, 30}, {0, small, 60}, {100, small, 10}, {195, small, 20}, {200, gang, 50}}};
  narrator observer;
  muster::job_source source{"source", time, jobs, observer};
  source.submissions.bind(scheduler.submissions);
  sc_core::sc_start();
  return source.outstanding_jobs() == 0 && scheduler.outstanding_slices() == 0 ? 0 : 1;
}
