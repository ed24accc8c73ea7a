#include "muster/modules/network/sharing/max_min_rates.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace muster {

namespace {

constexpr double rate_tolerance = 1e-9;
// Rates that differ by less are the same one, which was summed up in another order.
constexpr double rate_rounding = 1e-12;

constexpr double full_load = 9007199254740992.0;  // 2^53
constexpr auto nearly_full_load = static_cast<tick_sum>(full_load * (1.0 - rate_tolerance));
constexpr auto exceeded_load = static_cast<tick_sum>(full_load * (1.0 + rate_tolerance));

bool is_faster(double rate, double other) { return rate > other * (1.0 + rate_tolerance); }

bool is_same_rate(double rate, double before) {
  return std::abs(rate - before) < rate_rounding * std::min(rate, before);
}

}  // namespace

max_min_rates::max_min_rates(const std::vector<double>& capacities) : arcs_(capacities.size()) {
  for (std::size_t a = 0; a < capacities.size(); ++a) set_capacity(static_cast<network_arc>(a), capacities[a]);
}

max_min_rates::flow max_min_rates::add(const std::vector<use>& uses, double cap) {
  const flow added = flows_.take();
  flow_state& f = flows_[added];
  f.uses.clear();
  for (const use& u : uses) {
    std::vector<passing>& others = arcs_[u.arc].flows;
    if (!others.empty() && others.back().who == added) {
      f.uses[others.back().number].share += u.share;
      continue;
    }
    f.uses.push_back({u.arc, u.share, static_cast<std::uint32_t>(others.size())});
    others.push_back({added, static_cast<std::uint32_t>(f.uses.size() - 1)});
  }
  f.rate = f.before = 0.0;
  f.bottleneck = none;
  set_cap(added, cap);
  return added;
}

void max_min_rates::remove(flow f) {
  flow_state& gone = flows_[f];
  for (const placed_use& u : gone.uses) {
    arc_state& a = arcs_[u.arc];
    a.load -= parts(a, u.share, gone.rate);
    if (a.binds) relieved_.push_back(u.arc);
    const passing last = a.flows.back();
    a.flows[u.place] = last;
    flows_[last.who].uses[last.number].place = u.place;
    a.flows.pop_back();
  }
  if (std::exchange(gone.concerned, false)) concerned_.erase(std::find(concerned_.begin(), concerned_.end(), f));
  flows_.give_back(f);
}

void max_min_rates::set_cap(flow f, double cap) {
  flows_[f].cap = cap;
  find_most(flows_[f]);
  concern(f);
}

void max_min_rates::set_capacity(network_arc a, double capacity) {
  arc_state& changed = arcs_[a];
  changed.capacity = capacity;
  changed.scale = capacity > 0.0 && capacity < unlimited ? full_load / capacity : 0.0;
  changed.load = 0;
  for (const passing& p : changed.flows) {
    flow_state& f = flows_[p.who];
    if (f.rate == unlimited) f.rate = 0.0;
    changed.load += parts(changed, f.uses[p.number].share, f.rate);
    find_most(f);
    concern(p.who);
  }
  changed.binds = changed.load >= nearly_full_load;
}

double max_min_rates::load(network_arc a) const {
  double sum = 0.0;
  for (const passing& p : arcs_[a].flows) sum += flows_[p.who].uses[p.number].share * flows_[p.who].rate;
  return sum;
}

const std::vector<max_min_rates::flow>& max_min_rates::update() {
  changed_.clear();
  take_relieved();
  bool goes_on = !concerned_.empty();
  while (goes_on) {
    find_local_arcs();
    fill();
    const bool exceeded = apply();
    goes_on = find_concerned() || exceeded;
  }
  finish();
  return changed_;
}

void max_min_rates::concern(flow f) {
  if (std::exchange(flows_[f].concerned, true)) return;
  concerned_.push_back(f);
}

void max_min_rates::find_most(flow_state& f) const {
  f.most = f.cap;
  for (const placed_use& u : f.uses) f.most = std::min(f.most, arcs_[u.arc].capacity / u.share);
}

// What a flow adds to the load of an arc.
tick_sum max_min_rates::parts(const arc_state& a, double share, double rate) const {
  return a.scale > 0.0 ? static_cast<std::uint64_t>(std::llround(share * rate * a.scale)) : 0;
}

void max_min_rates::take_relieved() {
  for (const network_arc a : relieved_)
    for (const passing& p : arcs_[a].flows)
      if (flows_[p.who].bottleneck == a) concern(p.who);
  relieved_.clear();
}

// Finds the arcs that bind the flows concerned, and what the others leave of them.
void max_min_rates::find_local_arcs() {
  for (const local_arc& l : local_) arcs_[l.arc].local = none;
  local_.clear();
  for (const flow f : concerned_)
    for (const placed_use& u : flows_[f].uses) {
      arc_state& a = arcs_[u.arc];
      if (!a.binds) continue;
      if (a.local == none) {
        a.local = static_cast<std::uint32_t>(local_.size());
        local_.push_back({u.arc, a.capacity});
      }
      local_arc& l = local_[a.local];
      l.shares += u.share;
      ++l.rising;
    }
  for (local_arc& l : local_)
    for (const passing& p : arcs_[l.arc].flows)
      if (const flow_state& f = flows_[p.who]; !f.concerned) l.left -= f.uses[p.number].share * f.rate;
}

// Progressive filling among the flows concerned.
void max_min_rates::fill() {
  fillings_.clear();
  for (std::uint32_t l = 0; l < local_.size(); ++l)
    fillings_.push_back({std::max(local_[l].left, 0.0) / local_[l].shares, l});
  std::make_heap(fillings_.begin(), fillings_.end());
  for (const flow f : concerned_) flows_[f].rises = true;
  by_most_ = concerned_;
  std::sort(by_most_.begin(), by_most_.end(), [&](flow a, flow b) { return flows_[a].most < flows_[b].most; });
  double level = 0.0;
  for (std::size_t next = 0; next < by_most_.size();) {
    flow_state& f = flows_[by_most_[next]];
    if (!f.rises) {
      ++next;
    } else if (fillings_.empty() || f.most <= fillings_.front().level) {
      level = std::max(level, f.most);
      freeze(f, f.most, none);
    } else {
      std::pop_heap(fillings_.begin(), fillings_.end());
      filling& least = fillings_.back();
      local_arc& l = local_[least.local];
      const double exact = l.rising > 0 ? std::max(l.left / l.shares, level) : unlimited;
      if (l.rising > 0 && exact > least.level) {  // flows that rise no more have left something
        least.level = exact;
        std::push_heap(fillings_.begin(), fillings_.end());
        continue;
      }
      fillings_.pop_back();
      if (l.rising == 0) continue;
      l.level = level = exact;
      for (const passing& p : arcs_[l.arc].flows)
        if (flow_state& on = flows_[p.who]; on.concerned && on.rises) freeze(on, level, l.arc);
    }
  }
}

void max_min_rates::freeze(flow_state& f, double rate, network_arc bottleneck) {
  f.rises = false;
  f.next = is_same_rate(rate, f.before) ? f.before : rate;
  f.bottleneck = bottleneck;
  for (const placed_use& u : f.uses) {
    if (!arcs_[u.arc].binds) continue;
    local_arc& l = local_[arcs_[u.arc].local];
    l.left -= u.share * rate;
    l.shares -= u.share;
    --l.rising;
  }
}

// Gives the flows concerned their new rates. @return whether an arc is exceeded that rates have not observed
bool max_min_rates::apply() {
  for (const flow n : concerned_) {
    flow_state& f = flows_[n];
    if (f.next == f.rate) continue;
    for (const placed_use& u : f.uses) {
      arc_state& a = arcs_[u.arc];
      a.load += parts(a, u.share, f.next) - parts(a, u.share, f.rate);
    }
  }
  bool exceeded = false;
  for (const flow n : concerned_) {
    flow_state& f = flows_[n];
    if (f.next > f.rate)
      for (const placed_use& u : f.uses) {
        arc_state& a = arcs_[u.arc];
        if (a.load <= exceeded_load || a.binds) continue;
        a.binds = exceeded = true;
      }
    f.rate = f.next;
  }
  return exceeded;
}

// Finds flows that the new rates concern, too: those that are faster on an arc than flows that it limits, and those
// that have lost the arc that has limited them.
bool max_min_rates::find_concerned() {
  const std::size_t before = concerned_.size();
  for (const local_arc& l : local_) {
    const arc_state& a = arcs_[l.arc];
    double fastest = a.load >= nearly_full_load ? 0.0 : unlimited;
    for (const passing& p : a.flows) fastest = std::max(fastest, flows_[p.who].rate);
    for (const passing& p : a.flows) {
      const flow_state& f = flows_[p.who];
      if (f.concerned) continue;
      if (is_faster(f.rate, l.level) || (f.bottleneck == l.arc && is_faster(fastest, f.rate))) concern(p.who);
    }
  }
  return concerned_.size() > before;
}

void max_min_rates::finish() {
  for (const local_arc& l : local_) {
    arc_state& a = arcs_[l.arc];
    a.local = none;
    a.binds = a.load >= nearly_full_load;
  }
  local_.clear();
  for (const flow n : concerned_) {
    flow_state& f = flows_[n];
    f.concerned = false;
    if (f.rate != f.before) changed_.push_back(n);
    f.before = f.rate;
  }
  concerned_.clear();
}

}  // namespace muster
