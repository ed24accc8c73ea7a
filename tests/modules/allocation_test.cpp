#include <cstdlib>
#include <new>

#include "tests/modules/scene.h"

namespace {
std::uint64_t allocations = 0;

void* counted(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc{};
}

void* counted(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto to = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(to, (size + to - 1) / to * to)) return memory;
  throw std::bad_alloc{};
}
}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, std::align_val_t a) { return counted(size, a); }
void* operator new[](std::size_t size, std::align_val_t a) { return counted(size, a); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace muster {
namespace {

/// The same jobs over and over, each round after the one before is done: after a few rounds nothing can be new.
class rounds final : public workload {
 public:
  rounds(std::vector<job_request> round, ticks pause, std::uint64_t count)
      : round_(std::move(round)), length_(round_.back().arrival + pause), count_(count) {}

  bool next(job_request& job) override {
    if (at_ == round_.size()) {
      at_ = 0;
      ++done_;
      if (done_ == count_ / 2) before_ = allocations;
      if (done_ == count_) after_ = allocations;
    }
    if (done_ == count_) return false;
    job = round_[at_++];
    job.arrival += done_ * length_;
    return true;
  }
  std::uint64_t allocations_in_second_half() const { return after_ - before_; }

 private:
  std::vector<job_request> round_;
  ticks length_;
  std::uint64_t count_, done_ = 0, before_ = 0, after_ = 0;
  std::size_t at_ = 0;
};

class no_observer final : public job_observer {
  void job_arrives(ticks, const job_extension&) override {}
  void job_completes(ticks, const job_extension&) override {}
};

/// @param l its cluster without a source of its own
void allocates_nothing(const layout& l, ticks gap) {
  rounds jobs{random_jobs(500, l.needs.size(), gap, 30), 100'000, 20};
  no_observer nobody;
  scene s{l};
  job_source source{"source", s.time, jobs, nobody};
  std::unique_ptr<link> between;
  if (l.submission_latency > 0) {
    between = std::make_unique<link>("between", s.time, l.submission_latency);
    source.submissions.bind(between->in);
    between->out.bind(s.central.submissions);
  } else {
    source.submissions.bind(s.central.submissions);
  }
  s.run();
  EXPECT_EQ(s.central.jobs_completed(), 10'000u);
  EXPECT_EQ(jobs.allocations_in_second_half(), 0u);
}

TEST(steady_state, allocates_nothing_for_one_or_all) {
  allocates_nothing({{32, 1}, {{"node", 1, 32, 1.0}}, "msfq"}, 10);
}

TEST(steady_state, allocates_nothing_on_many_small_servers) {
  allocates_nothing({{1}, {{"node", 1000, 1, 1.0}}, "fcfs"}, 1);
}

TEST(steady_state, allocates_nothing_for_gangs) {
  allocates_nothing({{24, 7, 1}, {{"large", 4, 6, 1.0}, {"small", 8, 1, 2.0}}, "first_fit", {2, 1}}, 10);
}

TEST(steady_state, allocates_nothing_behind_links) {
  allocates_nothing({{24, 7, 1}, {{"large", 4, 6, 1.0}, {"small", 8, 1, 2.0}}, "msf", {2, 1}, 5, 3}, 10);
}

TEST(steady_state, allocates_nothing_behind_a_network_and_a_scheduler_that_takes_its_time) {
  network_graph roads;
  const std::size_t root = add_vertex(network_vertex{network_vertex::kind::scheduler, 0, ""}, roads);
  const std::size_t middle = add_vertex(network_vertex{}, roads);
  add_link(roads, root, middle, 2, 0.01);
  for (std::uint32_t n = 0; n < 12; ++n)
    add_link(roads, middle, add_vertex(network_vertex{network_vertex::kind::server, n, ""}, roads), 1, 0.02);
  layout l{{24, 7, 1}, {{"large", 4, 6, 1.0}, {"small", 8, 1, 2.0}}, "msf"};
  l.roads = &roads;
  l.decision = 1;
  l.decision_per_job = 1;
  allocates_nothing(l, 40);
}

TEST(steady_state, allocates_nothing_for_one_or_all_within_a_quantum) {
  tlm::tlm_global_quantum::instance().set(to_sc_time(10'000));
  allocates_nothing({{32, 1}, {{"node", 1, 32, 1.0}}, "msfq", {}, 5}, 10);
}

}  // namespace
}  // namespace muster
