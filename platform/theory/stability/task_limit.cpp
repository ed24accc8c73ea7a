#include "platform/theory/stability/task_limit.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "muster/policies/algorithms/linear_program.h"
#include "platform/model/class_table.h"
#include "platform/model/resource_load.h"
#include "platform/theory/stability/server_mixes.h"

namespace muster {

namespace {

bool may_use(const class_spec& c, const server_spec& server) {
  return std::find(c.servers.begin(), c.servers.end(), server.name) != c.servers.end();
}

bool is_one_task(const class_spec& c) {
  const amounts& of_cluster = c.tasks->per_job;
  return c.tasks->tasks == 1 &&
         std::all_of(of_cluster.begin(), of_cluster.end(), [](std::uint64_t amount) { return amount == 0; });
}

/// The linear program. The first variable is the factor. The row of each class is divided by its load.
class task_program {
 public:
  task_program(const scenario& model, const std::vector<demand>& demands) : model_(model) {
    for (std::size_t at = 0; at < model.classes.size(); ++at) {
      const class_spec& c = model.classes[at];
      loads_.push_back(model.arrivals.rate * c.share * demands[at].work * c.tasks->tasks);
    }
    const double negligible = 1e-9 * std::accumulate(loads_.begin(), loads_.end(), 0.0);
    std::vector<linear_program::entry> factor;
    rows_.resize(loads_.size());
    for (std::size_t c = 0; c < loads_.size(); ++c) {
      if (loads_[c] <= negligible) {
        loads_[c] = 0.0;
        continue;
      }
      rows_[c] = program_.add_row(linear_program::relation::at_least, 0.0);
      factor.push_back({rows_[c], -1.0});
    }
    any_load_ = !factor.empty();
    if (any_load_) program_.add_variable(1.0, std::move(factor));
  }

  void add(const server_spec& server) {
    constexpr std::size_t most_mixes = 500;
    std::vector<const task_need*> needs(loads_.size());
    for (std::size_t c = 0; c < needs.size(); ++c)
      if (loads_[c] > 0.0 && may_use(model_.classes[c], server)) needs[c] = &*model_.classes[c].tasks;
    const server_room room(model_.resources.types, resources_of(model_, server), std::move(needs));
    const double work = server.count * server.capacity;  // of a task on each of them
    if (const auto mixes = room.maximal_mixes(most_mixes))
      add_mixes(*mixes, work);
    else
      add_measures(room, work);
  }

  task_limit solve() const {
    if (!any_load_) return {std::numeric_limits<double>::infinity(), false};
    const linear_program::solution found = program_.maximise();
    if (found.status != linear_program::outcome::optimal)
      throw std::runtime_error("limit of tasks: the linear program has no optimum");
    const bool alike =
        have_one_capacity(model_.servers) && std::all_of(model_.classes.begin(), model_.classes.end(), is_one_task);
    return {found.value, all_listed_ && alike};
  }

 private:
  void add_mixes(const std::vector<task_mix>& mixes, double work) {
    if (mixes.empty()) return;
    const std::size_t time = program_.add_row(linear_program::relation::at_most, 1.0);
    for (const task_mix& mix : mixes) {
      std::vector<linear_program::entry> entries{{time, 1.0}};
      for (std::size_t c = 0; c < mix.size(); ++c)
        if (mix[c] > 0) entries.push_back({rows_[c], mix[c] * work / loads_[c]});
      program_.add_variable(0.0, std::move(entries));
    }
  }

  // The variables are the mean tasks of each class on a server, as shares of what it holds of the class alone.
  void add_measures(const server_room& room, double work) {
    all_listed_ = false;
    const std::vector<std::vector<double>> measures = room.measures();
    std::vector<std::size_t> bounds;
    for (std::size_t n = 0; n < measures.size(); ++n)
      bounds.push_back(program_.add_row(linear_program::relation::at_most, 1.0));
    for (std::size_t c = 0; c < loads_.size(); ++c) {
      const double alone = room.alone()[c];
      if (alone == 0.0) continue;
      std::vector<linear_program::entry> entries{{rows_[c], alone * work / loads_[c]}};
      for (std::size_t n = 0; n < measures.size(); ++n)
        if (measures[n][c] > 0.0) entries.push_back({bounds[n], alone * measures[n][c]});
      entries.push_back({program_.add_row(linear_program::relation::at_most, 1.0), 1.0});
      program_.add_variable(0.0, std::move(entries));
    }
  }

  const scenario& model_;
  linear_program program_;
  std::vector<double> loads_;      // cores' work that a task of each class needs, all that arrive together; 0: left out
  std::vector<std::size_t> rows_;  // of classes with load
  bool any_load_ = false, all_listed_ = true;
};

}  // namespace

double load_of_tasks(const scenario& model, const std::vector<demand>& demands) {
  const std::vector<double> overhead = each_of(demands, &demand::overhead);
  const double rate = model.arrivals.rate;
  double largest = binding_load(resource_loads(model, rate, run_on::fastest, overhead)).load;
  for (std::size_t at = 0; at < model.classes.size(); ++at) {
    const class_spec& c = model.classes[at];
    const room_for_tasks room = room_for(model, c);
    largest = std::max(largest, rate * c.share * (c.size.mean() / room.fastest + overhead[at]) / room.jobs);
  }
  return largest;
}

task_limit limit_of_tasks(const scenario& model, const std::vector<demand>& demands) {
  task_program program(model, demands);
  for (const server_spec& server : model.servers) program.add(server);
  return program.solve();
}

}  // namespace muster
