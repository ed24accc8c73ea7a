#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/tables/table_document.h"

namespace muster {

/// A name that scenarios or options may have.
struct listed_name {
  std::string name;
  std::string text;     ///< all that is known of it
  std::string example;  ///< a command; words in capitals stand for values; empty: `text` has one
  std::string unit{};   ///< of a metric
};

/// What `muster list` prints, and where `muster help` looks names up.
struct list_subject {
  std::string_view name;
  /// @throws output_error, of scenarios, if there is no folder of them
  std::vector<listed_name> (*entries)();
  std::string_view before = {}, between = {};  ///< what is printed before the entries, and between two of them
  bool has_names = true;                       ///< of which options and help know; else of files
  /// All entries as a table, where their texts alone do not print them.
  data_table (*table)() = nullptr;

  table_document output() const;
};

/// All that can be listed, in the order in which messages name it.
const std::vector<list_subject>& list_subjects();

}  // namespace muster
