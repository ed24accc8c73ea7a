#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include "platform/metrics/replication_pictures.h"
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

/// Long texts of a page's data in which no character has to be escaped, such as numbers with commas between them. The
/// data have a mark in the place of each: to look at all their characters would take as long as to write all the rest.
class plain_texts {
 public:
  /// @return the mark of the text
  std::string add(std::string text) {
    texts_.push_back(std::move(text));
    return mark(texts_.size() - 1);
  }

  /// Puts the texts in the places of their marks. @param data as JSON, in which each mark stands once, in order
  std::string filled(const std::string& data) const {
    std::size_t size = data.size(), from = 0;
    for (const std::string& text : texts_) size += text.size();
    std::string all;
    all.reserve(size);
    for (std::size_t n = 0; n < texts_.size(); ++n) {
      const std::string of_text = mark(n);
      const std::size_t at = data.find(of_text, from);
      all.append(data, from, at - from).append(texts_[n]);
      from = at + of_text.size();
    }
    return all.append(data, from);
  }

 private:
  static std::string mark(std::size_t number) { return fmt::format("@plain text {}@", number); }

  std::vector<std::string> texts_;
};

/// What a run has left in its directory.
struct stored_results {
  study_estimates estimates;
  std::vector<std::vector<presence_sample>> presence;  ///< by point, where recorded
  std::string manifest;                                ///< JSON
  std::vector<replication_pictures> pictures{};        ///< by point; empty: none are drawn
};

/// What the page's script starts from: all but the numbers of the metrics, in the order in which it is shown.
/// @param columns gets the numbers of the metrics, which the page reads one by one
/// @param texts gets the texts of which the data have marks
nlohmann::ordered_json page_data(const study& s, const stored_results& stored, page_columns& columns,
                                 plain_texts& texts);

/// What the page draws beside estimates: distributions of response times, what goes on over time, cores at work. It is
/// compact, so that a study of many points remains a small page: of the first 250 points, with fewer bins and slices
/// the more of them there are, numbers with four digits, times of slices in 4000ths of their window. Null where there
/// is none.
/// @param by_point empty: nothing is stored
/// @param texts gets the texts of which the data have marks
nlohmann::ordered_json point_details(const study& s, const study_estimates& estimates,
                                     const std::vector<replication_pictures>& by_point, plain_texts& texts);

}  // namespace muster
