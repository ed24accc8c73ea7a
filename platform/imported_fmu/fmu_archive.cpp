#include "platform/imported_fmu/fmu_archive.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <zip.h>

#include "platform/toml/diagnostics.h"

namespace muster {

namespace fs = std::filesystem;

namespace {

// Whether a file of that name is unpacked within the folder, on any system.
bool stays_within(const std::string& name) {
  const fs::path path{name};
  return !name.empty() && path.is_relative() && name.find_first_of("\\:") == std::string::npos &&
         name.find('\0') == std::string::npos && std::find(path.begin(), path.end(), "..") == path.end();
}

bool is_folder(const std::string& name) { return name.back() == '/'; }

}  // namespace

void fmu_archive::closer::operator()(zip* archive) const { zip_discard(archive); }

fmu_archive::fmu_archive(const std::string& path) {
  int reason = 0;
  archive_.reset(zip_open(path.c_str(), ZIP_RDONLY, &reason));
  if (!archive_) {
    zip_error_t error;
    zip_error_init_with_code(&error, reason);
    const std::string words = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw fmu_error(fmt::format("cannot be opened as a zip file, which an FMU is: {}", words));
  }
  const std::int64_t count = zip_get_num_entries(archive_.get(), 0);
  if (count > most_files) throw fmu_error(fmt::format("has {} files; expected at most {}", count, most_files));
  std::uint64_t all = 0;
  for (std::int64_t place = 0; place < count; ++place) {
    zip_stat_t about;
    zip_stat_init(&about);
    if (zip_stat_index(archive_.get(), static_cast<zip_uint64_t>(place), ZIP_FL_ENC_RAW, &about) != 0 ||
        !(about.valid & ZIP_STAT_NAME) || !(about.valid & ZIP_STAT_SIZE))
      throw fmu_error("is damaged: a file in it has no name or no size");
    if (!stays_within(about.name))
      throw fmu_error(
          fmt::format("has a file {}; expected a relative path without '..', '\\' and ':'", in_quotes(about.name)));
    // Each size is bounded before it is added, as a sum of any sizes may overflow.
    if (about.size > most_bytes || (all += about.size) > most_bytes)
      throw fmu_error(fmt::format("has more than {} GiB when it is unpacked; expected no more", most_bytes >> 30));
    files_.push_back({about.name, about.size});
  }
}

fmu_archive::~fmu_archive() = default;

std::vector<std::string> fmu_archive::names() const {
  std::vector<std::string> all;
  for (const file& f : files_) all.push_back(f.name);
  return all;
}

bool fmu_archive::has(std::string_view name) const {
  return std::any_of(files_.begin(), files_.end(), [&](const file& f) { return f.name == name; });
}

// Hands the bytes of a file on, part by part. One that has more bytes than it says is not read to its end.
template <class Take>
void fmu_archive::read(std::size_t place, const Take& take) const {
  const auto& [name, size] = files_[place];
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> in(zip_fopen_index(archive_.get(), place, 0), zip_fclose);
  if (!in) throw fmu_error(fmt::format("{} in it cannot be read: {}", in_quotes(name), zip_strerror(archive_.get())));
  std::vector<char> buffer(std::size_t{1} << 16);
  for (std::uint64_t done = 0;;) {
    const std::int64_t n = zip_fread(in.get(), buffer.data(), buffer.size());
    if (n > 0) done += static_cast<std::uint64_t>(n);
    if (n < 0 || done > size || (n == 0 && done < size))
      throw fmu_error(fmt::format("{} in it is damaged: {}", in_quotes(name),
                                  n < 0 ? zip_file_strerror(in.get()) : "it has another size than is told"));
    if (n == 0) return;
    take(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
  }
}

std::string fmu_archive::content(const std::string& name, std::uint64_t most) const {
  const auto found = std::find_if(files_.begin(), files_.end(), [&](const file& f) { return f.name == name; });
  if (found == files_.end()) throw fmu_error(fmt::format("has no {}", name));
  if (found->size > most)
    throw fmu_error(fmt::format("has a {} of {} bytes; expected at most {}", name, found->size, most));
  std::string text;
  read(static_cast<std::size_t>(found - files_.begin()), [&](std::string_view part) { text += part; });
  return text;
}

void fmu_archive::unpack_into(const std::string& folder) const {
  for (std::size_t place = 0; place < files_.size(); ++place) {
    const fs::path to = fs::path{folder} / files_[place].name;
    std::error_code failed;
    fs::create_directories(is_folder(files_[place].name) ? to : to.parent_path(), failed);
    if (is_folder(files_[place].name)) continue;
    std::ofstream out(to, std::ios::binary);
    read(place, [&](std::string_view part) { out.write(part.data(), static_cast<std::streamsize>(part.size())); });
    out.close();
    if (failed || !out)
      throw fmu_error(fmt::format("{} in it cannot be written to {}", in_quotes(files_[place].name), folder));
  }
}

}  // namespace muster
