#pragma once

#include <string_view>
#include <vector>

#include "muster/policies/candidate_servers.h"
#include "muster/policies/cluster_view.h"
#include "muster/policies/random_numbers.h"
#include "muster/policies/resource_layout.h"

namespace muster {

/// Chooses the server on which a rigid job is placed. A job that the server cannot hold takes all its idle cores, and
/// the rule chooses the next server for the rest. Where tasks count, the idle cores of a server are the tasks of the
/// job that fit there.
/// @param candidates the servers on which the job may be placed; some has an idle core
/// @param cores that the job still needs, at least 1
/// @param random a stream for rules that draw random numbers, the same in each run of a replication
using placement_rule = idle_server (*)(const candidate_servers& candidates, unsigned cores, random_numbers& random);

/// Tasks of a job that are to be placed.
struct task_request {
  const task_need& need;
  unsigned tasks;          ///< those that are not placed yet, at least 1
  const amounts& largest;  ///< the most that one server has of each resource
  const cluster_view& cluster;
};
/// A server that can hold some of them.
struct task_server {
  const resource_layout& layout;
  const amounts& free;  ///< in each place
  unsigned tasks;       ///< how many fit, at least 1 and at most those to be placed
  unsigned alike = 0;   ///< tasks of the same need that it holds, of all jobs; 0 unless the rule counts them
};
/// Rates a server for the tasks that fit there: those of the lowest score get them, and so on with the rest. Of equal
/// servers the first in the order of the job's class is chosen, within a group the lowest.
using placement_score = double (*)(const task_server& server, const task_request& request);

/// A rule by which rigid jobs are placed. A file NAME.cpp of placement/ defines `const placement_entry NAME_placement`.
struct placement_entry {
  std::string_view name;            ///< letters, digits, `_` and `-`
  int order;                        ///< in lists, ascending; the first is the default
  std::string_view about;           ///< a sentence, with its rule for equal servers
  placement_rule choose;            ///< null: the order of the class and the lowest server, which takes no search
  placement_score score = nullptr;  ///< where tasks count; null: `choose` decides
  bool draws = false;               ///< whether the rule draws random numbers
  bool counts_alike = false;        ///< whether the score depends on task_server::alike
  bool needs_racks = false;         ///< whether `choose` asks for racks, which not every network has
};

/// All rules of placement, in their order.
const std::vector<const placement_entry*>& placement_catalogue();
/// The rule of that name, or null.
const placement_entry* find_placement(std::string_view name);

}  // namespace muster
