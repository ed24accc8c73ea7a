#include "muster/modules/front/dispatcher.h"

#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

#include "muster/modules/kernel/register_access.h"
#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/protocol/protocol.h"

namespace muster {

using namespace sc_core;
using namespace tlm;

dispatcher::dispatcher(const sc_module_name& name, timekeeper& time, const settings& given)
    : interconnect(name, time),
      settings_(given),
      dispatched_(given.schedulers),
      now_(given.schedulers),
      seen_(given.schedulers) {
  const auto& [rule, schedulers, choices, delay, random, steals] = settings_;
  if (!rule) misuse("no dispatching rule; expected one of dispatching_catalogue()");
  if (!random) misuse("no random numbers; expected a source of them");
  if (schedulers == 0) misuse("0 schedulers; expected at least 1");
  if (rule->has_choices && (choices == 0 || choices > schedulers))
    misuse(fmt::format("{} choices of {} schedulers; expected 1 to {}", choices, schedulers, schedulers));
  rule_ = rule->make({schedulers, choices, *random});
  work_stealing::front_end& front = *this;
  if (steals) stealing_ = std::make_unique<work_stealing>(time, front, schedulers, delay);
}

void dispatcher::misuse(const std::string& message) const {
  const std::string text = fmt::format("'{}': {}", name(), message);
  SC_REPORT_ERROR("/muster/dispatcher", text.c_str());
  throw std::runtime_error(text);  // if SystemC's own exception has been disabled
}

void dispatcher::before_end_of_elaboration() {
  if (out.size() != settings_.schedulers)
    misuse(fmt::format("`out` is bound to {} schedulers; expected {}, as its settings say", out.size(),
                       settings_.schedulers));
}

std::uint32_t dispatcher::choose(const payload& p) {
  job_descriptor work;
  const bool valid = p.is_write() && p.get_address() == scheduler_register::doorbell && p.get_data_ptr() &&
                     p.get_data_length() >= sizeof work;
  if (!valid) return 0;  // which refuses it, or answers the read
  std::memcpy(&work, p.get_data_ptr(), sizeof work);
  for (; !unseen_.empty() && unseen_.front().seen <= time().now(); unseen_.pop_front()) {
    const change& c = unseen_.front();
    seen_[c.scheduler] = static_cast<std::uint64_t>(static_cast<std::int64_t>(seen_[c.scheduler]) + c.by);
  }
  const std::uint32_t chosen = rule_->choose({static_cast<class_id>(work.type), seen_});
  ++dispatched_[chosen];
  return chosen;
}

void dispatcher::count(std::uint32_t scheduler, std::int64_t by) {
  now_[scheduler] = static_cast<std::uint64_t>(static_cast<std::int64_t>(now_[scheduler]) + by);
  if (!settings_.rule->looks_at_jobs) return;
  if (settings_.information_delay == 0)
    seen_[scheduler] = now_[scheduler];
  else if (!beyond_clock(time().now(), settings_.information_delay))
    unseen_.push_back({time().now() + settings_.information_delay, scheduler, by});
}

std::uint32_t dispatcher::route(std::uint32_t, payload& p) {
  if (read_sum(p)) return answered_here;
  const std::uint32_t chosen = choose(p);
  if (!p.is_write()) return chosen;
  count(chosen, 1);
  if (stealing_) {
    if (job_extension* const j = transaction_pool<job_extension>::find(p)) j->stolen = false;
    stealing_->look_later();
  }
  return chosen;
}

bool dispatcher::responds(std::uint32_t from, payload& p) {
  if (!p.is_write()) return true;
  count(from, -1);
  if (!stealing_) return true;
  if (stealing_->takes(from, p)) return false;
  stealing_->look_later();
  return true;
}

void dispatcher::own_answered(std::uint32_t from, payload& p) { stealing_->withdrawal_answered(from, p); }

void dispatcher::pass_stolen(std::uint32_t scheduler, payload& job) {
  count(scheduler, 1);
  pass_held(job, scheduler);
}

void dispatcher::call(std::uint32_t, payload& p, sc_time& delay) {
  if (p.is_read() && delay != SC_ZERO_TIME) {
    wait(delay);  // so that the value does not depend on how far the caller runs ahead
    delay = SC_ZERO_TIME;
  }
  if (read_sum(p)) return;
  // The job of a thread that is killed while it waits goes on at its scheduler, and no longer counts here.
  struct counted {
    dispatcher& own;
    std::uint32_t chosen;
    bool job;
    ~counted() {
      if (job) own.count(chosen, -1);
    }
  } under_way{*this, choose(p), p.is_write()};
  if (under_way.job) count(under_way.chosen, 1);
  out[static_cast<int>(under_way.chosen)]->b_transport(p, delay);
}

unsigned dispatcher::look(std::uint32_t, payload& p) {
  const std::uint64_t address = p.get_address();
  if (p.is_read() && (address == scheduler_register::jobs_waiting || address == scheduler_register::jobs_in_service))
    return read_register_for_debug(p, sum(address));
  return out[0]->transport_dbg(p);
}

bool dispatcher::read_sum(payload& p) {
  const std::uint64_t address = p.get_address();
  if (!p.is_read() || (address != scheduler_register::jobs_waiting && address != scheduler_register::jobs_in_service))
    return false;
  answer_register_read(p, sum(address));
  return true;
}

// The sum of a register over all schedulers.
std::uint64_t dispatcher::sum(std::uint64_t address) {
  std::uint64_t all = 0;
  for (unsigned n = 0; n < out.size(); ++n) all += read(n, address);
  return all;
}

std::uint64_t dispatcher::read(std::uint32_t scheduler, std::uint64_t address) {
  std::uint64_t value = 0;
  payload read;
  read.set_command(TLM_READ_COMMAND);
  read.set_address(address);
  read.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  read.set_data_length(sizeof value);
  out[static_cast<int>(scheduler)]->transport_dbg(read);
  return value;
}

void dispatcher::list_into(parameter_list& all) const {
  all.add_count(*this, "information_delay", "ticks", "age of the numbers of jobs that the dispatching rule sees",
                [this] { return settings_.information_delay; });
  for (std::uint32_t n = 0; n < settings_.schedulers; ++n)
    all.add_count(*this, fmt::format("jobs_dispatched_{}", n), "jobs", "jobs that were passed to the scheduler",
                  [this, n] { return dispatched_[n]; });
  for (std::uint32_t n = 0; stealing_ && n < settings_.schedulers; ++n)
    all.add_count(*this, fmt::format("jobs_stolen_{}", n), "jobs", "jobs that the scheduler has taken from others",
                  [this, n] { return jobs_stolen(n); });
}

}  // namespace muster
