#include <csignal>
#include <string>

#include <gtest/gtest.h>

#include "tests/command_line/command.h"
#include "tests/command_line/started_program.h"

namespace muster {
namespace {

namespace fs = std::filesystem;

class output_test : public command_line_test {
 protected:
  void expect_told(const std::string& words) const {
    const auto full = shell("muster " + words + " > /dev/full");
    EXPECT_EQ(full.status, 2) << words;
    EXPECT_NE(full.output.find("standard output: cannot be written"), std::string::npos)
        << words << ": " << full.output;
  }

  std::string tune(const std::string& more) const {
    return "tune " + scenario() + " --set policy.name=msfq --over policy.threshold=0:3 --set arrivals.rate=1 " +
           "--minimize response_time " + more;
  }
};

TEST_F(output_test, that_a_full_disk_does_not_take_is_told_by_every_command_in_every_format) {
  const std::string fast = " --set run.jobs=200", out = " --quiet --out ";
  for (const char* format : {"table", "csv", "json", "markdown"}) {
    const std::string as = std::string(" --format ") + format;
    expect_told("check " + scenario() + as);
    expect_told("theory " + scenario() + as);
    expect_told("run " + scenario() + fast + as + " --out " + at("out"));
    expect_told("list policies" + as);
    expect_told(tune(fast + as + out + at("tuned")));
    expect_told("crossover " + scenario() + fast + as +
                " --over arrivals.rate=0.3:1.2 --between msf fcfs --metric response_time" + out + at("crossed"));
    ASSERT_EQ(shell("muster run " + scenario() + fast + " --seed 2" + out + at("other")).status, 0);
    expect_told("compare --all " + at("out") + " " + at("other") + as);
  }
  expect_told("report " + at("out"));
  expect_told("gallery " + at("out") + " --out " + at("page.html"));
  expect_told("help");
  expect_told("help msfq");
  expect_told("run --help");
  expect_told("--version");
  EXPECT_TRUE(fs::exists(at("out/results.csv"))) << "what is finished is kept";
  EXPECT_TRUE(fs::exists(at("tuned/tune.csv")));
}

TEST_F(output_test, of_gallery_goes_through_symbolic_links_and_to_no_device) {
  ASSERT_EQ(shell("muster run " + scenario() + " --set run.jobs=200 --quiet --out " + at("out")).status, 0);
  fs::create_directories(at("web"));
  fs::create_symlink("web/behind.html", at("second.html"));
  fs::create_symlink(at("second.html"), at("first.html"));
  for (int times = 0; times < 2; ++times) {
    const auto made = shell("muster gallery " + at("out") + " --out " + at("first.html"));
    EXPECT_EQ(made.status, 0) << made.output;
    EXPECT_TRUE(fs::is_symlink(at("first.html")) && fs::is_symlink(at("second.html")));
    EXPECT_NE(content_of(at("web/behind.html")).find("href=\"out/report.html\""), std::string::npos);
  }
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  for (const std::string& file : {at("pipe"), at("web"), std::string("/dev/null")}) {
    const auto refused = shell("muster gallery " + at("out") + " --out " + file);
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.output,
              "--out: " + file + " is not a regular file; expected a page to write, such as gallery.html\n");
  }
  EXPECT_TRUE(fs::is_fifo(at("pipe")) && fs::is_character_file("/dev/null"));
}

TEST_F(output_test, of_gallery_has_a_study_once_however_it_is_named) {
  ASSERT_EQ(shell("muster run " + scenario() + " --set run.jobs=200 --quiet --out " + at("out")).status, 0);
  fs::create_symlink("out", at("link"));
  const auto made = shell("cd " + folder_.string() + " && muster gallery out out/ ./out link --out page.html");
  EXPECT_EQ(made.output, "page.html is written, with 1 study\n");
}

// Without taking the lock.
bool is_locked(const std::string& file) {
  const int opened = open(file.c_str(), O_RDWR);
  if (opened < 0) return false;
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const bool known = fcntl(opened, F_GETLK, &lock) == 0;
  close(opened);
  return known && lock.l_type != F_UNLCK;
}

TEST_F(output_test, of_two_searches_or_runs_at_once_does_not_go_to_one_directory) {
  const std::string long_ones = " --set run.jobs=100000000 --quiet --out " + at("out");
  for (const std::string& first :
       {tune(long_ones), "crossover " + scenario() + " --over arrivals.rate=0.3:1.2 --between msf fcfs --metric " +
                             "response_time" + long_ones}) {
    std::vector<std::string> words;
    std::istringstream in(first);
    for (std::string word; in >> word;) words.push_back(word);
    started_program search(words, at("shown"), at("told"));
    ASSERT_TRUE(search.wait_until([&] { return is_locked(at("out/.lock")); }));
    for (const std::string& other : {tune(long_ones), "run " + scenario() + long_ones}) {
      const auto refused = shell("muster " + other);
      EXPECT_EQ(refused.status, 2);
      EXPECT_EQ(refused.output, at("out") +
                                    ": another run or search is at work there; wait for its end, or choose another "
                                    "directory with --out\n");
    }
    EXPECT_EQ(search.end(SIGINT), 130);
    fs::remove_all(at("out"));
  }
}

TEST_F(output_test, of_tune_is_not_begun_where_trials_are_corrupt_and_the_remedy_is_told) {
  const std::string words = "muster " + tune("--set run.jobs=200 --quiet --out " + at("out"));
  ASSERT_EQ(shell(words).status, 0);
  const std::string file = at("out/tune_trials.sqlite"), whole = content_of(file);
  const std::string remedy = "; remove it, and the search begins anew, or choose another directory with --out\n";
  std::string half = whole;
  half.replace(whole.size() / 2, 3000, std::string(3000, 'x'));
  std::ofstream(file) << half;
  const auto refused = shell(words);
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.output.rfind(file + ": is corrupt", 0), 0U) << refused.output;
  EXPECT_NE(refused.output.find(remedy), std::string::npos) << refused.output;
  std::ofstream(file) << whole;
  EXPECT_EQ(shell("sqlite3 " + file + " \"UPDATE trials SET found = 'nothing'\"").status, 0);
  const auto changed = shell(words);
  EXPECT_EQ(changed.status, 2);
  EXPECT_NE(changed.output.find(remedy), std::string::npos) << changed.output;
  fs::remove(file);
  EXPECT_EQ(shell(words).status, 0);
}

}  // namespace
}  // namespace muster
