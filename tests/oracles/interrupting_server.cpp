#include "interrupting_server.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace muster::oracle {

namespace {

using by_phase = std::vector<double>;

// Time that jobs spend in each phase during one visit to the server, `mass` of which begin it in each phase.
by_phase times_in_visit(const phase_sizes& sizes, double interruption_rate, by_phase mass) {
  for (std::size_t i = 0; i < mass.size(); ++i) {
    mass[i] /= sizes.rates[i] + interruption_rate;
    if (sizes.next[i] < mass.size()) mass[sizes.next[i]] += sizes.rates[i] * mass[i];
  }
  return mass;
}

// Mean length of a visit that begins in each phase.
by_phase visit_lengths(const phase_sizes& sizes, double interruption_rate) {
  by_phase lengths(sizes.rates.size());
  for (std::size_t i = lengths.size(); i-- > 0;) {
    const double rest = sizes.next[i] < lengths.size() ? lengths[sizes.next[i]] : 0.0;
    lengths[i] = (1.0 + sizes.rates[i] * rest) / (sizes.rates[i] + interruption_rate);
  }
  return lengths;
}

double dot(const by_phase& a, const by_phase& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

std::vector<by_phase> transposed(const std::vector<by_phase>& matrix) {
  std::vector<by_phase> result(matrix.size(), by_phase(matrix.size()));
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < matrix.size(); ++j) result[j][i] = matrix[i][j];
  return result;
}

}  // namespace

double phase_sizes::mean() const { return dot(begins, visit_lengths(*this, 0.0)); }

double phase_sizes::second_moment() const {
  return 2.0 * dot(times_in_visit(*this, 0.0, begins), visit_lengths(*this, 0.0));
}

phase_sizes bimodal_phases() {
  phase_sizes sizes{by_phase(25), by_phase(25, 5.0), std::vector<std::size_t>(25)};
  std::iota(sizes.next.begin(), sizes.next.end(), std::size_t{1});
  sizes.begins.front() = 1.0 / 6.0;
  sizes.begins.back() = 5.0 / 6.0;
  return sizes;
}

phase_sizes hyperexponential() { return {{1.0 / 6.0, 5.0 / 6.0}, {0.2, 5.0}, {2, 2}}; }

phase_sizes zipf_phases() {
  phase_sizes sizes{by_phase(200), by_phase(200, 1.0), std::vector<std::size_t>(200)};
  std::iota(sizes.next.begin(), sizes.next.end(), std::size_t{1});
  for (std::size_t k = 1; k <= 200; ++k) sizes.begins[200 - k] = 1.0 / static_cast<double>(k * k);
  const double total = std::accumulate(sizes.begins.begin(), sizes.begins.end(), 0.0);
  for (double& probability : sizes.begins) probability /= total;
  return sizes;
}

// Watch one job from its arrival. Let L be the mean number of jobs by phase, which is what it finds ahead of it; Y the
// sum over its visits of the expected numbers ahead (columns) jointly with its own phase (rows) as it joins the queue;
// T the map of times_in_visit. Of the jobs ahead, interruption_rate T of them stay, and those who arrived since the job
// joined stand before it too. With arrivals in the time that jobs spend in their phases, L in all:
//   Y = begins L' + interruption_rate T(L) begins' + interruption_rate^2 T Y T'
//   L = arrival_rate (Y visit_lengths + times in service)
double mean_at_interrupting_server(const phase_sizes& sizes, double arrival_rate, double interruption_rate) {
  if (!(arrival_rate * sizes.mean() < 1.0)) throw std::invalid_argument("mean_at_interrupting_server: not stable");
  const std::size_t phases = sizes.rates.size();
  const by_phase lengths = visit_lengths(sizes, interruption_rate);
  const by_phase in_service = times_in_visit(sizes, 0.0, sizes.begins);
  const auto staying = [&](by_phase mass) {
    mass = times_in_visit(sizes, interruption_rate, std::move(mass));
    for (double& m : mass) m *= interruption_rate;
    return mass;
  };
  std::vector<by_phase> ahead(phases, by_phase(phases));
  by_phase jobs(phases);
  double mean = 0.0;
  for (double before = -1.0; std::abs(mean - before) > 1e-13 * mean;) {
    for (by_phase& row : ahead) row = staying(row);
    ahead = transposed(ahead);
    for (by_phase& column : ahead) column = staying(column);
    ahead = transposed(ahead);
    const by_phase arrived = staying(jobs);
    for (std::size_t i = 0; i < phases; ++i)
      for (std::size_t j = 0; j < phases; ++j) ahead[i][j] += sizes.begins[i] * jobs[j] + arrived[i] * sizes.begins[j];
    for (std::size_t i = 0; i < phases; ++i) jobs[i] = arrival_rate * (dot(ahead[i], lengths) + in_service[i]);
    before = mean;
    mean = std::accumulate(jobs.begin(), jobs.end(), 0.0);
  }
  return mean;
}

}  // namespace muster::oracle
