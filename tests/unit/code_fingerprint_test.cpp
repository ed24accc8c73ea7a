#include "platform/store/code_fingerprint.h"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "platform/search/trial_store.h"
#include "platform/store/result_directory.h"
#include "tests/content_of.h"
#include "tests/refusal.h"

namespace muster {
namespace {

namespace fs = std::filesystem;

class code_fingerprint_test : public testing::Test {
 protected:
  code_fingerprint_test() { fs::create_directories(folder_); }
  ~code_fingerprint_test() override { fs::remove_all(folder_); }

  std::string build_of_bytes(const std::string& bytes) const {
    std::ofstream(folder_ / "file", std::ios::binary) << bytes;
    return build_of(folder_ / "file");
  }

  const fs::path folder_ = fs::path{testing::TempDir()} / ("muster_code_" + std::to_string(::getpid()));
};

TEST_F(code_fingerprint_test, of_a_program_is_its_build_id_which_outlives_what_is_done_to_the_file) {
  const std::string own = content_of("/proc/self/exe"), build = build_of("/proc/self/exe");
  EXPECT_EQ(build.size(), 40u) << build;
  EXPECT_EQ(build_of_bytes(own + "more"), build);
  EXPECT_EQ(running_code().at("muster"), build);
}

TEST_F(code_fingerprint_test, of_any_other_file_follows_from_its_bytes) {
  const std::string build = build_of_bytes("no ELF file");
  EXPECT_FALSE(build.empty());
  EXPECT_EQ(build_of_bytes("no ELF file"), build);
  EXPECT_NE(build_of_bytes("no ELF file "), build);
  EXPECT_EQ(build_of(folder_ / "none"), "");
  const std::string own = content_of("/proc/self/exe");
  for (const std::size_t size : {4u, 63u, 64u, 100u, 300u, 800u}) EXPECT_NE(build_of_bytes(own.substr(0, size)), "");
}

TEST_F(code_fingerprint_test, has_plugins_whose_policies_are_named) {
  std::ofstream(folder_ / "p.so") << "plugin";
  add_running_code(folder_ / "p.so", {"greedy", "lazy"});
  const std::string build = build_of(folder_ / "p.so");
  EXPECT_EQ(running_code(std::set<std::string>{"lazy"}).at("p.so"), build);
  EXPECT_EQ(running_code(std::set<std::string>{"fcfs"}).size(), 1u);
  EXPECT_EQ(running_code().at("p.so"), build);
}

TEST_F(code_fingerprint_test, says_what_differs) {
  const code_fingerprint a{{"muster", "0123456789abcdef"}, {"p.so", "12"}, {"same.so", "1"}};
  const code_fingerprint b{{"muster", "fedcba9876543210"}, {"q.so", "12"}, {"same.so", "1"}};
  EXPECT_EQ(code_difference(a, b),
            "muster (build 0123456789ab then, fedcba987654 now), plugin p.so (only then), plugin q.so (only now)");
  EXPECT_EQ(code_difference(a, a), "");
  EXPECT_EQ(code_difference({}, a), "") << "nothing is known of it";
  EXPECT_EQ(code_difference(a, {}), "");
}

TEST_F(code_fingerprint_test, of_a_directory_is_held_against_the_code_that_runs) {
  study s;
  s.resolved = "a";
  s.model_text = "a";
  const code_fingerprint old{{"muster", "1"}}, now{{"muster", "2"}};
  const auto open = [&](const code_fingerprint& code, bool force = false) {
    return refusal<output_error>([&] {
      const result_directory directory(folder_ / "out", s, force, {}, code);
      result_store(directory.file("results.sqlite").string(), s, code);
    });
  };
  EXPECT_EQ(open(old), "");
  EXPECT_EQ(open(old), "");
  EXPECT_EQ(open(now), (folder_ / "out/results.sqlite").string() +
                           ": its replications are by other code: muster (build 1 then, 2 now); run all anew with "
                           "--force, or choose another directory with --out");
  EXPECT_EQ(open(old), "") << "nothing has been changed";
  EXPECT_EQ(open(now, true), "");
  EXPECT_EQ(open(now), "");
}

TEST_F(code_fingerprint_test, of_trials_is_held_against_the_code_that_runs) {
  const std::string file = (folder_ / "trials.sqlite").string();
  const code_fingerprint old{{"muster", "1"}}, now{{"muster", "2"}};
  trial_store(file, "one", old).add("3", 0, "text");
  EXPECT_EQ(trial_store(file, "one", old).taken_over(), 1u);
  EXPECT_EQ(refusal<output_error>([&] { trial_store(file, "one", now); }),
            file +
                ": its replications are by other code: muster (build 1 then, 2 now); remove it, and the search begins "
                "anew, or choose another directory with --out");
  EXPECT_EQ(trial_store(file, "one", old).taken_over(), 1u);
  EXPECT_EQ(trial_store(file, "other", now).taken_over(), 0u);
  EXPECT_EQ(refusal<output_error>([&] { trial_store(file, "other", now); }), "");
}

}  // namespace
}  // namespace muster
