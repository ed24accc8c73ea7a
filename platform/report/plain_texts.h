#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace muster {

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

}  // namespace muster
