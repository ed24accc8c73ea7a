#pragma once

#include <utility>
#include <vector>

#include "muster/policies/job_class.h"
#include "muster/policies/table.h"

namespace muster {

/// Makes of each declared class a class for each need that its jobs may bring, with the class's name and parameters.
/// @param declared valid classes; see job_class::submitted
/// @return these classes, in descending order of need or of task_need::share (equal ones: in the order in which they
/// are declared), and for each declared class those of its needs, its own first
std::pair<table<class_id, job_class>, table<class_id, std::vector<class_id>>> split_by_need(
    const table<class_id, job_class>& declared);

}  // namespace muster
