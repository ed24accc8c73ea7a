#include <map>

#include "tests/modules/scene.h"

// A job that is preempted twice at one instant, before the policy has been told of the first time.

namespace muster {
namespace {

/// Preempts the first job at 20, starts it when it has left, and at the three completions of one instant preempts it,
/// starts it, and preempts it again.
class indecisive : public rigid_policy {
 public:
  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    jobs_[j.id] = &j;
    if (j.id == 0) decide.wake_at(20, 0);
    if (cluster.now() == 0) decide.start(j);
  }
  void woken(std::uint32_t, rigid_view, rigid_decisions& decide) override { decide.preempt(*jobs_.at(0)); }
  void completed(const job&, rigid_view, rigid_decisions& decide) override {
    ++completions_;
    if (completions_ == 1 || completions_ == 3) decide.preempt(*jobs_.at(0));
    if (completions_ == 2) decide.start(*jobs_.at(0));
  }
  void preempted(const job&, rigid_view cluster, rigid_decisions& decide) override {
    for (const class_id id : cluster.classes())
      while (cluster.waiting(id) && cluster.fits(id)) decide.start(latest(id, cluster));
  }

 private:
  static const job& latest(class_id id, rigid_view cluster) {
    const job* j = cluster.first(id);
    while (j->behind) j = j->behind;
    return *j;
  }

  std::map<std::uint64_t, const job*> jobs_;
  int completions_ = 0;
};

// The first job leaves server `a` at 25 with 20 of its work done, and the fifth one takes its core. So it is on its way
// to server `b` when the others complete at 100. It is stopped there, resumes on `a`, which holds its state, and is
// stopped again, which is saved at 105; then it resumes with 180 left.
TEST(preemption, of_a_job_for_the_second_time_at_one_instant_does_not_complete_it) {
  layout l;
  l.groups = {{"a", 1, 4, 1.0}, {"b", 1, 1, 1.0}};
  l.own_policy = &preemptive_policy<indecisive>();
  l.costs.save = 5;
  l.costs.migration = 80;
  const class_id only{0};
  scene s{l, {{0, only, 200}, {0, only, 100}, {0, only, 100}, {0, only, 100}, {22, only, 100}}};
  s.run();
  using records = std::vector<job_record>;
  EXPECT_EQ(
      s.log.records,
      (records{{1, 0, 0, 0, 100}, {2, 0, 0, 0, 100}, {3, 0, 0, 0, 100}, {4, 0, 22, 25, 125}, {0, 0, 0, 0, 285, 0, 1}}));
  EXPECT_EQ(s.log.records.back().preemptions, 3u);
}

}  // namespace
}  // namespace muster
