#include "platform/experiment/worker_pool.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "muster/version.h"
#include "platform/ranks/rank_report.h"
#include "platform/ranks/rank_team.h"
#include "platform/simulation/arrival_board.h"

namespace muster {
namespace {

const auto always = [] { return true; };

TEST(worker_pool, returns_every_answer_whole_and_under_its_task) {
  std::map<std::size_t, std::string> answers;
  const bool all = worker_pool(3).run(
      20, [](std::size_t task) { return std::string(task * 50'000, static_cast<char>('a' + task)); },
      [&](const task_outcome& o) {
        EXPECT_FALSE(o.failed);
        answers[o.task] = o.text;
        return true;
      },
      always);
  EXPECT_TRUE(all);
  ASSERT_EQ(answers.size(), 20u);
  for (const auto& [task, text] : answers) EXPECT_EQ(text, std::string(task * 50'000, static_cast<char>('a' + task)));
}

TEST(worker_pool, reports_what_a_task_throws) {
  task_outcome seen;
  worker_pool(1).run(
      1, [](std::size_t) -> std::string { throw std::runtime_error("no luck"); },
      [&](const task_outcome& o) {
        seen = o;
        return true;
      },
      always);
  EXPECT_TRUE(seen.failed);
  EXPECT_EQ(seen.text, "no luck");
}

TEST(worker_pool, reports_a_worker_that_dies) {
  task_outcome seen;
  worker_pool(1).run(
      1,
      [](std::size_t) -> std::string {
        raise(SIGKILL);
        return "";
      },
      [&](const task_outcome& o) {
        seen = o;
        return true;
      },
      always);
  EXPECT_TRUE(seen.failed);
  EXPECT_EQ(seen.text, "the worker was ended by signal 9 (Killed)");
}

/// The process of each of 300 tasks; "" where it has died.
std::map<std::size_t, std::string> processes_of_quick_tasks(const worker_pool& pool, std::set<std::size_t> deadly) {
  std::map<std::size_t, std::string> processes;
  const bool all = pool.run(
      300,
      [&](std::size_t task) {
        if (deadly.count(task)) raise(SIGKILL);
        return std::to_string(getpid());
      },
      [&](const task_outcome& o) {
        EXPECT_EQ(o.died, deadly.count(o.task) == 1) << o.task;
        EXPECT_TRUE(processes.emplace(o.task, o.died ? "" : o.text).second) << o.task << " is answered twice";
        return true;
      },
      always);
  EXPECT_TRUE(all);
  EXPECT_EQ(processes.size(), 300u);
  return processes;
}

std::size_t distinct(const std::map<std::size_t, std::string>& processes) {
  std::set<std::string> found;
  for (const auto& [task, process] : processes) found.insert(process);
  return found.size();
}

TEST(worker_pool, lets_quick_tasks_share_processes_unless_told_otherwise) {
  EXPECT_LT(distinct(processes_of_quick_tasks(worker_pool(2, true), {})), 100u);
  EXPECT_EQ(distinct(processes_of_quick_tasks(worker_pool(2, false), {})), 300u);
}

TEST(worker_pool, answers_each_task_once_when_some_die_among_others_in_their_process) {
  const auto processes = processes_of_quick_tasks(worker_pool(2, true), {0, 120, 121, 200, 299});
  EXPECT_LT(distinct(processes), 100u);
}

TEST(worker_pool, goes_on_behind_a_task_that_throws_in_a_shared_process) {
  std::set<std::size_t> failed, done;
  worker_pool(1, true).run(
      100,
      [](std::size_t task) -> std::string {
        if (task % 30 == 20) throw std::runtime_error("no luck");
        return "";
      },
      [&](const task_outcome& o) {
        EXPECT_FALSE(o.died);
        (o.failed ? failed : done).insert(o.task);
        return true;
      },
      always);
  EXPECT_EQ(failed, (std::set<std::size_t>{20, 50, 80}));
  EXPECT_EQ(done.size(), 97u);
}

TEST(worker_pool, shows_how_many_jobs_have_arrived_in_simulations_under_way) {
  std::uint64_t most = 0;
  const bool all = worker_pool(2).run(
      2,
      [](std::size_t task) -> std::string {
        arrival_board::show(task + 40);
        for (;;) pause();
      },
      [](const task_outcome&) { return true; },
      [&] { return (most = std::max(most, arrival_board::arrivals_under_way())) < 81; });
  EXPECT_FALSE(all);
  EXPECT_EQ(most, 81u);
  EXPECT_EQ(arrival_board::arrivals_under_way(), 0u) << "nothing is under way any more";
}

TEST(worker_pool, gives_up_what_still_runs_when_told_so) {
  int ticks_left = 3;
  const bool all = worker_pool(2).run(
      2,
      [](std::size_t) -> std::string {
        for (;;) pause();
      },
      [](const task_outcome&) { return true; }, [&] { return --ticks_left > 0; });
  EXPECT_FALSE(all);
}

TEST(worker_pool, ends_with_its_tasks_though_a_process_that_one_has_forked_lives_on) {
  task_outcome seen;
  int ticks_left = 50;
  const bool all = worker_pool(1).run(
      1,
      [](std::size_t) {
        const pid_t process = fork();
        while (process == 0) pause();
        return std::to_string(process) + std::string(200'000, ' ');
      },
      [&](const task_outcome& o) {
        seen = o;
        return true;
      },
      [&] { return --ticks_left > 0; });
  EXPECT_TRUE(all);
  ASSERT_EQ(seen.text.size() / 1000, 200u);
  kill(std::stoi(seen.text), SIGKILL);
}

/// Pipes that a program started by this process has open, too, beside the standard streams.
std::size_t inherited_pipes() {
  std::size_t count = 0;
  struct stat about {};
  for (int file = STDERR_FILENO + 1; file < 1000; ++file)
    count += fstat(file, &about) == 0 && S_ISFIFO(about.st_mode) && (fcntl(file, F_GETFD) & FD_CLOEXEC) == 0;
  return count;
}

TEST(worker_pool, leaves_none_of_its_pipes_to_programs_that_a_task_starts) {
  const std::size_t before = inherited_pipes();
  worker_pool(2).run(
      4, [](std::size_t) { return std::to_string(inherited_pipes()); },
      [&](const task_outcome& o) {
        EXPECT_EQ(o.text, std::to_string(before));
        return true;
      },
      always);
}

TEST(rank_report, has_the_same_digest_only_of_the_same_study_with_the_same_files) {
  study s;
  s.resolved = "a = 1\n";
  s.files = {{"graph.txt", "a b\n"}, {"jobs.csv", "1,2\n"}};
  std::vector<study> others(4, s);
  others[0].resolved = "a = 2\n";
  others[1].files["jobs.csv"] = "1,3\n";
  others[2].files = {{"graph.txt", "1,2\n"}, {"jobs.csv", "a b\n"}};
  others[3].files = {{"graphs.txt", "a b\n"}, {"jobs.csv", "1,2\n"}};
  EXPECT_EQ(digest(study(s)), digest(s));
  std::set<std::string> digests{digest(s)};
  for (const study& other : others) digests.insert(digest(other));
  EXPECT_EQ(digests.size(), 5u);
}

/// Two ranks of one worker each, besides rank 0, which has none; every task is answered at once.
class two_ranks final : public rank_link {
 public:
  /// @param dies whether the process of a task does, the n-th time that it is run (from 1)
  two_ranks(const study& s, std::function<bool(std::size_t rank, std::size_t task, std::size_t n)> dies)
      : dies_(std::move(dies)) {
    for (const std::size_t from : {1, 2})
      said_.push_back({from, rank_says::ready, to_text(rank_report{"there", 1, version, digest(s), {}})});
  }

  std::size_t rank() const override { return 0; }
  std::size_t ranks() const override { return 3; }
  std::string host() const override { return "here"; }
  void send(std::size_t to, rank_says kind, const std::string& text) override {
    if (kind == rank_says::stop) said_.push_back({to, rank_says::stopped, ""});
    if (kind != rank_says::task) return;
    const std::size_t task = outcome_from_text(text).task;
    const bool died = dies_(to, task, ++runs_[task]);
    said_.push_back({to, rank_says::outcome, to_text(task_outcome{task, died, died ? "killed" : "", died})});
  }
  std::optional<rank_message> receive() override {
    if (said_.empty()) return std::nullopt;
    const rank_message first = said_.front();
    said_.pop_front();
    return first;
  }
  void expect_no_farewell() override {}
  void leave(int) override {}

 private:
  std::function<bool(std::size_t, std::size_t, std::size_t)> dies_;
  std::deque<rank_message> said_;
  std::map<std::size_t, std::size_t> runs_;  // of each task
};

/// Gives out some tasks and keeps what is said of them.
struct few_tasks final : task_source {
  explicit few_tasks(std::size_t n) : count(n) {}
  std::optional<std::size_t> next() override {
    return given == count ? std::nullopt : std::optional<std::size_t>(given++);
  }
  simulation_task describe(std::size_t) const override { return {}; }
  bool take(const task_outcome& outcome) override {
    taken[outcome.task] = outcome.text;
    return true;
  }
  void incident(const std::string& message, std::optional<std::size_t> whose) override {
    incidents[whose.value()].push_back(message);
  }
  bool tick() override { return true; }

  std::size_t count, given = 0;
  std::map<std::size_t, std::string> taken;
  std::map<std::size_t, std::vector<std::string>> incidents;
};

void run_on_two_ranks(few_tasks& tasks, std::function<bool(std::size_t, std::size_t, std::size_t)> dies) {
  two_ranks link(study{}, std::move(dies));
  const auto run = [&](const study&, task_runner& team) {
    team.run(tasks);
    return 0;
  };
  EXPECT_EQ(lead_ranks(
                link, [] { return study{}; }, 0, run),
            0);
}

using texts = std::vector<std::string>;
const std::string killed_on_1 = "rank 1 on host there: killed", killed_on_2 = "rank 2 on host there: killed";

// In turns ranks 1 and 2 get tasks 0 and 1; 2 and, again, 0; 3 and 2; none and 3.
TEST(rank_team, goes_on_where_three_tasks_have_died_once_each_on_the_same_rank) {
  few_tasks tasks(4);
  run_on_two_ranks(tasks, [](std::size_t rank, std::size_t, std::size_t) { return rank == 1; });
  EXPECT_EQ(tasks.taken, (std::map<std::size_t, std::string>{{0, ""}, {1, ""}, {2, ""}, {3, ""}}));
  EXPECT_EQ(tasks.incidents,
            (std::map<std::size_t, texts>{{0, {killed_on_1}}, {2, {killed_on_1}}, {3, {killed_on_1}}}));
}

// The searches of `tune` have several sources one after the other, whose tasks begin at 0 each.
TEST(rank_team, serves_a_second_source_and_parts_its_tasks_from_those_of_the_first) {
  few_tasks first(3), second(2);
  std::set<std::size_t> numbers;
  two_ranks link(study{}, [&](std::size_t, std::size_t task, std::size_t n) {
    EXPECT_EQ(n, 1u) << task;
    numbers.insert(task);
    return false;
  });
  const auto run = [&](const study&, task_runner& team) {
    team.run(first);
    team.run(second);
    return 0;
  };
  EXPECT_EQ(lead_ranks(
                link, [] { return study{}; }, 0, run),
            0);
  EXPECT_EQ(first.taken.size(), 3u);
  EXPECT_EQ(second.taken, (std::map<std::size_t, std::string>{{0, ""}, {1, ""}}));
  EXPECT_EQ(numbers.size(), 5u);
}

TEST(rank_team, takes_it_for_a_fault_when_a_task_dies_for_the_third_time_whatever_the_rank) {
  for (const std::size_t deaths : {2, 3}) {
    few_tasks tasks(1);
    run_on_two_ranks(tasks, [&](std::size_t, std::size_t, std::size_t n) { return n <= deaths; });
    EXPECT_EQ(tasks.incidents, (std::map<std::size_t, texts>{{0, {killed_on_1, killed_on_2}}}));
    EXPECT_EQ(tasks.taken.at(0), deaths == 2 ? "" : killed_on_1 + ", 3 times in a row");
  }
}

}  // namespace
}  // namespace muster
