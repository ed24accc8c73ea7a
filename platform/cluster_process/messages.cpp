#include "platform/cluster_process/messages.h"

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

namespace muster {

namespace {

// Room for one file descriptor beside a message.
union control_buffer {
  char bytes[CMSG_SPACE(sizeof(int))];
  cmsghdr aligned;
};

// Not one of the standard streams, although the program may have closed some.
int beyond_standard_streams(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const int other = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::close(descriptor);
  return other;
}

// Waits for what comes next. An answer that comes at once is not slept for: to be woken up takes longer than most
// steps.
ssize_t receive_some(int socket, msghdr& header) {
  constexpr int tries = 20;
  for (int n = 0;; ++n) {
    const ssize_t received = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC | (n < tries ? MSG_DONTWAIT : 0));
    if (received >= 0 || (errno != EINTR && errno != EAGAIN)) return received;
    if (n < tries) ::sched_yield();
  }
}

void take_passed(const msghdr& header, channel* passed) {
  for (const cmsghdr* c = CMSG_FIRSTHDR(&header); c;
       c = CMSG_NXTHDR(const_cast<msghdr*>(&header), const_cast<cmsghdr*>(c))) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    int socket;
    std::memcpy(&socket, CMSG_DATA(c), sizeof socket);
    channel taken{socket};
    if (passed) *passed = std::move(taken);
  }
}

}  // namespace

channel::channel(channel&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

channel& channel::operator=(channel&& other) noexcept {
  if (this == &other) return *this;
  close();
  socket_ = std::exchange(other.socket_, -1);
  return *this;
}

void channel::close() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

bool channel::send(const message& what, int pass) {
  auto length = static_cast<std::uint32_t>(what.bytes_.size());
  std::array<iovec, 2> parts{{{&length, sizeof length}, {const_cast<char*>(what.bytes_.data()), what.bytes_.size()}}};
  msghdr header{};
  header.msg_iov = parts.data();
  header.msg_iovlen = parts.size();
  control_buffer control{};
  if (pass >= 0) {
    header.msg_control = control.bytes;
    header.msg_controllen = sizeof control.bytes;
    cmsghdr* const c = CMSG_FIRSTHDR(&header);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof pass);
    std::memcpy(CMSG_DATA(c), &pass, sizeof pass);
  }
  while (header.msg_iovlen > 0) {
    const ssize_t sent = ::sendmsg(socket_, &header, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    header.msg_control = nullptr;
    header.msg_controllen = 0;
    auto rest = static_cast<std::size_t>(sent);
    while (header.msg_iovlen > 0 && rest >= header.msg_iov->iov_len) {
      rest -= header.msg_iov->iov_len;
      ++header.msg_iov;
      --header.msg_iovlen;
    }
    if (header.msg_iovlen == 0) break;
    header.msg_iov->iov_base = static_cast<char*>(header.msg_iov->iov_base) + rest;
    header.msg_iov->iov_len -= rest;
  }
  return true;
}

bool channel::receive(message& into, channel* passed) {
  constexpr std::size_t usual = 4096;  // most messages come with one call
  std::uint32_t length = 0;
  into.bytes_.resize(usual);
  into.read_ = 0;
  std::size_t got = 0, expected = sizeof length + into.bytes_.size();
  bool know_length = false;
  while (got < expected) {
    std::array<iovec, 2> parts{};
    std::size_t count = 0;
    if (got < sizeof length) parts[count++] = {reinterpret_cast<char*>(&length) + got, sizeof length - got};
    const std::size_t done = got < sizeof length ? 0 : got - sizeof length;
    parts[count++] = {into.bytes_.data() + done, into.bytes_.size() - done};
    msghdr header{};
    header.msg_iov = parts.data();
    header.msg_iovlen = count;
    control_buffer control{};
    header.msg_control = control.bytes;
    header.msg_controllen = sizeof control.bytes;
    const ssize_t received = receive_some(socket_, header);
    if (received <= 0) return false;
    take_passed(header, passed);
    got += static_cast<std::size_t>(received);
    if (know_length || got < sizeof length) continue;
    know_length = true;
    expected = sizeof length + length;
    if (got > expected) throw message_error("a message is longer than it says");
    into.bytes_.resize(length);
  }
  return true;
}

channel_pair::channel_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::system_error(errno, std::generic_category(), "a connection to a process cannot be made");
  near = channel{beyond_standard_streams(ends[0])};
  far = channel{beyond_standard_streams(ends[1])};
}

}  // namespace muster
