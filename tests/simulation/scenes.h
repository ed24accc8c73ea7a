#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

namespace muster {

const std::string exponential = R"(distribution = "exponential", mean = 1.0)";

/// A scenario of jobs that need one core each, first come, first served.
/// @param servers keys of the only entry, but for its name
/// @param platform further lines of the table `platform`
/// @param size keys of the distribution
/// @param run lines of the table `run`
inline std::string one_class(const std::string& servers, const std::string& platform, double rate,
                             const std::string& size, const std::string& run) {
  return fmt::format(R"(
name = "one_class"
[platform]
servers = [{{ name = "node", {} }}]
{}
[[classes]]
name = "job"
need = 1
share = 1.0
size = {{ {} }}
[arrivals]
rate = {}
[policy]
name = "fcfs"
[run]
{}
)",
                     servers, platform, size, rate, run);
}

/// A class of exponential sizes, of the name "need_N".
struct kind {
  int need;
  double rate, mean;
  int most = 36;  ///< jobs of it in a Markov chain, which is cut there
};

/// Intervals of Student's t that miss the truth once in 10,000 tests are as wide with 30 replications as with 10 that
/// have 2.1 times as many jobs in all: the quantile is 4.5 in place of 6.6.
/// @param policy lines of its table
inline std::string cluster_of(int cores, const std::vector<kind>& kinds, const std::string& policy, int jobs,
                              int replications = 30) {
  std::string text =
      fmt::format("name = \"chain\"\n[platform]\nservers = [{{ name = \"node\", cores = {} }}]\n", cores);
  for (const kind& c : kinds)
    text += fmt::format(
        "[[classes]]\nname = \"need_{0}\"\nneed = {0}\nrate = {1}\nsize = {{ distribution = \"exponential\", mean = "
        "{2} }}\n",
        c.need, c.rate, c.mean);
  return text + "[policy]\n" + policy +
         fmt::format("\n[run]\njobs = {}\nreplications = {}\nwarm_up = 0.1\n", jobs, replications);
}

}  // namespace muster
