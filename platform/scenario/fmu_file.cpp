#include "platform/scenario/fmu_file.h"

#include <array>
#include <filesystem>

#include "platform/log/byte_stream.h"

namespace muster {

namespace {

std::string digest_of(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) throw fmu_error("is a directory; expected an FMU");
  byte_stream bytes(path);
  std::array<char, std::size_t{1} << 16> buffer;
  while (bytes.read(buffer.data(), buffer.size()) > 0) {
  }
  return bytes.digest();
}

}  // namespace

fmu_file read_fmu_file(const std::string& path) {
  fmu_file file;
  try {
    file.digest = digest_of(path);
    file.description = read_fmu_description(fmu_archive(path));
  } catch (const std::runtime_error& e) {
    file.refusal = e.what();
  }
  return file;
}

}  // namespace muster
