#include "platform/search/search_space.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muster {

std::vector<std::string> search_space::keys() const {
  std::vector<std::string> keys;
  keys.reserve(axes_.size());
  for (const search_axis& axis : axes_) keys.push_back(axis.key);
  return keys;
}

std::vector<std::string> search_space::texts(const search_values& values) const {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < axes_.size(); ++k) texts.push_back(axes_[k].range.text(values[k]));
  return texts;
}

std::string search_space::text(const search_values& values) const {
  return fmt::format("{}", fmt::join(texts(values), ", "));
}

std::string search_space::assignments(const search_values& values, const char* between) const {
  std::vector<std::string> words = texts(values);
  for (std::size_t k = 0; k < words.size(); ++k) words[k] = axes_[k].key + " = " + words[k];
  return fmt::format("{}", fmt::join(words, between));
}

}  // namespace muster
