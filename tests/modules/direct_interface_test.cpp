#include "muster/modules/protocol/direct_interface.h"
#include "tests/modules/child.h"
#include "tests/modules/fault_text.h"
#include "tests/modules/faulty_hop.h"
#include "tests/modules/scene.h"

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

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

/// Stands between two of muster's modules and offers the direct interface of the one behind it as its own: neither of
/// them has anything between that it knows of. Counts the calls of transport functions.
template <class Interface>
class counted_hop : public sc_core::sc_module, protected Interface {
 public:
  tlm_utils::passthrough_target_socket<counted_hop> in{"in"};
  tlm_utils::simple_initiator_socket<counted_hop> out{"out"};

  counted_hop(const sc_core::sc_module_name& name, const timekeeper& time) : sc_module(name), time_(time) {
    in.register_nb_transport_fw(this, &counted_hop::forward);
    in.register_transport_dbg(this, &counted_hop::debug);
    in.register_get_direct_mem_ptr(this, &counted_hop::offer);
    out.register_nb_transport_bw(this, &counted_hop::backward);
  }

  unsigned transports = 0;

 protected:
  /// @name The interfaces of the two hops that the modules at both of their ends know
  /// @{
  virtual const sc_core::sc_interface& end_before() = 0;
  virtual const sc_core::sc_interface& end_behind() = 0;
  /// @}

  Interface* behind = nullptr;

 private:
  sync forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    ++transports;
    return out->nb_transport_fw(p, phase, delay);
  }
  sync backward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    ++transports;
    return in->nb_transport_bw(p, phase, delay);
  }
  unsigned debug(payload& p) { return out->transport_dbg(p); }
  bool offer(payload& p, tlm::tlm_dmi&) {
    behind = ask_for_direct<Interface>(*out.operator->(), time_, end_behind());
    auto* const request = p.get_extension<direct_request<Interface>>();
    if (behind && request) request->answer(*this, time_, end_before());
    return false;
  }

  const timekeeper& time_;
};

struct counted_submissions final : counted_hop<direct_submissions> {
  using counted_hop::counted_hop;
  unsigned jobs = 0;

 private:
  const sc_core::sc_interface& end_before() override { return *in.operator->(); }
  const sc_core::sc_interface& end_behind() override { return out.get_base_interface(); }
  tlm::tlm_response_status submit_directly(payload& p, job_extension& j) override {
    ++jobs;
    return behind->submit_directly(p, j);
  }
  void tell_directly(submission_observer& submitter) override { behind->tell_directly(submitter); }
};

struct counted_dispatches final : counted_hop<direct_servers> {
  using counted_hop::counted_hop;
  unsigned slices = 0, stops = 0;

 private:
  const sc_core::sc_interface& end_before() override { return in.get_base_interface(); }
  const sc_core::sc_interface& end_behind() override { return *out.operator->(); }
  bool dispatch_directly(payload& slice, std::uint32_t server) override {
    ++slices;
    return behind->dispatch_directly(slice, server);
  }
  void stop_directly(const slice_extension& slice, std::uint32_t server, bool keep_state) override {
    ++stops;
    behind->stop_directly(slice, server, keep_state);
  }
  void tell_directly(slice_observer& scheduler) override { behind->tell_directly(scheduler); }
};

// Pooled jobs, whose servers interrupt them: then those that have not done so are stopped.
TEST(direct_interface, takes_all_jobs_slices_stops_and_their_ends_so_that_no_transport_function_is_called) {
  layout l;
  l.policy = "balanced_fair";
  l.groups = {{"left", 1, 1, 1.0}, {"right", 1, 1, 2.0, true}};
  timekeeper time{"time"};
  job_list jobs{random_jobs(50, 1, 10, 30)};
  job_log log;
  job_source source{"source", time, jobs, log};
  scheduler central{"scheduler", time, scheduler_of(l)};
  steady_timer interruptions{5};
  server_settings of_both{2, 1};
  of_both.interruptions = &interruptions;
  server bank{"bank", time, of_both};
  counted_submissions submissions{"submissions", time};
  counted_dispatches dispatches{"dispatches", time};
  source.submissions.bind(submissions.in);
  submissions.out.bind(central.submissions);
  central.dispatches.bind(dispatches.in);
  dispatches.out.bind(bank.dispatch);
  sc_core::sc_start();
  EXPECT_EQ(log.records.size(), 50u);
  EXPECT_EQ(submissions.jobs, 50u);
  EXPECT_EQ(dispatches.slices, central.slices_dispatched());
  EXPECT_GT(dispatches.stops, 0u);
  EXPECT_EQ(submissions.transports, 0u);
  EXPECT_EQ(dispatches.transports, 0u);
}

TEST(direct_interface, tells_of_a_job_that_is_refused) {
  scene s{layout{}, {{1, class_id{5}, 10}}};
  EXPECT_EQ(fault_of_run(), "/muster/job_source: a job was refused: TLM_GENERIC_ERROR_RESPONSE (at 1 ps)");
}

}  // namespace
}  // namespace muster
