#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include <boost/algorithm/string/replace.hpp>

#include "muster/policies/catalogue.h"
#include "tests/scenario/sample.h"

namespace muster {

/// A change that breaks the sample, and all that is said about it: word for word, because users and scripts read it.
struct mistake {
  const char* from;
  const char* to;
  const char* message;
};

/// The names of all policies in place of `{policies}`, and of those of jobs without units in place of
/// `{policies without slots}`: a new policy changes no message that is held here.
inline std::string with_policies(std::string message) {
  std::string all, without_slots;
  for (const policy_entry* entry : policy_catalogue()) {
    all += (all.empty() ? "" : ", ") + std::string{entry->name};
    if (entry->jobs() != job_kind::slotted)
      without_slots += (without_slots.empty() ? "" : ", ") + std::string{entry->name};
  }
  boost::algorithm::replace_all(message, "{policies}", all);
  boost::algorithm::replace_all(message, "{policies without slots}", without_slots);
  return message;
}

inline void PrintTo(const mistake& m, std::ostream* out) { *out << m.to; }

}  // namespace muster
