#pragma once

namespace muster {

struct scenario;

/// What the servers, cores and links of a scenario cost together, by its prices: all of the cost that does not depend
/// on the run. @param model with prices
double price_of_hardware(const scenario& model);

}  // namespace muster
