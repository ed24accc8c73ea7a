#include "platform/model/synthetic_workload.h"

#include <iterator>
#include <utility>

#include <boost/random/uniform_int_distribution.hpp>

#include "platform/model/class_table.h"

namespace muster {

synthetic_workload::synthetic_workload(const scenario& model, std::uint32_t replication)
    : unit_(model.unit),
      slot_(model.unit.to_ticks(model.slot)),
      arrival_bits_(model.run.seed, replication, "source", "arrivals"),
      class_bits_(model.run.seed, replication, "source", "classes"),
      interarrival_(model.arrivals.interarrival) {
  std::vector<double> shares;
  for (const std::size_t at : by_descending_need(model)) {
    const class_spec& c = model.classes[at];
    shares.push_back(c.share);
    classes_.push_back({random_stream(model.run.seed, replication, "source", "sizes of " + c.name),
                        c.size,
                        random_stream(model.run.seed, replication, "source", "servers of " + c.name),
                        c.drawn,
                        0,
                        {}});
    states_more_ = states_more_ || c.drawn > 0 || c.slotted;
    if (!c.slotted) continue;
    class_source& source = *std::prev(classes_.end());
    source.slotted_size = c.slotted->worth->units() * slot_;
    source.deadlines.emplace(c.slotted->deadline, model.run.seed, replication, c.name);
  }
  if (shares.size() > 1) choice_.emplace(shares);
  servers_ = total_servers(model);
}

bool synthetic_workload::next(job_request& job) {
  job.arrival = next_arrival();
  draw(job);
  return true;
}

// Slots of deadlines are counted by the time that an arrival has at the factor 1.
std::string_view synthetic_workload::fixes_arrivals() const {
  const bool slotted =
      std::any_of(classes_.begin(), classes_.end(), [](const auto& c) { return c.deadlines.has_value(); });
  return slotted ? "the deadlines of its slotted jobs are counted from their arrivals" : "";
}

void synthetic_workload::draw(job_request& job) {
  job.type = choice_ ? static_cast<class_id>((*choice_)(class_bits_)) : class_id{0};
  class_source& source = classes_[job.type];
  if (!states_more_) {
    job.size = draw_size(source);
    return;
  }
  if (source.deadlines) {
    const std::uint64_t slot = (job.arrival + slot_ - 1) / slot_ + 1;  // the first that begins now or later
    job.deadline = source.deadlines->next(slot);
    job.size = source.slotted_size;
    return;
  }
  job.size = draw_size(source);
  job.servers.clear();
  if (source.drawn > 0) draw_servers(source, job.servers);
}

// Robert Floyd's sample: every set of that size is equally likely, without rejected draws.
void synthetic_workload::draw_servers(class_source& source, std::vector<std::uint64_t>& servers) {
  for (std::uint64_t last = servers_ - source.drawn; last < servers_; ++last) {
    const std::uint64_t drawn = boost::random::uniform_int_distribution<std::uint64_t>{0, last}(source.server_bits);
    const bool again = std::find(servers.begin(), servers.end(), drawn) != servers.end();
    servers.push_back(again ? last : drawn);
  }
  std::sort(servers.begin(), servers.end());
}

}  // namespace muster
