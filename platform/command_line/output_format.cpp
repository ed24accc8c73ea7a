#include "platform/command_line/output_format.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/names.h"
#include "platform/model/features.h"

namespace muster {

const std::vector<named_format>& format_catalogue() {
  static const std::vector<named_format> all{{"table", output_format::table},
                                             {"csv", output_format::csv},
                                             {"json", output_format::json},
                                             {"markdown", output_format::markdown}};
  return all;
}

void add_format(CLI::App& command, output_format& format, std::string_view main) {
  const std::vector<std::string> names = names_of(format_catalogue());
  const auto choose = [&format](const std::string& name) {
    for (const named_format& known : format_catalogue())
      if (known.name == name) format = known.format;
  };
  command
      .add_option_function<std::string>(
          "--format", choose,
          fmt::format("what is printed: {}; csv has {}, the others have all tables", in_words(names), main))
      ->type_name("FORMAT")
      ->default_str(names.front())
      ->check(known_name("format", names));
}

}  // namespace muster
