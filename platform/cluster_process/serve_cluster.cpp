#include "platform/cluster_process/serve_cluster.h"

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "platform/cluster_process/messages.h"
#include "platform/cluster_process/stepped_cluster.h"
#include "platform/model/plugin_file.h"

namespace muster {

namespace {

/// While one lives, this process ends soon after the other end of its socket has been closed: a step of the cluster may
/// take long, or never end. A timer looks after that; it goes on from step to step, and stops when the process rests.
class client_watch {
 public:
  explicit client_watch(int socket) {
    watched = socket;
    stepping = 1;
    if (runs) return;
    runs = 1;
    ::signal(SIGALRM, look);
    set_timer(200'000);
  }
  ~client_watch() { stepping = 0; }
  client_watch(const client_watch&) = delete;
  client_watch& operator=(const client_watch&) = delete;

  /// Says that this process has just been forked: it has no timer.
  static void forget_timer() { runs = 0; }

 private:
  static void set_timer(suseconds_t every) {
    const itimerval each{{0, every}, {0, every}};
    ::setitimer(ITIMER_REAL, &each, nullptr);
  }
  static void look(int) {
    const int error = errno;
    pollfd end{watched, POLLRDHUP, 0};
    if (!stepping) {
      set_timer(0);
      runs = 0;
    } else if (::poll(&end, 1, 0) > 0) {
      ::_exit(0);
    }
    errno = error;
  }

  static inline volatile sig_atomic_t watched = -1, stepping = 0, runs = 0;
};

/// Answers one client. Where it forks, the new process goes on with a client of its own.
class cluster_server {
 public:
  explicit cluster_server(int socket) : client_(socket) {}

  /// Returns when the client has closed its end.
  void serve() {
    message asked;
    for (channel other; client_.receive(asked, &other); other.close()) {
      reply_.clear();
      answer(asked, other);
      if (!std::exchange(is_new_, false) && !client_.send(reply_)) return;
    }
  }

 private:
  void answer(message& asked, channel& other) {
    try {
      const auto kind = asked.get<request_kind>();
      if (kind == request_kind::begin)
        begin(asked);
      else
        carry_out(kind, asked, other);
    } catch (const std::exception& e) {
      say(reply_kind::failed, e.what());
    }
  }

  void carry_out(request_kind kind, message& asked, channel& other) {
    if (fault_ || !cluster_) throw std::runtime_error(fault_.value_or("no cluster has been begun"));
    try {
      take_inputs(asked);
      if (kind == request_kind::parameter) {
        const std::string name = asked.get_text();
        cluster_->set_parameter(name, asked.get_text());
      }
      if (kind == request_kind::name) cluster_->variables().find(asked.get_text());
    } catch (const message_error&) {
      throw;
    } catch (const std::exception& e) {
      return say(reply_kind::refused, e.what());
    }
    if (kind == request_kind::advance) return advance(asked);
    if (kind == request_kind::fork) fork(other);
    if (kind == request_kind::want) want(asked.get<std::uint32_t>());
    const std::string results = kind == request_kind::results ? cluster_->module().results_csv() : "";
    put_present(false);
    if (kind == request_kind::results) reply_.put(results);
  }

  void begin(message& asked) {
    const auto version = asked.get<std::uint32_t>();
    if (version != message_version)
      throw std::runtime_error(
          fmt::format("the program's messages have version {}, the library's {}; expected program "
                      "and library of one release",
                      message_version, version));
    std::string file = asked.get_text();
    stepped_cluster::list_of_settings settings(asked.get<std::uint32_t>());
    for (auto& [key, value] : settings) {
      key = asked.get_text();
      value = asked.get_text();
    }
    const auto replication = asked.get<std::uint32_t>();
    try {
      for (auto left = asked.get<std::uint32_t>(); left > 0; --left) load_plugin(asked.get_text());
      cluster_.emplace(std::move(file), std::move(settings), replication);
    } catch (const sc_core::sc_report&) {
      throw;
    } catch (const std::exception& e) {
      return say(reply_kind::refused, e.what());
    }
    put_present(false);
    describe();
  }

  void describe() {
    const scenario& model = cluster_->module().model();
    reply_.put(model.name).put(model.unit.name);
    reply_.put(static_cast<std::uint64_t>(std::llround(std::pow(10.0, -model.unit.resolution_exponent))));
    reply_.put(1.0 / model.unit.seconds);
    const std::vector<cluster_variable>& all = cluster_->variables().all();
    reply_.put(static_cast<std::uint32_t>(all.size()));
    for (const cluster_variable& v : all)
      reply_.put(v.name).put(v.unit).put(v.help).put(v.use).put(v.whole).put(v.start).put(v.least).put(v.most);
  }

  void take_inputs(message& asked) {
    for (auto left = asked.get<std::uint32_t>(); left > 0; --left) {
      const auto variable = asked.get<std::uint32_t>();
      cluster_->variables().set(variable, asked.get<double>());
    }
  }

  void want(std::uint32_t variable) {
    if (cluster_->variables().all().at(variable).whole) whole_.push_back(variable);
    wanted_.push_back(variable);
  }

  // A simulation that has failed cannot go on.
  void advance(message& asked) {
    const auto until = asked.get<std::int64_t>();
    const bool stops = asked.get<bool>();
    const client_watch watch{client_.socket()};
    try {
      put_present(cluster_->advance(until, stops ? whole_ : std::vector<std::uint32_t>{}));
    } catch (const sc_core::sc_report& report) {
      const std::string type = report.get_msg_type(), now = sc_core::sc_time_stamp().to_string();
      const bool names_time = type.rfind("/muster/", 0) == 0;
      fault_ = fmt::format("{}{}: {}", type, names_time ? "" : ", simulated time " + now, report.get_msg());
    } catch (const std::exception& e) {
      fault_ = e.what();
    }
    if (fault_) say(reply_kind::failed, *fault_);
  }

  void fork(channel& other) {
    if (other.socket() < 0) throw message_error("no socket has come along for the process that is to be forked");
    const pid_t child = ::fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "the cluster's process cannot be forked");
    if (child > 0) return;
    client_watch::forget_timer();
    client_ = std::move(other);
    is_new_ = true;
  }

  void put_present(bool stopped) {
    reply_.put(reply_kind::done).put(stepped_cluster::now()).put(cluster_->module().finished()).put(stopped);
    for (const double value : cluster_->values(wanted_)) reply_.put(value);
  }

  void say(reply_kind kind, const std::string& text) {
    reply_.clear();
    reply_.put(kind).put(text);
  }

  channel client_;
  message reply_;
  std::optional<stepped_cluster> cluster_;
  std::vector<std::uint32_t> wanted_;  // variables whose values go into each reply
  std::vector<std::uint32_t> whole_;   // those of them that are whole numbers
  std::optional<std::string> fault_;   // none: the simulation can go on
  bool is_new_ = false;                // this process has just been forked: nobody awaits its reply
};

// Files that a careless program has left open to this one would outlive it here.
void close_other_files(int socket) {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(nothing, STDERR_FILENO);
  }
  const auto own = static_cast<unsigned>(socket);
  ::close_range(STDERR_FILENO + 1, own - 1, 0);
  ::close_range(own + 1, ~0u, 0);
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
}

}  // namespace

// This process waits for all of those that answer: it becomes the parent of each whose own has ended.
void serve_cluster(int socket) {
  close_other_files(socket);
  ::signal(SIGINT, SIG_IGN);  // it is meant for the client, whose end closes the socket
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGCHLD, SIG_IGN);  // none becomes a zombie
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t first = ::fork();
  if (first < 0) throw std::system_error(errno, std::generic_category(), "the cluster's process cannot be forked");
  if (first > 0) {
    ::close(socket);
    while (::wait(nullptr) >= 0 || errno == EINTR) continue;
    return;
  }
  try {
    cluster_server{socket}.serve();
  } catch (const std::exception& e) {
    fmt::print(stderr, "muster cluster-process: {}\n", e.what());
  }
  ::_exit(0);  // the destructors of a large model take long
}

}  // namespace muster
