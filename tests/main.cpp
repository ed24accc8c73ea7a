#include <cstdlib>

#include <gtest/gtest.h>
#include <systemc>

#include "tests/process_per_test.h"

// libsystemc brings a main of its own that wants this symbol; it is never called.
int sc_main(int, char**) { return EXIT_FAILURE; }

// RapidCheck reads RC_PARAMS at the first property. A fixed seed, so that no test passes today and fails tomorrow;
// RC_PARAMS="seed=7 max_success=10000" looks further.
int main(int argc, char** argv) {
  constexpr int keep_what_the_user_says = 0;
  setenv("RC_PARAMS", "seed=20250101 max_success=" MUSTER_PROPERTY_CASES, keep_what_the_user_says);
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", keep_what_the_user_says);
  testing::InitGoogleTest(&argc, argv);
#ifdef MUSTER_PROCESS_PER_TEST
  return muster::run_each_test_in_a_process();
#else
  return RUN_ALL_TESTS();
#endif
}
