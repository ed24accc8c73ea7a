#include <sstream>

#include "muster/modules/server/server.h"

namespace muster {

namespace {

// What the settings are that are printed of a server.
std::vector<parameter_list::setting_help> help_of_server_settings() {
  return {
      {"count", "servers of the bank"},
      {"cores", "cores of each server"},
      {"costs.dispatch_latency", "time of the cores at the beginning of every slice"},
      {"costs.set_up", "time of the cores for a job that was never interrupted"},
      {"costs.restore", "time of the cores for a job that was interrupted"},
      {"costs.migration", "time before the restore where the server does not hold the job's state"},
      {"costs.ticks_per_byte", "time of a migration for each byte of the state"},
      {"costs.save", "time at the end of a slice that was interrupted or stopped"},
      {"costs.sleep_after", "time after which an idle core sleeps"},
      {"costs.wake", "time that a sleeping core takes to wake"},
      {"costs.checkpoint", "time for each checkpoint of a slice's job"},
      {"resources", "what each server has of each resource"},
      {"interruptions", "whether slices are interrupted by timers"},
      {"faults", "whether servers fail"},
      {"speeds", "whether the speed of servers changes"},
      {"fetch_over", "over what the state of a migrating job is fetched"},
      {"first_in_network", "place of the bank's first server in the network"},
  };
}

}  // namespace

void server::list_into(parameter_list& all) const {
  std::ostringstream printed;
  printed << settings_;
  all.add_settings(*this, printed.str(), help_of_server_settings());
  all.add_count(*this, "slices", "slices", "slices that hold cores", [this] { return slices().size(); });
  all.add_count(*this, "watchers", "reads", "reads that wait for a failure or a repair", [this] { return watchers(); });
}

}  // namespace muster
