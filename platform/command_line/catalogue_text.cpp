#include "platform/command_line/catalogue_text.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muster/policies/catalogue.h"
#include "platform/command_line/key_text.h"
#include "platform/metrics/metric.h"
#include "platform/model/utility_function.h"
#include "platform/random/distribution.h"
#include "platform/results/result_directory.h"
#include "platform/scenario/scenario_file.h"

namespace muster {

namespace {

std::string text_of(const bound& b) {
  if (!b.from_cores) return fmt::format("{}", b.offset);
  return b.offset == 0 ? "k" : fmt::format("k {} {}", b.offset < 0 ? "-" : "+", std::abs(b.offset));
}

struct type_text {
  std::string operator()(const integer_parameter& p) const {
    return fmt::format("integer, {} .. {}, default {}", text_of(p.lowest), text_of(p.highest), text_of(p.standard));
  }
  std::string operator()(const number_parameter& p) const {
    return p.standard ? fmt::format("{}, default {:g}", p.range, *p.standard) : std::string{p.range};
  }
  std::string operator()(const choice_parameter& p) const {
    return fmt::format("one of {}, default {}", fmt::join(p.words, ", "), p.words.front());
  }
  std::string operator()(const class_order_parameter&) const { return "list of all classes, default descending need"; }
  std::string operator()(const schedules_parameter&) const { return "list of { class = jobs, ... }"; }
  std::string operator()(const square_matrix_parameter&) const { return "list of as many lists of numbers >= 0"; }
};

// What a parameter is to the others of its policy.
std::string relation_of(const parameter& p) {
  if (!p.instead_of.empty()) return fmt::format(", instead of {}", p.instead_of);
  const auto& [choice, word] = p.no_effect_with;
  return choice.empty() ? "" : fmt::format(", not with {} = {}", choice, word);
}

// @param before the name where it stands in a scenario
std::string text_of(const parameter& p, const char* before) {
  return fmt::format("    {}{} ({}{})\n        {}\n", before, p.name, std::visit(type_text{}, p.type), relation_of(p),
                     p.help);
}

std::string policies() {
  std::string text = "k is the number of all cores of the platform, whichever classes may use them.\n";
  for (const policy_entry* e : policy_catalogue()) {
    text += fmt::format("\n{}\n    {}\n", e->name, e->about);
    if (e->preempts) text += "    it preempts: platform.costs.save, restore and migration apply\n";
    if (e->sees_sizes) text += "    it knows the sizes of jobs, which a real scheduler does not\n";
    for (const parameter& p : e->parameters) text += text_of(p, "");
    for (const parameter& p : e->class_parameters) text += text_of(p, "classes.*.policy.");
  }
  return text;
}

std::string distributions() {
  std::string text;
  for (const distribution_entry* e : distribution_catalogue()) {
    text += fmt::format("{}\n    {}\n", e->name, e->about);
    for (const distribution_form& form : e->forms) {
      std::vector<std::string> parts;
      parts.reserve(form.size());
      for (const distribution_parameter& p : form) parts.push_back(fmt::format("{} ({})", p.name, p.range));
      text += fmt::format("    {{ distribution = \"{}\", {} }}\n", e->name, fmt::join(parts, ", "));
    }
  }
  return text;
}

std::string utilities() {
  std::string text = "x is the share of a slotted job's work that is done, f(x) that of its utility.\n\n";
  for (const utility_entry& e : utility_catalogue()) {
    std::string parameters;
    for (const utility_parameter& p : e.parameters) parameters += fmt::format(", {} ({})", p.name, p.range);
    text += fmt::format("{}\n    {}\n    {{ function = \"{}\"{} }}\n", e.name, e.about, e.name, parameters);
  }
  return text +
         "points\n    straight lines between points (x, f); the first is [0, 0], the last at x = 1, f never decreases\n"
         "    { points = [[0.0, 0.0], [0.5, 0.8], [1.0, 1.0]] }\n";
}

std::string where_measured(const metric_entry& m) {
  if (m.measured.words.empty()) return "";
  return fmt::format("; {}{}", m.scope == metric_scope::study ? "" : "needs ", m.measured.words);
}

std::string metrics() {
  std::string text;
  for (const metric_entry& m : metric_catalogue())
    text += fmt::format("{:<24} {:<7} {}{}\n", m.name, m.unit.empty() ? "-" : m.unit, m.about, where_measured(m));
  return text;
}

// Here, or those that belong to the program: in its source tree, or installed with it.
std::filesystem::path scenario_folder() {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const std::filesystem::path& folder : {std::filesystem::path("scenarios"), program.parent_path() / "scenarios",
                                              program.parent_path() / "share/muster/scenarios"})
    if (std::filesystem::is_directory(folder)) return folder;
  throw output_error("no folder 'scenarios' here, nor where the program is installed");
}

std::string scenarios() {
  const std::filesystem::path folder = scenario_folder();
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::string text;
  for (const auto& file : files)
    text += fmt::format("{}\n    {}\n", file.string(), read_study(file.string(), {}).about);
  return text;
}

}  // namespace

std::string list_of(const std::string& subject) {
  if (subject == "policies") return policies();
  if (subject == "distributions") return distributions();
  if (subject == "utilities") return utilities();
  if (subject == "metrics") return metrics();
  if (subject == "keys") return key_list();
  return scenarios();
}

}  // namespace muster
