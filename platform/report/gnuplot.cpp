#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <boost/process/extend.hpp>
#include <boost/process/io.hpp>
#include <boost/process/system.hpp>

#include "platform/report/figures.h"
#include "platform/store/database.h"

namespace muster {

namespace {

[[noreturn]] void fail(const std::string& why) {
  throw output_error(fmt::format("{}; figures/*.svg are not written, report.html and the tables are", why));
}

[[noreturn]] void fail_to_start(const std::error_code& error) {
  fail(fmt::format("gnuplot cannot be started, install gnuplot-nox: {}", error.message()));
}

// Files rather than pipes: neither process waits for the other, and there is no SIGPIPE.
using file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

file temporary_file(const std::string& content = "") {
  file made(std::tmpfile(), std::fclose);
  if (!made || std::fwrite(content.data(), 1, content.size(), made.get()) < content.size() ||
      std::fflush(made.get()) != 0)
    fail(fmt::format("gnuplot: a temporary file cannot be written: {}", std::strerror(errno)));
  std::rewind(made.get());
  return made;
}

std::string content_of(const file& from) {
  std::fseek(from.get(), 0, SEEK_END);
  std::string text(static_cast<std::size_t>(std::ftell(from.get())), '\0');
  std::rewind(from.get());
  text.resize(std::fread(text.data(), 1, text.size(), from.get()));
  return text;
}

// The first gnuplot that can be run in the folders of PATH. boost::process::system() does not look into the first of
// them, and takes a file or folder of that name in the working folder before all.
std::string path_of_gnuplot() {
  const char* const given = std::getenv("PATH");
  std::string_view rest = given ? given : "";
  while (given) {
    const std::size_t end = rest.find(':');
    const std::string_view folder = rest.substr(0, end);
    const std::filesystem::path path = std::filesystem::path{folder.empty() ? "." : folder} / "gnuplot";
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0) return path.string();
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  fail_to_start(std::make_error_code(std::errc::no_such_file_or_directory));
}

// Ctrl-C in a terminal goes to a process group: gnuplot has one of its own, and ends with this process instead.
void be_alone() {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace

std::vector<std::string> draw_with_gnuplot(const std::string& script) {
  namespace process = boost::process;
  // Gnuplot reads and writes a file that it opens in blocks, but what it is given as its input byte by byte and as its
  // output line by line.
  const file in = temporary_file("set output '/dev/stdout'; " + script), out = temporary_file(),
             errors = temporary_file();
  std::error_code error;
  const int status = process::system(
      path_of_gnuplot(), "--default-settings", "/dev/stdin", process::std_in<in.get(), process::std_out> out.get(),
      process::std_err > errors.get(), error, process::extend::on_exec_setup = [](auto&) { be_alone(); });
  if (error) fail_to_start(error);
  if (status != 0) fail(fmt::format("gnuplot ended with exit status {}: {}", status, content_of(errors)));
  const std::string drawn = content_of(out), begin = "<?xml", end = "</svg>\n";
  std::vector<std::string> figures;
  for (std::size_t from = 0; (from = drawn.find(begin, from)) != drawn.npos;) {
    const std::size_t to = drawn.find(end, from) + end.size();
    figures.push_back(drawn.substr(from, to - from));
    from = to;
  }
  return figures;
}

std::string gnuplot_string(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20)
      quoted += "\xef\xbf\xbd";
    else
      quoted += c == '\'' ? "''" : std::string(1, c);
  }
  return quoted + "'";
}

}  // namespace muster
