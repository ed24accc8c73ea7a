#include "muster/policies/split_by_need.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>

namespace muster {

std::pair<table<class_id, job_class>, table<class_id, std::vector<class_id>>> split_by_need(
    const table<class_id, job_class>& declared) {
  struct part {
    class_id of;
    std::size_t need;
    job_class type;
  };
  std::vector<part> parts;
  for (const class_id id : id_range<class_id>{declared.size()}) {
    job_class type = declared[id];
    const std::vector<job_need> submitted = std::exchange(type.submitted, {});
    if (!submitted.empty()) type.mean_size = type.arrival_rate = std::nullopt;
    for (const job_need& need : submitted)
      type.arrival_share = type.arrival_share && need.arrival_share
                               ? std::optional{std::max(0.0, *type.arrival_share - *need.arrival_share)}
                               : std::nullopt;
    parts.push_back({id, 0, type});
    for (std::size_t n = 0; n < submitted.size(); ++n) {
      std::tie(type.need, type.tasks, type.arrival_share) =
          std::tie(submitted[n].cores, submitted[n].tasks, submitted[n].arrival_share);
      parts.push_back({id, n + 1, type});
    }
  }
  const auto size = [](const part& p) { return p.type.tasks ? p.type.tasks->share : p.type.need; };
  std::stable_sort(parts.begin(), parts.end(), [&](const part& a, const part& b) { return size(a) > size(b); });
  table<class_id, job_class> classes;
  table<class_id, std::vector<class_id>> by_need;
  for (const class_id id : id_range<class_id>{declared.size()})
    by_need.push_back(std::vector<class_id>(declared[id].submitted.size() + 1));
  for (part& p : parts) by_need[p.of][p.need] = classes.push_back(std::move(p.type));
  return {std::move(classes), std::move(by_need)};
}

}  // namespace muster
