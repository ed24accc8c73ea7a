#include "platform/log/byte_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

namespace muster {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;
constexpr std::string_view gzip_magic{"\x1f\x8b", 2}, zstd_magic{"\x28\xb5\x2f\xfd", 4};

}  // namespace

/// Turns compressed bytes into plain ones.
struct byte_stream::decoder {
  enum class state { more, complete, damaged };
  struct step {
    std::size_t taken, given;
    state after;  // `complete`: a part that may be the last one has ended
  };

  decoder() = default;
  decoder(const decoder&) = delete;
  decoder& operator=(const decoder&) = delete;
  virtual ~decoder() = default;
  virtual step decode(char* from, std::size_t there, char* to, std::size_t most) = 0;
};

struct byte_stream::gzip_decoder final : decoder {
  gzip_decoder() {
    constexpr int gzip_alone = 15 + 16;
    if (inflateInit2(&stream_, gzip_alone) != Z_OK) throw std::runtime_error("cannot be decompressed: no memory");
  }
  gzip_decoder(const gzip_decoder&) = delete;
  gzip_decoder& operator=(const gzip_decoder&) = delete;
  ~gzip_decoder() override { inflateEnd(&stream_); }

  step decode(char* from, std::size_t there, char* to, std::size_t most) override {
    stream_.next_in = reinterpret_cast<Bytef*>(from);
    stream_.avail_in = static_cast<uInt>(there);
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(most);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    step done{there - stream_.avail_in, most - stream_.avail_out, state::more};
    if (result == Z_STREAM_END) {  // another member may follow
      done.after = inflateReset(&stream_) == Z_OK ? state::complete : state::damaged;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      done.after = state::damaged;
    }
    return done;
  }

 private:
  z_stream stream_{};
};

struct byte_stream::zstd_decoder final : decoder {
  zstd_decoder() : stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::runtime_error("cannot be decompressed: no memory");
  }
  zstd_decoder(const zstd_decoder&) = delete;
  zstd_decoder& operator=(const zstd_decoder&) = delete;
  ~zstd_decoder() override { ZSTD_freeDStream(stream_); }

  step decode(char* from, std::size_t there, char* to, std::size_t most) override {
    ZSTD_inBuffer in{from, there, 0};
    ZSTD_outBuffer out{to, most, 0};
    const std::size_t result = ZSTD_decompressStream(stream_, &out, &in);
    if (ZSTD_isError(result) != 0) return {in.pos, out.pos, state::damaged};
    return {in.pos, out.pos, result == 0 ? state::complete : state::more};
  }

 private:
  ZSTD_DStream* stream_;
};

void byte_stream::file_closer::operator()(std::FILE* file) const { std::fclose(file); }

byte_stream::byte_stream(const std::string& path)
    : file_(std::fopen(path.c_str(), "rb")), buffer_(std::make_unique<char[]>(buffer_size)) {
  if (!file_) throw std::runtime_error(fmt::format("cannot be opened: {}", std::strerror(errno)));
  struct stat what {};
  if (fstat(fileno(file_.get()), &what) == 0 && S_ISDIR(what.st_mode))
    throw std::runtime_error("is a directory; expected a log of jobs");
  if (!fill()) return;
  const std::string_view begin{buffer_.get(), filled_};
  if (begin.substr(0, gzip_magic.size()) == gzip_magic)
    decoder_ = std::make_unique<gzip_decoder>();
  else if (begin.substr(0, zstd_magic.size()) == zstd_magic)
    decoder_ = std::make_unique<zstd_decoder>();
}

byte_stream::~byte_stream() = default;

bool byte_stream::fill() {
  filled_ = std::fread(buffer_.get(), 1, buffer_size, file_.get());
  at_ = 0;
  if (filled_ == 0 && std::ferror(file_.get()) != 0) flaw_ = fmt::format("reading failed: {}", std::strerror(errno));
  size_ += filled_;
  checksum_ = crc32_z(checksum_, reinterpret_cast<const Bytef*>(buffer_.get()), filled_);
  return filled_ > 0;
}

std::size_t byte_stream::read(char* to, std::size_t most) {
  if (!flaw_.empty()) return 0;
  if (!decoder_) {
    if (at_ == filled_ && !fill()) return 0;
    const std::size_t given = std::min(most, filled_ - at_);
    std::memcpy(to, buffer_.get() + at_, given);
    at_ += given;
    return given;
  }
  for (;;) {
    const bool at_end = at_ == filled_ && !fill();
    const decoder::step done = decoder_->decode(buffer_.get() + at_, filled_ - at_, to, most);
    at_ += done.taken;
    if (done.taken + done.given > 0) within_part_ = done.after != decoder::state::complete;
    if (done.after == decoder::state::damaged) flaw_ = "the compressed data are damaged";
    if (done.given > 0 || !flaw_.empty()) return done.given;
    if (!at_end) continue;
    if (within_part_) flaw_ = "the compressed data end too early";
    return 0;
  }
}

std::string byte_stream::digest() const { return fmt::format("{} bytes, CRC-32 {:08x}", size_, checksum_); }

}  // namespace muster
