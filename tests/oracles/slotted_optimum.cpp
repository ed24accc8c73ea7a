#include "tests/oracles/slotted_optimum.h"

#include <algorithm>
#include <set>

namespace muster::oracle {

namespace {

/// After which nobody is left, or nobody need be: after the last arrival a unit can be done in every slot.
std::uint64_t last_slot(const std::vector<job_of_units>& jobs) {
  std::uint64_t last_arrival = 0, units = 0, last_deadline = 0;
  for (const job_of_units& job : jobs) {
    last_arrival = std::max(last_arrival, job.arrival);
    units += job.gains.size();
    last_deadline = std::max(last_deadline, job.deadline == 0 ? UINT64_MAX : job.deadline);
  }
  return std::min(last_arrival + units, last_deadline);
}

bool present(const job_of_units& job, std::uint64_t slot, unsigned done) {
  return job.arrival <= slot && (job.deadline == 0 || slot <= job.deadline) && done < job.gains.size();
}

using progress = std::vector<unsigned>;

/// Adds what `done` can become in the slot if jobs from `job` on get up to `cores` cores.
void add_successors(const std::vector<job_of_units>& jobs, std::uint64_t slot, unsigned cores, std::size_t job,
                    progress done, std::set<progress>& successors) {
  if (job == jobs.size()) {
    successors.insert(done);
    return;
  }
  add_successors(jobs, slot, cores, job + 1, done, successors);
  for (; cores > 0 && present(jobs[job], slot, done[job]); --cores) {
    ++done[job];
    add_successors(jobs, slot, cores - 1, job + 1, done, successors);
  }
}

double key_of(const job_of_units& job, unsigned done, greedy_key key) {
  if (key == greedy_key::gain) return job.gains[done];
  double sum = 0.0, largest = 0.0;
  for (std::size_t unit = done; unit < job.gains.size(); ++unit) {
    sum += job.gains[unit];
    largest = std::max(largest, sum / static_cast<double>(unit + 1 - done));
  }
  return largest;
}

}  // namespace

double total_gain(const std::vector<job_of_units>& jobs, const std::vector<unsigned>& done) {
  double sum = 0.0;
  for (std::size_t j = 0; j < jobs.size(); ++j)
    for (unsigned unit = 0; unit < done[j]; ++unit) sum += jobs[j].gains[unit];
  return sum;
}

double slotted_optimum(const std::vector<job_of_units>& jobs, unsigned cores) {
  std::set<progress> reached{progress(jobs.size())};
  const std::uint64_t last = last_slot(jobs);
  for (std::uint64_t slot = 1; slot <= last; ++slot) {
    std::set<progress> next;
    for (const progress& done : reached) add_successors(jobs, slot, cores, 0, done, next);
    reached = std::move(next);
  }
  double best = 0.0;
  for (const progress& done : reached) best = std::max(best, total_gain(jobs, done));
  return best;
}

std::vector<unsigned> serve_greedily(const std::vector<job_of_units>& jobs, unsigned cores, greedy_key key) {
  progress done(jobs.size());
  const std::uint64_t last = last_slot(jobs);
  for (std::uint64_t slot = 1; slot <= last; ++slot)
    for (unsigned core = 0; core < cores; ++core) {
      std::size_t chosen = jobs.size();
      double largest = 0.0;
      for (std::size_t j = 0; j < jobs.size(); ++j) {
        if (!present(jobs[j], slot, done[j])) continue;
        const double found = key_of(jobs[j], done[j], key);
        const bool first = chosen == jobs.size();
        if (first || found > largest || (found == largest && jobs[j].arrival < jobs[chosen].arrival)) {
          chosen = j;
          largest = found;
        }
      }
      if (chosen < jobs.size()) ++done[chosen];
    }
  return done;
}

}  // namespace muster::oracle
