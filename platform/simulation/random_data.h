#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "muster/modules/server/job_data.h"
#include "platform/model/class_table.h"
#include "platform/model/data_spec.h"
#include "platform/random/random_stream.h"

namespace muster {

/// Draws what jobs read and write. The values of a job depend on its number alone, those of a data set on its number in
/// the class, so that they are the same under every policy.
class random_data final : public job_data_source {
 public:
  /// @param model with data
  random_data(const scenario& model, std::uint32_t replication) : seed_(model.run.seed), replication_(replication) {
    for (const std::size_t place : by_descending_need(model)) {
      const std::string& name = model.classes[place].name;
      const auto found = model.data->classes.find(name);
      std::optional<law>& own = laws_.emplace_back();
      if (found == model.data->classes.end()) continue;
      own = law{"data_of_" + name, found->second, {}};
      const class_data& data = found->second;
      if (data.inputs == 0 || data.input_skew == 0.0) continue;
      double sum = 0.0;
      for (std::uint64_t n = 1; n <= data.inputs; ++n)
        own->up_to.push_back(sum += std::pow(static_cast<double>(n), -data.input_skew));
      for (double& share : own->up_to) share /= sum;
    }
  }

  job_data of(class_id declared, std::uint64_t job) override {
    std::optional<law>& found = laws_[static_cast<std::size_t>(declared)];
    if (!found) return {};
    class_data& data = found->data;
    job_data drawn;
    drawn.broadcast = data.broadcast;
    drawn.overlap = data.overlap;
    if (data.output) drawn.output = draw(*found, *data.output, "output", job);
    if (!data.input) return drawn;
    if (data.inputs == 0) {
      drawn.input = draw(*found, *data.input, "input", job);
      return drawn;
    }
    const std::uint64_t set = draw_set(*found, job);
    drawn.input = draw(*found, *data.input, "set", set);
    drawn.set = static_cast<std::uint64_t>(declared) << 40U | set;
    return drawn;
  }

 private:
  struct law {
    std::string name;
    class_data data;
    std::vector<double> up_to;  // the share of jobs that read one of the data sets up to each; empty: all alike
  };

  /// The numbers that belong to one job or data set of a class, for one purpose.
  static compact_random_stream stream_of(std::uint64_t seed, std::uint32_t replication, const std::string& of,
                                         std::string_view purpose, std::uint64_t number) {
    std::array<char, 16> name{};  // the purpose, and the bytes of the number, lowest first
    std::size_t end = purpose.copy(name.data(), name.size() - sizeof number);
    for (std::size_t n = 0; n < sizeof number; ++n, number >>= 8U) name[end++] = static_cast<char>(number & 0xffU);
    return {seed, replication, of, {name.data(), end}};
  }

  std::uint64_t draw(const law& of, distribution& bytes, const char* purpose, std::uint64_t number) const {
    compact_random_stream bits = stream_of(seed_, replication_, of.name, purpose, number);
    return static_cast<std::uint64_t>(std::llround(std::min(bytes(bits), most_bytes)));
  }
  std::uint64_t draw_set(const law& of, std::uint64_t job) const {
    compact_random_stream bits = stream_of(seed_, replication_, of.name, "choice", job);
    const double uniform = uniform_number(bits);
    if (of.up_to.empty()) return static_cast<std::uint64_t>(uniform * static_cast<double>(of.data.inputs));
    const auto found = std::upper_bound(of.up_to.begin(), of.up_to.end(), uniform);
    return std::min<std::uint64_t>(static_cast<std::uint64_t>(found - of.up_to.begin()), of.data.inputs - 1);
  }

  std::uint64_t seed_;
  std::uint32_t replication_;
  std::vector<std::optional<law>> laws_;  // by class; nothing: its jobs have no data
};

}  // namespace muster
