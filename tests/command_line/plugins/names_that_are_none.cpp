#include "muster/policies/plugin.h"

// A parameter's name is a key of a scenario.

namespace {

const muster::policy_entry entry{"good_name",
                                 "",
                                 {{"bad name", muster::integer_parameter{{1}, {9}, {2}}, ""}},
                                 [](const muster::cluster_view&, const muster::settings&, muster::random_numbers&) {
                                   return std::unique_ptr<muster::policy>{};
                                 }};

}  // namespace

MUSTER_PLUGIN(&entry)
