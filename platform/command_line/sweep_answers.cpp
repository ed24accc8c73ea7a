#include "platform/command_line/sweep_answers.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/command_line/search_tables.h"
#include "platform/tables/writers.h"

namespace muster {

namespace {

bool is_same(const std::optional<trial>& a, const std::optional<trial>& b) {
  return a.has_value() == b.has_value() && (!a || a->values == b->values);
}

// The keys in whose values two answers differ: "KEY 2 -> 3".
std::string change_between(const search_request& request, const std::optional<trial>& a,
                           const std::optional<trial>& b) {
  const auto words = [&](const std::optional<trial>& best) {
    return best ? request.space.assignments(best->values) : "none";
  };
  if (!a || !b) return words(a) + " -> " + words(b);
  const std::vector<std::string> from = request.space.texts(a->values), to = request.space.texts(b->values);
  std::vector<std::string> changes;
  for (std::size_t k = 0; k < from.size(); ++k)
    if (from[k] != to[k]) changes.push_back(fmt::format("{} {} -> {}", request.space.axes()[k].key, from[k], to[k]));
  return fmt::format("{}", fmt::join(changes, ", "));
}

// A line for each two neighbouring values of the only key of the sweep between which the best changes.
std::string changes_along(const search_request& request, const std::vector<point_answer>& answers) {
  const study& s = *request.subject;
  std::string text;
  for (std::size_t p = 1; p < answers.size(); ++p)
    if (!is_same(answers[p - 1].best, answers[p].best))
      text +=
          fmt::format("the best changes between {} = {} and {}: {}\n", s.keys.front(), s.points[p - 1].values.front(),
                      s.points[p].values.front(), change_between(request, answers[p - 1].best, answers[p].best));
  return text.empty() ? "the best is the same at all points\n" : text;
}

std::string on_undecided(const search_request& request, const std::vector<point_answer>& answers) {
  if (std::all_of(answers.begin(), answers.end(), [](const point_answer& a) { return a.undecided == 0; })) return "";
  return fmt::format("the best is that of the {0}s known to meet all constraints; an undecided one may be better\n",
                     request.space.noun());
}

}  // namespace

std::string sweep_answers(const search_request& request, const std::vector<point_answer>& answers) {
  const study& s = *request.subject;
  if (answers.size() < 2 || request.terms.objectives.size() > 1) return "";
  table_layout<std::size_t> layout("answers");
  layout.whole("point", [](std::size_t p) { return p; }).settings(s.keys, [&](std::size_t p) {
    return s.points[p].values;
  });
  for (std::size_t k = 0; k < request.space.axes().size(); ++k)
    layout.text(request.space.axes()[k].key, [&, k](std::size_t p) {
      const auto& best = answers[p].best;
      return best ? request.space.texts(best->values)[k] : "none";
    });
  for (std::size_t m = 0; m < request.metrics.size(); ++m)
    layout.interval(request.metrics[m].text(), [&, m](std::size_t p) {
      const auto& best = answers[p].best;
      return best ? cell(shown_interval(best->found[m])) : cell();
    });
  if (!request.terms.constraints.empty())
    layout.whole("undecided", [&](std::size_t p) { return answers[p].undecided; });
  std::vector<std::size_t> points(answers.size());
  for (std::size_t p = 0; p < points.size(); ++p) points[p] = p;
  return "\nthe best at each point\n" + to_terminal(layout.table(points)) +
         (s.keys.size() == 1 ? changes_along(request, answers) : "") + on_undecided(request, answers);
}

}  // namespace muster
