#include "platform/model/features.h"

#include <algorithm>

namespace muster {

namespace {

struct feature_entry {
  feature bit;
  const char* word;
  bool (*present)(const scenario& what);
};

bool any_server_wakes(const scenario& what) {
  return std::any_of(what.servers.begin(), what.servers.end(), [](const server_spec& s) { return s.power.delays(); });
}

constexpr feature_entry entries[] = {
    {with_costs, "costs", [](const scenario& what) { return what.costs.any(); }},
    {with_links, "links", [](const scenario& what) { return what.network.takes_time(); }},
    {with_decisions, "decisions", [](const scenario& what) { return what.decision.takes_time(); }},
    {with_failures, "failures", [](const scenario& what) { return what.servers_fail(); }},
    {with_waking, "waking", any_server_wakes}};

}  // namespace

unsigned features_of(const scenario& what) {
  unsigned all = 0;
  for (const feature_entry& e : entries)
    if (e.present(what)) all |= e.bit;
  return all;
}

std::vector<std::string> feature_words(unsigned features) {
  std::vector<std::string> words;
  for (const feature_entry& e : entries)
    if (features & e.bit) words.emplace_back(e.word);
  return words;
}

}  // namespace muster
