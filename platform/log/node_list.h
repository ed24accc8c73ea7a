#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// The list of nodes that a field tells; empty where it says that there are none, as Slurm does by `(null)`,
/// `None assigned` or `N/A`.
std::string_view node_list_in(std::string_view field);

/// The names in a list of nodes as Slurm writes it: `node[01-03,07],gpu5`, `r[1-2]n[01-04]`. The first number of a
/// range tells how many digits its numbers have. Of several brackets the last one counts fastest.
/// @param most names that a list may have
/// @return nothing: the text is no such list, is cut short, or has more names
std::optional<std::vector<std::string>> names_in_node_list(std::string_view list, std::size_t most = 1'000'000);

}  // namespace muster
