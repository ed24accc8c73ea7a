#pragma once

namespace muster {

/// How messages share an edge of finite bandwidth: one after the other, see fifo_sharing, or at the same time, see
/// max_min.
enum class sharing_rule { fifo, max_min };

}  // namespace muster
