// What a plugin of another version looks like from outside: its list of policies must not even be asked for.

#include <cstdlib>

extern "C" const char* muster_plugin_version() { return "0.0.1"; }
extern "C" const void* muster_plugin_policies() { std::abort(); }
