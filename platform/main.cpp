#include <cstdlib>

#include <systemc>

#include "platform/command_line/command.h"

// SystemC's own main, which libsystemc brings along, wants this symbol. Ours forks before any elaboration instead.
int sc_main(int argc, char* argv[]) { return muster::command_line(argc, argv); }

int main(int argc, char* argv[]) {
  ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  return sc_main(argc, argv);
}
