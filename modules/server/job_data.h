#pragma once

#include <cstdint>

#include "muster/policies/job.h"

namespace muster {

/// What a job reads before its work and writes after it, over the network from and to the storage.
struct job_data {
  static constexpr std::uint64_t of_its_own = ~std::uint64_t{0};

  std::uint64_t input = 0, output = 0;  ///< bytes of the whole job; 0: none
  /// The data set that the input is, which other jobs read as well: one number among all classes. A data set has the
  /// same bytes whoever reads it. of_its_own: no other job reads this input.
  std::uint64_t set = of_its_own;
  bool broadcast = false;  ///< whether each slice of the job reads all of the input, and not its share alone
  bool overlap = false;    ///< whether the work begins while the input is on its way

  /// The bytes that each slice reads. @param slices of the job, at least 1
  std::uint64_t input_of_slice(std::uint64_t slices) const { return broadcast ? input : share(input, slices); }
  /// The bytes that each slice writes. @param slices of the job, at least 1
  std::uint64_t output_of_slice(std::uint64_t slices) const { return share(output, slices); }

 private:
  static std::uint64_t share(std::uint64_t bytes, std::uint64_t slices) {
    return bytes / slices + (bytes % slices > 0);
  }
};

/// Tells what each job reads and writes.
class job_data_source {
 public:
  virtual ~job_data_source() = default;
  /// What a job reads and writes, the same whenever it is asked.
  /// @param declared class of the job, as it was submitted @param job its number
  virtual job_data of(class_id declared, std::uint64_t job) = 0;
};

}  // namespace muster
