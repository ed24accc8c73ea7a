#pragma once

#include "platform/model/scenario.h"
#include "tests/scenario/graph_folder.h"

namespace muster {

/// Four jobs in a file, under Static Quickswap as published. It leaves the empty cluster idle before the medium and the
/// small job, until it is told that no event is left.
class finite_arrivals : public graph_folder {
 protected:
  scenario four_jobs() {
    write("jobs.csv", "id,arrival,size,class\n1,0,5,large\n2,1,5,large\n3,2,5,medium\n4,3,5,small\n");
    return read_here(
               "name = \"x\"\n[platform]\nservers = [{ name = \"node\", cores = 4 }]\n"
               "[[classes]]\nname = \"large\"\nneed = 4\n[[classes]]\nname = \"medium\"\nneed = 2\n"
               "[[classes]]\nname = \"small\"\nneed = 1\n[arrivals]\nprocess = \"list\"\nfile = \"jobs.csv\"\n"
               "[policy]\nname = \"static_quickswap\"\nhand_over = \"published\"\n[run]\nreplications = 1\n")
        .points.front()
        .model;
  }
};

}  // namespace muster
