#include "tests/modules/foreign_initiator.h"
#include "tests/modules/scene.h"

namespace muster {
namespace {

using status = tlm::tlm_response_status;

status blocking(foreign_thread& me, tlm::tlm_generic_payload& p) {
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time t;
  me.socket->b_transport(p, t);
  return p.get_response_status();
}

// A request that the target answers at once.
status non_blocking(foreign_thread& me, tlm::tlm_generic_payload& p) {
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time t;
  EXPECT_EQ(me.socket->nb_transport_fw(p, phase, t), tlm::TLM_COMPLETED);
  return p.get_response_status();
}

void scheduler_refuses(status (*send)(foreign_thread&, tlm::tlm_generic_payload&)) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}};
  foreign_thread one{"one", [&](foreign_thread& me) {
                       unsigned char enables = 0xff;
                       std::uint64_t value = 0;
                       job_descriptor work{0, 10};
                       tlm::tlm_generic_payload p;
                       const auto submission = [&] {
                         work = {0, 10};
                         prepare(p, tlm::TLM_WRITE_COMMAND, scheduler_register::doorbell, &work, sizeof work);
                       };
                       submission();
                       p.set_address(0x08);
                       EXPECT_EQ(send(me, p), tlm::TLM_ADDRESS_ERROR_RESPONSE);
                       submission();
                       p.set_read();
                       EXPECT_EQ(send(me, p), tlm::TLM_COMMAND_ERROR_RESPONSE);
                       submission();
                       p.set_data_length(8);
                       EXPECT_EQ(send(me, p), tlm::TLM_BURST_ERROR_RESPONSE);
                       submission();
                       p.set_streaming_width(8);
                       EXPECT_EQ(send(me, p), tlm::TLM_BURST_ERROR_RESPONSE);
                       submission();
                       p.set_byte_enable_ptr(&enables);
                       p.set_byte_enable_length(1);
                       EXPECT_EQ(send(me, p), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
                       submission();
                       work.type = 1;
                       EXPECT_EQ(send(me, p), tlm::TLM_GENERIC_ERROR_RESPONSE);
                       submission();
                       work.size = 0;
                       EXPECT_EQ(send(me, p), tlm::TLM_GENERIC_ERROR_RESPONSE);
                       prepare(p, tlm::TLM_READ_COMMAND, scheduler_register::jobs_waiting, &value, sizeof value);
                       EXPECT_EQ(send(me, p), tlm::TLM_OK_RESPONSE);
                       p.set_write();
                       EXPECT_EQ(send(me, p), tlm::TLM_COMMAND_ERROR_RESPONSE);
                       prepare(p, tlm::TLM_READ_COMMAND, scheduler_register::jobs_waiting, &value, 4);
                       EXPECT_EQ(send(me, p), tlm::TLM_BURST_ERROR_RESPONSE);
                       EXPECT_EQ(p.get_extension<job_extension>(), nullptr);
                     }};
  one.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.central.jobs_arrived(), 0u);
}

TEST(scheduler_registers, refuse_what_is_wrong_in_a_blocking_call) { scheduler_refuses(blocking); }

TEST(scheduler_registers, refuse_what_is_wrong_in_a_non_blocking_call) { scheduler_refuses(non_blocking); }

TEST(scheduler_registers, tell_the_state_at_the_time_of_the_read) {
  // 4 cores; the policy drains after the first light job, five more wait.
  std::vector<job_request> jobs;
  for (int n = 0; n < 6; ++n) jobs.push_back({10, class_id{1}, 100});
  scene s{{{4, 1}, {{"node", 1, 4, 1.0}}, "msfq"}, jobs};
  foreign_thread one{"one", [&](foreign_thread& me) {
                       EXPECT_EQ(me.read(scheduler_register::jobs_waiting), 0u);
                       EXPECT_EQ(me.read(scheduler_register::jobs_in_service, 50), 1u)
                           << "50 later by the delay argument";
                       EXPECT_EQ(sc_core::sc_time_stamp().value(), 50u);
                       EXPECT_EQ(me.read(scheduler_register::jobs_waiting), 5u);
                       EXPECT_EQ(me.read(scheduler_register::phase), s.central.active_policy().phase());
                       EXPECT_EQ(me.status, tlm::TLM_OK_RESPONSE);
                     }};
  one.socket.bind(s.central.submissions);
  s.run();
}

TEST(scheduler_registers, can_be_looked_at_by_debug_transport_through_link_and_monitor) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}, {{10, class_id{0}, 100}, {10, class_id{0}, 100}}};
  link between{"between", s.time, 7};
  protocol_checker hop{"hop"};
  foreign_thread one{"one", [&](foreign_thread& me) {
                       me.wait_until(50);
                       std::uint64_t value = 77;
                       tlm::tlm_generic_payload p;
                       prepare(p, tlm::TLM_READ_COMMAND, scheduler_register::jobs_waiting, &value, sizeof value);
                       EXPECT_EQ(me.socket->transport_dbg(p), sizeof value);
                       EXPECT_EQ(value, 1u);
                       p.set_address(scheduler_register::doorbell);
                       EXPECT_EQ(me.socket->transport_dbg(p), 0u);
                       job_descriptor work{0, 10};
                       prepare(p, tlm::TLM_WRITE_COMMAND, scheduler_register::doorbell, &work, sizeof work);
                       EXPECT_EQ(me.socket->transport_dbg(p), 0u) << "debug transport must not submit a job";
                       tlm::tlm_dmi dmi;
                       EXPECT_FALSE(me.socket->get_direct_mem_ptr(p, dmi));
                     }};
  one.socket.bind(between.in);
  between.out.bind(hop.in);
  hop.out.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.central.jobs_arrived(), 2u);
}

void server_refuses(status (*send)(foreign_thread&, tlm::tlm_generic_payload&), bool doorbell_too) {
  timekeeper time{"time"};
  server bank{"bank", time, {3, 2}};
  foreign_thread one{"one", [&](foreign_thread& me) {
                       unsigned char enables = 0xff;
                       std::uint64_t value = 0;
                       tlm::tlm_generic_payload p;
                       const std::uint64_t third = 2 * server_register::stride;
                       const auto read = [&](std::uint64_t address) {
                         prepare(p, tlm::TLM_READ_COMMAND, address, &value, sizeof value);
                       };
                       read(third + server_register::idle_cores);
                       EXPECT_EQ(send(me, p), tlm::TLM_OK_RESPONSE);
                       EXPECT_EQ(value, 2u);
                       read(3 * server_register::stride + server_register::idle_cores);
                       EXPECT_EQ(send(me, p), tlm::TLM_ADDRESS_ERROR_RESPONSE);
                       read(third + 0x44);
                       EXPECT_EQ(send(me, p), tlm::TLM_ADDRESS_ERROR_RESPONSE);
                       read(third + server_register::stop);
                       EXPECT_EQ(send(me, p), tlm::TLM_COMMAND_ERROR_RESPONSE);
                       read(third + server_register::idle_cores);
                       p.set_write();
                       EXPECT_EQ(send(me, p), tlm::TLM_COMMAND_ERROR_RESPONSE);
                       read(third + server_register::idle_cores);
                       p.set_byte_enable_ptr(&enables);
                       EXPECT_EQ(send(me, p), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
                       read(third + server_register::idle_cores);
                       p.set_data_length(4);
                       EXPECT_EQ(send(me, p), tlm::TLM_BURST_ERROR_RESPONSE);
                       prepare(p, tlm::TLM_WRITE_COMMAND, third + server_register::stop, &value, sizeof value);
                       EXPECT_EQ(send(me, p), tlm::TLM_GENERIC_ERROR_RESPONSE) << "nothing to stop";
                       slice_descriptor work{1, 1, 10};
                       prepare(p, tlm::TLM_WRITE_COMMAND, third, &work, sizeof work);
                       if (!doorbell_too) {
                         EXPECT_EQ(send(me, p), tlm::TLM_COMMAND_ERROR_RESPONSE)
                             << "a slice cannot be started by a blocking call";
                         return;
                       }
                       p.set_address(3 * server_register::stride);
                       EXPECT_EQ(send(me, p), tlm::TLM_ADDRESS_ERROR_RESPONSE);
                       p.set_address(third);
                       for (const slice_descriptor& bad : {slice_descriptor{1, 3, 10}, {1, 0, 10}, {1, 1, 0}}) {
                         work = bad;
                         EXPECT_EQ(send(me, p), tlm::TLM_GENERIC_ERROR_RESPONSE);
                       }
                       p.set_data_length(8);
                       EXPECT_EQ(send(me, p), tlm::TLM_BURST_ERROR_RESPONSE);
                       prepare(p, tlm::TLM_WRITE_COMMAND, third, &work, sizeof work);
                       p.set_byte_enable_ptr(&enables);
                       EXPECT_EQ(send(me, p), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
                     }};
  one.socket.bind(bank.dispatch);
  sc_core::sc_start();
}

TEST(server_registers, refuse_what_is_wrong_in_a_blocking_call) { server_refuses(blocking, false); }

TEST(server_registers, refuse_what_is_wrong_in_a_non_blocking_call) { server_refuses(non_blocking, true); }

}  // namespace
}  // namespace muster
