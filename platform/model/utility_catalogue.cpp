#include "platform/model/utility_function.h"

namespace muster {

// The paper draws the curve without numbers. This is the member of a family of concave curves, of slope proportional to
// (1 + 45.5 x)^-1.06, for which Figure 6 at T1 = 50 comes out as the text has it: ISPEED 172 % above FIFO and EDF, 22 %
// above equal partitioning of core time. The first fixes the height at a quarter of the work, the second how steeply
// the curve begins; neither determines much beyond a half.
utility_function::points google_search_points() {
  return {{0.0, 0.0},    {0.02, 0.185}, {0.04, 0.293}, {0.06, 0.369}, {0.08, 0.428}, {0.1, 0.475},
          {0.15, 0.565}, {0.2, 0.63},   {0.25, 0.681}, {0.3, 0.723},  {0.4, 0.79},   {0.5, 0.841},
          {0.6, 0.883},  {0.7, 0.919},  {0.85, 0.963}, {1.0, 1.0}};
}

// An assumption: the text says no more of this curve than that it is close to concave. It is (1 - e^-3x) / (1 - e^-3),
// of a more even bend than the other. No result with it can be compared with the paper.
utility_function::points bing_search_points() {
  return {{0.0, 0.0},    {0.02, 0.061}, {0.04, 0.119}, {0.06, 0.173}, {0.08, 0.225}, {0.1, 0.273},
          {0.15, 0.381}, {0.2, 0.475},  {0.25, 0.555}, {0.3, 0.625},  {0.4, 0.735},  {0.5, 0.818},
          {0.6, 0.878},  {0.7, 0.924},  {0.85, 0.97},  {1.0, 1.0}};
}

const std::vector<utility_entry>& utility_catalogue() {
  using values = std::vector<double>;
  const described_key steepness{"steepness", number_key{above_zero}, required{}, ""};
  const number_range below_1{"a number >= 0 and < 1", 0.0, false, 1.0, true};
  static const std::vector<utility_entry> all{
      {"linear",
       "each unit adds the same: f(x) = x",
       {},
       [](const values&) {
         return utility_function::through({{0.0, 0.0}, {1.0, 1.0}});
       }},
      {"logarithmic",
       "concave: f(x) = ln(1 + s x) / ln(1 + s) of steepness s",
       {steepness},
       [](const values& v) { return utility_function::logarithmic(v[0]); }},
      {"exponential",
       "concave, exponential saturation: f(x) = (1 - exp(-s x)) / (1 - exp(-s)) of steepness s",
       {steepness},
       [](const values& v) { return utility_function::exponential(v[0]); }},
      {"steps",
       "equal tasks, of which only complete ones count (ISPEED paper, Figure 4): f(x) = floor(n x) / n of n tasks",
       {{"tasks", integer_key{1, 1'000'000}, required{}, ""}},
       [](const values& v) { return utility_function::steps(v[0]); }},
      {"set_up",
       "nothing up to a share of the work, then exponential saturation over the rest (ISPEED paper, Figure 3)",
       {{"share", number_key{below_1}, required{}, ""}, steepness},
       [](const values& v) { return utility_function::set_up(v[0], v[1]); }},
      {"google_search",
       "results of a Google search as users rated them (ISPEED paper, Figure 5a)",
       {},
       [](const values&) { return utility_function::through(google_search_points()); }},
      {"bing_search",
       "results of a Bing search as users rated them (ISPEED paper, Figure 5b)",
       {},
       [](const values&) { return utility_function::through(bing_search_points()); }},
  };
  return all;
}

}  // namespace muster
