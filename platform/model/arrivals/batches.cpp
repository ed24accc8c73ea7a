#include <cmath>

#include <boost/random/geometric_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include <fmt/format.h>

#include "platform/model/arrival_entry.h"
#include "platform/model/synthetic_workload.h"

namespace muster {

namespace {

enum batch_key : std::size_t { law_of_size, mean_size };
enum class size_law { geometric, fixed, uniform };

size_law law_in(const std::vector<double>& values) { return static_cast<size_law>(values[law_of_size]); }

/// Jobs that arrive in batches: all jobs of a batch at once, the batches at the times of a Poisson process.
///
/// Batches draw their times and their sizes from streams of their own, and each job of a batch draws its class and its
/// size as the jobs of other processes do.
class batch_workload final : public workload {
 public:
  batch_workload(const scenario& model, std::uint32_t replication)
      : jobs_(model, replication),
        unit_(model.unit),
        law_(law_in(model.arrivals.values)),
        mean_(model.arrivals.values[mean_size]),
        between_(model.arrivals.rate / mean_),
        time_bits_(model.run.seed, replication, "source", "batches"),
        size_bits_(model.run.seed, replication, "source", "sizes of batches") {}

  bool next(job_request& job) override {
    if (left_ == 0) {
      now_ += unit_.to_ticks(between_(time_bits_));
      left_ = draw_size();
    }
    --left_;
    job.arrival = now_;
    jobs_.draw(job);
    return true;
  }
  std::string_view fixes_arrivals() const override { return jobs_.fixes_arrivals(); }

 private:
  std::uint64_t draw_size() {
    const auto mean = static_cast<std::uint64_t>(mean_);
    if (law_ == size_law::fixed || mean_ == 1.0) return mean;
    if (law_ == size_law::uniform)
      return boost::random::uniform_int_distribution<std::uint64_t>{1, 2 * mean - 1}(size_bits_);
    return 1 + boost::random::geometric_distribution<std::uint64_t, double>{1.0 / mean_}(size_bits_);
  }

  synthetic_workload jobs_;
  time_unit unit_;
  size_law law_;
  double mean_;
  boost::random::exponential_distribution<double> between_;
  random_stream time_bits_, size_bits_;
  ticks now_ = 0;
  std::uint64_t left_ = 0;  // jobs of the batch that have not been drawn
};

std::optional<std::pair<std::string_view, std::string>> objection_to_mean(const arrival_spec& arrivals) {
  const std::vector<double>& values = arrivals.values;
  if (law_in(values) == size_law::geometric || std::trunc(values[mean_size]) == values[mean_size]) return std::nullopt;
  return {
      {"mean_batch", fmt::format("expected a whole number, because only 'geometric' batches have any mean, found {}",
                                 values[mean_size])}};
}

// The ratio E[B^2] / E[B] of the sizes B of batches.
double dispersion_of_batches(const arrival_spec& arrivals) {
  const double mean = arrivals.values[mean_size];
  switch (law_in(arrivals.values)) {
    case size_law::geometric: return 2.0 * mean - 1.0;
    case size_law::fixed: return mean;
    case size_law::uniform: return (4.0 * mean - 1.0) / 3.0;
  }
  return 1.0;
}

}  // namespace

/// Compound Poisson arrivals. `geometric` batches have 1, 2, .. jobs, `uniform` ones from 1 to twice the mean less 1,
/// all equally likely.
extern const arrival_entry batches_arrivals{"batches",
                                            6,
                                            arrival_kind::other,
                                            {{"batch", word_key{"law of batches", {"geometric", "fixed", "uniform"}},
                                              "geometric", "law of the number of jobs in a batch"},
                                             {"mean_batch", number_key{{"a number from 1 to 1000000", 1.0, false, 1e6}},
                                              required{}, "mean number of jobs in a batch"}},
                                            exponential_times,
                                            make_jobs<batch_workload>,
                                            nullptr,
                                            objection_to_mean,
                                            dispersion_of_batches};

}  // namespace muster
