#include "platform/scenario/study_warnings.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "muster/policies/catalogue.h"
#include "platform/model/class_table.h"
#include "platform/model/data_spec.h"
#include "platform/model/job_kind.h"
#include "platform/model/network_topology.h"
#include "platform/scenario/range_of_clock.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/dotted_key.h"

namespace muster {

namespace {

bool looks_at_next_unit_alone(const policy_spec& policy) {
  const std::pair<std::string, setting_value> literal{"gain", std::string{"literal"}};
  return policy.name == "ispeed" &&
         std::find(policy.settings.begin(), policy.settings.end(), literal) != policy.settings.end();
}

bool concave(const class_spec& spec, const std::vector<listed_job>& list) {
  if (spec.slotted->worth) return spec.slotted->worth->concave();
  return std::all_of(list.begin(), list.end(), [](const listed_job& job) { return job.worth->concave(); });
}

void warn_of_utilities(const study& s, std::set<std::string>& sentences) {
  for (const study::point& p : s.points) {
    if (!looks_at_next_unit_alone(p.model.policy)) continue;
    for (const class_spec& c : p.model.classes)
      if (!concave(c, p.model.arrivals.list))
        sentences.insert(fmt::format(
            "class {}: its utility is not concave, and ispeed with gain 'literal' looks no further than the "
            "next unit; gain 'envelope' looks ahead",
            in_quotes(c.name)));
  }
}

bool preempts(const scenario& model) { return kind_of_jobs(model) != job_kind::rigid || may_preempt(model); }

bool saves_state(const scenario& model) { return preempts(model) && !find_policy(model.policy.name)->loses_work; }

bool resumes_after_failures(const scenario& model) { return model.servers_fail() && model.checkpoint_every; }

// A job that keeps its cores until it is complete never saves its state, and fetches it only if a server fails and the
// job does not begin anew.
void warn_of_costs(const study& s, std::set<std::string>& sentences) {
  const auto any = [&](bool (*holds)(const scenario&)) {
    return std::any_of(s.points.begin(), s.points.end(), [&](const study::point& p) { return holds(p.model); });
  };
  if (any(saves_state)) return;
  const std::string policy = any(preempts) ? "the policy saves no state" : "the policy does not preempt";
  const auto warn = [&](const char* cost, double cost_spec::*of, const std::string& why) {
    if (std::any_of(s.points.begin(), s.points.end(), [&](const study::point& p) { return p.model.costs.*of > 0.0; }))
      sentences.insert(fmt::format("platform.costs.{} has no effect: {}{}", cost, policy, why));
  };
  warn("save", &cost_spec::save, "");
  if (any(resumes_after_failures)) return;
  const bool fail = any([](const scenario& model) { return model.servers_fail(); });
  const std::string and_why =
      fail ? ", and jobs whose servers fail begin anew without checkpoint_every" : ", and no server fails";
  warn("restore", &cost_spec::restore, and_why);
  warn("migration", &cost_spec::migration, and_why);
}

bool any_bandwidth(const network_spec& network) {
  std::vector<edge_spec> all = network.shape->way_to_server(network);
  if (network.shape->other_edges)
    for (const edge_spec& e : network.shape->other_edges(network)) all.push_back(e);
  if (network.file)
    for (const listed_network::edge& e : network.file->edges) all.push_back(e.with);
  return std::any_of(all.begin(), all.end(), [](const edge_spec& e) { return e.bandwidth.has_value(); });
}

void warn_of_exchange(const study& s, std::set<std::string>& sentences) {
  if (std::any_of(s.points.begin(), s.points.end(),
                  [](const study::point& p) { return p.model.exchanges_data() && !any_bandwidth(p.model.network); }))
    sentences.insert("exchange of classes has no effect: no edge of platform.link has a bandwidth");
  for (const study::point& p : s.points) {
    if (!p.model.data) continue;
    for (const class_spec& c : p.model.classes)
      if (const auto data = p.model.data->classes.find(c.name);
          c.exchange && data != p.model.data->classes.end() && data->second.input)
        sentences.insert(fmt::format(
            "class {}: its jobs exchange data only while all of their servers work; a server whose input comes first "
            "works alone meanwhile, and sends nothing",
            in_quotes(c.name)));
  }
}

// Jobs that lose their cores at the end of each slot then make no progress.
void warn_of_slots(const study& s, std::set<std::string>& sentences) {
  for (const study::point& p : s.points) {
    const cost_spec& costs = p.model.costs;
    const double of_core = costs.dispatch_latency + costs.epsilon * p.model.slot + costs.restore + costs.save;
    if (is_slotted(p.model) && of_core >= p.model.slot)
      sentences.insert(fmt::format(
          "a core that a job gets anew costs {} {} by platform.costs, and a slot has {}: jobs make progress only on "
          "cores that they keep from slot to slot",
          of_core, p.model.unit.name, p.model.slot));
  }
}

void warn_of_variances(const study& s, std::set<std::string>& sentences) {
  for (const study::point& p : s.points)
    for (const class_spec& c : p.model.classes)
      if (c.size.infinite_moment() <= 2.0)
        sentences.insert(
            fmt::format("class {}: its sizes have an infinite variance, so that mean times may be infinite at any "
                        "load, however long "
                        "the run; percentiles such as response_time_p95 are finite",
                        in_quotes(c.name)));
}

void warn_of_comparison(const study& s, std::set<std::string>& sentences) {
  if (std::any_of(s.keys.begin(), s.keys.end(), [](const std::string& key) { return lies_within(key, "policy"); }))
    return;
  const scenario& first = s.points.front().model;
  constexpr const char* why = "has no effect: no two points differ in the policy alone";
  if (first.run.precision && first.run.precision->equal_within)
    sentences.insert(fmt::format("run.equal_within {}", why));
  if (!first.report.where.empty()) sentences.insert(fmt::format("report.where {}", why));
}

// The point that lasts longest stands for all.
void warn_of_range(const study& s, std::set<std::string>& sentences) {
  std::optional<long_replication> longest;
  std::size_t where = 0;
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    std::optional<long_replication> found = find_long_replication(s.points[p].model);
    if (!found || (longest && longest->share >= found->share)) continue;
    longest = std::move(found);
    where = p;
  }
  if (longest) sentences.insert((s.points.size() > 1 ? s.label(where) + ": " : "") + longest->words);
}

}  // namespace

std::vector<std::string> study_warnings(const study& s) {
  std::set<std::string> sentences;
  warn_of_utilities(s, sentences);
  warn_of_costs(s, sentences);
  warn_of_exchange(s, sentences);
  warn_of_slots(s, sentences);
  warn_of_variances(s, sentences);
  warn_of_comparison(s, sentences);
  warn_of_range(s, sentences);
  return {sentences.begin(), sentences.end()};
}

}  // namespace muster
