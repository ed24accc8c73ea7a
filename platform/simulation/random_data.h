#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/modules/server/job_data.h"
#include "platform/model/data_spec.h"

namespace muster {

/// Draws what jobs read and write. The values of a job depend on its number alone, those of a data set on its number in
/// the class, so that they are the same under every policy.
class random_data final : public job_data_source {
 public:
  /// @param model with data
  random_data(const scenario& model, std::uint32_t replication);

  job_data of(class_id declared, std::uint64_t job) override;

 private:
  struct law {
    std::string name;
    class_data data;
    std::vector<double> up_to;  // the share of jobs that read one of the data sets up to each; empty: all alike
  };

  std::uint64_t draw(const law& of, distribution& bytes, const char* purpose, std::uint64_t number) const;
  std::uint64_t draw_set(const law& of, std::uint64_t job) const;

  std::uint64_t seed_;
  std::uint32_t replication_;
  std::vector<std::optional<law>> laws_;  // by class; nothing: its jobs have no data
};

}  // namespace muster
