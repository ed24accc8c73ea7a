#include "platform/simulation/cluster_fmus.h"

#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "platform/toml/diagnostics.h"

namespace muster {

cluster_fmus::cluster_fmus(const scenario& model, cluster_hardware& hardware)
    : model_(model), hardware_(hardware), variables_(model, hardware) {
  for (const auto& connected : model.fmus) {
    try {
      load(*connected);
    } catch (const std::runtime_error& e) {
      throw std::runtime_error(fmt::format("FMU {} ({}) {}", in_quotes(connected->name), connected->file, e.what()));
    }
    arm(static_cast<std::uint32_t>(fmus_.size() - 1), 0);
  }
}

void cluster_fmus::load(const connected_fmu& connected) {
  fmu one{&connected, std::make_unique<temporary_folder>(), nullptr, model_.unit.to_ticks(connected.every), {}, {}, {}};
  fmu_archive(connected.file).unpack_into(one.folder->path());
  one.instance = load_fmu(connected.description, one.folder->path(), connected.name);
  for (const auto& [variable, value] : connected.start) one.instance->set(variable, value);
  for (const auto& c : connected.inputs) one.inputs.push_back(variables_.find(c.of_cluster));
  for (const auto& c : connected.outputs) one.outputs.push_back(variables_.find(c.of_cluster));
  one.latest.assign(one.outputs.size(), std::numeric_limits<double>::quiet_NaN());
  fmus_.push_back(std::move(one));
}

// An exchange beyond the range of the clock never comes.
void cluster_fmus::arm(std::uint32_t number, ticks at) {
  if (at >= end_of_clock) return;
  hardware_.time.arm(at, timer_rank::exchange(number), *this, number);
  ++armed_;
}

void cluster_fmus::expired(ticks now, std::uint32_t number) {
  --armed_;
  fmu& one = fmus_[number];
  try {
    exchange(one, now);
  } catch (const std::exception& e) {
    const std::string text = fmt::format("FMU {}: {}", in_quotes(one.connected->name), e.what());
    hardware_.time.report_error("/muster/fmu", text);
    throw std::runtime_error(text);  // if SystemC's own exception has been disabled
  }
  if (!beyond_clock(now, one.every) && anything_can_happen()) arm(number, now + one.every);
}

void cluster_fmus::exchange(fmu& one, ticks now) {
  const double seconds = model_.unit.seconds;
  if (now == 0) {
    one.instance->enter_initialization();
    set_inputs(one);
    one.instance->exit_initialization();
    request_outputs(one);
    return;
  }
  one.instance->step(model_.unit.to_units(now - one.every) * seconds, model_.unit.to_units(one.every) * seconds);
  request_outputs(one);
  set_inputs(one);
}

void cluster_fmus::set_inputs(fmu& one) {
  for (std::size_t n = 0; n < one.inputs.size(); ++n)
    one.instance->set(one.connected->inputs[n].variable, variables_.value(one.inputs[n]));
}

// An output that is the same as at the last exchange is not requested again.
void cluster_fmus::request_outputs(fmu& one) {
  for (std::size_t n = 0; n < one.outputs.size(); ++n) {
    const double value = one.instance->get(one.connected->outputs[n].variable);
    if (value == one.latest[n]) continue;
    variables_.set(one.outputs[n], value);
    one.latest[n] = value;
  }
}

std::vector<std::string> cluster_fmus::said() const {
  std::vector<std::string> all;
  for (const fmu& one : fmus_)
    for (const std::string& sentence : one.instance->said())
      all.push_back(fmt::format("FMU {} {}", in_quotes(one.connected->name), sentence));
  return all;
}

// Whether the cluster has anything to do, or will have. A policy that has jobs wait in an empty cluster is told that no
// other will come; servers that are out of service may come back by request.
bool cluster_fmus::anything_can_happen() {
  if (!hardware_.is_closed() || !hardware_.source.exhausted() || hardware_.time.armed() > armed_) return true;
  for (std::uint32_t n = 0; n < hardware_.control.server_count(); ++n)
    if (hardware_.control.is_withdrawn(n)) return true;
  return hardware_.end_stream();
}

}  // namespace muster
