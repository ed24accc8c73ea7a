#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/store/result_directory.h"

namespace muster {

/// A study of a gallery.
struct gallery_entry {
  std::string name;  ///< of the scenario
  std::string link;  ///< URL of its report
  std::string html;  ///< what the page says of it
};

/// A study from its stored results: name and purpose, how many points, which policy is best, the figure of the metric
/// by which its policies are judged (else of the response time, else the first), and a link to its report.
/// @param beside the folder of the gallery, for the link
/// @throws output_error if it holds no results, no finished point or no report.html; scenario_error
gallery_entry gallery_entry_of(const result_directory& directory, const std::filesystem::path& beside);

/// One file that needs no other but the reports that it links to.
std::string gallery_page(const std::vector<gallery_entry>& entries);

}  // namespace muster
