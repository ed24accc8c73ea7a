#include "platform/model/search_utilities.h"
#include "platform/model/utility_function.h"

namespace muster {

const std::vector<utility_entry>& utility_catalogue() {
  using values = std::vector<double>;
  const utility_parameter steepness{"steepness", "a number > 0", 0.0, true};
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
       {{"tasks", "an integer from 1 to 1000000", 1.0, false, 1e6, false, true}},
       [](const values& v) { return utility_function::steps(v[0]); }},
      {"set_up",
       "nothing up to a share of the work, then exponential saturation over the rest (ISPEED paper, Figure 3)",
       {{"share", "a number >= 0 and < 1", 0.0, false, 1.0, true}, steepness},
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
