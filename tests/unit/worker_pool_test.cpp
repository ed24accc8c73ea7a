#include "platform/experiment/worker_pool.h"

#include <unistd.h>

#include <csignal>
#include <map>
#include <stdexcept>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace muster
