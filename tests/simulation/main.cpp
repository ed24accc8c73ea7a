#include <cstdlib>

#include <gtest/gtest.h>
#include <systemc>

int sc_main(int, char**) { return 0; }  // wanted by libsystemc, never called

int main(int argc, char** argv) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
  setenv("RC_PARAMS", "seed=20250101 max_success=60", 0);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
