#pragma once

#include <string>

#include "platform/import/scenario_of_log.h"
#include "platform/tables/table_document.h"

namespace muster {

/// What `import` prints of a model, and how well it reproduces the log.
table_document import_document(const fitted_log& fit, const model_check& check);

/// The scenario with the same at its head, as a comment.
std::string scenario_with_head(const fitted_log& fit, const model_check& check, const std::string& scenario);

}  // namespace muster
