#pragma once

namespace muster {

/// Runs the cluster that a cluster_process at the other end of a socket asks for, and answers it until the socket is
/// closed. Processes that are forked from it for snapshots answer theirs.
///
/// The calling process has started for this alone: all of its files are closed but the socket and standard error, to
/// which standard output goes, too. The call returns when all of the processes have ended.
/// @param socket inherited from the program that has started this process
void serve_cluster(int socket);

}  // namespace muster
