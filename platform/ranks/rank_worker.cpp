#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

#include "muster/version.h"
#include "platform/experiment/simulation_task.h"
#include "platform/ranks/rank_report.h"
#include "platform/ranks/rank_team.h"

namespace muster {

using namespace std::chrono_literals;

namespace {

constexpr auto pause_of_worker = 1ms;
constexpr auto longest_silence_of_rank_0 = 1s;

void serve(rank_link& link, const study& s, const simulation& work) {
  using clock = std::chrono::steady_clock;
  child_processes busy;
  for (auto spoken = clock::now();;) {
    while (const auto message = link.receive()) {
      if (message->kind == rank_says::stop) return;
      const task_outcome request = outcome_from_text(message->text);
      busy.start({request.task}, [&](std::size_t) { return work(s, task_from_text(request.text)); });
    }
    const std::vector<task_outcome> ended = busy.wait(pause_of_worker);
    for (const task_outcome& outcome : ended) link.send(0, rank_says::outcome, to_text(outcome));
    const auto now = clock::now();
    if (ended.empty() && now - spoken < longest_silence_of_rank_0) continue;
    if (ended.empty()) link.send(0, rank_says::alive, "");
    spoken = now;
  }
}

void wait_for_stop(rank_link& link) {
  for (;; std::this_thread::sleep_for(pause_of_worker)) {
    const auto message = link.receive();
    if (message && message->kind == rank_says::stop) return;
  }
}

}  // namespace

void serve_rank_0(rank_link& link, const std::function<study()>& read, std::size_t workers, const simulation& work) {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  rank_report report{link.host(), workers, version, {}, {}};
  std::optional<study> s;
  try {
    s = read();
    report.study = digest(*s);
    report.code = running_code();
  } catch (const std::exception& e) {
    report.error = e.what();
  }
  link.send(0, rank_says::ready, to_text(report));
  try {
    if (s) serve(link, *s, work);
  } catch (const std::exception& e) {
    link.send(0, rank_says::stopped, e.what());
    s.reset();
  }
  if (!s) wait_for_stop(link);
  link.send(0, rank_says::stopped, "");
}

}  // namespace muster
