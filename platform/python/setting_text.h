#pragma once

#include <string>

#include <pybind11/pybind11.h>

namespace muster {

/// A value of Python as TOML, as it stands behind `--set KEY=`: bool, int, float, str, a path, a list or tuple, a dict.
/// Numbers of NumPy are numbers, too. Floats read back as the same.
/// @throws pybind11::type_error for anything else
std::string setting_text(pybind11::handle value);

}  // namespace muster
