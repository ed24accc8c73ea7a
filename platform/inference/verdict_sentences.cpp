#include "platform/inference/verdict_sentences.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/tables/number_text.h"

namespace muster {

namespace {

std::vector<std::string> names_of(const std::vector<const entrant*>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const entrant* c : all)
    names.push_back(c->policy + (c->equal_within         ? " (equal)"
                                 : c->bound_note.empty() ? ""
                                                         : " (" + c->bound_note + ")"));
  return names;
}

const entrant* find(const contest& c, const std::string& policy) {
  const auto found =
      std::find_if(c.ranked.begin(), c.ranked.end(), [&](const entrant& other) { return other.policy == policy; });
  return found == c.ranked.end() ? nullptr : &*found;
}

/// Whether one contest has another's best among its worse ones, and the other way round.
bool lead_differs(const contest& a, const contest& b) {
  if (!a.best() || !b.best()) return false;
  const entrant* of_a = find(b, a.best()->policy);
  const entrant* of_b = find(a, b.best()->policy);
  return of_a && of_b && of_a->rank == policy_rank::worse && of_b->rank == policy_rank::worse;
}

std::string at(const verdict& v, const std::string& value) {
  return v.key.empty() ? "" : fmt::format(" at {} = {}", v.key, value);
}

/// Adds a sentence for each change of the lead along the rows; rows in between may not distinguish the two policies.
void add_changes(const verdict& v, const metric_verdict& m, std::vector<std::string>& sentences) {
  for (std::size_t o = 0; o < m.by_others.size(); ++o) {
    const std::vector<contest>& rows = m.by_others[o];
    std::size_t from = 0;
    for (std::size_t to = 1; to < rows.size(); ++to) {
      if (!rows[from].best()) from = to;
      if (!lead_differs(rows[from], rows[to])) continue;
      for (std::size_t i = from + 1; i < to; ++i)
        if (lead_differs(rows[i], rows[to])) from = i;
      sentences.push_back(fmt::format("{}: the lead passes from {} to {} between {} = {} and {}{}", m.of.title(),
                                      rows[from].best()->policy, rows[to].best()->policy, v.key, v.values[from],
                                      v.values[to], v.others[o].empty() ? "" : ", with " + v.others[o]));
      from = to;
    }
  }
}

/// Adds the changes that the other keys make, against their first values: of the lead, and of the value of the best at
/// the last row that has one.
void add_effects(const verdict& v, std::vector<std::string>& sentences) {
  for (std::size_t o = 1; o < v.others.size(); ++o) {
    std::vector<std::string> changes, costs;
    for (const metric_verdict& m : v.metrics) {
      const std::vector<contest>&before = m.by_others.front(), &after = m.by_others[o];
      std::string cost;
      for (std::size_t i = 0; i < v.values.size(); ++i) {
        const entrant *of_before = before[i].best(), *of_after = after[i].best();
        if (lead_differs(before[i], after[i]))
          changes.push_back(
              fmt::format("{} from {} to {}{}", m.of.title(), of_before->policy, of_after->policy, at(v, v.values[i])));
        if (of_before && of_after && *of_before->measured.mean != 0.0)
          cost = fmt::format("{} {}{}", m.of.title(),
                             as_percentage(*of_after->measured.mean / *of_before->measured.mean - 1.0),
                             at(v, v.values[i]));
      }
      if (!cost.empty()) costs.push_back(cost);
    }
    sentences.push_back(
        fmt::format("{} against {}: {}{}", v.others[o], v.others.front(),
                    changes.empty() ? "no lead changes" : fmt::format("the lead changes: {}", fmt::join(changes, ", ")),
                    costs.empty() ? "" : fmt::format("; of the best: {}", fmt::join(costs, ", "))));
  }
}

/// Adds "REASON: POLICY at KEY A, B", where the estimates of policies are marked for that reason.
void add_marked(const verdict& v, const caution_entry& mark, std::vector<std::string>& sentences) {
  std::map<std::string, std::vector<std::string>> places;  // values of the key, by policy
  for (const metric_verdict& m : v.metrics)
    for (const std::vector<contest>& row : m.by_others)
      for (std::size_t i = 0; i < row.size(); ++i)
        for (const entrant& c : row[i].ranked) {
          std::vector<std::string>& of_policy = places[c.policy];
          if (c.measured.marks.has(mark.reason) &&
              std::find(of_policy.begin(), of_policy.end(), v.values[i]) == of_policy.end())
            of_policy.push_back(v.values[i]);
        }
  std::vector<std::string> texts;
  for (const auto& [policy, values] : places)
    if (!values.empty()) texts.push_back(policy + at(v, fmt::format("{}", fmt::join(values, ", "))));
  if (!texts.empty()) sentences.push_back(fmt::format("{}: {}", mark.word, fmt::join(texts, "; ")));
}

/// Adds "KEY A, B (OTHERS): POLICY and POLICY, ..", the comparisons that replications should have decided and have not.
void add_open(const verdict& v, std::vector<std::string>& sentences) {
  for (const metric_verdict& m : v.metrics)
    for (std::size_t o = 0; o < m.by_others.size(); ++o)
      for (std::size_t i = 0; i < v.values.size(); ++i) {
        std::vector<std::string> pairs;
        for (const auto& [a, b] : m.by_others[o][i].open) pairs.push_back(fmt::format("{} and {}", a, b));
        if (!pairs.empty())
          sentences.push_back(fmt::format("{}{}{}: neither told apart nor equal within run.equal_within: {}",
                                          m.of.title(), at(v, v.values[i]),
                                          v.others[o].empty() ? "" : ", " + v.others[o], fmt::join(pairs, "; ")));
      }
}

}  // namespace

std::string sentence_of(const contest& c, const std::string& unit) {
  const entrant* best = c.best();
  const auto excluded = c.of(policy_rank::excluded), open = c.of(policy_rank::unjudged);
  if (!best && c.ranked.empty()) return "not finished";
  if (!best && excluded.empty() &&
      std::all_of(open.begin(), open.end(), [](const entrant* other) { return other->bound_note.empty(); }))
    return "no policy can be called best: every estimate is marked";
  if (!best)
    return fmt::format("no policy is known to keep all bounds: {}{}{}", fmt::join(names_of(excluded), ", "),
                       excluded.empty() || open.empty() ? "" : ", ", fmt::join(names_of(open), ", "));
  std::string text = fmt::format("{} is best, {}{}", best->policy,
                                 with_interval(*best->measured.mean, best->measured.ci_low, best->measured.ci_high),
                                 unit.empty() ? "" : " " + unit);
  const auto equal = c.of(policy_rank::equal), worse = c.of(policy_rank::worse);
  if (!equal.empty()) text += fmt::format("; not told apart from it: {}", fmt::join(names_of(equal), ", "));
  if (!worse.empty()) text += fmt::format("; next is {} ({})", worse.front()->policy, lead_text(*worse.front()));
  if (!open.empty()) text += fmt::format("; not judged: {}", fmt::join(names_of(open), ", "));
  if (!excluded.empty()) text += fmt::format("; excluded: {}", fmt::join(names_of(excluded), ", "));
  return text;
}

std::string lead_text(const entrant& c) {
  if (c.measured.marks.has(caution::unstable)) return "unstable";
  if (c.measured.marks.has(caution::overloaded)) return "overloaded";
  if (!c.share) return "-";
  const std::string least = c.measured.marks.has(caution::biased) ? "at least " : "";
  if (!c.share_low) return least + as_percentage(*c.share);
  return fmt::format("{}{} ({} to {})", least, as_percentage(*c.share), as_percentage(*c.share_low),
                     as_percentage(*c.share_high));
}

std::vector<std::string> verdict_sentences(const verdict& v) {
  std::vector<std::string> sentences;
  for (const metric_verdict& m : v.metrics) add_changes(v, m, sentences);
  add_effects(v, sentences);
  add_open(v, sentences);
  for (const caution_entry& mark : caution_catalogue())
    if (mark.reason == caution::unstable || mark.reason == caution::overloaded) add_marked(v, mark, sentences);
  return sentences;
}

}  // namespace muster
