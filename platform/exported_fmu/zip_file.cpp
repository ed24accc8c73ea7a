#include "platform/exported_fmu/zip_file.h"

#include <memory>
#include <stdexcept>

#include <fmt/format.h>
#include <zip.h>

namespace muster {

namespace {

constexpr zip_uint16_t first_of_january = 1U << 5U | 1U;  // of 1980, where the time of ZIP archives begins
constexpr zip_uint32_t file_mode = 0100644, program_mode = 0100755;
constexpr zip_uint32_t quickly = 1;     // a level of deflate: a program becomes hardly smaller at the others
constexpr zip_uint32_t mode_bits = 16;  // in an attribute, below those that Unix has for a mode

struct discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using open_zip = std::unique_ptr<zip_t, discard>;

open_zip create(const std::filesystem::path& path) {
  int code = 0;
  open_zip archive{zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code)};
  if (archive) return archive;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string why = zip_error_strerror(&error);
  zip_error_fini(&error);
  throw std::runtime_error(fmt::format("{}: {}", path.string(), why));
}

void add(zip_t* archive, const zipped_file& file) {
  zip_source_t* const source = file.copy.empty()
                                   ? zip_source_buffer(archive, file.content.data(), file.content.size(), 0)
                                   : zip_source_file(archive, file.copy.c_str(), 0, -1);
  const zip_int64_t place = source ? zip_file_add(archive, file.name.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
  if (place < 0) {
    if (source) zip_source_free(source);
    throw std::runtime_error(fmt::format("{}: {}", file.name, zip_strerror(archive)));
  }
  const auto at = static_cast<zip_uint64_t>(place);
  zip_file_set_external_attributes(archive, at, 0, ZIP_OPSYS_UNIX,
                                   (file.program ? program_mode : file_mode) << mode_bits);
  zip_file_set_dostime(archive, at, 0, first_of_january, 0);
  zip_set_file_compression(archive, at, ZIP_CM_DEFLATE, quickly);
}

}  // namespace

void write_zip(const std::filesystem::path& path, const std::vector<zipped_file>& files) {
  open_zip archive = create(path);
  for (const zipped_file& file : files) add(archive.get(), file);
  if (zip_close(archive.get()) != 0)
    throw std::runtime_error(fmt::format("{}: {}", path.string(), zip_strerror(archive.get())));
  archive.release();
}

}  // namespace muster
