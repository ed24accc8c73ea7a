#include "platform/model/features.h"

#include <algorithm>

namespace muster {

namespace {

struct feature_entry {
  feature bit;
  const char* word;
  bool (*present)(const scenario& model);
};

bool any_server_wakes(const scenario& model) {
  return std::any_of(model.servers.begin(), model.servers.end(), [](const server_spec& s) { return s.power.delays(); });
}

constexpr feature_entry entries[] = {
    {with_costs, "costs", [](const scenario& model) { return model.costs.any(); }},
    {with_links, "links", [](const scenario& model) { return model.network.takes_time(); }},
    {with_decisions, "decisions", [](const scenario& model) { return model.decision.takes_time(); }},
    {with_failures, "failures", [](const scenario& model) { return model.servers_fail(); }},
    {with_waking, "waking", any_server_wakes},
    {with_data, "data", [](const scenario& model) { return model.data != nullptr; }}};

}  // namespace

unsigned features_of(const scenario& model) {
  unsigned all = 0;
  for (const feature_entry& e : entries)
    if (e.present(model)) all |= e.bit;
  return all;
}

std::vector<std::string> feature_words(unsigned features) {
  std::vector<std::string> words;
  for (const feature_entry& e : entries)
    if (features & e.bit) words.emplace_back(e.word);
  return words;
}

}  // namespace muster
