#include "platform/cautions/point_cautions.h"

#include "platform/cautions/heavy_mean.h"

namespace muster {

point_cautions::point_cautions(const scenario& model, const stability& limits, const measured_point& found)
    : window_(measured_window(model, limits).seen_in(found)),
      unstable_(limits.answer == stability::verdict::unstable),
      growing_(window_.is_growing(found)),
      short_(!growing_ && window_.is_short()) {}

void point_cautions::mark(std::vector<estimate>& estimates, const scenario& model) const {
  for (estimate& e : estimates) {
    if (unstable_) e.marks.add(caution::unstable);
    if (growing_) e.marks.add(caution::growing);
    if (short_ || window_.is_short_for(e)) e.marks.add(caution::short_window);
    if (is_heavy_mean(e, model)) e.marks.add(caution::heavy);
  }
}

}  // namespace muster
