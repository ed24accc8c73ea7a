#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace muster {

/// Lines for a terminal, such as "note: SENTENCE": the first five sentences, and where the others are.
inline std::string first_few(std::string_view word, const std::vector<std::string>& sentences, std::string_view where) {
  constexpr std::size_t shown = 5;
  std::string lines;
  for (std::size_t i = 0; i < std::min(shown, sentences.size()); ++i)
    lines += fmt::format("{}: {}\n", word, sentences[i]);
  if (sentences.size() > shown) lines += fmt::format("{}: {} more are in {}\n", word, sentences.size() - shown, where);
  return lines;
}

}  // namespace muster
