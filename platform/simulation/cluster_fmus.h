#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/imported_fmu/fmu_instance.h"
#include "platform/imported_fmu/temporary_folder.h"
#include "platform/model/connected_fmu.h"
#include "platform/simulation/cluster_hardware.h"
#include "platform/simulation/cluster_variables.h"
#include "platform/toml/diagnostics.h"

namespace muster {

/// The FMUs of a scenario that run beside its cluster, each an instance of its own.
///
/// An FMU and the cluster meet at time 0 and each connected_fmu::every from then on, behind completions and failures of
/// the instant and before its arrivals, see timer_rank. There the FMU computes up to the instant, by the inputs that it
/// was given at the last one. Its outputs are requested of the cluster, which carries them out at that instant, and the
/// cluster's variables, as they were before that, become the FMU's inputs.
class cluster_fmus final : private timer_observer {
 public:
  /// Unpacks and loads the FMUs. Called before the simulation.
  /// @param model,hardware of one cluster; both outlive this object
  /// @throws std::runtime_error that names the FMU if one cannot be loaded
  cluster_fmus(const scenario& model, cluster_hardware& hardware)
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
  cluster_fmus(const cluster_fmus&) = delete;
  cluster_fmus& operator=(const cluster_fmus&) = delete;

  /// Sentences about the messages that the FMUs have logged while they went on.
  std::vector<std::string> said() const {
    std::vector<std::string> all;
    for (const fmu& one : fmus_)
      for (const std::string& sentence : one.instance->said())
        all.push_back(fmt::format("FMU {} {}", in_quotes(one.connected->name), sentence));
    return all;
  }

 private:
  struct fmu {
    const connected_fmu* connected;
    std::unique_ptr<temporary_folder> folder;  // into which it is unpacked
    std::unique_ptr<fmu_instance> instance;
    ticks every;
    std::vector<std::size_t> inputs, outputs;  // of the cluster's variables, which they take and set
    std::vector<double> latest;                // of the outputs
  };

  void expired(ticks now, std::uint32_t number) override {
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
  void load(const connected_fmu& connected) {
    fmu one{&connected, std::make_unique<temporary_folder>(), nullptr, model_.unit.to_ticks(connected.every), {}, {},
            {}};
    fmu_archive(connected.file).unpack_into(one.folder->path());
    one.instance = load_fmu(connected.description, one.folder->path(), connected.name);
    for (const auto& [variable, value] : connected.start) one.instance->set(variable, value);
    for (const auto& c : connected.inputs) one.inputs.push_back(variables_.find(c.of_cluster));
    for (const auto& c : connected.outputs) one.outputs.push_back(variables_.find(c.of_cluster));
    one.latest.assign(one.outputs.size(), std::numeric_limits<double>::quiet_NaN());
    fmus_.push_back(std::move(one));
  }
  // An exchange beyond the range of the clock never comes.
  void arm(std::uint32_t number, ticks at) {
    if (at >= end_of_clock) return;
    hardware_.time.arm(at, timer_rank::exchange(number), *this, number);
    ++armed_;
  }
  void exchange(fmu& one, ticks now) {
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
  void set_inputs(fmu& one) {
    for (std::size_t n = 0; n < one.inputs.size(); ++n)
      one.instance->set(one.connected->inputs[n].variable, variables_.value(one.inputs[n]));
  }
  // An output that is the same as at the last exchange is not requested again.
  void request_outputs(fmu& one) {
    for (std::size_t n = 0; n < one.outputs.size(); ++n) {
      const double value = one.instance->get(one.connected->outputs[n].variable);
      if (value == one.latest[n]) continue;
      variables_.set(one.outputs[n], value);
      one.latest[n] = value;
    }
  }
  // Whether the cluster has anything to do, or will have. A policy that has jobs wait in an empty cluster is told that
  // no other will come; servers that are out of service may come back by request.
  bool anything_can_happen() {
    if (!hardware_.is_closed() || !hardware_.source.exhausted() || hardware_.time.armed() > armed_) return true;
    for (std::uint32_t n = 0; n < hardware_.control.server_count(); ++n)
      if (hardware_.control.is_withdrawn(n)) return true;
    return hardware_.end_stream();
  }

  const scenario& model_;
  cluster_hardware& hardware_;
  cluster_variables variables_;
  std::vector<fmu> fmus_;
  std::size_t armed_ = 0;  // FMUs whose next exchange is set
};

}  // namespace muster
