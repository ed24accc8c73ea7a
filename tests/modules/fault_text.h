#pragma once

#include <string>

#include <systemc>

namespace muster {

/// Runs the simulation. @return type and text of the SystemC error that ended it; "" if none did
inline std::string fault_of_run() {
  sc_core::sc_report_handler::set_handler(nullptr);
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
  try {
    sc_core::sc_start();
  } catch (const sc_core::sc_report& report) {
    return std::string(report.get_msg_type()) + ": " + report.get_msg();
  }
  return "";
}

}  // namespace muster
