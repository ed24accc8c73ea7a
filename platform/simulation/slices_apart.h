#pragma once

#include "platform/model/class_table.h"
#include "platform/model/scenario.h"

namespace muster {

/// Whether the policy is called for cores of slices that end before others of their job: where jobs have data, whose
/// output each server sends by itself. Slices also end apart, mostly by less, where messages take different times,
/// speeds change, cores wake, or a job's state is fetched: there such cores wait for the next arrival or completion.
inline bool slices_may_end_apart(const scenario& model) { return model.data && total_servers(model) > 1; }

}  // namespace muster
