#include "platform/scenario/point_settings.h"

#include <optional>

#include "platform/toml/diagnostics.h"
#include "platform/toml/dotted_key.h"
#include "platform/toml/toml_value.h"

namespace muster {

namespace {

toml_value resolved_document(const study& s) {
  findings none{{s.name}};
  std::optional<toml_value> document = parse_toml(s.resolved, 0, none);
  none.throw_if_any();
  return std::move(*document);
}

// The value that the sweep puts into a point for each of its keys; the last key varies fastest.
std::vector<toml_value> values_of(const study& s, const toml_value& document, std::size_t point) {
  std::vector<toml_value> values(s.keys.size());
  for (std::size_t k = s.keys.size(); k-- > 0;) {
    const toml_array& all = *document.find("sweep")->find(s.keys[k])->as<toml_array>();
    values[k] = all[point % all.size()];
    point /= all.size();
  }
  return values;
}

}  // namespace

std::vector<std::string> point_settings(const study& s, std::size_t point) {
  toml_value document = resolved_document(s);
  const std::vector<toml_value> values = values_of(s, document, point);
  std::vector<std::string> settings;
  for (std::size_t k = 0; k < s.keys.size(); ++k) {
    assign(document, *split_key(s.keys[k]), {}, values[k]);
    if (s.keys[k] != "arrivals.load" && s.keys[k] != "arrivals.factor")
      settings.push_back(s.keys[k] + "=" + to_toml(values[k]));
  }
  const toml_value* const factor = find(document, {"arrivals", "factor"});
  if (find(document, {"arrivals", "load"})) {
    settings.push_back("arrivals.rate=" + float_literal(s.points[point].model.arrivals.rate));
    if (factor) settings.emplace_back("arrivals.factor=1.0");
  } else if (factor) {
    settings.push_back("arrivals.factor=" + to_toml(*factor));
  }
  return settings;
}

}  // namespace muster
