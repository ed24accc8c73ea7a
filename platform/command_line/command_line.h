#pragma once

namespace muster {

/// The whole command line. @return the exit status: 0 done, 1 compare has found a difference, 2 bad usage or scenario,
/// 3 a fault, 130 interrupted
int command_line(int argc, char** argv);

}  // namespace muster
