#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "muster/policies/catalogue.h"
#include "muster/policies/cluster_state.h"
#include "tests/refusal.h"

// Defaults, ranges and what may stand beside what are the catalogue's own: whoever makes a policy gets them.

namespace muster {
namespace {

/// Classes 'all' and 'one' on 4 cores, which one class can use, or on 4 of 6 cores.
cluster_state one_or_all(unsigned other_cores = 0) {
  table<class_id, job_class> classes;
  classes.push_back({"all", 4, {group_id{0}}});
  classes.push_back({"one", 1, {group_id{0}}});
  table<group_id, unsigned> cores(1, 4);
  if (other_cores > 0) cores.push_back(other_cores);
  return {std::move(classes), std::move(cores)};
}

settings of(std::initializer_list<std::pair<std::string_view, settings::value>> values) {
  settings given;
  for (const auto& [name, value] : values) given.set(name, value);
  return given;
}

std::string refusal_of(const char* policy, const settings& given) {
  return refusal<policy_error>([&] { find_policy(policy)->make(one_or_all(), given); });
}

TEST(defaults_of_a_policy, are_filled_in_where_nothing_is_given) {
  const settings all = find_policy("msfq")->complete(one_or_all(), {});
  EXPECT_EQ(all.integer("threshold"), 3);
  EXPECT_EQ(all.choice("drain"), "always");
  const settings in_turn = find_policy("static_quickswap")->complete(one_or_all(), {});
  EXPECT_EQ(in_turn.integer("threshold"), 3);
  EXPECT_EQ(in_turn.order("order"), (std::vector<class_id>{class_id{0}, class_id{1}}));
  EXPECT_EQ(in_turn.choice("drain"), "if_other_waits");
  EXPECT_EQ(in_turn.choice("hand_over"), "after_drain");
}

TEST(tetris, is_refused_where_the_remaining_work_has_a_weight_but_is_not_known) {
  EXPECT_EQ(refusal_of("tetris", {}),
            "policy 'tetris', weight: the remaining work of class 'all' is not known, as no mean size is; expected "
            "weight = 0");
  EXPECT_EQ(refusal_of("tetris", of({{"weight", 0.0}})), "");
}

TEST(defaults_of_a_policy, count_all_cores_of_the_platform) {
  EXPECT_EQ(one_or_all(2).all_cores(), 6u);
  EXPECT_EQ(find_policy("msfq")->complete(one_or_all(2), {}).integer("threshold"), 5);
}

TEST(defaults_of_a_policy, leave_what_was_given_as_it_is) {
  const settings all = find_policy("msfq")->complete(one_or_all(), of({{"threshold", std::int64_t{1}}}));
  EXPECT_EQ(all.integer("threshold"), 1);
  EXPECT_EQ(all.choice("drain"), "always");
}

TEST(defaults_of_a_policy, leave_out_what_has_no_effect) {
  const settings all = find_policy("static_quickswap")->complete(one_or_all(), of({{"hand_over", "published"}}));
  EXPECT_FALSE(all.has("threshold"));
  EXPECT_FALSE(all.has("drain"));
  EXPECT_TRUE(all.has("order"));
}

TEST(defaults_of_a_policy, are_complete_once_they_are_filled_in) {
  for (const policy_entry* entry : policy_catalogue()) {
    const settings given = entry->name == std::string_view{"balanced_fair"} ? of({{"theta", 1.0}}) : settings{};
    const settings once = entry->complete(one_or_all(), given);
    EXPECT_EQ(entry->complete(one_or_all(), once).all(), once.all()) << entry->name;
  }
}

class does_nothing final : public rigid_policy {};

template <class Policy = does_nothing>
policy_entry entry_of_test(std::string_view name = "of_the_test", std::vector<parameter> parameters = {}) {
  policy_entry entry;
  entry.name = name;
  entry.about = "of a test";
  entry.parameters = std::move(parameters);
  entry.construct = without_settings<Policy>;
  return entry;
}

TEST(function_of_an_entry_that_throws, is_named_with_the_policy) {
  policy_entry entry = entry_of_test();
  entry.check_classes = [](const cluster_view&) -> std::optional<std::string> { throw std::out_of_range("gone"); };
  EXPECT_EQ(refusal<policy_error>([&] { (void)entry.objection_to_classes(one_or_all()); }),
            "policy 'of_the_test': its check_classes() ended with an exception, std::out_of_range: gone");
  EXPECT_EQ(refusal<policy_error>([&] { entry.make(one_or_all(), {}); }),
            "policy 'of_the_test': its check_classes() ended with an exception, std::out_of_range: gone");
  entry.check_classes = nullptr;
  entry.check_settings = [](const cluster_view&, const settings&) -> std::optional<setting_conflict> { throw 7; };
  EXPECT_EQ(refusal<policy_error>([&] { entry.make(one_or_all(), {}); }),
            "policy 'of_the_test': its check_settings() ended with an exception, int 7");
  entry.stable_with = [](const settings&) -> stability_rule { throw "no rule"; };
  EXPECT_EQ(refusal<policy_error>([&] { (void)entry.rule_with({}); }),
            "policy 'of_the_test': its stable_with() ended with an exception, const char* 'no rule'");
}

TEST(function_of_an_entry_that_refuses_by_a_policy_error, keeps_its_text) {
  policy_entry entry = entry_of_test();
  entry.check_classes = [](const cluster_view&) -> std::optional<std::string> { throw policy_error("its own words"); };
  EXPECT_EQ(refusal<policy_error>([&] { entry.make(one_or_all(), {}); }), "its own words");
}

template <int Case>
class interrupts final : public pooled_policy {
  double work_between_interruptions() const override {
    if (Case == 0) throw std::string{"none"};
    return Case == 1 ? std::nan("") : Case == 2 ? -1.0 : std::numeric_limits<double>::infinity();
  }
};

template <int Case>
std::string refusal_of_interruptions() {
  return refusal<policy_error>([] { entry_of_test<interrupts<Case>>().make(one_or_all(), {}); });
}

TEST(work_between_interruptions, is_checked_when_the_policy_is_made) {
  EXPECT_EQ(refusal_of_interruptions<0>(),
            "policy 'of_the_test': its work_between_interruptions() ended with an exception, std::string 'none'");
  EXPECT_EQ(refusal_of_interruptions<1>(),
            "policy 'of_the_test': its work_between_interruptions() is nan; expected a number >= 0, or infinity");
  EXPECT_EQ(refusal_of_interruptions<2>(),
            "policy 'of_the_test': its work_between_interruptions() is -1; expected a number >= 0, or infinity");
  EXPECT_EQ(refusal_of_interruptions<3>(), "");
}

TEST(policy, knows_the_entry_that_has_made_it) {
  const auto made = find_policy("msfq")->make(one_or_all(), {});
  EXPECT_EQ(made->entry(), find_policy("msfq"));
}

TEST(setting_of_a_policy, is_checked_word_for_word) {
  EXPECT_EQ(refusal_of("msfq", of({{"threshold", std::int64_t{4}}})),
            "policy 'msfq', threshold: expected an integer from 0 to 3, found 4");
  EXPECT_EQ(refusal_of("msfq", of({{"threshold", 2.0}})),
            "policy 'msfq', threshold: expected an integer, found a number");
  EXPECT_EQ(refusal_of("msfq", of({{"drain", "never"}})),
            "policy 'msfq', drain: expected one of: always, if_heavy_waits; found 'never'");
  EXPECT_EQ(refusal_of("msfq", of({{"drain", std::int64_t{1}}})),
            "policy 'msfq', drain: expected a word, found an integer");
  EXPECT_EQ(refusal_of("msfq", of({{"treshold", std::int64_t{1}}})),
            "policy 'msfq' has no parameter 'treshold'; expected one of: threshold, drain");
  EXPECT_EQ(refusal_of("fcfs", of({{"threshold", std::int64_t{1}}})),
            "policy 'fcfs' has no parameter 'threshold'; it has no parameters");
}

TEST(order_of_classes, has_every_class_exactly_once) {
  using order = std::vector<class_id>;
  const auto refused = [](const order& classes) { return refusal_of("static_quickswap", of({{"order", classes}})); };
  EXPECT_EQ(refused({class_id{1}}),
            "policy 'static_quickswap', order: class 'all' is missing; expected every class exactly once");
  EXPECT_EQ(refused({class_id{1}, class_id{1}}), "policy 'static_quickswap', order: class 'one' is listed twice");
  EXPECT_EQ(refused({class_id{0}, class_id{2}}),
            "policy 'static_quickswap', order: class 2 does not exist; expected one of the 2 classes, counted from 0");
}

TEST(schedules, are_checked_word_for_word) {
  const auto refused = [](const std::vector<schedule>& given) {
    return refusal_of("nmsr", of({{"schedules", given}}));
  };
  EXPECT_EQ(refused({}), "policy 'nmsr', schedules: expected at least one schedule, found none");
  EXPECT_EQ(refused({{1, 0}, {1}}), "policy 'nmsr', schedules: schedule 2 has 1 classes; expected 2");
  EXPECT_EQ(refused({{1, 0}, {1, 2}}), "policy 'nmsr', schedules: schedule 2 needs 6 cores; expected at most 4");
  EXPECT_EQ(refusal_of("nmsr", of({{"schedules", 1.0}})),
            "policy 'nmsr', schedules: expected schedules, found a number");
}

TEST(matrix, is_checked_word_for_word) {
  using rows = std::vector<std::vector<double>>;
  const auto refused = [](const rows& given) { return refusal_of("nmsr", of({{"rates", given}})); };
  EXPECT_EQ(refused({{0.0, 1.0}, {1.0}}),
            "policy 'nmsr', rates: expected as many numbers in each row as there are rows, found 1 numbers and 2 rows");
  EXPECT_EQ(refused({{-1.0}}), "policy 'nmsr', rates: expected finite numbers >= 0, found -1");
  EXPECT_EQ(refusal_of("nmsr", of({{"rates", std::int64_t{1}}})),
            "policy 'nmsr', rates: expected a matrix of numbers, found an integer");
  EXPECT_EQ(refusal_of("msfq", of({{"threshold", rows{{1.0}}}})),
            "policy 'msfq', threshold: expected an integer, found a matrix of numbers");
}

TEST(settings_that_do_not_fit_the_classes, are_refused_when_the_policy_is_made) {
  EXPECT_EQ(
      refusal_of("nmsr", of({{"schedules", std::vector<schedule>{{1, 0}, {0, 4}}},
                             {"rates", std::vector<std::vector<double>>{{0.0, 1.0}, {0.0, 0.0}}}})),
      "policy 'nmsr', rates: from some schedule the chain never comes to schedule 1 again; expected that it visits "
      "all");
  EXPECT_EQ(refusal<policy_error>([] { find_policy("nmsr")->make(one_or_all(2), {}); }),
            "policy 'nmsr', settings: its schedules are of interchangeable cores, but class 'all' may use 4 of the 6 "
            "cores");
}

TEST(policy, is_not_made_for_classes_that_it_cannot_run) {
  EXPECT_EQ(refusal<policy_error>([] {
              find_policy("balanced_fair")->make(one_or_all(), of({{"theta", 1.0}}));
            }),
            "policy 'balanced_fair' cannot run these classes: its jobs take whole servers, but class 'all' needs 4 "
            "cores; expected need 1");
}

TEST(parameter_that_stands_for_another, is_given_instead_of_it_and_one_of_them_is) {
  table<class_id, job_class> classes;
  classes.push_back({"one", 1, {group_id{0}}});
  const cluster_state cluster{std::move(classes), table<group_id, unsigned>(1, 4)};
  const policy_entry& fair = *find_policy("balanced_fair");
  const auto refused = [&](const settings& given) { return refusal<policy_error>([&] { fair.make(cluster, given); }); };
  EXPECT_EQ(refused({}), "policy 'balanced_fair', theta: missing; expected theta or interruptions_per_job");
  EXPECT_EQ(
      refused(of({{"theta", 1.0}, {"interruptions_per_job", 1.0}})),
      "policy 'balanced_fair', interruptions_per_job: found theta and interruptions_per_job; expected one of them");
  EXPECT_EQ(refused(of({{"theta", 0.0}})), "policy 'balanced_fair', theta: expected a number > 0, found 0");
  EXPECT_EQ(refused(of({{"theta", std::numeric_limits<double>::quiet_NaN()}})),
            "policy 'balanced_fair', theta: expected a number > 0, found nan");
  EXPECT_EQ(
      refused(of({{"interruptions_per_job", 5.0}})),
      "policy 'balanced_fair', interruptions_per_job: the mean size of all jobs is not known, as class 'one' declares "
      "no mean size; expected theta instead, which is that mean size / interruptions_per_job");
  EXPECT_EQ(work_between_interruptions(*fair.make(cluster, of({{"theta", std::int64_t{2}}}))), 2.0);
}

/// Pooled classes with these mean sizes and rates, on one server.
cluster_state with_declared(std::vector<std::pair<double, std::optional<double>>> sizes_and_rates) {
  table<class_id, job_class> classes;
  for (const auto& [size, rate] : sizes_and_rates)
    classes.push_back({"class_" + std::to_string(classes.size()), 1, {group_id{0}}, 0, 0, nullptr, size, rate});
  return {std::move(classes), table<group_id, unsigned>(1, 1)};
}

TEST(interruptions_per_job, divide_the_mean_size_of_all_jobs) {
  const settings given = of({{"interruptions_per_job", 4.0}});
  const auto theta = [&](const cluster_state& cluster) {
    return work_between_interruptions(*find_policy("balanced_fair")->make(cluster, given));
  };
  EXPECT_EQ(theta(with_declared({{2.0, 1.0}, {6.0, 3.0}})), (0.25 * 2.0 + 0.75 * 6.0) / 4.0);
  EXPECT_EQ(refusal<policy_error>([&] {
              theta(with_declared({{2.0, 1.0}, {6.0, std::nullopt}}));
            }),
            "policy 'balanced_fair', interruptions_per_job: the mean size of all jobs is not known, as class 'class_0' "
            "declares no share of the arrivals; expected theta instead, which is that mean size / "
            "interruptions_per_job");
}

TEST(parameter_without_effect, is_refused_beside_the_word_that_takes_it_away) {
  EXPECT_EQ(
      refusal_of("static_quickswap", of({{"hand_over", "published"}, {"threshold", std::int64_t{1}}})),
      "policy 'static_quickswap', threshold: has no effect with hand_over 'published'; expected no threshold beside "
      "it");
  EXPECT_EQ(refusal_of("static_quickswap", of({{"hand_over", "published"}, {"drain", "always"}})),
            "policy 'static_quickswap', drain: has no effect with hand_over 'published'; expected no drain beside it");
}

TEST(settings, name_policy_and_parameter_where_a_policy_asks_for_what_is_not_there) {
  const settings all = find_policy("msfq")->complete(one_or_all(), {});
  EXPECT_EQ(refusal<policy_error>([&] { all.integer("nope"); }),
            "policy 'msfq' asks for its setting 'nope', which it does not have; expected one of: drain, threshold");
  EXPECT_EQ(refusal<policy_error>([&] { all.number("threshold"); }),
            "policy 'msfq' asks for its setting 'threshold' as a number, but it is of another type");
  EXPECT_EQ(refusal<policy_error>([&] { settings{"fcfs"}.choice("nope"); }),
            "policy 'fcfs' asks for its setting 'nope', but has none");
}

/// What an entry is refused for when it is added to the catalogue.
std::string refusal_of_entry(std::string_view name, std::vector<parameter> parameters) {
  const policy_entry entry = entry_of_test(name, std::move(parameters));
  const std::size_t before = policy_catalogue().size();
  const std::string why = refusal<policy_error>([&] { add_policy(entry); });
  EXPECT_EQ(policy_catalogue().size(), before) << why;
  return why;
}

constexpr integer_parameter up_to_nine{{1}, {9}, {2}};
constexpr number_parameter optional{"a number > 0", 0.0, true, {}};

TEST(parameter_without_effect, is_none_beside_the_word_that_its_choice_has_by_default) {
  const policy_entry entry =
      entry_of_test("p", {{"a", up_to_nine, "", {}, {"b", "none"}}, {"b", choice_parameter{{"none", "some"}}, ""}});
  const settings by_default = entry.complete(one_or_all(), {});
  EXPECT_FALSE(by_default.has("a"));
  EXPECT_EQ(by_default.choice("b"), "none");
  EXPECT_EQ(entry.complete(one_or_all(), by_default).all(), by_default.all());
  EXPECT_EQ(refusal<policy_error>([&] {
              entry.complete(one_or_all(), of({{"a", std::int64_t{1}}}));
            }),
            "policy 'p', a: has no effect with b 'none'; expected no a beside it");
  EXPECT_EQ(entry.complete(one_or_all(), of({{"b", "some"}})).integer("a"), 2);
  EXPECT_EQ(entry.complete(one_or_all(), of({{"a", std::int64_t{1}}, {"b", "some"}})).integer("a"), 1);
}

TEST(name_of_a_policy, is_checked_where_it_is_added) {
  EXPECT_EQ(refusal_of_entry("my policy", {}), "policy 'my policy': expected a name of letters, digits, '_' and '-'");
  EXPECT_EQ(refusal_of_entry("", {}), "policy '': expected a name of letters, digits, '_' and '-'");
  EXPECT_EQ(refusal_of_entry("a\nb", {}), "policy 'a?b': expected a name of letters, digits, '_' and '-'");
  const std::string long_name(400, 'x');
  EXPECT_EQ(refusal_of_entry(long_name, {}),
            "policy '" + std::string(200, 'x') + "..': expected a name of at most 200 characters");
  EXPECT_EQ(refusal_of_entry("fcfs", {}), "policy 'fcfs': a policy of this name exists already");
}

TEST(parameters_of_a_policy, are_checked_where_it_is_added) {
  EXPECT_EQ(refusal_of_entry("p", {{"how much", up_to_nine, ""}}),
            "policy 'p', parameter 'how much': expected a name of letters, digits, '_' and '-'");
  EXPECT_EQ(refusal_of_entry("p", {{"name", up_to_nine, ""}}),
            "policy 'p', parameter 'name': a scenario has the policy's name at this key; expected another name");
  EXPECT_EQ(refusal_of_entry("p", {{"a", up_to_nine, ""}, {"a", up_to_nine, ""}}),
            "policy 'p', parameter 'a': it is listed twice");
  EXPECT_EQ(refusal_of_entry("p", {{"a", integer_parameter{{1}, {9}, {10}}, ""}}),
            "policy 'p', parameter 'a': its default is 10; expected an integer from 1 to 9");
  EXPECT_EQ(refusal_of_entry("p", {{"a", number_parameter{"a number > 0", 0.0, true, 0.0}, ""}}),
            "policy 'p', parameter 'a': its default is 0; expected a number > 0");
  EXPECT_EQ(refusal_of_entry("p", {{"a", choice_parameter{}, ""}}),
            "policy 'p', parameter 'a': it has no words to choose from; expected at least one");
  EXPECT_EQ(refusal_of_entry("p", {{"a", choice_parameter{{"x", "x"}}, ""}}),
            "policy 'p', parameter 'a': its word 'x' is listed twice");
  EXPECT_EQ(refusal_of_entry("p", {{"a", choice_parameter{{"x y"}}, ""}}),
            "policy 'p', parameter 'a': its word 'x y' is invalid; expected a name of letters, digits, '_' and '-'");
}

TEST(relations_of_parameters, are_checked_where_their_policy_is_added) {
  EXPECT_EQ(
      refusal_of_entry("p", {{"a", optional, "", "b"}}),
      "policy 'p', parameter 'a': it stands instead of 'b'; expected both to be numbers without a default, of the "
      "same policy");
  EXPECT_EQ(
      refusal_of_entry("p", {{"a", optional, "", "b"}, {"b", up_to_nine, ""}}),
      "policy 'p', parameter 'a': it stands instead of 'b'; expected both to be numbers without a default, of the "
      "same policy");
  EXPECT_EQ(refusal_of_entry("p", {{"a", up_to_nine, "", {}, {"b", "x"}}, {"b", choice_parameter{{"y"}}, ""}}),
            "policy 'p', parameter 'a': it has no effect with 'b' = 'x'; expected a choice of the same policy that has "
            "the word");
}

TEST(policy_without_a_function_that_makes_it, is_not_added) {
  policy_entry entry;
  entry.name = "nothing";
  EXPECT_EQ(refusal<policy_error>([&] { add_policy(entry); }),
            "policy 'nothing': its entry has no function that makes it");
}

TEST(entries_of_our_own, are_fit_for_the_catalogue) {
  for (const policy_entry* entry : policy_catalogue()) EXPECT_NO_THROW(entry->check()) << entry->name;
}

const policy_entry of_classes = [] {
  policy_entry entry = entry_of_test("of_classes");
  entry.class_parameters = {{"weight", number_parameter{"a number > 0", 0.0, true, 1.0}, ""}};
  return entry;
}();

table<class_id, job_class> two_classes() {
  table<class_id, job_class> classes;
  classes.push_back({"all", 4, {group_id{0}}});
  classes.push_back({"one", 1, {group_id{0}}});
  return classes;
}

TEST(parameters_of_classes, are_completed_before_the_cluster_is_made) {
  auto classes = two_classes();
  classes[class_id{0}].parameters.set("weight", std::int64_t{2});
  of_classes.complete_classes(classes, 4);
  const cluster_state cluster{classes, table<group_id, unsigned>(1, 4)};
  EXPECT_EQ(cluster.parameters(class_id{0}).number("weight"), 2.0);
  EXPECT_EQ(cluster.parameters(class_id{1}).number("weight"), 1.0);
  EXPECT_NO_THROW(of_classes.make(cluster, {}));
}

TEST(parameters_of_classes, are_checked_word_for_word) {
  const auto refused = [](const policy_entry& entry, const char* name, double value) {
    auto classes = two_classes();
    classes[class_id{1}].parameters.set(name, value);
    return refusal<policy_error>([&] { entry.complete_classes(classes, 4); });
  };
  EXPECT_EQ(refused(of_classes, "weight", 0.0),
            "policy 'of_classes', class 'one', weight: expected a number > 0, found 0");
  EXPECT_EQ(refused(of_classes, "weigth", 1.0),
            "policy 'of_classes', class 'one' has no parameter 'weigth'; expected one of: weight");
  EXPECT_EQ(refused(*find_policy("fcfs"), "weight", 1.0),
            "policy 'fcfs', class 'one' has no parameter 'weight'; it has no parameters");
  EXPECT_EQ(refusal<policy_error>([] { of_classes.make(one_or_all(), {}); }),
            "policy 'of_classes', class 'all': its parameters are not complete; expected complete_classes() before the "
            "cluster");
}

TEST(parameters_of_classes, are_checked_where_their_policy_is_added) {
  const auto refused = [](std::vector<parameter> parameters) {
    policy_entry entry = of_classes;
    entry.class_parameters = std::move(parameters);
    return refusal<policy_error>([&] { entry.check(); });
  };
  EXPECT_EQ(refused({{"a", up_to_nine, ""}, {"a", up_to_nine, ""}}),
            "policy 'of_classes', class parameter 'a': it is listed twice");
  EXPECT_EQ(refused({{"a", class_order_parameter{}, ""}}),
            "policy 'of_classes', class parameter 'a': a parameter of a class cannot be an order of classes; expected "
            "another type");
  EXPECT_EQ(
      refused({{"a", schedules_parameter{}, ""}}),
      "policy 'of_classes', class parameter 'a': a parameter of a class cannot be schedules; expected another type");
  EXPECT_EQ(refused({{"a", square_matrix_parameter{}, ""}}), "");
  EXPECT_EQ(refused({{"name", up_to_nine, ""}}), "");
}

const policy_entry of_tables = [] {
  policy_entry entry = entry_of_test("of_tables");
  entry.parameters = {
      {"queues", tables_parameter{[] {
         return std::vector<parameter>{{"most", integer_parameter{{0}, {9}, {3}}, ""}, {"after", text_parameter{}, ""}};
       }},
       ""}};
  return entry;
}();

TEST(parameters_of_tables, are_completed_table_by_table) {
  const cluster_state cluster{two_classes(), table<group_id, unsigned>(1, 4)};
  EXPECT_TRUE(of_tables.complete(cluster, {}).tables("queues").empty());
  settings given, of_one;
  of_one.set("after", std::string("night"));
  given.set("queues", std::vector<named_settings>{{"day", of_one}, {"night", {}}});
  const settings all = of_tables.complete(cluster, given);
  const std::vector<named_settings>& queues = all.tables("queues");
  ASSERT_EQ(queues.size(), 2u);
  EXPECT_EQ(queues[0].name, "day");
  EXPECT_EQ(queues[0].values.integer("most"), 3);
  EXPECT_EQ(queues[0].values.choice("after"), "night");
  EXPECT_EQ(queues[1].values.choice("after"), "");
  EXPECT_EQ(of_tables.complete(cluster, all).all(), all.all());
}

TEST(parameters_of_tables, are_checked_word_for_word) {
  const cluster_state cluster{two_classes(), table<group_id, unsigned>(1, 4)};
  const auto refused = [&](const std::vector<named_settings>& queues) {
    settings given;
    given.set("queues", queues);
    return refusal<policy_error>([&] { (void)of_tables.complete(cluster, given); });
  };
  settings ten, other;
  ten.set("most", std::int64_t{10});
  other.set("mots", std::int64_t{1});
  EXPECT_EQ(refused({{"day", ten}}),
            "policy 'of_tables', queues: 'day', most: expected an integer from 0 to 9, found 10");
  EXPECT_EQ(refused({{"day", other}}),
            "policy 'of_tables', queues: 'day' has no parameter 'mots'; expected one of: most, after");
  EXPECT_EQ(refused({{"day", {}}, {"day", {}}}), "policy 'of_tables', queues: 'day' is listed twice");
}

TEST(parameters_of_tables, cannot_be_tables_or_depend_on_classes) {
  policy_entry entry = of_tables;
  entry.parameters = {{"a", tables_parameter{[] {
                         return std::vector<parameter>{{"order", class_order_parameter{}, ""}};
                       }},
                       ""}};
  EXPECT_EQ(refusal<policy_error>([&] { entry.check(); }),
            "policy 'of_tables', parameter 'a': its tables cannot have the type of their 'order'; expected a number, a "
            "word, a text or a matrix");
  entry.parameters = {{"a", tables_parameter{nullptr}, ""}};
  EXPECT_EQ(refusal<policy_error>([&] { entry.check(); }),
            "policy 'of_tables', parameter 'a': it does not say what its tables have; expected a function that does");
  entry.parameters.clear();
  entry.class_parameters = {{"a", tables_parameter{[] { return std::vector<parameter>{}; }}, ""}};
  EXPECT_EQ(refusal<policy_error>([&] { entry.check(); }),
            "policy 'of_tables', class parameter 'a': a parameter of a class cannot be tables; expected another type");
}

/// Draws one number when it is made.
std::unique_ptr<rigid_policy> make_with_a_draw(const cluster_view&, const settings&, random_numbers& random) {
  random.uniform();
  return std::make_unique<does_nothing>();
}

TEST(policy_that_draws, is_not_made_without_random_numbers) {
  policy_entry draws = entry_of_test("draws");
  draws.construct = make_with_a_draw;
  EXPECT_EQ(refusal<policy_error>([&] { draws.make(one_or_all(), {}); }),
            "a policy draws a random number, but was made without any; expected policy_entry::make() with them");
  struct : random_numbers {
    double uniform() override {
      ++drawn;
      return 0.5;
    }
    int drawn = 0;
  } halves;
  EXPECT_NO_THROW(draws.make(one_or_all(), {}, halves));
  EXPECT_EQ(halves.drawn, 1);
  EXPECT_DOUBLE_EQ(halves.exponential(3.0), 3.0 * std::log(2.0));
}

}  // namespace
}  // namespace muster
