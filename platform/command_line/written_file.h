#pragma once

#include <filesystem>
#include <string_view>

namespace muster {

/// The file that --out of a command names: that to which symbolic links lead.
/// @param expected what it should be, such as "a page to write, such as gallery.html"
/// @throws output_error if it is there and no regular file
std::filesystem::path file_behind(std::filesystem::path out, std::string_view expected);

/// Checks that a file may be written. @param out the file as --out names it @param force whether it may be there
/// @throws output_error if it is there and may not be
void check_free(const std::filesystem::path& file, const std::filesystem::path& out, bool force);

/// The folder of a file; "." if the path names none.
std::filesystem::path folder_of(const std::filesystem::path& file);

}  // namespace muster
