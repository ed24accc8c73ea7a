#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// What `muster list` prints.
struct list_subject {
  std::string_view name;
  std::string (*text)();
};

/// All of them, in the order in which messages name them.
const std::vector<list_subject>& list_subjects();

}  // namespace muster
