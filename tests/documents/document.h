#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/content_of.h"

namespace muster {

namespace fs = std::filesystem;

/// The tree with the sources, from which documents and the files that they name are read.
inline const fs::path tree = MUSTER_SOURCE;

/// A code block of a document. The line before it names the test that executes it, or the file that it is part of:
///
///     <!-- test: NAME -->
///     <!-- part of: FILE -->
struct block {
  std::string document;       ///< where it stands, from the top of the tree
  int line = 0;               ///< of its first line of code
  std::string test, part_of;  ///< one of them; both empty if the line before it is none of these
  std::string text;

  std::string place() const { return document + ":" + std::to_string(line); }
};

/// README.md at the top of the tree, the documents beside it, and below every README.md and every page in a folder
/// `docs`.
inline std::vector<std::string> all_documents() {
  std::vector<std::string> found{"README.md", "CHANGELOG.md", "CONTRIBUTING.md"};
  for (const char* storey : {"platform", "modules", "policies", "scenarios", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(tree / storey)) {
      const fs::path& file = entry.path();
      if (file.filename() == "README.md" || (file.parent_path().filename() == "docs" && file.extension() == ".md"))
        found.push_back(file.lexically_relative(tree).string());
    }
  std::sort(found.begin() + 1, found.end());
  return found;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// What stands in `<!-- KEY: VALUE -->`; empty if the line is not that.
inline std::string value_in(const std::string& line, const std::string& key) {
  const std::string before = "<!-- " + key + ": ", after = " -->";
  if (line.size() < before.size() + after.size() || line.compare(0, before.size(), before) != 0) return {};
  return line.substr(before.size(), line.size() - before.size() - after.size());
}

/// The code blocks of a document: what stands between two lines that begin with ```.
inline std::vector<block> blocks_of(const std::string& document) {
  std::vector<block> blocks;
  const std::vector<std::string> lines = lines_of(content_of(tree / document));
  for (std::size_t n = 0; n < lines.size(); ++n) {
    if (lines[n].compare(0, 3, "```") != 0) continue;
    const std::string before = n > 0 ? lines[n - 1] : "";
    block b{document, static_cast<int>(n) + 2, value_in(before, "test"), value_in(before, "part of"), {}};
    while (++n < lines.size() && lines[n].compare(0, 3, "```") != 0) b.text += lines[n] + '\n';
    blocks.push_back(b);
  }
  return blocks;
}

/// A document without its code blocks.
inline std::string prose_of(const std::string& document) {
  std::string prose;
  bool inside = false;
  for (const std::string& line : lines_of(content_of(tree / document))) {
    if (line.compare(0, 3, "```") == 0) inside = !inside;
    if (!inside) prose += line + '\n';
  }
  return prose;
}

inline std::vector<block> all_blocks() {
  std::vector<block> all;
  for (const std::string& document : all_documents())
    for (const block& b : blocks_of(document)) all.push_back(b);
  return all;
}

/// The block that names this test. Exactly one must.
inline std::string block_of(const std::string& test) {
  std::vector<block> found;
  for (const block& b : all_blocks())
    if (b.test == test) found.push_back(b);
  EXPECT_EQ(found.size(), 1u) << "blocks that name the test '" << test << "'";
  return found.empty() ? "" : found.front().text;
}

}  // namespace muster
