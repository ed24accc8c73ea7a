#pragma once

#include <memory>
#include <string>
#include <vector>

#include "muster/modules/front/dispatcher.h"
#include "muster/modules/network/divided_bank.h"
#include "tests/modules/scene.h"

namespace muster {

/// source -> dispatcher -> schedulers -> (divided bank ->) bank of servers. The layout is that of all servers together,
/// one group, which are dealt out to the schedulers one after the other.
class scene_of_schedulers {
 public:
  scene_of_schedulers(const layout& l, std::uint32_t schedulers, const std::string& rule, ticks information_delay,
                      std::vector<job_request> requests, bool monitored = false, bool steals = false)
      : jobs(std::move(requests)),
        source("source", time, jobs, log),
        front("dispatcher", time, {find_dispatching(rule), schedulers, 2, information_delay, &numbers, steals}) {
    const server_group& all = l.groups.front();
    bank = std::make_unique<server>("node", time, server_settings{all.count, all.cores, l.costs});
    connect(source.submissions, front.in, monitored);  // the first submitter; a test may bind others
    std::vector<divided_bank::share> shares;
    for (std::uint32_t n = 0; n < schedulers; ++n)
      shares.push_back({n, schedulers, (all.count - n - 1) / schedulers + 1});
    for (std::uint32_t n = 0; n < schedulers; ++n) {
      layout own = l;
      own.groups.front().count = shares[n].count;
      scheduler_settings settings = scheduler_of(own);
      settings.jobs_numbered = &numbered;
      central.push_back(std::make_unique<scheduler>(("scheduler_" + std::to_string(n)).c_str(), time, settings));
      connect(front.out, central.back()->submissions, monitored);
    }
    divided = std::make_unique<divided_bank>("divided", time, shares);
    for (const auto& s : central)
      connect(s->dispatches, divided->in, monitored, protocol_checker::addresses::may_be_translated);
    connect(divided->out, bank->dispatch, monitored);
  }

  void run() {
    sc_core::sc_start();
    EXPECT_EQ(log.records.size(), jobs.jobs.size());
    EXPECT_EQ(source.outstanding_jobs(), 0u);
    EXPECT_EQ(front.open_transactions(), 0u);
    EXPECT_EQ(divided->open_transactions(), 0u);
    for (const auto& s : central) EXPECT_EQ(s->outstanding_slices(), 0u);
    for (const auto& m : monitors) EXPECT_EQ(m->open_transactions(), 0u) << m->name();
  }

  timekeeper time{"time"};
  numbers_of_a_test numbers{7};
  std::uint64_t numbered = 0;
  job_list jobs;
  job_log log;
  job_source source;
  dispatcher front;
  std::vector<std::unique_ptr<scheduler>> central;
  std::unique_ptr<divided_bank> divided;
  std::unique_ptr<server> bank;
  std::vector<std::unique_ptr<protocol_checker>> monitors;

 private:
  template <class From, class To>
  void connect(From& from, To& to, bool monitored,
               protocol_checker::addresses addresses = protocol_checker::addresses::stay) {
    if (!monitored) {
      from.bind(to);
      return;
    }
    monitors.push_back(std::make_unique<protocol_checker>(sc_core::sc_gen_unique_name("monitor"), addresses));
    from.bind(monitors.back()->in);
    monitors.back()->out.bind(to);
  }
};

}  // namespace muster
