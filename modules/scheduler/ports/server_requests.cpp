#include "muster/modules/scheduler/ports/server_requests.h"

namespace muster {

using namespace tlm;

tlm_generic_payload& server_requests::stop_of(slice_extension& stopped, std::uint64_t how) {
  tlm_generic_payload& p = request_to(stopped.group, stopped.server, how, TLM_WRITE_COMMAND);
  slice_extension& stop = transaction_pool<slice_extension>::extension(p);
  stop.descriptor.job = stopped.descriptor.job;
  stop.stops = &stopped;
  stop.asks = slice_extension::request::stop;
  stopped.stop_sent = true;
  return p;
}

tlm_generic_payload& server_requests::watch_of(group_id group, std::uint32_t server, slice_extension::request change) {
  const bool failure = change == slice_extension::request::failure;
  tlm_generic_payload& p = request_to(
      group, server, failure ? server_register::until_failed : server_register::until_repaired, TLM_READ_COMMAND);
  transaction_pool<slice_extension>::extension(p).asks = change;
  ++watches_;
  return p;
}

// Makes a request. Its data are the first word of the descriptor: the number of the job, for a stop.
tlm_generic_payload& server_requests::request_to(group_id group, std::uint32_t server, std::uint64_t where,
                                                 tlm_command command) {
  tlm_generic_payload& p = pool_.take();
  slice_extension& s = transaction_pool<slice_extension>::extension(p);
  s.group = group;
  s.server = server;
  p.set_command(command);
  p.set_address(register_address(locations_[group], server, where));
  p.set_data_length(sizeof s.descriptor.job);
  p.set_streaming_width(sizeof s.descriptor.job);
  return p;
}

}  // namespace muster
