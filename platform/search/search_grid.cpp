#include "platform/search/search_grid.h"

#include <algorithm>

namespace muster {

namespace {

constexpr std::size_t steps_of_reals = 96;

// The combinations of one place of each axis.
std::vector<grid_place> product(const std::vector<std::vector<std::size_t>>& axes) {
  std::vector<grid_place> all{{}};
  for (const std::vector<std::size_t>& places : axes) {
    std::vector<grid_place> longer;
    for (const grid_place& before : all)
      for (const std::size_t place : places) {
        longer.push_back(before);
        longer.back().push_back(place);
      }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

axis_extent grid_axis::extent() const {
  return {range_.steps() > 0 ? range_.steps() : steps_of_reals, range_.is_list()};
}

double grid_axis::value(std::size_t place) const {
  if (range_.steps() > 0) return range_.after(place);
  if (place == 0) return range_.low();
  return place == steps_of_reals ? range_.high() : range_.rounded_at(static_cast<double>(place) / steps_of_reals);
}

search_grid::search_grid(std::vector<axis_extent> axes, std::size_t most) : axes_(std::move(axes)) {
  for (const axis_extent& axis : axes_)
    step_.push_back(axis.is_list ? 1 : std::max<std::size_t>(1, (axis.last + most - 2) / (most - 1)));
}

std::vector<grid_place> search_grid::coarse() const {
  std::vector<std::vector<std::size_t>> axes(axes_.size());
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    for (std::size_t place = 0; place < axes_[axis].last; place += step_[axis]) axes[axis].push_back(place);
    axes[axis].push_back(axes_[axis].last);
  }
  return product(axes);
}

std::size_t search_grid::halvings() const {
  std::size_t count = 0;
  for (std::size_t widest = *std::max_element(step_.begin(), step_.end()); widest > 1; widest = (widest + 1) / 2)
    ++count;
  return count;
}

void search_grid::halve() {
  for (std::size_t& step : step_) step = (step + 1) / 2;
}

std::vector<grid_place> search_grid::around(const grid_place& place) const {
  std::vector<std::vector<std::size_t>> axes(place.size());
  for (std::size_t axis = 0; axis < place.size(); ++axis) {
    const std::size_t at = place[axis], step = step_[axis];
    axes[axis] = {at};
    if (axes_[axis].is_list) continue;
    if (at > 0) axes[axis].push_back(at - std::min(at, step));
    if (at < axes_[axis].last) axes[axis].push_back(std::min(at + step, axes_[axis].last));
  }
  std::vector<grid_place> all = product(axes);
  all.erase(all.begin());
  return all;
}

}  // namespace muster
