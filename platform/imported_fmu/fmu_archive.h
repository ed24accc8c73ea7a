#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct zip;

namespace muster {

/// An FMU that cannot be used. The text says why, but not its name.
class fmu_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The archive that an FMU is: a zip file, which may come from anybody.
class fmu_archive {
 public:
  static constexpr std::uint64_t most_bytes = std::uint64_t{2} << 30;  ///< of all files, unpacked
  static constexpr std::int64_t most_files = 100'000;

  /// Opens an archive, and looks at the names and sizes of all that is in it.
  /// @throws fmu_error if it is no zip file, has more or larger files than permitted, or a file of a name that leads
  /// out
  ///   of the folder into which it is unpacked
  explicit fmu_archive(const std::string& path);
  ~fmu_archive();
  fmu_archive(const fmu_archive&) = delete;
  fmu_archive& operator=(const fmu_archive&) = delete;

  /// Names of its files, with `/` between folders.
  std::vector<std::string> names() const;
  bool has(std::string_view name) const;
  /// The content of a file. @throws fmu_error if it is missing, damaged, encrypted, or has more bytes than `most`
  std::string content(const std::string& name, std::uint64_t most) const;
  /// Writes all files into a folder. @throws fmu_error if one cannot be read or written
  void unpack_into(const std::string& folder) const;

 private:
  struct file {
    std::string name;
    std::uint64_t size;
  };
  template <class Take>
  void read(std::size_t place, const Take& take) const;

  struct closer {
    void operator()(zip* archive) const;
  };
  std::unique_ptr<zip, closer> archive_;
  std::vector<file> files_;  // by place in the archive
};

}  // namespace muster
