#pragma once

#include <string>

#include "platform/import/scenario_of_log.h"
#include "platform/import/slurm/site_import.h"
#include "platform/tables/table_document.h"

namespace muster {

/// What `import` prints of a model, and how well it reproduces the log.
table_document import_document(const fitted_log& fit, const model_check& check);

/// The scenario with the same at its head, as a comment.
std::string scenario_with_head(const fitted_log& fit, const model_check& check, const std::string& scenario);

/// What `import` prints of a site: what was read, and what of it the scenario does not have.
table_document site_document(const imported_site& site);

/// Writes the scenario of a site with the files that it names, whose names begin with that of the scenario, and prints
/// the document.
/// @param out the scenario's file @param force overwrites files that are there
/// @throws output_error
void write_site(const imported_site& site, const std::string& out, const std::string& name, bool force,
                output_format format);

}  // namespace muster
