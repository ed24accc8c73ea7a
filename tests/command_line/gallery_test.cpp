#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

// How the page looks is tested in a browser, see tests/report/gallery_test.py.
class gallery_test : public command_line_test {
 protected:
  command_result in_folder(const std::string& commands) const {
    return shell("cd " + folder_.string() + " && " + commands);
  }

  static std::string run(const std::string& more) { return "muster run small.toml --quiet --set run.jobs=500 " + more; }
};

TEST_F(gallery_test, takes_the_metric_by_which_policies_are_judged) {
  ASSERT_EQ(in_folder(run("--set 'report.metrics=[\"slowdown[heavy]\"]' --out results/a")).status, 0);
  const auto made = in_folder("muster gallery");
  EXPECT_EQ(made.output, "results/gallery.html is written, with 1 study\n");
  const std::string page = content_of(folder_ / "results/gallery.html");
  EXPECT_NE(page.find("alt=\"small: slowdown.heavy\""), std::string::npos);
  EXPECT_NE(page.find("<a href=\"a/report.html\">small</a>"), std::string::npos);
  std::filesystem::remove(folder_ / "results/a/figures/slowdown.heavy.svg");
  in_folder("muster gallery");
  EXPECT_NE(content_of(folder_ / "results/gallery.html").find("alt=\"small: response_time\""), std::string::npos);
  std::filesystem::remove_all(folder_ / "results/a/figures");
  in_folder("muster gallery");
  EXPECT_NE(content_of(folder_ / "results/gallery.html").find("The report has tables alone."), std::string::npos);
}

TEST_F(gallery_test, leaves_out_what_is_not_ready_and_says_so) {
  ASSERT_EQ(in_folder(run("--out results/a") + " && " + run("--out results/b")).status, 0);
  std::filesystem::remove(folder_ / "results/b/report.html");
  std::filesystem::create_directory(folder_ / "results/notes");
  const auto made = in_folder("muster gallery");
  EXPECT_EQ(made.status, 0);
  EXPECT_EQ(made.output,
            "left out: results/b: holds no report.html; `muster report results/b` writes it\n"
            "results/gallery.html is written, with 1 study\n");
}

TEST_F(gallery_test, a_directory_that_is_named_must_have_results) {
  ASSERT_EQ(in_folder(run("--out results/a")).status, 0);
  const auto none = in_folder("muster gallery results/a results --out page.html");
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.output, "results: holds no results.sqlite; expected a directory that muster run has written\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "page.html"));
  const auto nothing = in_folder("cd results/a && muster gallery");
  EXPECT_EQ(nothing.status, 2);
  EXPECT_EQ(nothing.output,
            "results: holds no results; expected directories that muster run has written, or their names\n");
}

}  // namespace
}  // namespace muster
