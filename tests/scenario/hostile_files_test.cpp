#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "tests/refusal.h"
#include "tests/scenario/mistake.h"

namespace muster {
namespace {

/// A file that is gone when the test ends.
class temporary_file {
 public:
  explicit temporary_file(const std::string& content)
      : path_(testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml") {
    std::ofstream{path_, std::ios::binary} << content;
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string complaints_on_file(const std::string& path) {
  return refusal<scenario_error>([&] { read_study(path, {}); });
}

TEST(scenario_file, is_read_from_disk) {
  const temporary_file file{sample};
  EXPECT_EQ(read_study(file.path(), {"run.seed=5"}).points[0].model.run.seed, 5u);
}

TEST(scenario_file, that_is_empty_lacks_what_is_required) {
  EXPECT_EQ(complaints(""), with_policies("f.toml:1:1: arrivals.rate: missing; expected rate or load\n"
                                          "f.toml:1:1: classes: missing; expected at least one table\n"
                                          "f.toml:1:1: name: missing; expected a string\n"
                                          "f.toml:1:1: platform.servers: missing; expected at least one table\n"
                                          "f.toml:1:1: policy.name: missing; expected one of: {policies}"));
}

TEST(scenario_file, that_ends_anywhere_is_read_or_refused_in_order) {
  for (std::size_t length = 0; length < sample.size(); ++length) complaints(sample.substr(0, length));
}

TEST(scenario_file, that_is_binary_is_refused_at_the_first_byte_that_is_no_text) {
  const std::string message = ": syntax: the file is not text: expected UTF-8 without NUL bytes";
  EXPECT_EQ(complaints(std::string("name = \"a\"\nab\0cd", 16)), "f.toml:2:3" + message);
  EXPECT_EQ(complaints("name = \"\xc3\xa9\xff\""), "f.toml:1:10" + message);
  EXPECT_EQ(complaints("\x7f"
                       "ELF\x02\x01\x01"),
            "f.toml:1:1: syntax: Error while parsing root table: expected keys, tables, whitespace or comments, saw "
            "'\\u007F'");
  for (const char* wrong :
       {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80", "\x80", "\xe2\x82"})
    EXPECT_EQ(complaints(wrong), "f.toml:1:1" + message);
}

TEST(scenario_file, that_is_too_large_is_refused) {
  const temporary_file file{std::string(10'000'000, '#')};
  EXPECT_EQ(complaints_on_file(file.path()), file.path() + ":1:1: file: is too large; expected at most 4194304 bytes");
}

TEST(scenario_file, that_is_no_file_is_refused) {
  EXPECT_EQ(complaints_on_file("/"), "/:1:1: file: is a directory; expected a TOML file");
  EXPECT_EQ(complaints_on_file("nowhere/at_all.toml"),
            "nowhere/at_all.toml:1:1: file: cannot be opened: No such file or directory");
  EXPECT_EQ(complaints_on_file(""), ":1:1: file: cannot be opened: No such file or directory");
}

TEST(scenario_file, that_is_nested_without_end_is_refused) {
  std::string key = "a";
  for (int i = 0; i < 1'000'000; ++i) key += ".a";
  const std::string message = ": syntax: nested too deeply: expected at most 32";
  EXPECT_EQ(complaints(key + " = 1"), "f.toml:1:66" + message);
  EXPECT_EQ(complaints("[" + key + "]"), "f.toml:1:67" + message);
  EXPECT_EQ(complaints("a = " + std::string(1'000'000, '[')), "f.toml:1:37" + message);
  EXPECT_EQ(complaints("a = \"\"\"b\"\"\"\"\"\n" + key + " = 1"), "f.toml:2:66" + message);
  EXPECT_EQ(complaints("# " + key + "\nb = '" + key + "'\nc = \"\\\"" + key + "\"").find("nested"), std::string::npos);
}

TEST(scenario_file, with_more_values_than_a_machine_holds_is_refused) {
  std::string text = "name = \"large\"\n[platform]\nservers = [";
  for (int i = 0; i < 20'000; ++i) text += "{name=\"s" + std::to_string(i) + "\"},";
  text += "]\n";
  for (int i = 0; i < 20'000; ++i) text += "[[classes]]\nname=\"c" + std::to_string(i) + "\"\nneed=1\nrate=1\n";
  EXPECT_EQ(complaints(text),
            "f.toml:1:1: file: 1 points of 400120005 values; expected at most 30000000 values in all");
}

TEST(scenario_file, may_have_windows_line_ends_and_a_byte_order_mark) {
  std::string text = "\xef\xbb\xbf";
  for (const char c : sample) text += c == '\n' ? std::string{"\r\n"} : std::string{c};
  EXPECT_EQ(complaints(text), "");
}

}  // namespace
}  // namespace muster
