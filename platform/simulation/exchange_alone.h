#pragma once

#include <string>
#include <vector>

#include "platform/model/study.h"

namespace muster {

/// How fast a job goes whose tasks exchange data, if it is alone in the cluster, on the first servers that it may use.
struct exchange_alone {
  double busiest = 0.0;  ///< the largest share of an edge's bandwidth that its streams would take at full speed
  std::string from, to;  ///< ends of that edge, in the direction of the streams; empty: no stream passes such an edge
  double speed() const { return busiest > 1.0 ? 1.0 / busiest : 1.0; }
};

/// @param c a class of the model whose jobs exchange data
exchange_alone alone_in_cluster(const scenario& model, const class_spec& c);

/// A sentence on each class of a study whose jobs exchange data, once where points agree. Nothing on jobs of very many
/// servers, and on those of lists and logs, of which each has a need of its own.
std::vector<std::string> notes_on_exchange(const study& s);

}  // namespace muster
