#include "platform/cluster_process/cluster_process.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/cluster_process/messages.h"

extern char** environ;

namespace muster {

namespace {

/// The program, as a child of this process. It ends when all connections to its clusters have ended, and is waited for
/// then.
class started_program {
 public:
  /// Starts `muster cluster-process` with an end of a connection. @throws cluster_process_error
  started_program(const std::string& program, int socket) {
    constexpr int known = STDERR_FILENO + 1;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, socket, known);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int signal : {SIGALRM, SIGCHLD, SIGHUP, SIGPIPE, SIGTERM}) sigaddset(&usual, signal);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::string name = program, command = "cluster-process", number = std::to_string(known);
    char* const words[] = {name.data(), command.data(), number.data(), nullptr};
    const int error = posix_spawnp(&id_, name.c_str(), &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0)
      throw cluster_process_error("the program '" + program + "' cannot be started: " + std::strerror(error) +
                                  "; expected the path of muster, or its name in a folder of PATH");
  }
  ~started_program() { wait(); }
  started_program(const started_program&) = delete;
  started_program& operator=(const started_program&) = delete;

  /// Waits for its end. @return how it has ended, in words; empty: this is a process forked from that which started it
  std::string wait() {
    int status = 0;
    if (std::exchange(waited_, true) || owner_ != ::getpid()) return "";
    while (::waitpid(id_, &status, 0) < 0)
      if (errno != EINTR) return "";
    if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
    return "exit status " + std::to_string(WEXITSTATUS(status));
  }

 private:
  pid_t owner_ = ::getpid(), id_ = -1;
  bool waited_ = false;
};

/// An end of the connection to one of a program's processes, which ends with it. A process that has been forked from
/// this one has a copy, which changes nothing.
class connected_process {
 public:
  connected_process(std::shared_ptr<started_program> program, channel end)
      : program_(std::move(program)), end_(std::move(end)) {}
  connected_process(connected_process&&) noexcept = default;
  connected_process& operator=(connected_process&& other) noexcept {
    if (this == &other) return *this;
    shut_down();
    program_ = std::move(other.program_);
    end_ = std::move(other.end_);
    return *this;
  }
  ~connected_process() { shut_down(); }

  channel& end() { return end_; }
  const std::shared_ptr<started_program>& program() const { return program_; }

 private:
  // The copy that a process forked from this one has would keep the connection open.
  void shut_down() {
    if (end_.socket() >= 0 && owner_ == ::getpid()) ::shutdown(end_.socket(), SHUT_RDWR);
    end_.close();
    program_.reset();
  }

  pid_t owner_ = ::getpid();
  std::shared_ptr<started_program> program_;
  channel end_;
};

constexpr std::uint32_t no_inputs = 0;

/// What is known of a cluster at its present instant.
struct present {
  std::int64_t now = 0;
  bool finished = false, stopped = false;
  std::vector<std::uint32_t> wanted{};  // variables whose values come with each reply
  std::vector<double> values{};         // of the variables, those that are wanted
  std::vector<bool> known{};            // of the variables: wanted
};

}  // namespace

struct cluster_process::snapshot::state {
  connected_process process;
  present where;
};

cluster_process::snapshot::snapshot(std::unique_ptr<state> s) : state_(std::move(s)) {}
cluster_process::snapshot::snapshot(snapshot&&) noexcept = default;
cluster_process::snapshot& cluster_process::snapshot::operator=(snapshot&&) noexcept = default;
cluster_process::snapshot::~snapshot() = default;

struct cluster_process::connection {
  connected_process process;
  std::string name, unit;
  std::uint64_t ticks_per_second = 0;
  double units_per_second = 0.0;
  std::vector<cluster_variable> variables;
  std::unordered_map<std::string, std::size_t> places;
  present here;
  std::vector<std::pair<std::uint32_t, double>> inputs;  // set, and not yet sent

  explicit connection(connected_process first) : process(std::move(first)) {}

  /// Begins a request.
  message ask(request_kind kind) const {
    message request;
    request.put(kind).put(static_cast<std::uint32_t>(inputs.size()));
    for (const auto& [variable, value] : inputs) request.put(variable).put(value);
    return request;
  }
  /// Sends a request and waits for the reply. @return the reply, behind the present
  message call(const message& request, channel& to, int pass = -1) {
    message reply;
    if (!to.send(request, pass) || !to.receive(reply))
      throw cluster_process_error("the process of the cluster '" + name +
                                  "' has ended without an answer: it was killed, or has crashed");
    const auto kind = reply.get<reply_kind>();
    if (kind == reply_kind::done) return reply;
    inputs.clear();
    if (kind == reply_kind::refused) throw std::invalid_argument(reply.get_text());
    throw cluster_process_error(reply.get_text());
  }

  /// Takes the present from a reply, which comes when all inputs are set.
  void take_present(message& reply) {
    inputs.clear();
    here.now = reply.get<std::int64_t>();
    here.finished = reply.get<bool>();
    here.stopped = reply.get<bool>();
    for (const std::uint32_t v : here.wanted) here.values[v] = reply.get<double>();
  }

  /// Sends a request, and takes the present from the reply. @return the reply, behind the present
  message exchange(const message& request, int pass = -1) {
    message reply = call(request, process.end(), pass);
    take_present(reply);
    return reply;
  }

  void describe(message& reply) {
    name = reply.get_text();
    unit = reply.get_text();
    ticks_per_second = reply.get<std::uint64_t>();
    units_per_second = reply.get<double>();
    variables.resize(reply.get<std::uint32_t>());
    for (std::size_t n = 0; n < variables.size(); ++n) {
      cluster_variable& v = variables[n];
      v.name = reply.get_text();
      v.unit = reply.get_text();
      v.help = reply.get_text();
      v.use = reply.get<cluster_variable::role>();
      v.whole = reply.get<bool>();
      v.start = reply.get<double>();
      v.least = reply.get<double>();
      v.most = reply.get<double>();
      places.emplace(v.name, n);
    }
    here.values.resize(variables.size());
    here.known.resize(variables.size());
  }
};

cluster_process::cluster_process(const cluster_start& what) {
  channel_pair ends;
  auto program = std::make_shared<started_program>(what.program, ends.far.socket());
  ends.far.close();
  connection_ = std::make_unique<connection>(connected_process{program, std::move(ends.near)});
  message begin;
  begin.put(request_kind::begin).put(message_version).put(what.scenario);
  begin.put(static_cast<std::uint32_t>(what.settings.size()));
  for (const auto& [key, value] : what.settings) begin.put(key).put(value);
  begin.put(what.replication).put(static_cast<std::uint32_t>(what.plugins.size()));
  for (const std::string& file : what.plugins) begin.put(file);
  channel& end = connection_->process.end();
  message reply;
  if (!end.send(begin) || !end.receive(reply))
    throw cluster_process_error("the program '" + what.program + "' has ended without an answer (" + program->wait() +
                                "); expected the program muster");
  const auto kind = reply.get<reply_kind>();
  if (kind == reply_kind::refused) throw refused_scenario(reply.get_text());
  if (kind == reply_kind::failed) throw cluster_process_error(reply.get_text());
  connection_->take_present(reply);
  connection_->describe(reply);
}

cluster_process::cluster_process(cluster_process&&) noexcept = default;
cluster_process& cluster_process::operator=(cluster_process&&) noexcept = default;
cluster_process::~cluster_process() = default;

const std::string& cluster_process::name() const { return connection_->name; }
const std::string& cluster_process::unit() const { return connection_->unit; }
std::uint64_t cluster_process::ticks_per_second() const { return connection_->ticks_per_second; }
double cluster_process::units_per_second() const { return connection_->units_per_second; }
const std::vector<cluster_variable>& cluster_process::variables() const { return connection_->variables; }

// The process knows the nearest names.
std::size_t cluster_process::find(const std::string& variable) const {
  const auto found = connection_->places.find(variable);
  if (found != connection_->places.end()) return found->second;
  connection_->call(connection_->ask(request_kind::name).put(variable), connection_->process.end());
  throw std::invalid_argument("the cluster has no variable '" + variable + "'");
}

std::int64_t cluster_process::now() const { return connection_->here.now; }
bool cluster_process::finished() const { return connection_->here.finished; }

double cluster_process::value(std::size_t variable) {
  connection& c = *connection_;
  if (variable >= c.variables.size()) throw std::out_of_range("the cluster has no variable of that place");
  if (c.here.known[variable]) return c.here.values[variable];
  message reply = c.exchange(c.ask(request_kind::want).put(static_cast<std::uint32_t>(variable)));
  c.here.values[variable] = reply.get<double>();
  c.here.wanted.push_back(static_cast<std::uint32_t>(variable));
  c.here.known[variable] = true;
  return c.here.values[variable];
}

void cluster_process::set(std::size_t variable, double value) {
  connection& c = *connection_;
  if (variable >= c.variables.size()) throw std::out_of_range("the cluster has no variable of that place");
  check_value(c.variables[variable], value);
  c.inputs.emplace_back(static_cast<std::uint32_t>(variable), value);
  // What the policy says of a value is known at once.
  if (is_parameter(c.variables[variable])) c.exchange(c.ask(request_kind::name).put(c.variables[variable].name));
  if (c.here.known[variable]) c.here.values[variable] = value;
}

void cluster_process::set_parameter(const std::string& name, const std::string& value) {
  connection_->exchange(connection_->ask(request_kind::parameter).put(name).put(value));
}

bool cluster_process::advance(std::int64_t until, bool stop_at_event) {
  connection& c = *connection_;
  if (until < c.here.now)
    throw std::invalid_argument("a step to tick " + std::to_string(until) + " begins at tick " +
                                std::to_string(c.here.now) + "; expected one that ends not before");
  c.exchange(c.ask(request_kind::advance).put(until).put(stop_at_event));
  return c.here.stopped;
}

cluster_process::snapshot cluster_process::take_snapshot() {
  connection& c = *connection_;
  channel_pair ends;
  c.exchange(c.ask(request_kind::fork), ends.far.socket());
  connected_process process{c.process.program(), std::move(ends.near)};
  return snapshot(std::make_unique<snapshot::state>(snapshot::state{std::move(process), c.here}));
}

void cluster_process::restore(const snapshot& where) {
  connection& c = *connection_;
  if (!where.state_ || where.state_->process.program() != c.process.program())
    throw std::invalid_argument("a snapshot is another cluster's; expected one of this cluster");
  channel_pair ends;
  const message request = message{}.put(request_kind::fork).put(no_inputs);
  c.call(request, where.state_->process.end(), ends.far.socket());
  c.inputs.clear();
  c.process = connected_process{c.process.program(), std::move(ends.near)};
  c.here = where.state_->where;
}

std::string cluster_process::results_csv() {
  return connection_->exchange(connection_->ask(request_kind::results)).get_text();
}

}  // namespace muster
