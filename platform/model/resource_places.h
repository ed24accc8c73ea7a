#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "muster/policies/resources.h"
#include "platform/model/scenario.h"

namespace muster {

/// A device, or an amount, of a server or of the cluster as a whole.
struct resource_place {
  std::string name;          ///< of the resource, and of a device its number: "memory", "gpu 2"
  std::size_t resource = 0;  ///< place in scenario::resources
  std::uint64_t all = 0;     ///< parts of the device, or the amount
  bool is_device = false;
};

/// What a server has beside its cores, in the order of slice_view::resources. Empty where only cores count.
std::vector<resource_place> places_of_server(const scenario& model, const server_spec& server);
/// What the cluster has as a whole, in the order of scheduled_job::of_cluster. Empty where only cores count.
std::vector<resource_place> places_of_cluster(const scenario& model);
/// The names of the devices among such places, in their order.
std::vector<std::string> device_names(const std::vector<resource_place>& places);
/// The names of the devices of the cluster that pictures show: the first 128.
std::vector<std::string> devices_in_pictures(const scenario& model);

/// What a unit of amounts measures, such as bytes of "B", so that an amount may be written in others that measure it.
/// Empty: it is a unit of its own.
std::string_view measured_by(std::string_view unit);

/// An amount as texts show it: "64 GB", "12", of devices in parts "0.25".
std::string amount_text(const resource_type& type, std::uint64_t amount);

}  // namespace muster
