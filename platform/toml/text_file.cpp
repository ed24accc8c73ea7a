#include "platform/toml/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace muster {

std::string read_text_file(const std::string& path, std::string_view kind, std::size_t most) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw std::runtime_error(fmt::format("is a directory; expected a {}", kind));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{std::fopen(path.c_str(), "rb"), std::fclose};
  if (!file) throw std::runtime_error(fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::string text, part(std::size_t{1} << 16, '\0');
  while (const std::size_t read = text.size() > most ? 0 : std::fread(part.data(), 1, part.size(), file.get()))
    text.append(part, 0, read);
  if (std::ferror(file.get())) throw std::runtime_error("cannot be read to its end");
  if (text.size() > most) throw std::runtime_error(fmt::format("is too large; expected at most {} bytes", most));
  return text;
}

std::uint32_t characters(std::string_view text) {
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; };
  return static_cast<std::uint32_t>(std::count_if(text.begin(), text.end(), begins_character));
}

}  // namespace muster
