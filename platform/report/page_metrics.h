#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "platform/model/study.h"
#include "platform/store/study_estimates.h"

namespace muster {

/// Columns of the page's metrics: JSON texts, each in a script element of its own, which the page reads when a plot or
/// a table asks for it. Equal columns are kept once: metrics of the same points and classes share most of them.
class page_columns {
 public:
  /// @param values an array of numbers, texts and nulls. A column of equal values is written with one of them, a column
  /// with texts as `words`, each of them once, and `places` among them.
  /// @return the number of the column
  std::size_t add(const nlohmann::ordered_json& values);

  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::map<std::string, std::size_t> numbers_;
};

/// Whether the page has rounded numbers, as it has more than 100,000 estimates: with seven significant digits, or with
/// as many as the first three of the half-width need.
bool is_page_rounded(const study_estimates& estimates);

/// The metrics of a study as the page lists them: what is said of each, and the numbers of its columns.
nlohmann::ordered_json metrics_of_page(const study& s, const study_estimates& estimates, page_columns& columns);

}  // namespace muster
