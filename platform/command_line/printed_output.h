#pragma once

#include <string>
#include <vector>

#include "platform/command_line/output_printer.h"
#include "platform/command_line/table_field.h"
#include "platform/model/scenario.h"
#include "platform/tables/table_document.h"

namespace muster {

/// Further columns of a table for programs, before its own: of what a terminal says above it.
struct table_context {
  table_row heads, fields;

  /// A point of a study: its number, and what the sweep has put in.
  static table_context of_point(const study& s, std::size_t point);
};

/// The document of a search, whose tables are rows of fields, the head first.
class printed_output : public table_document {
 public:
  using table_document::table_document;

  /// Adds a table in all formats. Tables of the same name are one for programs.
  /// @param rows the head first
  void add(const std::string& name, const std::vector<table_row>& rows, const table_context& context = {});
  /// Adds a table for programs alone.
  void add_data(const std::string& name, const std::vector<table_row>& rows, const table_context& context = {});
};

}  // namespace muster
