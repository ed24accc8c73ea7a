#include "platform/python/setting_text.h"

#include <cmath>

#include <fmt/format.h>

namespace muster {

namespace py = pybind11;

namespace {

// A string literal of JSON is one of TOML, as long as no character is written as a pair of surrogates.
std::string quoted(const py::handle& text) {
  return py::module_::import("json").attr("dumps")(text, py::arg("ensure_ascii") = false).cast<std::string>();
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  return py::repr(py::float_(value)).cast<std::string>();
}

std::string list_text(const py::handle& list) {
  std::string text;
  for (const py::handle element : list) text += (text.empty() ? "" : ", ") + setting_text(element);
  return "[" + text + "]";
}

std::string table_text(const py::dict& table) {
  std::string text;
  for (const auto& [key, value] : table)
    text += (text.empty() ? "" : ", ") + quoted(py::str(key)) + " = " + setting_text(value);
  return "{" + text + "}";
}

}  // namespace

std::string setting_text(py::handle value) {
  PyObject* const object = value.ptr();
  const bool numpy_bool = py::str(py::type::handle_of(value).attr("__name__")).cast<std::string>() == "bool_";
  if (PyBool_Check(object) || numpy_bool)
    return py::bool_(py::reinterpret_borrow<py::object>(value)) ? "true" : "false";
  if (PyUnicode_Check(object)) return quoted(value);
  if (PyFloat_Check(object)) return number_text(PyFloat_AsDouble(object));
  if (PyIndex_Check(object)) return py::str(py::int_(py::reinterpret_borrow<py::object>(value))).cast<std::string>();
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) return list_text(value);
  if (py::isinstance<py::dict>(value)) return table_text(py::reinterpret_borrow<py::dict>(value));
  if (py::hasattr(value, "__fspath__")) return quoted(value.attr("__fspath__")());
  if (py::hasattr(value, "__float__")) return number_text(py::float_(py::reinterpret_borrow<py::object>(value)));
  throw py::type_error(
      fmt::format("expected a number, string, bool, path, list or dict as the value of a setting, found {}",
                  py::repr(value).cast<std::string>()));
}

}  // namespace muster
