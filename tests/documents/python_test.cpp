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
    return expect_success("PYTHONPATH=" MUSTER_PYTHON_MODULES " MUSTER_PROGRAM=" MUSTER_BINARY
                          " /usr/bin/python3 -B program.py\n");
#else
    return program;
#endif
  }
};

TEST_F(python, explore_in_python) { EXPECT_EQ(output_of(block()), block_of("output_of_exploration")); }

TEST_F(python, output_of_exploration) {
  // The first instant at which a large job waits, found by short steps without a stop.
  ...
}

}  // namespace
}  // namespace muster
