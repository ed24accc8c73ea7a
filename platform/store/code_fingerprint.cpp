#include "platform/store/code_fingerprint.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace muster {

namespace {

constexpr const char* program = "muster";

struct plugin_code {
  std::string name, build;
  std::set<std::string> policies;
};

std::vector<plugin_code>& plugins() {
  static std::vector<plugin_code> all;
  return all;
}

/// A file of code, of which little is read: the whole of a program takes longer than a short run.
class code_file {
 public:
  explicit code_file(const std::filesystem::path& path) : bytes_(path, std::ios::binary) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (!error) size_ = size;
  }

  std::uintmax_t size() const { return size_; }
  /// The bytes of the file from a place on, at most `count` of them; empty if they cannot be read.
  std::string bytes(std::uintmax_t at, std::uintmax_t count) {
    std::string found(at < size_ ? std::min(count, size_ - at) : 0, '\0');
    bytes_.seekg(static_cast<std::streamoff>(at));
    return bytes_.read(found.data(), static_cast<std::streamsize>(found.size())) ? found : "";
  }

 private:
  std::ifstream bytes_;
  std::uintmax_t size_ = 0;
};

/// The record at a place in some bytes; nothing beyond their end.
template <class T>
std::optional<T> record_at(std::string_view bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
  T found;
  std::memcpy(&found, bytes.data() + at, sizeof found);
  return found;
}
template <class T>
std::optional<T> record_at(code_file& file, std::uintmax_t at) {
  return record_at<T>(file.bytes(at, sizeof(T)), 0);
}

std::string in_hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

// The build id in a segment of notes. Each note has a head, a name and a description, padded to four bytes.
std::string build_id_in(std::string_view notes) {
  const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
  for (std::size_t at = 0;;) {
    const auto head = record_at<ElfW(Nhdr)>(notes, at);
    if (!head) return "";
    const std::size_t name = at + sizeof *head, text = name + padded(head->n_namesz);
    if (text > notes.size() || notes.size() - text < head->n_descsz) return "";
    if (head->n_type == NT_GNU_BUILD_ID && notes.substr(name, head->n_namesz) == std::string_view("GNU\0", 4))
      return in_hexadecimal(notes.substr(text, head->n_descsz));
    at = text + padded(head->n_descsz);
  }
}

std::string build_id_of(code_file& file) {
  const auto head = record_at<ElfW(Ehdr)>(file, 0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return "";
  for (std::size_t n = 0; n < head->e_phnum; ++n) {
    const auto segment = record_at<ElfW(Phdr)>(file, head->e_phoff + n * head->e_phentsize);
    if (!segment) return "";
    if (segment->p_type != PT_NOTE) continue;
    if (std::string id = build_id_in(file.bytes(segment->p_offset, segment->p_filesz)); !id.empty()) return id;
  }
  return "";
}

std::string shortened(const std::string& build) { return build.substr(0, 12); }

}  // namespace

std::string build_of(const std::filesystem::path& path) {
  code_file file(path);
  if (std::string id = build_id_of(file); !id.empty()) return id;
  const std::string all = file.bytes(0, file.size());
  return all.empty() ? "" : to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(all));
}

bool runs_plugins() { return !plugins().empty(); }

void add_running_code(const std::filesystem::path& plugin, const std::set<std::string>& policies) {
  plugins().push_back({plugin.filename().string(), build_of(plugin), policies});
}

code_fingerprint running_code(const std::optional<std::set<std::string>>& policies) {
  static const std::string own_build = build_of("/proc/self/exe");
  code_fingerprint all{{program, own_build}};
  for (const plugin_code& plugin : plugins()) {
    const bool used = !policies || std::any_of(plugin.policies.begin(), plugin.policies.end(),
                                               [&](const std::string& name) { return policies->count(name) > 0; });
    if (used) all[plugin.name] += plugin.build;
  }
  return all;
}

std::string code_difference(const code_fingerprint& a, const code_fingerprint& b, std::string_view of_a,
                            std::string_view of_b) {
  if (a.empty() || b.empty()) return "";
  std::vector<std::string> differences;
  const auto named = [](const std::string& name) { return name == program ? name : "plugin " + name; };
  for (const auto& [name, build] : a) {
    const auto other = b.find(name);
    if (other == b.end())
      differences.push_back(fmt::format("{} (only {})", named(name), of_a));
    else if (other->second != build)
      differences.push_back(
          fmt::format("{} (build {} {}, {} {})", named(name), shortened(build), of_a, shortened(other->second), of_b));
  }
  for (const auto& [name, build] : b)
    if (a.count(name) == 0) differences.push_back(fmt::format("{} (only {})", named(name), of_b));
  return fmt::format("{}", fmt::join(differences, ", "));
}

}  // namespace muster
