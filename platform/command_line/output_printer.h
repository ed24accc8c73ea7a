#pragma once

#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "platform/tables/table_document.h"

namespace muster {

/// Prints to standard output: for a terminal at once, for programs at the end.
class output_printer {
 public:
  /// @param main the table that csv has
  output_printer(output_format format, std::string main) : format_(format), all_(std::move(main)) {}

  /// Prints lines for a terminal alone.
  void say(const std::string& lines) const {
    if (format_ == output_format::table) fmt::print("{}", lines);
  }
  void add(const table_document& found) {
    say(found.text());
    std::fflush(stdout);
    all_.append(found);
  }
  /// To be called once.
  void end() const {
    if (format_ != output_format::table) fmt::print("{}", all_.in(format_));
  }

 private:
  output_format format_;
  table_document all_;
};

}  // namespace muster
