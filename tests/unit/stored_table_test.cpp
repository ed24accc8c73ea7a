#include "platform/store/stored_table.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

struct stored_number {
  std::string name;
  std::optional<double> value;
};

const stored_table<stored_number> table_of_numbers{
    {"numbers", "name", &stored_number::name, "value", &stored_number::value}, {"point", "row"}};

TEST(stored_table, has_all_rows_however_many_a_statement_writes) {
  for (const std::size_t count : {0, 1, 31, 32, 33, 64, 70}) {
    database db(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    table_of_numbers.create(db);
    std::vector<stored_number> rows;
    for (std::size_t n = 0; n < count; ++n)
      rows.push_back(
          {"row " + std::to_string(n), n % 3 == 0 ? std::nullopt : std::optional(0.5 * static_cast<double>(n))});
    table_of_numbers.write_numbered(db, rows, {7});
    std::size_t next = 0;
    table_of_numbers.read(db, table_of_numbers.in_order(), [&](const row_places& at, const stored_number& found) {
      EXPECT_EQ(at, (row_places{7, next}));
      EXPECT_EQ(found.name, rows.at(next).name);
      EXPECT_EQ(found.value, rows.at(next).value) << "no cell has the value of the row before";
      ++next;
    });
    EXPECT_EQ(next, count);
  }
}

}  // namespace
}  // namespace muster
