#pragma once

#include <cstddef>
#include <cstdint>

/// @file
/// How many jobs have arrived in the simulations that child processes run, in memory that this process shares with
/// them: progress shows within a replication, also where no job completes.

namespace muster::arrival_board {

/// Takes a place on the board for a child process that is about to be started.
std::size_t take_place();
/// Gives back the place of a child that has ended.
void give_back(std::size_t place);
/// Makes show() write to a place. Called in the child.
void use(std::size_t place);
/// Shows how many jobs have arrived so far. Called in the child; of no effect where this process has no place.
void show(std::uint64_t arrivals);
/// The arrivals of all children together.
std::uint64_t arrivals_under_way();

}  // namespace muster::arrival_board
