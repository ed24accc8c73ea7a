#include "platform/command_line/catalogue_text.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/algorithm/string/case_conv.hpp>

#include "muster/policies/catalogue.h"
#include "muster/policies/dispatching.h"
#include "muster/policies/governor.h"
#include "muster/policies/placement.h"
#include "platform/command_line/key_text.h"
#include "platform/metrics/metric.h"
#include "platform/model/utility_function.h"
#include "platform/scenario/scenario_file.h"
#include "platform/store/result_directory.h"
#include "platform/tables/table_layout.h"
#include "platform/trace/trace_kind.h"

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
  std::string operator()(const text_parameter&) const { return "text, default none"; }
  std::string operator()(const tables_parameter&) const { return "tables by name, default none"; }
};

// What a parameter is to the others of its policy.
std::string relation_of(const parameter& p) {
  if (!p.instead_of.empty()) return fmt::format(", instead of {}", p.instead_of);
  const auto& [choice, word] = p.no_effect_with;
  return choice.empty() ? "" : fmt::format(", not with {} = {}", choice, word);
}

// @param before the name where it stands in a scenario
std::string text_of(const parameter& p, const std::string& before) {
  std::string text = fmt::format("    {}{} ({}{})\n        {}\n", before, p.name, std::visit(type_text{}, p.type),
                                 relation_of(p), p.help);
  if (const auto* tables = std::get_if<tables_parameter>(&p.type))
    for (const parameter& one : tables->of_each()) text += text_of(one, fmt::format("{}{}.*.", before, p.name));
  return text;
}

// A study whose jobs such a policy serves.
std::string_view study_of(job_kind jobs) {
  if (jobs == job_kind::rigid) return "quickswap_one_or_all";
  return jobs == job_kind::pooled ? "balanced_fairness_two_servers" : "ispeed_homogeneous";
}

std::vector<listed_name> policies() {
  std::vector<listed_name> listed;
  for (const policy_entry* e : policy_catalogue()) {
    std::string text = fmt::format("{}\n    {}\n", e->name, e->about);
    if (e->loses_work)
      text +=
          fmt::format("    it {} jobs, which begin anew{}: platform.costs.save, restore and migration have no effect\n",
                      e->preempts_with ? "may kill" : "kills", e->kills_for_good ? ", or have ended" : "");
    else if (e->preempts)
      text += "    it preempts: platform.costs.save, restore and migration apply\n";
    if (e->any_resources) text += "    it runs with any resources: jobs may need tasks, see platform.resources\n";
    if (e->any_needs) text += "    it takes classes whose jobs differ in need, as the jobs of a list may\n";
    if (e->uses_estimates) text += "    it plans with estimates of the sizes of jobs, see arrivals.estimate\n";
    if (e->sees_sizes) text += "    it knows the sizes of jobs, which a real scheduler does not\n";
    for (const parameter& p : e->parameters) text += text_of(p, "");
    for (const parameter& p : e->class_parameters) text += text_of(p, "classes.*.policy.");
    listed.push_back({std::string(e->name), text,
                      fmt::format("muster run scenarios/{}.toml --set policy.name={}", study_of(e->jobs()), e->name)});
  }
  return listed;
}

std::string range_of(const distribution_parameter& p) { return std::string(p.range); }
std::string range_of(const described_key& p) { return value_of(p); }

// What names a distribution or a function, with its parameters.
template <class Entry, class Parameters>
std::string form_of(const char* key, const Entry& entry, const Parameters& parameters) {
  std::string text;
  for (const auto& p : parameters) text += fmt::format(", {} ({})", p.name, range_of(p));
  return fmt::format("    {{ {} = \"{}\"{} }}\n", key, entry.name, text);
}

// An option that names a distribution or a function, with words in capitals in place of values.
template <class Entry, class Parameters>
std::string setting_of(const char* where, const char* key, const Entry& entry, const Parameters& parameters) {
  std::string text;
  for (const auto& p : parameters) text += fmt::format(", {} = {}", p.name, boost::to_upper_copy(std::string(p.name)));
  return fmt::format("muster run SCENARIO.toml --set '{}={{ {} = \"{}\"{} }}'", where, key, entry.name, text);
}

// Entries of which there is no more to say than a sentence. @param option of `run` that an example has before the name
template <class Entry>
std::vector<listed_name> with_sentences(const std::vector<const Entry*>& entries, const char* option) {
  std::vector<listed_name> listed;
  listed.reserve(entries.size());
  for (const Entry* e : entries)
    listed.push_back({std::string(e->name), fmt::format("{}\n    {}\n", e->name, e->about),
                      fmt::format("muster run SCENARIO.toml --set {}={}", option, e->name)});
  return listed;
}

std::vector<listed_name> placements() { return with_sentences(placement_catalogue(), "platform.placement"); }

std::vector<listed_name> governors() { return with_sentences(governor_catalogue(), "platform.servers.ENTRY.governor"); }

std::vector<listed_name> dispatching_rules() {
  return with_sentences(dispatching_catalogue(), "platform.schedulers.count=4 --set platform.schedulers.dispatching");
}

std::vector<listed_name> distributions() {
  std::vector<listed_name> listed;
  for (const distribution_entry* e : distribution_catalogue()) {
    std::string text = fmt::format("{}\n    {}\n", e->name, e->about);
    for (const distribution_form& form : e->forms) text += form_of("distribution", *e, form);
    listed.push_back({std::string(e->name), text, setting_of("classes.*.size", "distribution", *e, e->forms.front())});
  }
  return listed;
}

std::vector<listed_name> utilities() {
  std::vector<listed_name> listed;
  for (const utility_entry& e : utility_catalogue())
    listed.push_back({std::string(e.name),
                      fmt::format("{}\n    {}\n{}", e.name, e.about, form_of("function", e, e.parameters)),
                      setting_of("classes.*.utility", "function", e, e.parameters)});
  const std::string points = "{ points = [[0.0, 0.0], [0.5, 0.8], [1.0, 1.0]] }";
  listed.push_back({"points",
                    "points\n    straight lines between points (x, f); the first is [0, 0], the last at x = 1, f never "
                    "decreases\n    " +
                        points + "\n",
                    "muster run SCENARIO.toml --set 'classes.*.utility=" + points + "'"});
  return listed;
}

std::string where_measured(const metric_entry& m) {
  if (m.measured.words.empty()) return "";
  return fmt::format("; {}{}", m.scope == metric_scope::study ? "" : "needs ", m.measured.words);
}

const char* better_values(const metric_entry& m) {
  if (m.better == metric_preference::none) return "";
  return m.better == metric_preference::larger ? "; more is better" : "; less is better";
}

std::string use_of(const metric_entry& m) {
  if (m.scope == metric_scope::study)
    return fmt::format("muster run SCENARIO.toml --out DIR && grep ,{}, DIR/results.csv", m.name);
  if (m.better == metric_preference::none)
    return fmt::format("muster crossover SCENARIO.toml --over KEY=LOW:HIGH --between POLICY POLICY --metric {}",
                       m.name);
  return fmt::format("muster tune SCENARIO.toml --over KEY=LOW:HIGH --{} {}",
                     m.better == metric_preference::larger ? "maximize" : "minimize", m.name);
}

std::vector<listed_name> metrics() {
  std::vector<listed_name> listed;
  for (const metric_entry& m : metric_catalogue())
    listed.push_back({std::string(m.name),
                      fmt::format("{:<24} {:<7} {}{}{}\n", m.name, m.unit.empty() ? "-" : m.unit, m.about,
                                  where_measured(m), better_values(m)),
                      use_of(m), std::string(m.unit)});
  return listed;
}

std::vector<listed_name> traces() {
  std::vector<listed_name> listed;
  for (const trace_kind& k : trace_catalogue())
    listed.push_back({std::string(k.name),
                      fmt::format("{0}\n    {1}\n    {2}{3}, or {2}_POINT{3} where there are several points\n", k.name,
                                  k.about, k.stem, k.extension),
                      fmt::format("muster run SCENARIO.toml --trace {}", k.name)});
  return listed;
}

std::vector<listed_name> keys() {
  std::vector<listed_name> listed;
  for (const std::string& path : key_paths()) listed.push_back({path, *key_help(path), ""});
  return listed;
}

// The folder of scenarios: here, or that of the program, in its source tree or installed with it.
std::filesystem::path scenario_folder() {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const std::filesystem::path& folder : {std::filesystem::path("scenarios"), program.parent_path() / "scenarios",
                                              program.parent_path() / "share/muster/scenarios"})
    if (std::filesystem::is_directory(folder)) return folder;
  throw output_error("no folder 'scenarios' here, nor where the program is installed");
}

std::vector<listed_name> scenarios() {
  std::vector<listed_name> listed;
  for (const auto& entry : std::filesystem::directory_iterator(scenario_folder())) {
    const std::string file = entry.path().string();
    if (entry.path().extension() == ".toml")
      listed.push_back({file, fmt::format("{}\n    {}\n", file, read_study(file, {}).about), "muster check " + file});
  }
  std::sort(listed.begin(), listed.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return listed;
}

// The text of a name without the name and unit, in one line.
std::string meaning_of(const listed_name& n) {
  std::istringstream words(n.text.substr(n.text.find(n.unit, n.name.size()) + n.unit.size()));
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace

table_document list_subject::output() const {
  table_document all{std::string(name)};
  if (table) {
    all.add(table());
    return all;
  }
  const std::vector<listed_name> listed = entries();
  std::vector<std::string> texts;
  texts.reserve(listed.size());
  for (const listed_name& n : listed) texts.push_back(n.text);
  all.say(fmt::format("{}{}", before, fmt::join(texts, between)));
  table_layout<listed_name> layout{std::string(name)};
  layout.text("name", &listed_name::name)
      .text("unit", &listed_name::unit)
      .text("meaning", meaning_of)
      .text("example", &listed_name::example);
  all.add_data(layout.table(listed));
  return all;
}

const std::vector<list_subject>& list_subjects() {
  static const std::vector<list_subject> all{
      {"policies", policies, "k is the number of all cores of the platform, whichever classes may use them.\n\n", "\n"},
      {"placements", placements,
       "A job that its server cannot hold takes what is idle there, and so on with the rest.\n\n"},
      {"governors", governors, "A governor chooses the frequency of a server's cores, see `muster help governor`.\n\n"},
      {"dispatching", dispatching_rules, "The scheduler to which a job goes, where a platform has several.\n\n"},
      {"distributions", distributions},
      {"utilities", utilities, "x is the share of a slotted job's work that is done, f(x) that of its utility.\n\n"},
      {"metrics", metrics},
      {"traces", traces},
      {"keys", keys, "", "", true, key_table},
      {"scenarios", scenarios, "", "", false}};
  return all;
}

}  // namespace muster
