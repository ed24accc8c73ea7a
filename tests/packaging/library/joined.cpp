// All programs in one executable, compiled once, in a fifth of the time. It is the program by whose name it is called.

#include <map>
#include <string>

#include "job_list.h"

#define sc_main counters_program
#include "counters.cpp"
#undef sc_main
#define sc_main errors_program
#include "errors.cpp"
#undef sc_main
#define sc_main faults_program
#include "faults.cpp"
#undef sc_main
#define sc_main network_program
#include "network.cpp"
#undef sc_main
#define sc_main pooled_jobs_program
#include "pooled_jobs.cpp"
#undef sc_main
#define sc_main rigid_jobs_program
#include "rigid_jobs.cpp"
#undef sc_main
#define sc_main slotted_jobs_program
#include "slotted_jobs.cpp"
#undef sc_main

int sc_main(int argc, char* argv[]) {
  const std::map<std::string, int (*)(int, char**)> programs{
      {"counters", counters_program},        {"errors", errors_program},           {"faults", faults_program},
      {"network", network_program},          {"pooled_jobs", pooled_jobs_program}, {"rigid_jobs", rigid_jobs_program},
      {"slotted_jobs", slotted_jobs_program}};
  const std::string path = argv[0];
  return programs.at(path.substr(path.rfind('/') + 1))(argc, argv);
}
