#pragma once

#include <string>
#include <vector>

#include "platform/model/scenario.h"

namespace muster {

/// A class of pooled jobs for a test: exponential sizes unless told otherwise.
struct pooled_class_spec {
  double rate;
  std::vector<std::string> servers;
  double mean = 1.0;
  std::uint32_t drawn = 0;
};

inline distribution exponential(double mean) { return distribution::make("exponential", {{"mean", {mean}}}); }

/// Classes are called a, b, ..; those that draw list all servers by themselves.
inline scenario pooled(std::vector<server_spec> servers, const std::vector<pooled_class_spec>& classes,
                       const std::string& policy = "balanced_fair") {
  scenario model;
  model.name = "pooled";
  model.servers = std::move(servers);
  for (const pooled_class_spec& given : classes) model.arrivals.rate += given.rate;
  for (const pooled_class_spec& given : classes) {
    class_spec c;
    c.name = std::string(1, static_cast<char>('a' + model.classes.size()));
    c.rate = given.rate;
    c.share = given.rate / model.arrivals.rate;
    c.size = exponential(given.mean);
    c.servers = given.servers;
    c.drawn = given.drawn;
    if (c.drawn)
      for (const server_spec& s : model.servers) c.servers.push_back(s.name);
    model.classes.push_back(std::move(c));
  }
  model.policy.name = policy;
  if (policy == "balanced_fair") model.policy.settings = {{"theta", 1.0}};
  return model;
}

}  // namespace muster
