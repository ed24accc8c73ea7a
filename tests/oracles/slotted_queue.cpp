#include "slotted_queue.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace muster::oracle {

namespace {

struct job_state {
  std::uint64_t remaining = 0;  // ticks of work
  long double units = 0.0;      // the same in units, where core time is divided
  std::uint64_t cores = 0;      // in the slot before, then in this one
  bool gone = false;
};

bool never_increase(const std::vector<double>& gains) { return std::is_sorted(gains.rbegin(), gains.rend()); }

// For each unit, the greatest mean gain of any number of units from there on.
std::vector<double> greatest_means(const std::vector<double>& gains) {
  // The mean of several is none the greater then, whatever rounding says.
  if (never_increase(gains)) return gains;
  std::vector<double> utility{0.0};
  for (const double gain : gains) utility.push_back(utility.back() + gain);
  std::vector<double> greatest;
  for (std::size_t from = 0; from < gains.size(); ++from) {
    double mean = 0.0;
    for (std::size_t to = from + 1; to < utility.size(); ++to)
      mean = std::max(mean, (utility[to] - utility[from]) / static_cast<double>(to - from));
    greatest.push_back(mean);
  }
  return greatest;
}

class slotted_queue {
 public:
  slotted_queue(std::uint64_t cores, std::uint64_t slot, std::uint64_t epsilon, const std::vector<slotted_job>& jobs,
                slot_policy policy)
      : cores_(cores), slot_(slot), epsilon_(epsilon), jobs_(jobs), policy_(policy) {
    if (cores == 0 || slot == 0 || epsilon > slot) throw std::invalid_argument("serve_slots: cores, slot or epsilon");
    if (policy == slot_policy::equal_fractional && epsilon > 0)
      throw std::invalid_argument("serve_slots: whose core is new is not known with equal_fractional");
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      if (jobs[j].gains.empty()) throw std::invalid_argument("serve_slots: a job without units");
      if (j > 0 && jobs[j].arrival < jobs[j - 1].arrival)
        throw std::invalid_argument("serve_slots: jobs are not in order of arrival");
      states_.push_back({jobs[j].gains.size() * slot, static_cast<long double>(jobs[j].gains.size()), 0, false});
      keys_.push_back(policy == slot_policy::ispeed_envelope ? greatest_means(jobs[j].gains) : jobs[j].gains);
    }
    outcomes_.resize(jobs.size());
  }

  std::vector<slotted_outcome> run() {
    for (begin_ = 0; !all_gone(); begin_ += slot_) {
      expire();
      const std::vector<std::size_t> present = present_jobs();
      if (present.empty()) continue;
      if (policy_ == slot_policy::equal_fractional)
        serve_equally(present);
      else
        serve(present);
    }
    return outcomes_;
  }

 private:
  bool all_gone() const {
    return std::all_of(states_.begin(), states_.end(), [](const job_state& j) { return j.gone; });
  }

  std::uint64_t done(std::size_t job) const {
    return (jobs_[job].gains.size() * slot_ - states_[job].remaining) / slot_;
  }

  std::uint64_t units_left(std::size_t job) const { return jobs_[job].gains.size() - done(job); }

  void leave(std::size_t job, std::uint64_t at) {
    states_[job].gone = true;
    slotted_outcome& o = outcomes_[job];
    o.left = at;
    o.units = done(job);
    for (std::uint64_t u = 0; u < o.units; ++u) o.utility += jobs_[job].gains[u];
    o.expired = states_[job].remaining > 0;
  }

  // Lets jobs leave whose last slot is over; one that arrives too late for any leaves as it comes.
  void expire() {
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      const std::uint64_t end = jobs_[j].deadline * slot_;
      if (!states_[j].gone && jobs_[j].deadline > 0 && jobs_[j].arrival <= begin_ && end <= begin_)
        leave(j, std::max(end, jobs_[j].arrival));
    }
  }

  // Jobs that are in the system, in the order of arrival.
  std::vector<std::size_t> present_jobs() const {
    std::vector<std::size_t> present;
    for (std::size_t j = 0; j < jobs_.size(); ++j)
      if (!states_[j].gone && jobs_[j].arrival <= begin_) present.push_back(j);
    return present;
  }

  void serve(const std::vector<std::size_t>& present) {
    const std::vector<std::uint64_t> given = give_out(present);
    for (const std::size_t j : present) {
      job_state& state = states_[j];
      slotted_outcome& o = outcomes_[j];
      const std::uint64_t kept = std::min(state.cores, given[j]);
      if (state.cores > 0 && given[j] == 0) ++o.preemptions;
      if (given[j] > 0 && !o.served) o.first_service = begin_;
      o.served = o.served || given[j] > 0;
      o.cores_given += given[j] - kept;
      state.cores = given[j];
      // New cores come to those kept, where there are any.
      if (given[j] == kept) {
        work(j, begin_, begin_ + slot_, kept);
      } else {
        work(j, begin_, begin_ + epsilon_, kept);
        work(j, begin_ + epsilon_, begin_ + slot_, given[j]);
      }
    }
  }

  // As many cores as that work on the job until `to`, unless it is complete before.
  void work(std::size_t job, std::uint64_t from, std::uint64_t to, std::uint64_t cores) {
    job_state& state = states_[job];
    if (state.gone || cores == 0) return;
    const double ticks = static_cast<double>(state.remaining) / static_cast<double>(cores);
    const std::uint64_t end = from + static_cast<std::uint64_t>(std::llround(ticks));
    if (end <= to) {
      state.remaining = 0;
      leave(job, end);
    } else {
      state.remaining -= cores * (to - from);
    }
  }

  // Cores for each of all jobs.
  std::vector<std::uint64_t> give_out(const std::vector<std::size_t>& present) const {
    switch (policy_) {
      case slot_policy::fifo: return give_in_order(present);
      case slot_policy::edf: return give_in_order(by_deadline(present));
      case slot_policy::equal_whole: return give_equally(present);
      default: return give_by_gain(present);
    }
  }

  std::vector<std::uint64_t> give_in_order(const std::vector<std::size_t>& order) const {
    std::vector<std::uint64_t> given(jobs_.size());
    std::uint64_t cores = cores_;
    for (const std::size_t j : order) {
      given[j] = std::min(units_left(j), cores);
      cores -= given[j];
    }
    return given;
  }

  std::vector<std::size_t> by_deadline(std::vector<std::size_t> order) const {
    const auto deadline = [this](std::size_t j) { return jobs_[j].deadline > 0 ? jobs_[j].deadline : UINT64_MAX; };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return deadline(a) < deadline(b); });
    return order;
  }

  std::vector<std::uint64_t> give_by_gain(const std::vector<std::size_t>& present) const {
    std::vector<std::uint64_t> given(jobs_.size());
    for (std::uint64_t core = 0; core < cores_; ++core) {
      const std::size_t none = jobs_.size();
      std::size_t best = none;
      for (const std::size_t j : present) {
        if (given[j] == units_left(j)) continue;
        if (best == none || keys_[j][done(j) + given[j]] > keys_[best][done(best) + given[best]]) best = j;
      }
      if (best == none) break;
      ++given[best];
    }
    return given;
  }

  std::vector<std::uint64_t> give_equally(std::vector<std::size_t> present) const {
    const auto needed = [&](std::uint64_t each) {
      std::uint64_t sum = 0;
      for (const std::size_t j : present) sum += std::min(units_left(j), each);
      return sum;
    };
    std::uint64_t each = 0;
    while (needed(each + 1) <= cores_ && needed(each + 1) > needed(each)) ++each;
    std::vector<std::uint64_t> given(jobs_.size());
    for (const std::size_t j : present) given[j] = std::min(units_left(j), each);
    std::uint64_t rest = cores_ - needed(each);
    std::stable_sort(present.begin(), present.end(), [&](std::size_t a, std::size_t b) { return done(a) < done(b); });
    for (const std::size_t j : present) {
      if (rest == 0 || units_left(j) <= each) continue;
      ++given[j];
      --rest;
    }
    return given;
  }

  void serve_equally(const std::vector<std::size_t>& present) {
    constexpr long double nothing = 1e-12L;
    std::vector<long double> works;
    for (const std::size_t j : present) works.push_back(states_[j].units);
    const long double each = equal_time(works);
    for (const std::size_t j : present) {
      if (!outcomes_[j].served) outcomes_[j].first_service = begin_;
      outcomes_[j].served = true;
      job_state& state = states_[j];
      state.units -= std::min(state.units, each);
      // Whole units that remain, and whether there is more.
      const auto to_do = static_cast<std::uint64_t>(std::ceil(state.units - nothing));
      state.remaining = to_do * slot_;
      if (to_do == 0) leave(j, begin_ + slot_);
    }
  }

  // Units that each gets, or as many as it has left: the smaller needs are met, the others share what they leave.
  long double equal_time(std::vector<long double> works) const {
    std::sort(works.begin(), works.end());
    auto time = static_cast<long double>(cores_);
    for (std::size_t met = 0; met < works.size(); ++met) {
      const long double each = time / static_cast<long double>(works.size() - met);
      if (works[met] > each) return each;
      time -= works[met];
    }
    return works.back();
  }

  const std::uint64_t cores_, slot_, epsilon_;
  const std::vector<slotted_job>& jobs_;
  const slot_policy policy_;
  std::vector<std::vector<double>> keys_;
  std::vector<job_state> states_;
  std::vector<slotted_outcome> outcomes_;
  std::uint64_t begin_ = 0;
};

}  // namespace

std::vector<slotted_outcome> serve_slots(std::uint64_t cores, std::uint64_t slot, std::uint64_t epsilon,
                                         const std::vector<slotted_job>& jobs, slot_policy policy) {
  return slotted_queue(cores, slot, epsilon, jobs, policy).run();
}

}  // namespace muster::oracle
