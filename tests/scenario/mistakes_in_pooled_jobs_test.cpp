#include "tests/scenario/mistake.h"

namespace muster {
namespace {

class mistakes_in_pooled_jobs : public testing::TestWithParam<mistake> {};

TEST_P(mistakes_in_pooled_jobs, are_reported_word_for_word) {
  const mistake& m = GetParam();
  EXPECT_EQ(complaints(replaced(pooled_sample, m.from, m.to)), m.message);
}

const mistake draw_mistakes[] = {
    {"random = 2", "random = 4", "f.toml:14:22: classes.y.servers.random: expected an integer from 1 to 3, found 4"},
    {"random = 2", "random = 0", "f.toml:14:22: classes.y.servers.random: expected an integer from 1 to 3, found 0"},
    {"random = 2", "random = 2.5", "f.toml:14:22: classes.y.servers.random: expected an integer, found 2.5"},
    {"random = 2", "", "f.toml:14:11: classes.y.servers.random: missing; expected an integer from 1 to 3"},
    {"random = 2", "random = 2, of = [\"a\"]",
     "f.toml:14:25: classes.y.servers.of: unknown key; expected one of: random"},
    {"name = \"balanced_fair\"\ntheta = 0.5", "name = \"msf\"",
     "f.toml:18:8: policy.name: policy 'msf' cannot run these classes: class 'y' draws its servers for each job; "
     "expected a policy of pooled jobs (balanced_fair, fcfs_pooled)"},
    {"need = 1\n", "need = 2\n",
     "f.toml:18:8: policy.name: policy 'balanced_fair' cannot run these classes: its jobs take whole servers, but "
     "class "
     "'x' needs 2 cores; expected need 1"},
};

const mistake interruption_mistakes[] = {
    {"theta = 0.5", "", "f.toml:17:1: policy.theta: missing; expected theta or interruptions_per_job"},
    {"theta = 0.5", "theta = 0.5\ninterruptions_per_job = 5",
     "f.toml:20:25: policy.interruptions_per_job: found theta and interruptions_per_job; expected one of them"},
    {"theta = 0.5", "theta = 0", "f.toml:19:9: policy.theta: expected a number > 0, found 0"},
    {"theta = 0.5", "theta = \"0.5\"", "f.toml:19:9: policy.theta: expected a number, found a string"},
    {"theta = 0.5", "interruptions_per_job = -1",
     "f.toml:19:25: policy.interruptions_per_job: expected a number >= 0, found -1"},
    {"theta = 0.5", "thetta = 0.5",
     "f.toml:17:1: policy.theta: missing; expected theta or interruptions_per_job\n"
     "f.toml:19:1: policy.thetta: unknown key; did you mean 'theta'?"},
    {"theta = 0.5", "theta = 1e-9",
     "f.toml:19:9: policy.theta: servers interrupt every 5e-10 s on average; expected at least the clock's step of "
     "1e-09 s"},
    {"theta = 0.5", "interruptions_per_job = 4e9",
     "f.toml:19:25: policy.interruptions_per_job: servers interrupt every 2.5e-10 s on average; expected at least the "
     "clock's step of 1e-09 s"},
    {"name = \"balanced_fair\"\ntheta = 0.5", "name = \"fcfs_pooled\"\ntheta = 0.5",
     "f.toml:19:1: policy.theta: unknown key; expected one of: name"},
};

INSTANTIATE_TEST_SUITE_P(draw, mistakes_in_pooled_jobs, testing::ValuesIn(draw_mistakes));
INSTANTIATE_TEST_SUITE_P(interruption, mistakes_in_pooled_jobs, testing::ValuesIn(interruption_mistakes));

}  // namespace
}  // namespace muster
