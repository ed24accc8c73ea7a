#include <cstring>

#include "muster/modules/scheduler/ports/submission_port.h"

// Submissions by blocking calls: jobs whose threads wait in b_transport, and reads without a phase.

namespace muster {

using namespace sc_core;
using namespace tlm;

void submission_port::receive_and_wait(int from, tlm_generic_payload& p, sc_time& delay) {
  const ticks at = time_.effective(delay);
  if (at >= end_of_clock) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  if (p.is_read() && delay != SC_ZERO_TIME) {
    wait(delay);  // so that the value does not depend on how far the caller runs ahead
    delay = SC_ZERO_TIME;
  }
  if (access_register(p) || !check(p, at)) return;
  tlm_generic_payload& copy = copy_of(p);
  wait_for_job(from, copy, at);
  p.set_response_status(copy.get_response_status());
  copy.release();
  delay = SC_ZERO_TIME;
}

// A copy of the job as a payload of the scheduler: the caller's may be destroyed at any time, with its thread.
tlm_generic_payload& submission_port::copy_of(const tlm_generic_payload& p) {
  tlm_generic_payload& copy = blocking_jobs_.take();
  auto& words = blocking_jobs_.extension(copy).words;
  words.resize(p.get_data_length() / sizeof words.front());
  std::memcpy(words.data(), p.get_data_ptr(), p.get_data_length());
  copy.set_command(TLM_WRITE_COMMAND);
  copy.set_address(p.get_address());
  copy.set_data_ptr(reinterpret_cast<unsigned char*>(words.data()));
  copy.set_data_length(p.get_data_length());
  copy.set_streaming_width(p.get_data_length());
  copy.set_byte_enable_ptr(nullptr);
  copy.set_response_status(TLM_INCOMPLETE_RESPONSE);
  return copy;
}

// Lets the calling thread wait for its job. If the wait ends with an exception (a kill, a reset, an exception thrown
// into the process), the event is destroyed with the thread's stack.
void submission_port::wait_for_job(int from, tlm_generic_payload& job, ticks arrival) {
  struct call {
    submission_port& port;
    tlm_generic_payload& job;
    sc_event completed{};
    bool returns = false;

    ~call() {
      if (returns) return;
      if (job.get_response_status() == TLM_INCOMPLETE_RESPONSE) {
        port.blocking_jobs_.extension(job).own.blocked = nullptr;
      } else {  // the job is complete already, and the thread had been notified
        ++port.abandoned_;
        job.release();
      }
    }
  };
  call c{*this, job};
  accept(job, extension_for(job, &blocking_jobs_.extension(job)), from, arrival, &c.completed);
  wait(c.completed);
  c.returns = true;
}

void submission_port::wake_submitter(job_extension& j) {
  if (j.own.blocked) {
    j.own.blocked->notify(time_.lead());
  } else {
    ++abandoned_;
    j.transaction->release();
  }
}

}  // namespace muster
