#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platform/imported_fmu/fmu_instance.h"
#include "platform/imported_fmu/temporary_folder.h"
#include "platform/model/connected_fmu.h"
#include "platform/simulation/cluster_hardware.h"
#include "platform/simulation/cluster_variables.h"

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
  cluster_fmus(const scenario& model, cluster_hardware& hardware);
  cluster_fmus(const cluster_fmus&) = delete;
  cluster_fmus& operator=(const cluster_fmus&) = delete;

  /// Sentences about the messages that the FMUs have logged while they went on.
  std::vector<std::string> said() const;

 private:
  struct fmu {
    const connected_fmu* connected;
    std::unique_ptr<temporary_folder> folder;  // into which it is unpacked
    std::unique_ptr<fmu_instance> instance;
    ticks every;
    std::vector<std::size_t> inputs, outputs;  // of the cluster's variables, which they take and set
    std::vector<double> latest;                // of the outputs
  };

  void expired(ticks now, std::uint32_t number) override;
  void load(const connected_fmu& connected);
  void arm(std::uint32_t number, ticks at);
  void exchange(fmu& one, ticks now);
  void set_inputs(fmu& one);
  void request_outputs(fmu& one);
  bool anything_can_happen();

  const scenario& model_;
  cluster_hardware& hardware_;
  cluster_variables variables_;
  std::vector<fmu> fmus_;
  std::size_t armed_ = 0;  // FMUs whose next exchange is set
};

}  // namespace muster
