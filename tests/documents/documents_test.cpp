#include <regex>
#include <set>

#include "tests/documents/document.h"

// All documents together: what holds for each of their code blocks, links and lengths.

namespace muster {
namespace {

/// The names of the tests of this program, and those of tests/packaging with `packaging/` before them.
std::set<std::string> tests_by_name() {
  std::set<std::string> names;
  const auto& program = *testing::UnitTest::GetInstance();
  for (int s = 0; s < program.total_test_suite_count(); ++s)
    for (int t = 0; t < program.GetTestSuite(s)->total_test_count(); ++t)
      names.insert(program.GetTestSuite(s)->GetTestInfo(t)->name());
  const std::string packaging = content_of(tree / "tests/packaging/CMakeLists.txt");
  const std::regex name("documented_project[(](packaging/[a-z_]+)");
  for (std::sregex_iterator m(packaging.begin(), packaging.end(), name), end; m != end; ++m) names.insert((*m)[1]);
  return names;
}

TEST(documents, every_code_block_is_executed_by_a_test_or_part_of_a_file_that_is) {
  const std::set<std::string> tests = tests_by_name();
  std::set<std::string> named;
  for (const block& b : all_blocks()) {
    EXPECT_NE(b.test.empty(), b.part_of.empty())
        << b.place() << ": expected <!-- test: NAME --> or <!-- part of: FILE --> in the line before the block";
    if (b.test.empty()) continue;
    EXPECT_EQ(tests.count(b.test), 1u) << b.place() << ": there is no test '" << b.test << "'";
    EXPECT_TRUE(named.insert(b.test).second) << b.place() << ": another block names the test '" << b.test << "'";
  }
}

// Files in these folders are compiled and run by other tests.
TEST(documents, every_block_that_is_part_of_a_file_stands_in_it) {
  for (const block& b : all_blocks()) {
    if (b.part_of.empty()) continue;
    EXPECT_TRUE(std::regex_match(b.part_of, std::regex("(policies|modules|tests|scenarios)/.*"))) << b.place();
    EXPECT_FALSE(b.text.empty()) << b.place();
    EXPECT_NE(content_of(tree / b.part_of).find(b.text), std::string::npos)
        << b.place() << ": this is not in " << b.part_of << ":\n"
        << b.text;
  }
}

// Markdown makes code of indented lines, too: they would be commands that no test finds.
TEST(documents, have_no_code_but_in_blocks) {
  for (const std::string& document : all_documents()) {
    bool inside = false, after_gap = true;
    int number = 0;
    for (const std::string& line : lines_of(content_of(tree / document))) {
      ++number;
      if (line.compare(0, 3, "```") == 0) inside = !inside;
      EXPECT_FALSE(!inside && after_gap && line.compare(0, 4, "    ") == 0) << document << ":" << number;
      after_gap = line.empty();
    }
    EXPECT_FALSE(inside) << document << ": a block does not end";
  }
}

/// What a heading's anchor is: lower case, blanks as hyphens, without other signs.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (c == ' ')
      anchor += '-';
  }
  return anchor;
}

bool has_heading(const std::string& document, const std::string& anchor) {
  const std::regex heading("#+ (.*)");
  for (const std::string& line : lines_of(prose_of(document)))
    if (std::smatch m; std::regex_match(line, m, heading) && anchor_of(m[1]) == anchor) return true;
  return false;
}

TEST(documents, every_link_leads_to_a_file_and_a_heading_that_exist) {
  const std::regex link(R"(\]\(([^)#]*)(#([^)]*))?\))");
  std::size_t links = 0;
  for (const std::string& document : all_documents()) {
    const std::string text = prose_of(document);
    for (std::sregex_iterator m(text.begin(), text.end(), link), end; m != end; ++m) {
      const std::string file = (*m)[1], anchor = (*m)[3];
      if (file.find("://") != std::string::npos) continue;
      ++links;
      const std::string target =
          file.empty() ? document : (fs::path(document).parent_path() / file).lexically_normal().string();
      EXPECT_TRUE(fs::exists(tree / target)) << document << " links to " << file;
      EXPECT_TRUE(anchor.empty() || has_heading(target, anchor)) << document << " links to " << file << "#" << anchor;
    }
  }
  EXPECT_GT(links, 20u);
}

// But for the policy that a reader is told to write.
TEST(documents, name_only_files_of_the_tree_that_exist) {
  const std::regex path("`((policies|modules|platform|scenarios|tests)/[a-z0-9_/]+[.](h|cpp|toml|md|sh|svg|txt))`");
  for (const std::string& document : all_documents()) {
    const std::string text = prose_of(document);
    for (std::sregex_iterator m(text.begin(), text.end(), path), end; m != end; ++m) {
      const std::string file = (*m)[1];
      EXPECT_TRUE(file == "policies/rigid/my_policy.cpp" || fs::exists(tree / file)) << document << " names " << file;
    }
  }
}

// Of a README.md that lists the files of its folder in the first column of a table.
TEST(documents, list_only_files_of_their_folder_that_exist) {
  const std::regex row("\\| ([^|]*`[^|]*) \\|.*"), file("`([a-z0-9_/]+[.](h|cpp|js|css|html|py|sh))`");
  for (const std::string& document : all_documents()) {
    if (fs::path(document).filename() != "README.md") continue;
    for (const std::string& line : lines_of(prose_of(document))) {
      std::smatch columns;
      if (!std::regex_match(line, columns, row)) continue;
      const std::string first = columns[1];
      for (std::sregex_iterator m(first.begin(), first.end(), file), end; m != end; ++m)
        EXPECT_TRUE(fs::exists(tree / fs::path(document).parent_path() / (*m)[1].str()))
            << document << " lists " << (*m)[1];
    }
  }
}

/// The lines of a way of data whose name is not in the file at their end.
/// @param block lines such as `NAME  what it is  FILE`, or `  | FUNCTION  what it does  FILE`
std::vector<std::string> unknown_steps(const std::string& block) {
  const std::regex step("(?:  [|] )?([a-z_]+) .* ([a-z_/]+[.](?:h|cpp))");
  std::vector<std::string> unknown;
  for (const std::string& line : lines_of(block)) {
    std::smatch m;
    if (!std::regex_match(line, m, step) ||
        !std::regex_search(content_of(tree / m[2].str()), std::regex("\\b" + m[1].str() + "\\b")))
      unknown.push_back(line);
  }
  return unknown;
}

TEST(documents, way_of_a_mean) { EXPECT_EQ(unknown_steps(block_of("way_of_a_mean")), std::vector<std::string>{}); }

TEST(documents, way_of_a_job) { EXPECT_EQ(unknown_steps(block_of("way_of_a_job")), std::vector<std::string>{}); }

/// Whether the README.md of the folder above that of a document has a link to it.
bool is_linked_above(const std::string& document) {
  const fs::path folder = fs::path(document).parent_path(), above = tree / folder.parent_path() / "README.md";
  const std::string link = "](" + (folder.filename() / fs::path(document).filename()).string() + ")";
  return fs::exists(above) && content_of(above).find(link) != std::string::npos;
}

TEST(documents, are_reached_from_the_first_one_which_has_at_most_200_lines) {
  const std::string first = content_of(tree / "README.md");
  EXPECT_LE(std::count(first.begin(), first.end(), '\n'), 200);
  for (const std::string& document : all_documents()) {
    const bool linked = first.find("](" + document + ")") != std::string::npos;
    EXPECT_TRUE(linked || document == "README.md" || is_linked_above(document)) << document;
  }
}

}  // namespace
}  // namespace muster
