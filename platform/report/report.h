#pragma once

#include "platform/model/study.h"
#include "platform/store/result_directory.h"

namespace muster {

/// Writes report.html and figures/*.svg from what a run has left in the directory, over older ones, which are removed.
/// @pre this process has written its results.sqlite, or has found it whole, see result_store::of_run()
/// @throws output_error if that is damaged: it names the file, the place in it and what was expected
/// @throws output_error if gnuplot draws no figures; the page is written even so
/// @throws std::runtime_error if they cannot be written
void write_report(const result_directory& directory, const study& s, bool with_figures = true);

}  // namespace muster
