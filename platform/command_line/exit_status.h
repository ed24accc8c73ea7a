#pragma once

namespace muster {

/// How muster ends; scripts rely on it.
enum exit_status {
  done = 0,
  differs = 1,  ///< of `compare` alone: something differs beyond chance
  bad_input = 2,
  fault = 3,
  interrupted = 130
};

}  // namespace muster
