#include "platform/experiment/worker_pool.h"

#include <chrono>

namespace muster {

bool worker_pool::run(std::size_t count, const std::function<std::string(std::size_t)>& work,
                      const std::function<bool(const task_outcome&)>& finished,
                      const std::function<bool()>& tick) const {
  std::size_t begun = 0;
  return run([&] { return begun < count ? std::optional(begun++) : std::nullopt; }, work, finished, tick);
}

bool worker_pool::run(const std::function<std::optional<std::size_t>()>& next,
                      const std::function<std::string(std::size_t)>& work,
                      const std::function<bool(const task_outcome&)>& finished,
                      const std::function<bool()>& tick) const {
  child_processes busy;
  for (;;) {
    while (busy.count() < workers_) {
      const std::optional<std::size_t> task = next();
      if (!task) break;
      busy.start(*task, [&] { return work(*task); });
    }
    if (busy.count() == 0) return true;
    for (const task_outcome& outcome : busy.wait(std::chrono::milliseconds(200)))
      if (!finished(outcome)) return false;
    if (!tick()) return false;
  }
}

}  // namespace muster
