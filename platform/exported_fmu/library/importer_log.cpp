#include "platform/exported_fmu/library/importer_log.h"

#include <algorithm>

namespace muster {

namespace {

// The message with `#` as the standard wants it: `#5#` would stand for the name of variable 5.
std::string escaped(const std::string& message) {
  std::string text;
  for (const char c : message) text.append(c == '#' ? 2 : 1, c);
  return text;
}

}  // namespace

importer_log::importer_log(fmi3LogMessageCallback callback, fmi3InstanceEnvironment environment, bool on)
    : callback_(callback), environment_(environment) {
  if (on) switch_categories(true, 0, nullptr);
}

void importer_log::switch_categories(bool on, std::size_t count, const fmi3String categories[]) {
  std::set<std::string> named(categories, categories + count), known;
  for (const fmu_log_category& category : fmu_log_categories) known.insert(category.name);
  for (const std::string& name : named)
    if (known.count(name) == 0) throw illegal_call("unknown category '" + name + "'; expected one of LogCategories");
  for (const std::string& name : count > 0 ? named : known)
    if (on)
      on_.insert(name);
    else
      on_.erase(name);
}

void importer_log::tell(fmi3Status status, const fmu_log_category& category, const std::string& message) const {
  if (callback_ != nullptr && (status >= fmi3Error || on_.count(category.name) > 0))
    callback_(environment_, status, category.name, escaped(message).c_str());
}

}  // namespace muster
