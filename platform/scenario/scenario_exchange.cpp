#include <algorithm>
#include <optional>

#include "platform/scenario/scenario_reader.h"

namespace muster {

void read_exchange(table_reader& table, class_spec& spec, const point_draft& point) {
  if (!table.find("exchange")) return;
  if (const std::string why = why_no_tasks(point, "slotted jobs have no tasks"); !why.empty()) {
    refuse(table, {"exchange"}, why);
    return;
  }
  const std::size_t before = table.problems();
  table_reader within = table.table("exchange");
  exchange_spec given;
  given.pattern = within.choice<exchange_pattern>("pattern");
  given.bytes = within.number("bytes");
  given.every = within.number("every");
  within.close();
  if (table.problems() != before) return;
  const std::uint64_t tasks = spec.tasks ? spec.tasks->tasks : spec.need;
  const bool nothing = given.bytes == 0.0 || (tasks == 1 && !point.timed_list);  // sweeps may begin there
  if (nothing) return;
  if (point.model.network.sharing != sharing_rule::max_min)
    table.complain("exchange", "tasks send at the same time; expected sharing = \"max_min\" in platform.link");
  else
    spec.exchange = given;
}

void check_exchange(table_reader& table, const class_spec& spec, const scenario& model) {
  const std::optional<double>& bandwidth = model.network.link.bandwidth;
  if (!spec.exchange || !bandwidth || model.network.file) return;
  const std::uint64_t cores = spec.tasks ? spec.tasks->tasks * spec.tasks->per_task.front() : spec.need;
  const bool one_server =
      std::any_of(model.servers.begin(), model.servers.end(), [&](const server_spec& s) { return s.cores >= cores; });
  if (one_server) return;  // then nothing may pass an edge
  const double least = spec.size.mean() * spec.exchange->bytes / (spec.exchange->every * *bandwidth);
  check_range(table, "exchange", least, "takes a job at least {} on average");
}

}  // namespace muster
