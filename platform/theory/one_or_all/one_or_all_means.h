#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "platform/theory/one_or_all/one_or_all.h"

namespace muster {

/// The distribution of the number W of light jobs at the beginning of a light period, as far as the means depend on it.
struct period_start {
  std::vector<double> few;  ///< P(W = w) for w < cores
  double unbroken = 0.0;    ///< E(alive^(W - cores + 1); W >= cores)
};

/// Stationary means of MSFQ.
struct one_or_all_means {
  double light_jobs = 0.0, heavy_jobs = 0.0;          ///< mean numbers of jobs in the system
  double light_response = 0.0, heavy_response = 0.0;  ///< mean response times, in units of time
  std::array<double, 5> phase_share{};                ///< shares of time of phases 0 (empty) to 4
  /// Moments of W - cores + 1 where W is at least `cores`: its probability, E(n), E(n (n - 1)).
  std::array<double, 3> many{};
  /// Mean duration of a visit to phases 1 to 4; 0 where it is never entered. None (0) where phases may be entered again
  /// within a light period: phases 3 and 4 of a drain that waits for a heavy job.
  std::array<double, 5> phase_duration{};
  double period = 0.0;  ///< mean time from the beginning of a light period to that of the next
  double started_light = 0.0, started_light_pairs = 0.0;  ///< E(W) and E(W (W - 1))
  double started_heavy = 0.0;  ///< mean number of heavy jobs at the end of the drain, 0 included
};

/// Returns a function that computes the means which follow from the distribution of W below `cores`.
///
/// E(W) and E(W (W - 1)) solve the equation of period_transforms, differentiated twice at s = 0 by power series. Light
/// jobs: area under their number over a light period; those that come in T wait till its end, E(T^2) lambda_1 / 2 in
/// area. Heavy jobs: an M/M/1 queue with vacations, in which the number of jobs is that of M/M/1 and, independently,
/// that at a random time outside phase 1 (Fuhrmann and Cooper, Operations Research 33, 1985).
///
/// What does not depend on the distribution is computed here, once for all calls of the function.
/// @param model outlives the function
std::function<one_or_all_means(const period_start&)> means_of(const one_or_all& model);

/// The most cores for which the chain is solved exactly; with more, only the analysis of Section 5 is given.
inline constexpr std::size_t most_exact_cores = 128;

/// The solution of the chain of light periods.
struct exact_one_or_all {
  one_or_all_means means;
  period_start start;
  /// Bound of the error of the response times, as a share of them: what the last doubling of the terms has changed or,
  /// where that is more, by how much P misses its equation between the points at which it is made to hold. As the
  /// series converges geometrically, a doubling changes much more than the error that is left.
  double error_bound = 0.0;
  std::size_t terms = 0;
};

/// Solves for the stationary distribution of W (see period_transforms) and the means that follow.
///
/// W counts Poisson arrivals in a random time T, so T's Laplace transform determines the distribution, P(s). On the
/// imaginary axis, s = scale (1 - t) / (1 + t) with |t| = 1, P is a power series in t that converges geometrically (it
/// is T's density by Laguerre functions): it is cut after `terms` terms, and the equation of period_transforms is made
/// to hold at as many roots of unity. P(W = w) is Cauchy's integral over the same axis, on which no digits are lost:
/// z = 1 - s / light_arrivals is not below 1 there. The terms are doubled until `error_bound` is at most `tolerance`.
///
/// @param model of less load than 1
exact_one_or_all solve_one_or_all(const one_or_all& model, double tolerance = 1e-10);

class one_or_all_nodes;

/// Solves the equations of solve_one_or_all() at given nodes, to 1e-9. `error_bound` is by how much P misses its
/// equation between them.
/// @param means those of the model, by means_of()
/// @param nodes of a system that differs in its threshold at most
exact_one_or_all solve_roughly(const one_or_all& model,
                               const std::function<one_or_all_means(const period_start&)>& means,
                               const one_or_all_nodes& nodes);

/// The analysis of Section 5 as the journal prints it, with the misprints that keep its formulas from having a value
/// put right and all else as it stands.
///
/// Misprints put right: S_1/k where Lemmas 5 to 7 have S_1 (and S_k) in the busy periods of light jobs; C_{j-1} where
/// Lemma 4 has C_k for j > k (its proof has it right). Assumptions left as they stand: Lemma 3 makes a light job that
/// comes in phases 4 and 1 wait for all light jobs ahead of it at k mu_1 each, though k of them are in service together
/// with it; and Section 5.2 assumes that no phase is skipped, so that k light jobs or more begin phase 2.
struct section_5 {
  std::array<time_moments, 5> phases{};                              ///< durations H_1 to H_4 (Lemmas 5, 7 and 8)
  time_moments drain_and_heavy;                                      ///< H_4 + H_1, which are not independent (Lemma 6)
  time_moments heavy_at_1, light_at_2;                               ///< numbers of jobs N_1^H and N_2^L (Lemma 6)
  std::array<double, 5> phase_share{};                               ///< Lemma 1
  double heavy_in_1 = 0.0, heavy_elsewhere = 0.0;                    ///< mean response times, Lemmas 2 and 3
  double light_in_2 = 0.0, light_in_3 = 0.0, light_elsewhere = 0.0;  ///< Lemmas 2, 4 and 3
  double light_response = 0.0, heavy_response = 0.0;                 ///< equation 1 of the journal, by class
  /// Whether no moment is negative. Where one is, light jobs at the beginning of phase 2 are fewer than k on average,
  /// and the values mean nothing.
  bool in_domain = false;
};

/// @param model of less load than 1, which drains always, as the paper's does
section_5 analyse_as_printed(const one_or_all& model);

/// Section 5 put right: the moments of its lemmas, a light job waiting for those ahead of it but for k - 1, and without
/// the assumption that no phase is skipped.
///
/// Lemmas 5 and 6 give the first two moments of N_2^L (W of period_transforms) from the probabilities that it is 0 to
/// k - 1, which they take for 0. They are approximated here: N_2^L counts Poisson arrivals in T = H_4 + H_1, and were T
/// a gamma distribution, then N_2^L were a negative binomial one, which its two moments determine. These and the
/// probabilities are found together, by substitution. The analysis is exact in the limit where N_2^L is never below k.
/// Its error against the exact chain for k = 32, whatever the threshold, is at most 1.6 % with 90 % light jobs and at
/// most 2.5 % with 50 % at loads from 0.3 on. With few cores and next to no load the error is up to 14 %.
struct corrected_analysis {
  one_or_all_means means;
  period_start start;
  bool converged = false;  ///< the substitution has come to rest at moments that a distribution can have
};

inline constexpr double best_accuracy = 1e-10;

/// @param accuracy by how much the last substitution may change the mean of N_2^L, as a share of it
corrected_analysis analyse_corrected(const one_or_all& model, double accuracy = best_accuracy);

/// The threshold of least mean response time over all jobs: of those that analyse_corrected() does not find far worse
/// than the best, by exact solutions of 1e-5 (with more than most_exact_cores, by the analysis). The least of several
/// that are equal. The result is kept in the process for equal systems.
///
/// The analysis is computed for thresholds that are spread over all of them, and for those between two of which one is
/// not clearly far worse. Of those that are left most are excluded by solutions of few terms, which cost a hundredth:
/// one whose value is further above the least than the errors of both solutions. The exact solutions are computed for
/// the rest, if they are several.
/// @param system of less load than 1; its threshold does not matter
std::size_t best_threshold(const one_or_all& system);

}  // namespace muster
