#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <systemc>
#include <tlm>

using sc_core::sc_time_stamp;  // which Verilator's headers take for a global name
#include "master.h"

/// The RTL of master.v as a SystemC module: each rising edge of `clock` evaluates it, and its requests go over `bus`.
class bus_master : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<bus_master, 32> bus{"bus"};
  sc_core::sc_in<bool> clock{"clock"}, interrupt{"interrupt"};

  SC_HAS_PROCESS(bus_master);
  explicit bus_master(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }
  ~bus_master() override { rtl_.final(); }

  unsigned completed() const { return rtl_.completed; }
  unsigned tags() const { return rtl_.tags; }

 private:
  void run() {
    rtl_.reset = 1;
    rtl_.eval();  // an edge is seen after a first evaluation only
    edge();
    rtl_.reset = 0;
    while (!rtl_.finished) {
      rtl_.line = interrupt.read();
      rtl_.done = rtl_.request;
      if (rtl_.request) transfer();
      edge();
    }
    sc_core::sc_pause();
  }

  void edge() {
    wait(clock.posedge_event());
    rtl_.clock = 1;
    rtl_.eval();
    rtl_.clock = 0;
    rtl_.eval();
  }

  // The transfer takes place before the edge at which the master sees it done.
  void transfer() {
    unsigned data = rtl_.data;
    tlm::tlm_generic_payload p;
    p.set_command(rtl_.store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    p.set_address(rtl_.address);
    p.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
    p.set_data_length(sizeof data);
    p.set_streaming_width(sizeof data);
    sc_core::sc_time delay;
    bus->b_transport(p, delay);
    if (p.is_response_error()) SC_REPORT_ERROR("/bus_master", p.get_response_string().c_str());
    rtl_.loaded = data;
  }

  master rtl_;
};
