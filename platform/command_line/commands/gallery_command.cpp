#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/command.h"
#include "platform/command_line/written_file.h"
#include "platform/report/gallery.h"
#include "platform/store/result_directory.h"

namespace muster {

namespace fs = std::filesystem;

namespace {

constexpr const char* usual_folder = "results";

/// `muster gallery`
class gallery_command {
 public:
  explicit gallery_command(CLI::App& app) {
    app.add_option("dirs", dirs_, "directories of results (default: all in results/)")->type_name("DIR");
    app.add_option("--out", out_, "the page to write")->type_name("FILE.html")->capture_default_str();
    app.footer(R"(
One page with the studies that have been run: what each is for, its first picture (the figure of the metric by which its
policies are judged, else the response time), which policy is best, and a link to its report.html. Nothing is simulated.
The page needs no other file, but the links lead to the reports beside it. Of the directories in results/, those without
a finished point or a report are left out, which is said; of those that are named, that is an error.

Example, all studies of the folder scenarios:
  for study in scenarios/*.toml; do muster run "$study"; done
  muster gallery)");
  }

  int run(const invocation&) const {
    const fs::path out(out_), written = file_behind(out, "a page to write, such as gallery.html");
    std::vector<gallery_entry> entries;
    for (const fs::path& dir : dirs_.empty() ? usual_directories() : named_directories()) {
      try {
        entries.push_back(gallery_entry_of(result_directory::of_results(dir), folder_of(out)));
      } catch (const std::exception& e) {
        if (!dirs_.empty()) throw;
        fmt::print(stderr, "left out: {}\n", e.what());
      }
    }
    if (entries.empty())
      throw output_error(fmt::format(
          "{}: holds no results; expected directories that muster run has written, or their names", usual_folder));
    result_directory::as_it_is(folder_of(written)).write(written.filename().string(), gallery_page(entries));
    fmt::print("{} is written, with {}\n", out.string(),
               entries.size() == 1 ? "1 study" : fmt::format("{} studies", entries.size()));
    return done;
  }

 private:
  // The folders in results/ that have a store, by name.
  static std::vector<fs::path> usual_directories() {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(usual_folder, error))
      if (fs::exists(entry.path() / "results.sqlite", error)) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
  }

  // The folders of the command line, each once, however often it is named.
  std::vector<fs::path> named_directories() const {
    std::vector<fs::path> all;
    std::set<fs::path> known;
    std::error_code error;
    for (const std::string& dir : dirs_)
      if (const fs::path place = fs::weakly_canonical(dir, error); known.insert(error ? fs::path(dir) : place).second)
        all.emplace_back(dir);
    return all;
  }

  std::vector<std::string> dirs_;
  std::string out_ = "results/gallery.html";
};

}  // namespace

extern const command_entry gallery_command_entry{"gallery",
                                                 "a page of all studies that have been run, with their first pictures",
                                                 45, "muster gallery", define_command<gallery_command>};

}  // namespace muster
