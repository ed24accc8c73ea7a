#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/tables/data_table.h"

namespace muster {

/// How a command prints what it has found.
enum class output_format : std::uint8_t {
  table,     ///< sentences and tables for a terminal
  csv,       ///< the command's main table, RFC 4180
  json,      ///< all tables in one document
  markdown,  ///< all tables
};

/// What a command prints: for a terminal lines and tables in their order, for programs tables with names.
class table_document {
 public:
  /// @param main the table that csv has
  explicit table_document(std::string main) : main_(std::move(main)) {}

  /// Adds lines for a terminal alone.
  void say(const std::string& lines) { text_ += lines; }
  /// Adds a table in all formats. Tables of the same name are one for programs.
  void add(const data_table& table);
  /// Adds a table for programs alone.
  void add_data(const data_table& table);
  /// Adds sentences for programs alone: the terminal has them from say().
  void add_sentences(const std::string& name, const std::vector<std::string>& sentences);
  /// Adds all of another document.
  void append(const table_document& other);

  /// The document for a terminal.
  const std::string& text() const { return text_; }
  /// @return with its last line's end, if there is anything
  std::string in(output_format format) const;

 private:
  struct part {
    data_table table;  // without columns: sentences
    std::vector<std::string> sentences;
  };

  part& part_of(const std::string& name);
  std::string csv() const;
  std::string json() const;
  std::string markdown() const;

  std::string main_, text_;
  std::vector<part> parts_;
};

}  // namespace muster
