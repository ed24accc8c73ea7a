#include "tests/documents/sandbox.h"

// The programs of platform/docs/python.md, and what the page says that they print.

namespace muster {
namespace {

class python : public sandbox {
 protected:
  void SetUp() override {
    sandbox::SetUp();
#ifdef MUSTER_PYTHON_MODULES
    if (!works("/usr/bin/python3 -c 'import pandas'")) GTEST_SKIP() << "pandas is not installed";
#else
    GTEST_SKIP() << "pybind11 or Python's headers are not installed";
#endif
  }

  std::string output_of(const std::string& program) const {
#ifdef MUSTER_PYTHON_MODULES
    write("program.py", program);
    return expect_success("export MUSTER_PROGRAM=" MUSTER_BINARY " PYTHONPATH=" MUSTER_PYTHON_MODULES
                          "\n/usr/bin/python3 -B program.py");
#else
    return program;
#endif
  }

  /// A program with all places of some words replaced. There is at least one.
  static std::string replaced(const std::string& program, const std::string& words, const std::string& by) {
    EXPECT_NE(program.find(words), std::string::npos) << words;
    std::string result = program;
    for (std::size_t at = 0; (at = result.find(words, at)) != std::string::npos; at += by.size())
      result.replace(at, words.size(), by);
    return result;
  }
};

TEST_F(python, explore_in_python) { EXPECT_EQ(output_of(block()), block_of("output_of_exploration")); }

// By another way: the instant by short steps, and the change of the rate as an event of the scenario.
TEST_F(python, output_of_exploration) {
  std::string other = replaced(block_of("explore_in_python"), "c.step(1000, stop_at_event=True)", "c.step(0.0005)");
  other = replaced(other, "    c.set_arrival_rate(0.8)\n", "");
  other = replaced(other, "\"run.jobs\": 5000", "\"run.jobs\": 5000, \"events\": [{\"at\": 50, \"rate\": 0.8}]");
  const std::vector<std::string> lines = lines_of(output_of(other)), expected = lines_of(block());
  ASSERT_EQ(lines.size(), expected.size());
  const auto time_in = [](const std::string& line) { return std::stod(line.substr(line.rfind(" at ") + 4)); };
  EXPECT_NEAR(time_in(lines[1]), time_in(expected[1]), 0.001);
  for (std::size_t n = 0; n < lines.size(); ++n) EXPECT_TRUE(n == 1 || lines[n] == expected[n]) << lines[n];
}

TEST_F(python, what_if_in_python) { EXPECT_EQ(output_of(block()), block_of("output_of_what_if")); }

// Without snapshots: a cluster from time 0 for each future.
TEST_F(python, output_of_what_if) {
  const std::string start = "c = muster.Cluster(\"scenarios/which_policy.toml\", set=settings)\n";
  const std::string program = block_of("what_if_in_python");
  expect_within(program, start);
  EXPECT_EQ(output_of(replaced(program, "    c.restore(before)\n", "    " + start + "    c.run_until(200)\n")),
            block());
}

}  // namespace
}  // namespace muster
