#include "platform/command_line/option_checks.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/metrics/bound_text.h"
#include "platform/metrics/metric.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"

namespace muster {

std::string in_words(const std::vector<std::string>& names) {
  return fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::function<std::string(const std::string&)> known_name(const std::string& what,
                                                          const std::vector<std::string>& names) {
  return [what, names](const std::string& given) -> std::string {
    if (std::find(names.begin(), names.end(), given) != names.end()) return "";
    return fmt::format("unknown {} {}{}", what, in_quotes(given), suggestion(given, names));
  };
}

std::string wrong_metric(const std::string& text) {
  const std::size_t bracket = text.find('[');
  const bool closed = bracket == std::string::npos ? text.find(']') == std::string::npos
                                                   : text.find(']') == text.size() - 1 && bracket + 2 < text.size();
  if (!closed)
    return fmt::format("expected METRIC or METRIC[CLASS], such as response_time or response_time[all], found {}",
                       in_quotes(text));
  return known_name("metric", metric_names())(text.substr(0, bracket));
}

metric_of_class metric_in(const std::string& text, const std::string& class_name) {
  return names_class(text) ? metric_of_class::of_text(text) : metric_of_class{text, class_name};
}

bool names_class(const std::string& text) { return text.find('[') != std::string::npos; }

std::string wrong_bound(const std::string& text) {
  std::string wrong = wrong_bound_form(text);
  return wrong.empty() ? wrong_metric(bounded_metric(text).text()) : wrong;
}

}  // namespace muster
