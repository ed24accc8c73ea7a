#include <cstring>
#include <functional>
#include <new>

#include "tests/modules/foreign_initiator.h"
#include "tests/modules/scene.h"

// Threads that are killed or reset while they wait in b_transport: the job goes on, and nobody is told of its end.

namespace muster {
namespace {

/// What a thread throws into another.
struct bus_error {};

/// A thread that submits jobs, one after the other, from a payload on its own stack. It can be killed, reset, or have
/// an exception thrown into it, by a second thread.
class processor : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<processor> socket{"socket"};
  using deed = std::function<void(sc_core::sc_process_handle)>;

  /// @param jobs of the thread, submitted anew after a reset
  processor(const sc_core::sc_module_name& name, std::vector<std::vector<std::uint64_t>> jobs, ticks delay, ticks when,
            deed what)
      : sc_module(name), jobs_(std::move(jobs)), delay_(delay), when_(when), what_(std::move(what)) {
    SC_HAS_PROCESS(processor);
    SC_THREAD(run);
    thread_ = sc_core::sc_get_current_process_handle();
    SC_THREAD(disturb);
  }

  std::vector<ticks> completions;
  unsigned starts = 0, unwound = 0;

 private:
  /// A payload on the stack; its memory is of other use when the call has been left, in whatever way.
  struct call {
    explicit call(unsigned& left) : unwound(left) {}
    ~call() {
      if (!returned) ++unwound;
      p->~tlm_generic_payload();
      std::memset(memory, 0x5a, sizeof memory);
    }
    call(const call&) = delete;
    call& operator=(const call&) = delete;

    unsigned& unwound;
    alignas(tlm::tlm_generic_payload) unsigned char memory[sizeof(tlm::tlm_generic_payload)];
    tlm::tlm_generic_payload* p = new (memory) tlm::tlm_generic_payload;
    bool returned = false;
  };

  void run() {
    ++starts;
    for (auto words : jobs_) {
      call c{unwound};
      tlm::tlm_generic_payload& p = *c.p;
      prepare(p, tlm::TLM_WRITE_COMMAND, scheduler_register::doorbell, words.data(),
              static_cast<unsigned>(words.size() * sizeof words.front()));
      sc_core::sc_time t = to_sc_time(delay_);
      try {
        socket->b_transport(p, t);
        EXPECT_EQ(p.get_response_status(), tlm::TLM_OK_RESPONSE);
        completions.push_back((sc_core::sc_time_stamp() + t).value());
        c.returned = true;
      } catch (const bus_error&) {
        EXPECT_EQ(p.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
        EXPECT_EQ(p.get_extension<job_extension>(), nullptr);
      }
    }
  }
  void disturb() {
    wait(to_sc_time(when_));
    what_(thread_);
  }

  std::vector<std::vector<std::uint64_t>> jobs_;
  ticks delay_, when_;
  deed what_;
  sc_core::sc_process_handle thread_;
};

const processor::deed kill = [](sc_core::sc_process_handle thread) { thread.kill(); };
const processor::deed reset = [](sc_core::sc_process_handle thread) { thread.reset(); };
const processor::deed throw_into = [](sc_core::sc_process_handle thread) { thread.throw_it(bus_error{}); };

// One core. The thread's job of 100 arrives at 10; another of 50 comes at 20 and is served from 110 to 160, whatever
// becomes of the thread.
void the_job_goes_on(ticks when, const layout& l = {{1}, {{"node", 1, 1, 1.0}}}) {
  scene s{l, {{20, class_id{0}, 50}}};
  processor cpu{"cpu", {{0, 100}}, 10, when, kill};
  cpu.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(cpu.unwound, 1u);
  EXPECT_EQ(cpu.completions, std::vector<ticks>{});
  ASSERT_EQ(s.log.records.size(), 1u);
  EXPECT_EQ(s.log.records[0].completed, 160u);
  EXPECT_EQ(s.central.jobs_arrived(), 2u);
  EXPECT_EQ(s.central.jobs_completed(), 2u);
  EXPECT_EQ(s.central.jobs_abandoned(), 1u);
}

TEST(abandoned_job, goes_on_where_its_thread_is_killed_before_its_arrival) { the_job_goes_on(5); }

TEST(abandoned_job, goes_on_where_its_thread_is_killed_while_it_is_served) { the_job_goes_on(60); }

TEST(abandoned_job, goes_on_where_its_thread_is_killed_behind_a_link) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}, {{20, class_id{0}, 50}}};
  link between{"between", s.time, 7};
  processor cpu{"cpu", {{0, 100}}, 3, 60, kill};
  cpu.socket.bind(between.in);
  between.out.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.log.records[0].completed, 160u);
  EXPECT_EQ(s.central.jobs_abandoned(), 1u);
}

TEST(abandoned_job, goes_on_where_decisions_take_time) {
  layout l{{1}, {{"node", 1, 1, 1.0}}};
  l.decision = 5;
  scene s{l, {{20, class_id{0}, 50}}};
  processor cpu{"cpu", {{0, 100}}, 10, 12, kill};
  cpu.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.log.records[0].completed, 15u + 100 + 5 + 50);
  EXPECT_EQ(s.central.jobs_abandoned(), 1u);
}

TEST(abandoned_job, goes_on_while_it_waits_in_the_queue) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}, {{5, class_id{0}, 50}}};
  processor cpu{"cpu", {{0, 100}}, 10, 30, kill};
  cpu.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.all_cores().running, 150u);
  EXPECT_EQ(s.central.jobs_abandoned(), 1u);
}

TEST(abandoned_job, counts_where_its_thread_is_killed_between_its_completion_and_the_news_of_it) {
  tlm::tlm_global_quantum::instance().set(to_sc_time(1000));
  scene s{{{1}, {{"node", 1, 1, 1.0}}}, {{5, class_id{0}, 1}}};
  // Local time has run ahead to the completion at 110 when the kernel comes to 60, unless the kill holds it back: the
  // thread that kills wakes in the same delta cycles as the thread that waits, and before it.
  processor cpu{"cpu", {{0, 100}}, 10, 110, kill};
  cpu.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(cpu.unwound, 1u);
  EXPECT_EQ(s.central.jobs_completed(), 2u);
  EXPECT_EQ(s.central.jobs_abandoned(), 1u);
}

TEST(abandoned_job, makes_way_for_another_of_the_same_thread_after_a_reset) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}};
  processor cpu{"cpu", {{0, 100}}, 10, 60, reset};
  cpu.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(cpu.starts, 2u);
  EXPECT_EQ(cpu.completions, std::vector<ticks>{10 + 100 + 100}) << "the second job waits for the first";
  EXPECT_EQ(s.central.jobs_completed(), 2u);
  EXPECT_EQ(s.central.jobs_abandoned(), 1u);
}

TEST(abandoned_job, is_one_whose_thread_leaves_by_an_exception_too) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}};
  processor cpu{"cpu", {{0, 100}, {0, 30}}, 10, 60, throw_into};
  cpu.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(cpu.completions, std::vector<ticks>{10 + 100 + 30});
  EXPECT_EQ(s.central.jobs_completed(), 2u);
  EXPECT_EQ(s.central.jobs_abandoned(), 1u);
}

TEST(abandoned_job, of_a_pool_goes_on) {
  scene s{{{1}, {{"node", 2, 1, 1.0}}, "fcfs_pooled"}, {{20, class_id{0}, 50}}};
  processor cpu{"cpu", {{0, 100}}, 10, 30, kill};
  cpu.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.all_cores().running, 150u);
  EXPECT_EQ(s.log.records[0].completed, 10u + 50 + 25);
  EXPECT_EQ(s.central.jobs_abandoned(), 1u);
}

// It is served in the slots from 100 on; its deadline is at 300, and two of its four units are complete then.
TEST(abandoned_job, of_slots_expires_at_its_deadline) {
  layout l{{1}, {{"node", 1, 1, 1.0}}, "fifo"};
  l.worth = std::make_shared<const utility>(std::vector<double>{1, 1, 1, 1});
  scene s{l};
  processor cpu{"cpu", {{0, 400, 3}}, 10, 60, kill};
  cpu.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.all_cores().running, 200u);
  EXPECT_EQ(s.central.jobs_completed(), 1u);
  EXPECT_EQ(s.central.jobs_abandoned(), 1u);
}

TEST(awaited_job, is_not_abandoned) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}};
  processor cpu{"cpu", {{0, 100}}, 10, 111, kill};
  cpu.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(cpu.completions, std::vector<ticks>{110});
  EXPECT_EQ(s.central.jobs_abandoned(), 0u);
}

}  // namespace
}  // namespace muster
