#include "http/office/lists.hpp"
#include "http/support/refusal.hpp"

#include <gmock/gmock.h>

#include <initializer_list>
#include <utility>

/// Lists of the office: cursors, limits, JSON and tables.
namespace roost::http::testing::lists_test {

using texts = std::vector<std::string>;

constexpr auto no_cursor = "after must be the next of a page of this list";

TEST(Cursors, AreWordsOfHexadecimalDigits) {
  EXPECT_EQ(cursor_of({"a", "b"}), "610a62");
  EXPECT_EQ(cursor_of({"é"}), "c3a9");
}

TEST(Cursors, AreReadAsTheyWereWritten) {
  for (const auto& place : {texts{"2027-03-10", "an id"}, texts{"a", "", "c"}, texts{"a", ""}, texts{"é"}})
    EXPECT_EQ(place_in(cursor_of(place), place.size()), place);
}

TEST(Cursors, KeepAnEmptyFirstText) {
  for (const auto& place : {texts{"", "an id"}, texts{"", "", "c"}, texts{"", ""}, texts{""}})
    EXPECT_EQ(place_in(cursor_of(place), place.size()), place);
}

TEST(Cursors, MayBeInCapitals) { EXPECT_EQ(place_in("C3A90A62", 2), (texts{"é", "b"})); }

TEST(Cursors, AreRefusedWithOtherCharactersThanDigits) {
  for (const auto* cursor : {"6", "610", "6g", "0x61", " 61", "61 ", "a place"})
    EXPECT_EQ(place_in(cursor, 1), std::nullopt) << cursor;
}

TEST(Cursors, AreRefusedWithAnotherNumberOfTexts) {
  const auto cursor = cursor_of({"a", "b"});
  EXPECT_EQ(place_in(cursor, 1), std::nullopt);
  EXPECT_EQ(place_in(cursor, 3), std::nullopt);
  EXPECT_EQ(place_in("", 2), std::nullopt);
}

TEST(Cursors, AreRefusedIfTheirTextIsNotUtf8) {
  for (const auto* cursor : {"ff", "c3", "eda080", "c080"})
    EXPECT_EQ(place_in(cursor, 1), std::nullopt) << cursor;
}

/// Returns the message of the refusal of a list's query; empty if it is not refused.
std::string query_refusal(const std::string& text) {
  return refusal_of(
      [](const std::string& sent) {
        query_reader query{sent, {"limit", "after"}};
        read_list_limit(query);
        read_cursor(query, 2);
        query.throw_if_refused();
      },
      text);
}

TEST(Cursors, AreReadFromTheQuery) {
  query_reader query{"limit=1&after=610a62", {"limit", "after"}};
  EXPECT_EQ(read_cursor(query, 2), (texts{"a", "b"}));
  query_reader first_page{"limit=1", {"limit", "after"}};
  EXPECT_EQ(read_cursor(first_page, 2), std::nullopt);
  EXPECT_EQ(query_refusal("limit=1"), "");
}

TEST(Cursors, AreRefusedWithAMessage) {
  for (const auto* query : {"after=zz", "after=61", "after=", "after"})
    EXPECT_EQ(query_refusal(query), no_cursor) << query;
  EXPECT_EQ(query_refusal("after=610a62&after=610a62"), "after must be given once");
  EXPECT_EQ(invalid_cursor().status, 400U);
  EXPECT_EQ(invalid_cursor().message, no_cursor);
}

std::size_t limit_of(std::string_view text) {
  query_reader query{text, {"limit"}};
  return read_list_limit(query);
}

TEST(ListLimits, AreFiftyByDefault) { EXPECT_EQ(limit_of(""), 50U); }

TEST(ListLimits, AreFromOneToTwoHundred) {
  EXPECT_EQ(limit_of("limit=1"), 1U);
  EXPECT_EQ(limit_of("limit=200"), 200U);
  EXPECT_EQ(query_refusal("limit=200"), "");
  EXPECT_EQ(query_refusal("limit=0"), "limit must not be less than 1");
  EXPECT_EQ(query_refusal("limit=201"), "limit must not be greater than 200");
  EXPECT_EQ(query_refusal("limit=1.5"), "limit must be an integer number");
}

TEST(ListLimits, HaveAUsableValueEvenIfTheyAreRefused) {
  for (const auto* query :
       {"limit=0", "limit=-1", "limit=201", "limit=1e400", "limit=-Infinity", "limit=x", "limit=1&limit=2"}) {
    EXPECT_EQ(limit_of(query), 50U) << query;
    EXPECT_NE(query_refusal(query), "") << query;
  }
}

TEST(ListLimits, AreRefusedTogetherWithCursorsAndUnknownFields) {
  EXPECT_EQ(query_refusal("after=zz&limit=0&offset=1"),
            std::string("property offset should not exist, limit must not be less than 1, ") + no_cursor);
}

TEST(ListsAsJson, HaveItemsCursorAndTotal) {
  EXPECT_EQ(list_json({"{}", "7"}, "610a62", 9), R"({"items":[{},7],"next":"610a62","total":9})");
  EXPECT_EQ(list_json({"{}"}, "61", 2), R"({"items":[{}],"next":"61","total":2})");
}

TEST(ListsAsJson, HaveNoCursorAtTheEnd) {
  EXPECT_EQ(list_json({"{}"}, "", 1), R"({"items":[{}],"next":null,"total":1})");
  EXPECT_EQ(list_json({}, "", 0), R"({"items":[],"next":null,"total":0})");
}

bool is_sent_as_csv(std::string_view accept) {
  request req;
  req.fields = {{"accept", accept}};
  return wants_csv(req);
}

TEST(CsvTables, AreSentToClientsThatNameTheirType) {
  EXPECT_FALSE(wants_csv(request{}));
  for (const auto* accept :
       {"text/csv", "Text/CSV", " text/csv ", "text/csv;charset=utf-8", "text/csv;q=0.001",
        "text/html, text/csv", "*/*, text/csv;q=0.5", "text/csv ; header=present ; q=0.5", "text/csv;seq=0"})
    EXPECT_TRUE(is_sent_as_csv(accept)) << accept;
  for (const auto* accept :
       {"", "*/*", "text/*", "text/csvs", "application/json", "text/csv;q=0", "text/csv;q=", "text/csv;q=x",
        "text/csv;q=2", "text/csv; a=b; q=0", "application/json;x=\"text/csv\""})
    EXPECT_FALSE(is_sent_as_csv(accept)) << accept;
}

TEST(CsvTables, AreSentUnlessTheClientPrefersJson) {
  for (const auto* accept :
       {"text/csv, application/json", "application/json, text/csv", "application/json;q=0.5, text/csv",
        "text/csv;q=0.8,application/json;q=0.7", "text/csv;q=0.8, application/json;q=0.8"})
    EXPECT_TRUE(is_sent_as_csv(accept)) << accept;
  for (const auto* accept : {"application/json, text/csv;q=0.9", "text/csv;q=0.7, application/json;q=0.8"})
    EXPECT_FALSE(is_sent_as_csv(accept)) << accept;
}

std::string row_of(std::initializer_list<std::string_view> cells) {
  csv_table table;
  for (const auto cell : cells) table.add(cell);
  table.end_row();
  return std::move(table).to_response("blocks").body;
}

TEST(CsvTables, HaveCommasBetweenCells) {
  EXPECT_EQ(row_of({"2027-03-10", "a note", ""}), "2027-03-10,a note,\r\n");
  EXPECT_EQ(row_of({"", ""}), ",\r\n");
  EXPECT_EQ(row_of({""}), "\r\n");
}

TEST(CsvTables, EndEachRowWithCrAndLf) {
  csv_table table;
  for (const auto* row : {"first", "second"}) {
    table.add(row);
    table.add("");
    table.add("é");
    table.end_row();
  }
  EXPECT_EQ(std::move(table).to_response("blocks").body, "first,,é\r\nsecond,,é\r\n");
}

TEST(CsvTables, QuoteCellsThatContainSeparators) {
  EXPECT_EQ(row_of({"a,b", "c"}), "\"a,b\",c\r\n");
  EXPECT_EQ(row_of({"the \"blue\" room"}), "\"the \"\"blue\"\" room\"\r\n");
  EXPECT_EQ(row_of({"\""}), "\"\"\"\"\r\n");
  EXPECT_EQ(row_of({"two\nlines", "two\r\nlines", "two\rlines"}),
            "\"two\nlines\",\"two\r\nlines\",\"two\rlines\"\r\n");
}

TEST(CsvTables, PutAnApostropheBeforeFormulas) {
  EXPECT_EQ(row_of({"=1+1", "+1", "-1", "@SUM(A1)", "\t1"}), "'=1+1,'+1,'-1,'@SUM(A1),'\t1\r\n");
  EXPECT_EQ(row_of({"\r1", "=a,b", "=\"a\""}), "\"'\r1\",\"'=a,b\",\"'=\"\"a\"\"\"\r\n");
  EXPECT_EQ(row_of({"1=1", " =1", "'=1", "a-b"}), "1=1, =1,''=1,a-b\r\n");
}

TEST(CsvTables, AreDownloadedUnderTheirName) {
  const auto result = csv_table{}.to_response("blocks");
  EXPECT_EQ(result.status, 200U);
  EXPECT_EQ(result.content_type, "text/csv; charset=utf-8");
  EXPECT_THAT(result.fields, ::testing::ElementsAre(::testing::Pair("Content-Disposition",
                                                                    "attachment; filename=\"blocks.csv\"")));
  EXPECT_EQ(result.body, "");
}

} // namespace roost::http::testing::lists_test
