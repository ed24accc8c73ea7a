#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "muster/modules/front/shared_servers.h"
#include "muster/modules/scheduler/scheduler.h"
#include "muster/modules/server/gang_exchange.h"
#include "muster/modules/server/server.h"
#include "muster/modules/server/server_governors.h"
#include "muster/modules/server/server_power.h"
#include "muster/modules/server/server_speeds.h"
#include "platform/model/scenario.h"

// What a scenario says of its cluster as the modules' own settings.

namespace muster {

/// The speeds of all servers, where they change; else null.
std::unique_ptr<server_speeds> speeds_of(const scenario& model);

/// The power of all servers, where their speeds may change and any draws power; else null.
std::unique_ptr<server_power> power_of(const scenario& model, timekeeper& time, server_speeds* speeds);

/// What chooses the frequencies of servers, where they change; else null.
std::unique_ptr<server_governors> governors_of(const scenario& model, timekeeper& time, server_speeds* speeds);

/// Whether servers of an entry may leave service: where schedulers share them, no control from outside takes them out.
bool may_leave(const scenario& model, const server_spec& s);

/// The servers that schedulers share; null: each has servers of its own.
std::unique_ptr<shared_servers> shared_by_schedulers(const scenario& model, timekeeper& time);

/// The settings of one of several schedulers, or of the only one. @param numbered, shared see scheduler_settings
scheduler_settings settings_of_scheduler(const scenario& model, std::uint32_t number, random_numbers& random,
                                         random_numbers& placement_random, std::uint64_t& numbered,
                                         shared_servers* shared);

/// The costs in time of the servers that draw this power.
server_costs costs_of(const scenario& model, const power_spec& power);

/// The disk of each server of an entry, if they have one.
std::optional<server_disk> disk_of(const scenario& model, const server_spec& s);

/// What the tasks of jobs of each class exchange while they work, in ticks.
table<class_id, std::optional<class_exchange>> exchange_of_classes(const scenario& model);

}  // namespace muster
