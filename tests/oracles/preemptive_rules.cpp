#include "preemptive_rules.h"

#include <algorithm>
#include <map>

namespace muster::oracle {

namespace {

using jobs_present = std::vector<job_present>;
using numbers = std::vector<std::uint64_t>;

jobs_present prefix_that_needs(const jobs_present& jobs, std::uint32_t cores) {
  jobs_present m;
  std::uint64_t needed = 0;
  for (auto j = jobs.begin(); j != jobs.end() && needed < cores; ++j) {
    m.push_back(*j);
    needed += j->need;
  }
  return m;
}

void sort_by_descending_need(jobs_present& m) {
  std::stable_sort(m.begin(), m.end(), [](const auto& a, const auto& b) { return a.need > b.need; });
}

// Appends so many of the jobs, in service ones first.
void choose(std::vector<std::size_t>& chosen, const jobs_present& jobs, std::uint64_t count) {
  for (const auto place : {job_present::place::in_service, job_present::place::waits})
    for (const job_present& j : jobs) {
      if (j.at != place || count == 0) continue;
      chosen.push_back(j.number);
      --count;
    }
}

// Tries all schedules of at most so many jobs of each kind that fit, from many jobs of the first kind to few.
class largest_schedule {
 public:
  largest_schedule(const std::vector<std::uint32_t>& needs, const numbers& most, const numbers& values)
      : needs_(needs), most_(most), values_(values), tried_(needs.size()) {}

  numbers find(std::uint32_t cores) {
    best_ = tried_;
    try_from(0, cores, 0);
    return best_;
  }

 private:
  void try_from(std::size_t kind, std::uint64_t cores, std::uint64_t value) {
    if (kind == needs_.size()) {
      if (value <= largest_) return;
      largest_ = value;
      best_ = tried_;
      return;
    }
    for (std::uint64_t jobs = std::min(most_[kind], cores / needs_[kind]) + 1; jobs-- > 0;) {
      tried_[kind] = jobs;
      try_from(kind + 1, cores - jobs * needs_[kind], value + jobs * values_[kind]);
    }
  }

  const std::vector<std::uint32_t>& needs_;
  const numbers &most_, &values_;
  numbers tried_, best_;
  std::uint64_t largest_ = 0;
};

}  // namespace

preemptive_rule server_filling_rule(bool until_misfit) {
  return [until_misfit](const jobs_present& present, std::uint32_t cores) {
    jobs_present m = prefix_that_needs(present, cores);
    sort_by_descending_need(m);
    std::map<std::uint32_t, std::uint64_t, std::greater<>> wanted;  // by need
    std::uint32_t left = cores;
    for (const job_present& j : m) {
      if (j.need <= left) {
        left -= j.need;
        ++wanted[j.need];
      } else if (until_misfit) {
        break;
      }
    }
    std::vector<std::size_t> chosen;
    for (const auto& [need, count] : wanted) {
      jobs_present like;
      for (const job_present& j : m)
        if (j.need == need) like.push_back(j);
      choose(chosen, like, count);
    }
    return chosen;
  };
}

preemptive_rule divisor_filling_rule() {
  return [](const jobs_present& present, std::uint32_t cores) {
    std::map<std::uint32_t, jobs_present, std::greater<>> m;  // by need
    for (std::size_t n = 0; n < present.size() && n < cores; ++n) m[present[n].need].push_back(present[n]);
    std::vector<std::uint32_t> needs;
    numbers most, values;
    for (const auto& [need, jobs] : m) {
      needs.push_back(need);
      most.push_back(jobs.size());
      values.push_back(need);
    }
    const numbers best = largest_schedule(needs, most, values).find(cores);
    std::vector<std::size_t> chosen;
    for (std::size_t n = 0; n < needs.size(); ++n) choose(chosen, m[needs[n]], best[n]);
    return chosen;
  };
}

preemptive_rule max_weight_rule(const std::vector<std::uint32_t>& needs) {
  return [needs](const jobs_present& present, std::uint32_t cores) {
    std::vector<jobs_present> of_class(needs.size());
    for (const job_present& j : present) of_class[j.type].push_back(j);
    numbers queues;
    for (const jobs_present& jobs : of_class) queues.push_back(jobs.size());
    const numbers best = largest_schedule(needs, queues, queues).find(cores);
    std::vector<std::size_t> chosen;
    for (std::size_t c = 0; c < needs.size(); ++c) choose(chosen, of_class[c], best[c]);
    return chosen;
  };
}

preemptive_rule server_filling_srpt_rule() {
  return [](const jobs_present& present, std::uint32_t cores) {
    jobs_present ranked = present;
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.left * a.need < b.left * b.need; });
    jobs_present m = prefix_that_needs(ranked, cores);
    sort_by_descending_need(m);
    std::vector<std::size_t> chosen;
    std::uint32_t left = cores;
    for (const job_present& j : m) {
      if (j.need > left) continue;
      left -= j.need;
      chosen.push_back(j.number);
    }
    return chosen;
  };
}

preemptive_rule last_come_first_served_rule() {
  return [](const jobs_present& present, std::uint32_t cores) {
    std::vector<std::size_t> chosen;
    std::uint32_t left = cores;
    for (std::size_t n = present.size(); n-- > 0 && present[n].need <= left;) {
      left -= present[n].need;
      chosen.push_back(present[n].number);
    }
    return chosen;
  };
}

}  // namespace muster::oracle
