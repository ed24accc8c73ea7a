#include <cstdlib>

#include "platform/command_line/key_text.h"
#include "tests/documents/document.h"

// The reference of platform/docs/keys.md is written from the descriptions of the keys.

namespace muster {
namespace {

const std::string marker = "<!-- from here on written by `MUSTER_WRITE=1 build/tests/documents` -->\n";

TEST(reference, is_what_the_descriptions_of_the_keys_say) {
  const fs::path file = tree / "platform/docs/keys.md";
  const std::string text = content_of(file);
  const std::size_t begin = text.find(marker);
  ASSERT_NE(begin, std::string::npos) << "expected the line " << marker;
  const std::string expected = text.substr(0, begin) + marker + key_reference();
  if (std::getenv("MUSTER_WRITE")) std::ofstream(file, std::ios::binary) << expected;
  EXPECT_TRUE(content_of(file) == expected)
      << "the reference in " << file << " is not current; write it with:\n"
      << "MUSTER_WRITE=1 build/tests/documents --gtest_filter=reference.is_what_the_descriptions_of_the_keys_say";
}

TEST(reference, has_lines_of_at_most_120_columns) {
  for (const std::string& line : lines_of(key_reference())) EXPECT_LE(line.size(), 120u) << line;
}

}  // namespace
}  // namespace muster
