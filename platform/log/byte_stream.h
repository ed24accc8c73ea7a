#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace muster {

/// The bytes of a file, decompressed where gzip or zstd has compressed it. What it is tells the content, not the name.
class byte_stream {
 public:
  /// @throws std::runtime_error that says why the file cannot be read, but not its name
  explicit byte_stream(const std::string& path);
  ~byte_stream();
  byte_stream(const byte_stream&) = delete;
  byte_stream& operator=(const byte_stream&) = delete;

  /// Reads the next bytes. @return their number; 0: there are no more, see flaw()
  std::size_t read(char* to, std::size_t most);
  /// Why compressed bytes end before their time; empty: they do not.
  std::string_view flaw() const { return flaw_; }
  /// Size and checksum of the file as it lies there, once all of it is read: files that differ have different ones.
  std::string digest() const;

 private:
  struct decoder;
  struct gzip_decoder;
  struct zstd_decoder;

  // Fills the buffer anew. @return whether there is anything in it
  bool fill();

  struct file_closer {
    void operator()(std::FILE* file) const;
  };
  std::unique_ptr<std::FILE, file_closer> file_;
  std::unique_ptr<char[]> buffer_;
  std::size_t at_ = 0, filled_ = 0;  // in the buffer
  std::uint64_t size_ = 0;           // of the file, as far as it is read
  unsigned long checksum_ = 0;
  std::unique_ptr<decoder> decoder_;  // null: the bytes are as they are
  bool within_part_ = false;          // the compressed data must go on
  std::string flaw_;
};

}  // namespace muster
