#pragma once

#include <array>
#include <cstring>
#include <functional>
#include <utility>

#include <tlm_utils/simple_target_socket.h>

#include "muster/modules/front/job_device.h"
#include "tests/modules/foreign_initiator.h"
#include "tests/modules/scene.h"

namespace muster {

/// A client of a job_device: a thread that reads and writes registers, and a memory of 1 KB for its ring.
template <unsigned BUSWIDTH>
class device_client : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<device_client, BUSWIDTH> bus{"bus"};
  tlm_utils::simple_target_socket<device_client, BUSWIDTH> memory{"memory"};

  SC_HAS_PROCESS(device_client);
  device_client(const sc_core::sc_module_name& name, std::function<void(device_client&)> what)
      : sc_module(name), what_(std::move(what)) {
    memory.register_b_transport(this, &device_client::store);
    SC_THREAD(run);
  }

  /// Sends a payload as it is, after the response status has been reset.
  tlm::tlm_response_status send(tlm::tlm_generic_payload& p, ticks delay = 0) {
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time t = to_sc_time(delay);
    bus->b_transport(p, t);
    EXPECT_EQ(t, sc_core::SC_ZERO_TIME);
    return status = p.get_response_status();
  }
  std::uint64_t read(std::uint64_t address, unsigned length = 8) {
    std::uint64_t value = 0;
    tlm::tlm_generic_payload p;
    prepare(p, tlm::TLM_READ_COMMAND, address, &value, length);
    send(p);
    return value;
  }
  tlm::tlm_response_status write(std::uint64_t address, std::uint64_t value, unsigned length = 8, ticks delay = 0) {
    tlm::tlm_generic_payload p;
    prepare(p, tlm::TLM_WRITE_COMMAND, address, &value, length);
    return send(p, delay);
  }
  /// Submits a job of class 0 by stores of 4 bytes.
  void submit(std::uint64_t tag, std::uint64_t size) {
    write(device_register::tag, tag, 4);
    write(device_register::descriptor, 0, 4);
    write(device_register::descriptor + 8, size, 4);
    EXPECT_EQ(write(device_register::doorbell, 2, 4), tlm::TLM_OK_RESPONSE);
  }
  job_completion front() {
    return {read(device_register::completion), read(device_register::completion + 8),
            read(device_register::completion + 16), read(device_register::completion + 24)};
  }
  job_completion entry(std::uint64_t base, std::size_t place) const {
    job_completion content;
    std::memcpy(&content, &bytes.at(base + place * sizeof content), sizeof content);
    return content;
  }
  static void wait_until(ticks at) { sc_core::wait(to_sc_time(at) - sc_core::sc_time_stamp()); }

  std::array<unsigned char, 1024> bytes{};
  bool memory_refuses = false;
  ticks memory_latency = 0;
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;

 private:
  void run() { what_(*this); }
  void store(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (memory_refuses || !p.is_write() || p.get_address() + p.get_data_length() > bytes.size()) return;
    std::memcpy(&bytes.at(p.get_address()), p.get_data_ptr(), p.get_data_length());
    delay += to_sc_time(memory_latency);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  std::function<void(device_client&)> what_;
};

inline bool operator==(const job_completion& a, const job_completion& b) {
  return a.tag == b.tag && a.status == b.status && a.submitted == b.submitted && a.completed == b.completed;
}
inline std::ostream& operator<<(std::ostream& out, const job_completion& c) {
  return out << "job " << c.tag << ", status " << c.status << ", " << c.submitted << " to " << c.completed;
}

/// A client, its device, and a scheduler with one server of one core, first come first served.
template <unsigned BUSWIDTH>
struct device_scene {
  explicit device_scene(std::function<void(device_client<BUSWIDTH>&)> what, const layout& l = {})
      : cluster(l), client("client", std::move(what)) {
    client.bus.bind(device.registers);
    device.memory.bind(client.memory);
    device.submissions.bind(cluster.central.submissions);
    device.interrupt.bind(interrupt);
  }

  scene cluster;
  device_client<BUSWIDTH> client;
  job_device<BUSWIDTH> device{"device"};
  sc_core::sc_signal<bool> interrupt{"interrupt"};
};

}  // namespace muster
