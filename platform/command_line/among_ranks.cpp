#include "platform/command_line/among_ranks.h"

#include <memory>

#include "platform/command_line/exit_status.h"

namespace muster {

int run_among_ranks(const rank_place& place, std::size_t workers, const std::function<study()>& read,
                    const std::function<int(const study&, task_runner&)>& run, const simulation& work) {
  const std::unique_ptr<rank_link> link = join_ranks(place);
  if (place.rank > 0) {
    serve_rank_0(*link, read, workers, work);
    return done;
  }
  const int status = reporting_errors([&] { return lead_ranks(*link, read, workers, run, work); });
  link->leave(status);
  return status;
}

}  // namespace muster
