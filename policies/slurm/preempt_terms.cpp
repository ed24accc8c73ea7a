#include "muster/policies/slurm/preempt_terms.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace muster {

namespace {

constexpr std::string_view type_of_preemption = "PreemptType", mode_of_preemption = "PreemptMode",
                           exempt_time = "PreemptExemptTime";

ticks ticks_of(double seconds, ticks second) {
  return static_cast<ticks>(std::llround(seconds * static_cast<double>(second)));
}

bool preempts_by_qos(const settings& given) { return given.choice(type_of_preemption) == "qos"; }

// The PreemptMode of a partition or a QOS, or of the cluster where it has none of its own.
const std::string& mode_of(const settings& own, const settings& given) {
  const std::string& mode = own.choice(mode_of_preemption);
  return mode == "of_cluster" || mode == "cluster" ? given.choice(mode_of_preemption) : mode;
}

// Parameters that partitions and QOS have, beside PreemptMode.
void add_times(std::vector<parameter>& all) {
  all.push_back(
      {"GraceTime", integer_parameter{{0}, {365 * 86400}, {0}}, "s that its jobs run on before they give way"});
  all.push_back({exempt_time, number_parameter{"a number >= -1", -1.0, false, -1.0},
                 "s that its jobs run before they give way; below 0: as else"});
}

}  // namespace

parameter preempt_terms_table::of_cluster() {
  return {mode_of_preemption, choice_parameter{{"off", "requeue", "cancel"}}, "how jobs give way"};
}

std::vector<parameter> preempt_terms_table::of_partition() {
  std::vector<parameter> all{{mode_of_preemption, choice_parameter{{"of_cluster", "off", "requeue", "cancel"}},
                              "how its jobs give way by partition"}};
  add_times(all);
  return all;
}

std::vector<parameter> preempt_terms_table::of_qos() {
  std::vector<parameter> all{
      {mode_of_preemption, choice_parameter{{"cluster", "requeue", "cancel"}}, "how its jobs give way by QOS"}};
  add_times(all);
  return all;
}

std::optional<setting_conflict> preempt_terms_table::objection(const settings& given) {
  const std::string &type = given.choice(type_of_preemption), &mode = given.choice(mode_of_preemption);
  const bool has_mode = mode != "off";
  if (preempts(given) == has_mode) return std::nullopt;
  return setting_conflict{mode_of_preemption, "expected " + std::string(has_mode ? "'off'" : "'requeue' or 'cancel'") +
                                                  " with PreemptType '" + type + "', found '" + mode + "'"};
}

bool preempt_terms_table::cancels(const settings& given, const settings& of_partition) {
  if (!preempts(given)) return false;
  if (!preempts_by_qos(given)) return mode_of(of_partition, given) == "cancel";
  const std::vector<named_settings>& qos = given.tables("qos");
  return std::any_of(qos.begin(), qos.end(),
                     [&](const named_settings& q) { return mode_of(q.values, given) == "cancel"; });
}

preempt_terms_table::row preempt_terms_table::row_of(const settings& own, const settings& given, ticks second) {
  row r;
  if (!preempts(given)) return r;
  const std::string& mode = mode_of(own, given);
  if (mode != "off") r.terms = preempt_terms{mode == "cancel", static_cast<ticks>(own.integer("GraceTime")) * second};
  if (own.number(exempt_time) >= 0.0) r.exempt = ticks_of(own.number(exempt_time), second);
  return r;
}

preempt_terms_table::preempt_terms_table(const cluster_view& cluster, const settings& given, ticks second)
    : by_qos_(preempts_by_qos(given)), exempt_(ticks_of(given.number(exempt_time), second)), of_qos_(1) {
  for (const class_id id : cluster.classes()) of_class_.push_back(row_of(cluster.parameters(id), given, second));
  for (const auto& [name, values] : given.tables("qos")) {
    of_qos_.push_back(row_of(values, given, second));
    of_qos_.back().over_partition = values.choice("OverPartQOS") == "yes";
  }
}

std::optional<preempt_terms> preempt_terms_table::of(class_id type, std::size_t qos) const {
  const row &of_class = of_class_[type], &of_qos = of_qos_[qos];
  std::optional<preempt_terms> found = by_qos_ ? of_qos.terms : of_class.terms;
  if (!found) return found;
  if (of_class.exempt && !(of_qos.over_partition && of_qos.exempt))
    found->exempt = *of_class.exempt;
  else
    found->exempt = of_qos.exempt.value_or(exempt_);
  return found;
}

}  // namespace muster
