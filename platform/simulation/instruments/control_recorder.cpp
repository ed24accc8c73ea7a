#include "platform/simulation/instruments/control_recorder.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "platform/model/class_table.h"
#include "platform/model/job_kind.h"
#include "platform/simulation/instrument_entry.h"
#include "platform/simulation/window_parts.h"
#include "platform/theory/pooled/pooled_stability.h"

namespace muster {

namespace {

// The number of cores for which a job's size counts.
double cores_of(const class_spec& c, bool pooled) { return pooled ? 1.0 : c.need; }

// The capacity that the jobs of a class can use at once.
double capacity_for(const scenario& model, const class_spec& c, bool pooled) {
  double capacity = 0.0;
  for (const server_spec& s : model.servers)
    if (std::find(c.servers.begin(), c.servers.end(), s.name) != c.servers.end())
      capacity += s.capacity * s.count * s.cores;
  if (pooled) return capacity;
  const double cores = static_cast<double>(total_cores(model));
  return capacity * std::floor(cores / c.need) * c.need / cores;
}

struct moments {
  double rate = 0.0, first = 0.0, second = 0.0;  // rate of arrivals, and moments of the work of a job

  void add(const class_spec& c, double cores) {
    const double all = rate + c.rate, mean = cores * c.size.mean();
    first = (rate * first + c.rate * mean) / all;
    second = (rate * second + c.rate * (cores * cores * c.size.variance() + mean * mean)) / all;
    rate = all;
  }
};

// The arrivals within which the work forgets where it began, as that of Brownian motion reflected at zero does.
double relaxation(const moments& m, double capacity) {
  const double drift = capacity - m.rate * m.first;
  return m.rate * 2.0 * m.rate * m.second / (drift * drift);
}

/// Collects the queues of a scenario.
class coupling {
 public:
  explicit coupling(const scenario& model)
      : model_(model), pooled_(is_pooled(model)), order_(by_descending_need(model)) {}

  std::vector<coupled_queue> all() {
    constexpr std::size_t few = 8;
    const std::size_t classes = order_.size();
    add_with_less("workload", coupled_queue::all_classes, total_capacity(model_));
    if (classes == 1 || classes > few) return std::move(all_);
    for (std::size_t id = 0; id < classes; ++id)
      add("workload of " + spec(id).name, bit(id), capacity_for(model_, spec(id), pooled_));
    if (pooled_) {
      add_hardest_pressed();
      return std::move(all_);
    }
    const std::uint64_t every = bit(classes) - 1;
    for (std::size_t id = 1; id + 1 < classes; ++id) {
      add(fmt::format("workload of {} and more", spec(id).name), bit(id + 1) - 1, total_capacity(model_));
      add(fmt::format("workload of {} and less", spec(id).name), every - (bit(id) - 1), total_capacity(model_));
    }
    return std::move(all_);
  }

 private:
  const class_spec& spec(std::size_t id) const { return model_.classes[order_[id]]; }
  static std::uint64_t bit(std::size_t id) { return std::uint64_t{1} << id; }
  moments moments_of(std::uint64_t classes) const {
    moments m;
    for (std::size_t id = 0; id < order_.size(); ++id)
      if (coupled_queue{{}, classes}.serves(id)) m.add(spec(id), cores_of(spec(id), pooled_));
    return m;
  }

  void add(std::string name, std::uint64_t classes, double capacity) {
    const moments m = moments_of(classes);
    const double load = m.rate * m.first / capacity;
    if (load < 1.0 && std::isfinite(m.second))
      all_.push_back(
          {std::move(name), classes, capacity, m.rate * m.second / (2.0 * capacity * capacity * (1.0 - load))});
  }

  // Adds a queue, and the same with less capacity where the warm-up is long enough.
  void add_with_less(const std::string& name, std::uint64_t classes, double capacity) {
    constexpr double relaxations = 2.0;
    add(name, classes, capacity);
    const moments m = moments_of(classes);
    const double reserve = capacity - m.rate * m.first;
    for (const double lost : {0.25, 0.5}) {
      const double rest = capacity - lost * reserve;
      if (reserve > 0.0 && relaxations * relaxation(m, rest) <= static_cast<double>(model_.run.unmeasured()))
        add(fmt::format("{} without {} of the reserve", name, lost), classes, rest);
    }
  }

  // Adds the hardest pressed set of classes of pooled jobs, unless it has all classes or only one.
  void add_hardest_pressed() {
    if (std::any_of(model_.classes.begin(), model_.classes.end(), [](const class_spec& c) { return c.drawn > 0; }))
      return;
    const pooled_set hardest = find_hardest_pressed(model_).set;
    if (hardest.classes.size() == order_.size() || hardest.classes.size() == 1) return;
    std::uint64_t classes = 0;
    for (std::size_t id = 0; id < order_.size(); ++id)
      if (std::find(hardest.classes.begin(), hardest.classes.end(), order_[id]) != hardest.classes.end())
        classes |= bit(id);
    add_with_less("workload of the hardest pressed classes", classes, hardest.capacity);
  }

  const scenario& model_;
  const bool pooled_;
  const std::vector<std::size_t> order_;
  std::vector<coupled_queue> all_;
};

}  // namespace

std::vector<coupled_queue> coupled_queues(const scenario& model) {
  if (model.arrivals.kind != arrival_spec::process::poisson) return {};
  return coupling(model).all();
}

bool control_recorder::possible(const scenario& model) {
  constexpr double most_variation = 10.0;
  const bool light = std::all_of(model.classes.begin(), model.classes.end(), [](const class_spec& c) {
    return !c.size.heavy_tailed() && c.size.variance() <= most_variation * c.size.mean() * c.size.mean();
  });
  return light && !is_slotted(model) && !model.arrivals.finite() && !model.arrivals.initial_jobs &&
         !model.rate_changes() && !model.fmus_control() &&
         (model.arrivals.kind == arrival_spec::process::poisson ||
          (model.arrivals.kind == arrival_spec::process::renewal &&
           std::isfinite(model.arrivals.interarrival.variance())));
}

control_recorder::control_recorder(const scenario& model)
    : model_(model), coupled_(coupled_queues(model)), next_end_(model.run.unmeasured()) {
  for (const std::size_t at : by_descending_need(model))
    cores_.push_back(cores_of(model.classes[at], is_pooled(model)));
  queues_.resize((coupled_.size() + side_by_side - 1) / side_by_side);
  served_.resize(cores_.size() * queues_.size());
  for (std::size_t q = 0; q < coupled_.size(); ++q) {
    const std::size_t block = q / side_by_side, place = q % side_by_side;
    queues_[block].capacity[place] = coupled_[q].capacity;
    for (std::size_t id = 0; id < cores_.size(); ++id)
      served_[id * queues_.size() + block][place] = coupled_[q].serves(id) ? 1.0 : 0.0;
  }
  variates_ = {{"interarrival_time"}, {"work"}};
  for (const coupled_queue& q : coupled_) variates_.push_back({q.name});
  if (!is_pooled(model)) {
    weighted_.emplace(model);
    for (const weighted_deviations::sum& s : weighted_->take()) variates_.push_back({s.name});
    age_ = busy_age::of(model);
    if (age_) variates_.push_back({"busy age without the widest"});
  }
  if (next_end_ > 0) return;
  warm_ = true;
  next_end_ = window_parts::end_of(model_.run, 0);
}

void control_recorder::close_part() {
  if (warm_) {
    const std::uint64_t length = arrivals_ - part_first_;
    const auto mean = [&](double sum) { return model_.unit.to_units(sum) / static_cast<double>(length); };
    double expected_work = 0.0;
    for (const class_spec& c : model_.classes)
      expected_work += c.rate / model_.arrivals.rate * cores_of(c, is_pooled(model_)) * c.size.mean();
    std::size_t at = 0;
    variates_[at++].parts.push_back(mean(static_cast<double>(last_ - part_begin_)) - 1.0 / model_.arrivals.rate);
    variates_[at++].parts.push_back(mean(work_) - expected_work);
    for (std::size_t q = 0; q < coupled_.size(); ++q)
      variates_[at++].parts.push_back(mean(queues_[q / side_by_side].sum[q % side_by_side]) / coupled_[q].capacity -
                                      coupled_[q].expected);
    if (weighted_)
      for (const weighted_deviations::sum& s : weighted_->take())
        variates_[at++].parts.push_back(s.value / static_cast<double>(length));
    if (age_) variates_[at++].parts.push_back(mean(age_->take()) - age_->expected());
    lengths_.push_back(length);
  }
  warm_ = true;
  open_part();
}

void control_recorder::open_part() {
  part_begin_ = last_;
  part_first_ = arrivals_;
  work_ = 0.0;
  if (weighted_) weighted_->take();
  if (age_) age_->take();
  for (queue_block& q : queues_) q.sum = {};
  next_end_ = lengths_.size() < window_parts::count ? window_parts::end_of(model_.run, lengths_.size()) : 0;
}

void control_recorder::add_to(replication_result& result) {
  result.controls = variates_;
  for (control_variate& c : result.controls) {
    double sum = 0.0, arrivals = 0.0;
    for (std::size_t part = 0; part < c.parts.size(); ++part) {
      sum += c.parts[part] * static_cast<double>(lengths_[part]);
      arrivals += static_cast<double>(lengths_[part]);
    }
    c.deviation = sum / arrivals;
  }
}

extern const instrument_entry control_recorder_instrument{
    instrument_order::others,
    [](const observed_replication& replication) {
      const scenario& point = replication.point;
      return point.run.control_variates && window_parts::wanted(point) && control_recorder::possible(point) &&
             !is_unstable(point, replication.watch);
    },
    [](observed_replication& replication) { replication.add<control_recorder>(replication.point); }};

}  // namespace muster
