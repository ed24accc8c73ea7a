#include "platform/scenario/study_warnings.h"
#include "tests/scenario/sample.h"

// Costs of saving and fetching a job's state where no job ever loses its cores, or begins anew whenever it does.

namespace muster {
namespace {

using sentences = std::vector<std::string>;

sentences with_costs(const std::string& costs, const std::vector<std::string>& overrides = {}) {
  return study_warnings(read(with("[[classes]]", "costs = { " + costs + " }\n[[classes]]"), overrides));
}

const std::string all_three = "save = 0.1, restore = 0.2, migration = 0.3";

std::string failing(const std::string& text) {
  return replaced(text, "cores = 32", "cores = 32, faults = { to_failure = 100.0, to_repair = 1.0 }");
}

TEST(costs_without_effect, are_named_one_by_one_where_no_policy_preempts_and_no_server_fails) {
  const std::string save = "platform.costs.save has no effect: the policy does not preempt";
  const std::string restore = "platform.costs.restore has no effect: the policy does not preempt, and no server fails";
  const std::string migration =
      "platform.costs.migration has no effect: the policy does not preempt, and no server fails";
  EXPECT_EQ(with_costs("save = 0.1"), sentences{save});
  EXPECT_EQ(with_costs("restore = 0.1"), sentences{restore});
  EXPECT_EQ(with_costs("migration = 0.1"), sentences{migration});
  EXPECT_EQ(with_costs(all_three), (sentences{migration, restore, save}));
}

TEST(costs_without_effect, are_those_of_saving_alone_where_servers_fail_and_jobs_go_on_from_checkpoints) {
  const std::string text =
      failing(with("[[classes]]", "checkpoint_every = 0.0\ncosts = { " + all_three + " }\n[[classes]]"));
  EXPECT_EQ(study_warnings(read(text)), sentences{"platform.costs.save has no effect: the policy does not preempt"});
}

TEST(costs_without_effect, are_all_where_jobs_begin_anew_after_failures) {
  const std::string text = failing(with("[[classes]]", "costs = { " + all_three + " }\n[[classes]]"));
  const std::string why =
      " has no effect: the policy does not preempt, and jobs whose servers fail begin anew without checkpoint_every";
  EXPECT_EQ(study_warnings(read(text)), (sentences{"platform.costs.migration" + why, "platform.costs.restore" + why,
                                                   "platform.costs.save has no effect: the policy does not preempt"}));
}

TEST(costs_without_effect, are_named_once_for_all_points) {
  const std::string text =
      with("[[classes]]", "costs = { save = 0.1 }\n[[classes]]") + "[sweep]\n\"arrivals.rate\" = [1.0, 2.0]\n";
  EXPECT_EQ(study_warnings(read(text)), sentences{"platform.costs.save has no effect: the policy does not preempt"});
}

TEST(costs_without_effect, are_not_those_of_set_up_and_dispatch) {
  EXPECT_EQ(with_costs("set_up = 0.1, dispatch_latency = 0.1"), sentences{});
  EXPECT_EQ(study_warnings(read(sample)), sentences{});
}

TEST(costs_without_effect, are_none_where_the_policy_of_some_point_preempts) {
  for (const char* preemptive : {"server_filling", "divisor_filling", "max_weight", "server_filling_srpt"})
    EXPECT_EQ(with_costs(all_three, {std::string{"policy.name="} + preemptive}), sentences{}) << preemptive;
  const std::string sweep = "[sweep]\n\"policy.name\" = [\"msfq\", \"server_filling\"]\n";
  const std::string text = with("[[classes]]", "costs = { " + all_three + " }\n[[classes]]") + sweep;
  EXPECT_EQ(study_warnings(read(text)), sentences{});
}

TEST(costs_without_effect, are_those_of_saved_state_where_the_policy_kills) {
  const std::string why = " has no effect: the policy saves no state";
  EXPECT_EQ(with_costs(all_three, {"policy.name=kill_restart"}),
            (sentences{"platform.costs.migration" + why + ", and no server fails",
                       "platform.costs.restore" + why + ", and no server fails", "platform.costs.save" + why}));
}

TEST(costs_without_effect, are_none_where_timers_interrupt_pooled_jobs) {
  const std::string text = replaced(pooled_sample, "[[classes]]", "costs = { " + all_three + " }\n[[classes]]");
  EXPECT_EQ(study_warnings(read(text)), sentences{});
}

}  // namespace
}  // namespace muster
