#include "muster/modules/protocol/direct_interface.h"
#include "tests/modules/child.h"
#include "tests/modules/fault_text.h"
#include "tests/modules/faulty_hop.h"
#include "tests/modules/scene.h"

// Who gets a direct interface, and that jobs end as they do over the hops. That they do so too where slices are
// stopped, released or lost is held by translated_address_test.cpp: behind an interconnect there is no direct way.

namespace muster {
namespace {

// As a scheduler does: the bank's interface is the end of the hop that both know.
direct_servers* ask_over(faulty_initiator& asker, const timekeeper& time, const sc_core::sc_interface& bank) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  return ask_for_direct<direct_servers>(*asker.socket.operator->(), time, bank);
}

struct asked_server {
  timekeeper time{"time"};
  server node{"node", time, {1, 1}};
  faulty_initiator asker{"asker"};

  asked_server() {
    asker.does = [](faulty_initiator&) {};
  }
};

TEST(direct_interface, is_granted_to_one_who_is_bound_to_the_server_itself) {
  asked_server s;
  s.asker.socket.bind(s.node.dispatch);
  EXPECT_NE(ask_over(s.asker, s.time, s.node.dispatch.get_base_interface()), nullptr);
}

TEST(direct_interface, is_refused_where_something_between_passes_the_request_on) {
  asked_server s;
  protocol_checker between{"between"};
  s.asker.socket.bind(between.in);
  between.out.bind(s.node.dispatch);
  EXPECT_EQ(ask_over(s.asker, s.time, *s.asker.socket.operator->()), nullptr);
}

TEST(direct_interface, is_refused_to_one_whose_time_is_kept_by_another) {
  asked_server s;
  timekeeper other{"other"};
  s.asker.socket.bind(s.node.dispatch);
  EXPECT_EQ(ask_over(s.asker, other, s.node.dispatch.get_base_interface()), nullptr);
}

TEST(direct_interface, is_not_known_to_a_foreign_server) {
  timekeeper time{"time"};
  faulty_initiator asker{"asker"};
  asker.does = [](faulty_initiator&) {};
  foreign_server foreign{"foreign", foreign_server::manner::plain};
  asker.socket.bind(foreign.socket);
  EXPECT_EQ(ask_over(asker, time, *asker.socket.operator->()), nullptr);
}

TEST(direct_interface, copy_of_a_request_is_answered_apart) {
  asked_server s;
  s.asker.socket.bind(s.node.dispatch);
  const sc_core::sc_interface& end = s.node.dispatch.get_base_interface();
  direct_request<direct_servers> request(s.time);
  auto* const copy = static_cast<direct_request<direct_servers>*>(request.clone());
  tlm::tlm_generic_payload p;
  tlm::tlm_dmi none;
  p.set_extension(copy);
  EXPECT_FALSE(s.asker.socket->get_direct_mem_ptr(p, none));
  p.clear_extension(copy);
  EXPECT_NE(copy->granted(end), nullptr);
  EXPECT_EQ(request.granted(end), nullptr);
  request.copy_from(*copy);
  EXPECT_NE(request.granted(end), nullptr);
  copy->free();
}

// A call without a request of muster's is what it is of any target without memory.
TEST(direct_interface, leaves_requests_for_memory_refused) {
  scene s{layout{}};
  faulty_initiator of_jobs{"of_jobs"};
  of_jobs.does = [](faulty_initiator& me) {
    tlm::tlm_dmi none;
    EXPECT_FALSE(me.socket->get_direct_mem_ptr(me.first, none));
  };
  of_jobs.socket.bind(s.central.submissions);
  s.run();
}

std::string jobs_with(layout l, const std::vector<job_request>& jobs, bool monitored, bool linked) {
  return in_child([&] {
    l.monitored = monitored;
    l.submission_latency = linked ? 1 : 0;
    scene s{l, jobs};
    s.run();
    std::uint64_t seen = 0;
    for (const auto& m : s.monitors) seen += m->transactions();
    if (monitored) {
      EXPECT_EQ(seen, (linked ? 2 : 1) * jobs.size() + s.central.slices_dispatched()) << "every transaction is seen";
    }
    return s.log.text();
  });
}

TEST(direct_interface, leads_to_the_same_ends_of_jobs_as_the_hops_which_a_checker_sees_whole) {
  layout l;
  l.needs = {3, 1};
  l.groups = {{"left", 2, 1, 1.0}, {"right", 1, 2, 2.0}};
  l.policy = "first_fit";
  const std::vector<job_request> jobs = random_jobs(200, 2, 10, 30);
  const std::string direct = jobs_with(l, jobs, false, false);
  ASSERT_NE(direct, "failed");
  EXPECT_EQ(jobs_with(l, jobs, true, false), direct);
}

// A link before the scheduler leaves the dispatches direct, and its submissions go over the hop.
TEST(direct_interface, of_one_hop_does_not_depend_on_the_other) {
  const layout l;
  const std::vector<job_request> jobs = random_jobs(100, 1, 40, 30);
  const std::string behind_a_link = jobs_with(l, jobs, false, true);
  ASSERT_NE(behind_a_link, "failed");
  EXPECT_EQ(jobs_with(l, jobs, true, true), behind_a_link);
}

TEST(direct_interface, tells_of_a_job_that_is_refused) {
  scene s{layout{}, {{1, class_id{5}, 10}}};
  EXPECT_EQ(fault_of_run(), "/muster/job_source: a job was refused: TLM_GENERIC_ERROR_RESPONSE (at 1 ps)");
}

}  // namespace
}  // namespace muster
