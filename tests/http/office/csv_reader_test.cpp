#include "domain/text.hpp"
#include "http/office/csv_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::http::csv_reader_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using row = std::vector<std::string>;

std::vector<row> rows(std::string_view text) {
  auto read = read_csv(text);
  EXPECT_EQ(read.problem, "") << text;
  return std::move(read.rows);
}

std::string problem(std::string_view text) { return read_csv(text).problem; }

TEST(Csv, HasRowsOfCells) {
  EXPECT_THAT(rows("a,b\r\nc,d\r\n"), ElementsAre(row{"a", "b"}, row{"c", "d"}));
  EXPECT_THAT(rows("a,b\nc,d"), ElementsAre(row{"a", "b"}, row{"c", "d"})) << "as other systems end lines";
  EXPECT_THAT(rows("a,\n,b\n"), ElementsAre(row{"a", ""}, row{"", "b"}));
  EXPECT_THAT(rows("\n"), ElementsAre(row{""}));
  EXPECT_THAT(rows(" a , b "), ElementsAre(row{" a ", " b "})) << "spaces are part of a cell";
  EXPECT_THAT(rows(""), IsEmpty());
}

TEST(Csv, HasQuotedCells) {
  EXPECT_THAT(rows("\"a,\"\"b\"\"\r\nc\",\"\"\r\nd,\"e\"\n"),
              ElementsAre(row{"a,\"b\"\r\nc", ""}, row{"d", "e"}));
  EXPECT_THAT(rows(R"("""","a""b")"), ElementsAre(row{"\"", "a\"b"}));
}

TEST(Csv, MayBeginWithAByteOrderMark) {
  EXPECT_THAT(rows("\xEF\xBB\xBF\"a\",\xC3\xA9"), ElementsAre(row{"a", "\xC3\xA9"}));
}

TEST(Csv, IsRefusedWithTheRowThatIsWrong) {
  EXPECT_EQ(problem("a\n\"b"), "Row 2 has a quoted cell without an end");
  EXPECT_EQ(problem("a\nb\"c"), "Row 2 has a quote in a cell that is not quoted");
  EXPECT_EQ(problem("\"a\"b"), "Row 1 has text after the end of a quoted cell");
  EXPECT_EQ(problem("\"a\"\rb"), "Row 1 has text after the end of a quoted cell");
  EXPECT_EQ(problem("a\xFF"), "The table is not UTF-8");
  EXPECT_EQ(problem(std::string_view("a\0b", 3)), "The table has a NUL character");
}

TEST(Csv, HasALimitedNumberOfRowsAndCells) {
  EXPECT_EQ(read_csv(std::string(max_csv_rows, '\n')).rows.size(), max_csv_rows);
  EXPECT_EQ(problem(std::string(max_csv_rows + 1, '\n')), "The table has more than 10000 rows");
  EXPECT_EQ(problem(std::string(999, ',')), "");
  EXPECT_EQ(problem(std::string(1'000, ',')), "Row 1 has more than 1000 cells");
}

TEST(Csv, IsReadAsItWasWritten) {
  for (const auto* text : {"", "a", "a,b", "\"", "\r\n", "=1+1", "'=1", "-5", "'", " x "}) {
    const auto written = domain::csv_cell(domain::escape_formula(text)) + ",x\r\n";
    const auto read = rows(written);
    ASSERT_EQ(read.size(), 1U) << written;
    EXPECT_EQ(read[0].size(), 2U) << written;
    EXPECT_EQ(domain::unescape_formula(read[0][0]), text) << written;
  }
}

} // namespace roost::http::csv_reader_test
