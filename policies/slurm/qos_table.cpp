#include "muster/policies/slurm/qos_table.h"

#include <algorithm>
#include <string_view>

#include "muster/policies/slurm/preempt_terms.h"
#include "muster/policies/slurm/running_limits.h"

namespace muster {

namespace {

// The names of a list such as "low,standby".
std::vector<std::string_view> names_in_list(std::string_view text) {
  std::vector<std::string_view> names;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (end > 0) names.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

// The places of the QOS that each one preempts, those that there are not left out.
std::vector<std::vector<std::size_t>> preempted_by(const std::vector<named_settings>& all) {
  std::vector<std::vector<std::size_t>> preempted(all.size());
  for (std::size_t n = 0; n < all.size(); ++n)
    for (const std::string_view name : names_in_list(all[n].values.choice("Preempt")))
      if (const auto place = place_of(all, name)) preempted[n].push_back(*place);
  return preempted;
}

// The levels of all QOS, see qos_table::level(); those of a circle, and of what leads to it, are as large as the number
// of QOS.
std::vector<std::size_t> levels_of(const std::vector<std::vector<std::size_t>>& preempted) {
  std::vector<std::size_t> levels(preempted.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t n = 0; n < levels.size(); ++n)
      for (const std::size_t other : preempted[n])
        if (const std::size_t level = std::min(levels[other] + 1, levels.size()); level > levels[n]) {
          levels[n] = level;
          changed = true;
        }
  }
  return levels;
}

}  // namespace

std::vector<parameter> qos_table::parameters() {
  std::vector<parameter> all{
      {"Priority", integer_parameter{{0}, {4'000'000'000}, {0}}, "over the largest of all QOS: factor of priorities"}};
  for (const parameter& limit : running_limits::qos_parameters()) all.push_back(limit);
  all.push_back({"OverPartQOS", choice_parameter{{"no", "yes"}}, "whether its limits hold before a partition's"});
  all.push_back({"Preempt", text_parameter{}, "names of QOS whose jobs give way, set apart by commas"});
  for (const parameter& p : preempt_terms_table::of_qos()) all.push_back(p);
  return all;
}

std::optional<setting_conflict> qos_table::objection(const settings& given) {
  const std::vector<named_settings>& all = given.tables("qos");
  for (const auto& [name, values] : all)
    for (const std::string_view other : names_in_list(values.choice("Preempt")))
      if (!place_of(all, other))
        return setting_conflict{"qos", "Preempt of '" + name + "' names '" + std::string(other) +
                                           "', which there is not; expected names of qos, set apart by commas"};
  const std::vector<std::size_t> levels = levels_of(preempted_by(all));
  for (std::size_t n = 0; n < all.size(); ++n)
    if (levels[n] == all.size())
      return setting_conflict{"qos", "'" + all[n].name +
                                         "' preempts itself, or such a QOS, by way of others; expected Preempt without "
                                         "a circle"};
  return std::nullopt;
}

qos_table::qos_table(const settings& given) : rows_(given.tables("qos").size() + 1) {
  const std::vector<named_settings>& all = given.tables("qos");
  const auto preempted = preempted_by(all);
  const std::vector<std::size_t> levels = levels_of(preempted);
  for (row& r : rows_) r.preempts.resize(rows_.size());
  std::uint64_t largest = 1;
  for (std::size_t n = 0; n < all.size(); ++n) {
    row& r = rows_[n + 1];
    r.name = all[n].name;
    r.priority = static_cast<std::uint64_t>(all[n].values.integer("Priority"));
    r.level = levels[n];
    for (const std::size_t other : preempted[n]) r.preempts[other + 1] = true;
    largest = std::max(largest, r.priority);
  }
  for (row& r : rows_) r.factor = static_cast<double>(r.priority) / static_cast<double>(largest);
}

}  // namespace muster
