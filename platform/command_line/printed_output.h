#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "platform/command_line/output_format.h"
#include "platform/command_line/table_field.h"
#include "platform/model/scenario.h"

namespace muster {

/// Further columns of a table for programs, before its own: of what a terminal says above it.
struct table_context {
  table_row heads, fields;

  /// A point of a study: its number, and what the sweep has put in.
  static table_context of_point(const study& s, std::size_t point);
};

/// What a command prints: for a terminal lines and tables in their order, for programs tables with names.
class printed_output {
 public:
  /// @param main the table that csv has
  explicit printed_output(std::string main) : main_(std::move(main)) {}

  /// Lines for a terminal alone.
  void say(const std::string& lines) { text_ += lines; }
  /// A table for all formats. Tables of the same name are one for programs.
  /// @param rows the head first
  void add(const std::string& name, const std::vector<table_row>& rows, const table_context& context = {});
  /// The same for programs alone.
  void add_data(const std::string& name, const std::vector<table_row>& rows, const table_context& context = {});
  /// Sentences, for programs alone: the terminal has them from say().
  void add_sentences(const std::string& name, const std::vector<std::string>& sentences);
  /// All of another one, behind.
  void append(const printed_output& other);

  /// For a terminal.
  const std::string& text() const { return text_; }
  /// @return with its last line's end, if there is anything
  std::string in(output_format format) const;

 private:
  struct part {
    std::string name;
    std::vector<table_row> rows;  // the head first; none: sentences
    std::vector<std::string> sentences;
  };

  part& part_of(const std::string& name);
  std::string csv() const;
  std::string json() const;
  std::string markdown() const;

  std::string main_, text_;
  std::vector<part> parts_;
};

/// Prints to standard output: for a terminal at once, for programs at the end.
class output_printer {
 public:
  /// @param main the table that csv has
  output_printer(output_format format, std::string main) : format_(format), all_(std::move(main)) {}

  /// Lines for a terminal alone.
  void say(const std::string& lines) const;
  void add(const printed_output& found);
  /// To be called once.
  void end() const;

 private:
  output_format format_;
  printed_output all_;
};

}  // namespace muster
