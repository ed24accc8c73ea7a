#include "muster/modules/source/job_source.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

// How a model whose simulated time lasts so many seconds stays within its range.
std::string ways_to_stay_in_range(double seconds) {
  constexpr std::array<std::pair<const char*, double>, 4> units{
      {{"SC_NS", 1e-9}, {"SC_US", 1e-6}, {"SC_MS", 1e-3}, {"SC_SEC", 1.0}}};
  for (const auto& [name, resolution] : units)
    if (resolution > sc_get_time_resolution().to_seconds() && seconds < resolution * static_cast<double>(end_of_clock))
      return fmt::format(
          "call sc_core::sc_set_time_resolution(1, sc_core::{}) before any module is built, or submit "
          "fewer jobs",
          name);
  return "submit fewer jobs";
}

// The whole range is not for arrivals alone: jobs are in the system for a while after the last of them.
void warn_of_range(const sc_module& source, const workload& jobs) {
  constexpr double share_in_range = 0.9;
  const std::optional<ticks> expected = jobs.expected_end();
  const auto range = static_cast<double>(end_of_clock);
  if (!expected || static_cast<double>(*expected) <= share_in_range * range) return;
  const double resolution = sc_get_time_resolution().to_seconds(), end = static_cast<double>(*expected) * resolution;
  const std::string text = fmt::format(
      "'{}': the last job is expected at about {:.3g} s, and simulated time ends after {:.3g} s at a resolution of {}: "
      "{}",
      source.name(), end, range * resolution, sc_get_time_resolution().to_string(), ways_to_stay_in_range(end));
  SC_REPORT_WARNING("/muster/job_source", text.c_str());
}

}  // namespace

job_source::job_source(const sc_module_name& name, timekeeper& time, workload& jobs, job_observer& observer)
    : sc_module(name),
      time_(time),
      jobs_(&jobs),
      arrivals_(&observer),
      completions_(&observer),
      next_arrival_(time.add_recurring(timer_rank::arrival, *this, 0)) {
  submissions.register_nb_transport_bw(this, &job_source::nb_transport_bw);
}

void job_source::start_of_simulation() {
  warn_of_range(*this, *jobs_);
  direct_ = ask_for_direct<direct_submissions>(*submissions.operator->(), time_, submissions.get_base_interface());
  if (direct_) direct_->tell_directly(*this);
  feedback_ = jobs_->feedback();
  states_more_ = jobs_->states_more();
  await_next();
}

void job_source::await_next() {
  exhausted_ = !jobs_->next(next_);
  if (!exhausted_) time_.set(next_arrival_, std::min(next_.arrival, end_of_clock));
}

void job_source::set_rate(double factor) {
  if (!paced_) {
    paced_ = std::make_unique<paced_arrivals>(*jobs_, next_.arrival);
    jobs_ = paced_.get();
  }
  paced_->set(time_.now(), factor);
  if (exhausted_) return;
  next_.arrival = paced_->next_arrival();
  time_.set(next_arrival_, std::min(next_.arrival, end_of_clock));
}

void job_source::expired(ticks now, std::uint32_t) {
  if (now >= end_of_clock) time_.leave_clock("the next arrival of a job");
  tlm_generic_payload& p = pool_.reserve();
  job_extension& job = pool_.extension(p);
  job.descriptor = {static_cast<std::uint64_t>(next_.type), next_.size};
  if (states_more_) state_more(p, job);
  await_next();
  if (states_more_ && (!next_.servers.empty() || job.drawn_next.front() != job_extension::no_server))
    note_servers(job.drawn_next);
  ++submitted_;
  arrivals_->job_arrives(now, job);
  if (direct_)
    submit_directly(p, job);
  else
    submit(p);
}

// What a job brings beside class and size.
void job_source::state_more(tlm_generic_payload& p, job_extension& job) const {
  job.killed_at_estimate = next_.killed;
  job.listed = next_.listed;
  if (next_.states_more()) {
    write_words(job.words);
    job.put_data(p, job.words.data(), job.words.size() * sizeof job.words.front());
  } else {
    job.put_data(p, &job.descriptor, sizeof job.descriptor);
  }
}

void job_source::submit_directly(tlm_generic_payload& p, job_extension& job) {
  const tlm_response_status status = direct_->submit_directly(p, job);
  if (status == TLM_OK_RESPONSE) return;
  job.transaction = &p;
  job_answered(job, status);
}

void job_source::submit(tlm_generic_payload& p) {
  pool_.begin(p);
  p.set_address(scheduler_register::doorbell);
  send_request(p);
}

// Notes the servers that the next job has drawn.
void job_source::note_servers(std::array<std::uint64_t, 2>& drawn) const {
  const std::size_t known = exhausted_ ? 0 : next_.servers.size();
  for (std::size_t n = 0; n < drawn.size(); ++n) drawn[n] = n < known ? next_.servers[n] : job_extension::no_server;
}

void job_source::write_words(boost::container::small_vector_base<std::uint64_t>& words) const {
  words.assign({static_cast<std::uint64_t>(next_.type), next_.size});
  words.insert(words.end(), next_.servers.begin(), next_.servers.end());
  const bool has_qos = next_.qos != job_facts::no_qos, has_user = has_qos || next_.user != job_facts::no_user,
             has_estimate = has_user || next_.estimate != 0;
  if (has_estimate || next_.need != 0) words.push_back(next_.need);
  if (has_estimate) words.push_back(next_.estimate);
  if (has_user) words.push_back(std::uint64_t{next_.user + 1U});  // 0: not known
  if (has_qos) words.push_back(std::uint64_t{next_.qos} + 1);
  if (next_.deadline) words.push_back(*next_.deadline);
  if (!next_.worth) return;
  for (unsigned unit = 0; unit < next_.worth->units(); ++unit) {
    const double gain = next_.worth->gain(unit);
    std::memcpy(&words.emplace_back(), &gain, sizeof gain);
  }
}

void job_source::violated(const broken_rule& broken, const tlm_phase& phase, const tlm_generic_payload& p) const {
  muster::violated(broken, submissions.name(), time_.now(), phase, p);
}

void job_source::responds(tlm_generic_payload& p, const sc_time& delay) {
  pool_.end(p);
  answered(pool_.extension(p), p.get_response_status(), time_.effective(delay));
  p.release();
}

void job_source::job_answered(job_extension& job, tlm_response_status status) {
  answered(job, status, time_.now());
  pool_.give_back(*job.transaction);
}

void job_source::answered(const job_extension& job, tlm_response_status status, ticks completed) {
  if (status != TLM_OK_RESPONSE && !(job.slots && job.slots->expired)) refused(job, status);
  if (completed >= end_of_clock) leave_clock(job);
  ++answered_;
  if (feedback_ && feedback_->job_completes(completed, job.listed)) await_next();
  completions_->job_completes(completed, job);
}

void job_source::leave_clock(const job_extension& job) const {
  time_.leave_clock("the response to job " + std::to_string(job.id));
}

void job_source::refused(const job_extension& job, tlm_response_status status) const {
  if (beyond_clock(time_.now(), job.descriptor.size))
    time_.leave_clock("a job of size " + std::to_string(job.descriptor.size));
  tlm_generic_payload response;
  response.set_response_status(status);
  time_.report_error("/muster/job_source", "a job was refused: " + response.get_response_string());
}

void job_source::list_into(parameter_list& all) const {
  all.add_count(*this, "jobs_submitted", "jobs", "jobs that were submitted", [this] { return jobs_submitted(); });
  all.add_count(*this, "jobs_answered", "jobs", "jobs whose response has come", [this] { return jobs_answered(); });
  all.add_count(*this, "outstanding_jobs", "jobs", "jobs that are submitted and not answered",
                [this] { return outstanding_jobs(); });
}

}  // namespace muster
