#pragma once

#include <string>
#include <vector>

#include "platform/import/job_figures.h"
#include "platform/import/log_import.h"
#include "platform/tables/data_table.h"

namespace muster {

/// The scenario of a fitted model: complete TOML, which runs as it stands.
std::string scenario_text(const fitted_log& fit);

/// What a fitted model is held against: synthetic jobs of its scenario, drawn several times over the time that the log
/// covers.
struct model_check {
  std::vector<job_figures> log;  ///< of all jobs, then of each class
  figures_of_samples synthetic;
  std::size_t samples = 0;
};
/// @param text the scenario
/// @throws scenario_error if it is none
model_check check_model(const fitted_log& fit, const std::string& text);

/// @name Tables of the result
/// @{
/// The figures of all jobs: of the log, and the synthetic ones with their mean, least and largest values.
data_table figures_table(const model_check& check);
/// The figures of each class, of the log and synthetic.
data_table class_figures_table(const fitted_log& fit, const model_check& check);
/// The laws of each class with their fits. @param all whether also those that were not taken
data_table laws_table(const fitted_log& fit, bool all);
/// @}

/// Sentences on what the log is, and what the model rests on.
std::vector<std::string> sentences_of(const fitted_log& fit);

}  // namespace muster
