#pragma once

#include "muster/modules/scheduler/allocation/server_group.h"

namespace muster {

/// Receives what other schedulers take and give back of servers that all share.
class holdings_observer {
 public:
  /// Others have taken cores. They may be cores that this scheduler is to take, too: then they are not idle here.
  virtual void others_take(const placement& at) = 0;
  virtual void others_give_back(const placement& at) = 0;

 protected:
  ~holdings_observer() = default;
};

/// What several schedulers hold of servers that they share. Each is told what the others take and give back, in the
/// order in which they do.
class shared_holdings {
 public:
  /// Adds a scheduler, in the order of their numbers. @param observer outlives all use of this object
  virtual void subscribe(holdings_observer& observer) = 0;
  /// Tells a scheduler at once of all changes so far that it has not been told of.
  virtual void catch_up(const holdings_observer& observer) = 0;

 protected:
  ~shared_holdings() = default;
};

}  // namespace muster
