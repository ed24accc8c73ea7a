#pragma once

#include <cstddef>
#include <cstdint>

/// @file
/// How many jobs have arrived in the simulations that child processes run, in memory that this process shares with
/// them: progress shows within a replication, also where no job completes.

namespace muster::arrival_board {

/// A place on the board for a child process that is about to be started.
std::size_t take_place();
/// The child has ended.
void give_back(std::size_t place);
/// In the child: what show() tells goes to that place.
void use(std::size_t place);
/// In the child: so many jobs have arrived so far. Of no effect where nobody has given this process a place.
void show(std::uint64_t arrivals);
/// Of all children together.
std::uint64_t arrivals_under_way();

}  // namespace muster::arrival_board
