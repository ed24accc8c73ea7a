#pragma once

#include "muster/policies/job.h"

namespace muster {

/// Tells a policy that places by itself, see policy_entry::places_by, how well its rule of placement can place a job.
class placement_preview {
 public:
  /// The score of the server that gets the first tasks of a job of the class if one starts now; where only cores count,
  /// its first cores. The lower, the better. A job of the class must fit.
  virtual double score(class_id type) const = 0;

 protected:
  ~placement_preview() = default;
};

}  // namespace muster
