#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#ifndef MUSTER_FUZZ_CORPUS
#define MUSTER_FUZZ_CORPUS "tests/fuzz/corpus"
#endif

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

TEST(fuzz_corpus, is_read_or_refused_in_order) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator{MUSTER_FUZZ_CORPUS}) {
    SCOPED_TRACE(entry.path());
    std::ifstream file{entry.path(), std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), 0);
    ++files;
  }
  EXPECT_GT(files, 0u);
}

}  // namespace
