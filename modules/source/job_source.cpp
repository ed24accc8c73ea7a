#include "muster/modules/source/job_source.h"

#include <cstring>

namespace muster {

using namespace sc_core;
using namespace tlm;

job_source::job_source(const sc_module_name& name, timekeeper& time, workload& jobs, job_observer& observer)
    : sc_module(name),
      time_(time),
      jobs_(jobs),
      observer_(observer),
      next_arrival_(time.add_recurring(timer_rank::arrival, *this, 0)) {
  submissions.register_nb_transport_bw(this, &job_source::nb_transport_bw);
}

void job_source::start_of_simulation() { await_next(); }

void job_source::await_next() {
  exhausted_ = !jobs_.next(next_);
  if (!exhausted_) time_.set(next_arrival_, next_.arrival);
}

void job_source::expired(ticks, std::uint32_t) {
  tlm_generic_payload& p = pool_.take();
  job_extension* job = &pool_.extension(p);
  job->descriptor = {static_cast<std::uint64_t>(next_.type), next_.size};
  auto* data = reinterpret_cast<unsigned char*>(&job->descriptor);
  unsigned length = sizeof job->descriptor;
  if (!next_.servers.empty() || next_.deadline) {
    write_words(job->words);
    data = reinterpret_cast<unsigned char*>(job->words.data());
    length = static_cast<unsigned>(job->words.size() * sizeof job->words.front());
  }
  await_next();
  const std::size_t known = exhausted_ ? 0 : next_.servers.size();
  for (std::size_t n = 0; n < job->drawn_next.size(); ++n)
    job->drawn_next[n] = n < known ? next_.servers[n] : job_extension::no_server;
  p.set_command(TLM_WRITE_COMMAND);
  p.set_address(scheduler_register::doorbell);
  p.set_data_ptr(data);
  p.set_data_length(length);
  p.set_streaming_width(length);
  p.set_byte_enable_ptr(nullptr);
  p.set_dmi_allowed(false);
  p.set_response_status(TLM_INCOMPLETE_RESPONSE);
  ++submitted_;
  observer_.job_arrives(time_.now(), *job);
  requests_.pass(p, [this](tlm_generic_payload& next) { return request(next); });
}

void job_source::write_words(boost::container::small_vector_base<std::uint64_t>& words) const {
  words.assign({static_cast<std::uint64_t>(next_.type), next_.size});
  words.insert(words.end(), next_.servers.begin(), next_.servers.end());
  if (next_.deadline) words.push_back(*next_.deadline);
  if (!next_.worth) return;
  for (unsigned unit = 0; unit < next_.worth->units(); ++unit) {
    const double gain = next_.worth->gain(unit);
    std::memcpy(&words.emplace_back(), &gain, sizeof gain);
  }
}

bool job_source::request(tlm_generic_payload& p) {
  tlm_phase phase = BEGIN_REQ;
  sc_time delay = time_.lead();
  const auto refuse = [&](const broken_rule& broken) { violated(broken, phase, p); };
  const tlm_sync_enum answer = submissions->nb_transport_fw(p, phase, delay);
  const request_answer given = answer_to_request(answer, phase, requests_, p, refuse);
  if (given != request_answer::responded) return given == request_answer::accepted;
  if (!pool_.in_progress(p)) refuse(rule::second_begin_resp);
  if (answer == TLM_UPDATED) {
    phase = END_RESP;
    sc_time same = delay;
    submissions->nb_transport_fw(p, phase, same);
  }
  finish(p, delay);
  return true;
}

tlm_sync_enum job_source::nb_transport_bw(tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  if (phase != BEGIN_RESP) {
    if (is_extended(phase)) return TLM_ACCEPTED;  // one that we do not know
    if (phase != END_REQ) violated(rule::not_from_target, phase, p);
  }
  if (!pool_.in_progress(p)) violated(rule::answer_not_in_progress, phase, p);
  if (phase == END_REQ && !requests_.awaits(p)) violated(rule::second_end_req, phase, p);
  // A response implies the END_REQ that a target has left out.
  requests_.answered(p, [this](tlm_generic_payload& next) { return request(next); });
  if (phase == END_REQ) return TLM_ACCEPTED;
  finish(p, delay);
  return TLM_COMPLETED;
}

void job_source::violated(const broken_rule& broken, const tlm_phase& phase, const tlm_generic_payload& p) const {
  muster::violated(broken, submissions.name(), time_.now(), phase, p);
}

void job_source::finish(tlm_generic_payload& p, const sc_time& delay) {
  const job_extension& job = pool_.extension(p);
  if (p.is_response_error() && beyond_clock(time_.now(), job.descriptor.size))
    time_.leave_clock("a job of size " + std::to_string(job.descriptor.size));
  if (p.is_response_error() && !(job.slots && job.slots->expired))
    time_.report_error("/muster/job_source", "a job was refused: " + p.get_response_string());
  const ticks completed = time_.effective(delay);
  if (completed >= end_of_clock) time_.leave_clock("the response to job " + std::to_string(job.id));
  pool_.end(p);
  ++answered_;
  observer_.job_completes(completed, job);
  p.release();
}

}  // namespace muster
