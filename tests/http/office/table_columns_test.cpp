#include "http/office/table_columns.hpp"
#include "http/office/unit_objects.hpp"
#include "http/protocol/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::http::table_columns_test {
using ::testing::Contains;
using ::testing::Not;

sent_table units(std::string_view text, std::size_t max_rows = 10) {
  return {text, columns_of(office_unit_object), {"etag"}, max_rows};
}

/// Returns the members that the first row of a table changes of a unit.
std::string body(std::string_view text, const domain::portfolio_unit& stored = {}) {
  return units(text).body_of(0, values_of(office_unit_object, stored), values_of(office_unit_object, {}));
}

std::string problem(std::string_view text, std::size_t max_rows = 10) {
  try {
    units(text, max_rows);
  } catch (const error& refused) {
    EXPECT_EQ(refused.status, 400U);
    return refused.message;
  }
  return {};
}

domain::portfolio_unit unit_for(std::int64_t rent) {
  domain::portfolio_unit unit;
  unit.terms.internal_name = "A1";
  unit.terms.rent.amount = domain::money{rent};
  unit.presentation.floor = "=1+1";
  unit.presentation.title = {{"en", "A \"room\""}};
  unit.terms.max_stay_months = 3;
  return unit;
}

TEST(TableColumns, AreThoseOfTheList) {
  std::vector<std::string> names, shown;
  for (const auto& column : columns_of(office_unit_object)) names.push_back(column.name);
  const auto add = [&](const std::string& outer, std::string_view name, const std::string&) {
    shown.push_back(outer + std::string(name));
  };
  for_each_column(office_unit_object, nullptr, {}, add);
  EXPECT_EQ(names, shown);
  EXPECT_THAT(names, Contains("rent.amount"));
  EXPECT_THAT(names, Not(Contains("rent")));
}

TEST(SentTable, ChangesNothingIfItIsTheList) {
  auto rows = rows_of(office_unit_object, tag_column::yes);
  auto unit = unit_for(650'00);
  unit.terms.bills.max_value = domain::money{0};
  unit.terms.rent = {false, {}, {{1, domain::money{1}, {}, {}}}};
  unit.links = {{"marketplace-a", "1", {}}};
  csv_table table;
  rows(table, nullptr);
  rows(table, &unit);
  EXPECT_EQ(body(std::move(table).take_text(), unit), "{}");
}

TEST(SentTable, ChangesTheMembersWhoseCellsDiffer) {
  const auto unit = unit_for(650'00);
  EXPECT_EQ(body("rent.amount,internalName\n700,A1\n", unit), R"({"rent":{"fixed":true,"amount":700}})")
      << "the other parts are the stored ones";
  EXPECT_EQ(body("internalName\nA2\n", unit), R"({"internalName":"A2"})");
  EXPECT_EQ(body("title\n\"{\"\"en\"\":\"\"B\"\"}\"\n", unit), R"({"title":{"en":"B"}})");
}

TEST(SentTable, TakesEmptyCellsAsTheDefault) {
  const auto unit = unit_for(650'00);
  EXPECT_EQ(body("capacity,maxStayMonths,floor,internalName,title,roomLabel\n2,,,,,\n", unit),
            R"({"internalName":"","capacity":2,"maxStayMonths":null,"floor":null,"title":{}})");
  EXPECT_EQ(body("rent.amount,internalName\n,A1\n", unit), R"({"rent":{"fixed":true}})");
}

TEST(SentTable, TakesEmptyCellsOfRequiredPartsAndFlagsAsInANewUnit) {
  auto unit = unit_for(650'00);
  unit.terms.deposit = {domain::deposit_mode::rent_multiple, 200};
  unit.terms.admin_fee.enabled = true;
  unit.terms.bills.included = false;
  unit.terms.archived = true;
  EXPECT_EQ(body("deposit.mode,deposit.value\n,2\n", unit), R"({"deposit":{"mode":"fixed","value":2}})");
  EXPECT_EQ(body("deposit.mode,deposit.value,internalName\n,,A1\n", unit),
            R"({"deposit":{"mode":"fixed","value":0}})");
  EXPECT_EQ(body("adminFee.enabled,adminFee.value\n,50\n", unit),
            R"({"adminFee":{"enabled":false,"mode":"fixed","value":50}})");
  EXPECT_EQ(body("archived,internalName\n,A1\n", unit), R"({"archived":false})");
}

TEST(SentTable, MayIgnoreCellsThatAreReadOnly) {
  const auto unit = unit_for(650'00);
  const auto table = units("links,exportAddressEnd,capacity\n[],x,2\n");
  const auto stored = values_of(office_unit_object, unit), usual = values_of(office_unit_object, {});
  EXPECT_EQ(table.body_of(0, stored, usual, read_only_cells::ignored), R"({"capacity":2})");
  EXPECT_EQ(table.body_of(0, stored, usual), R"({"capacity":2,"exportAddressEnd":"x"})");
}

TEST(SentTable, TakesTheApostropheFromFormulas) {
  const auto unit = unit_for(650'00);
  EXPECT_EQ(body("floor\n'=1+1\n", unit), "{}");
  EXPECT_EQ(body("floor\n=1+1\n", unit), R"({"floor":"=1+1"})") << "the same text";
  EXPECT_EQ(body("floor\n'=2\n", unit), R"({"floor":"=2"})");
  EXPECT_EQ(body("capacity\n'-5\n", unit), R"({"capacity":-5})");
}

TEST(SentTable, TakesFlagsInAnyLetterCase) {
  EXPECT_EQ(body("archived,bills.included\nTRUE,FALSE\n"), R"({"archived":true})");
}

TEST(SentTable, NeverTakesACellAsMoreThanAValue) {
  EXPECT_EQ(body("capacity\n\"1,\"\"archived\"\":true\"\n"), R"({"capacity":"1,\"archived\":true"})");
  EXPECT_EQ(body("capacity\n2}\n"), R"({"capacity":"2}"})");
  EXPECT_EQ(body("internalName\n\"a\"\"b\"\n"), R"({"internalName":"a\"b"})");
}

TEST(SentTable, IsRefusedWithAllProblemsOfItsForm) {
  EXPECT_EQ(problem(""), "The table has no row with the names of its columns");
  EXPECT_EQ(
      problem("colour,internalname,capacity,capacity\n"),
      R"("colour" is not a known column, "internalname" is not a known column; did you mean "internalName"?, )"
      "The column capacity is given twice");
  EXPECT_EQ(problem("capacity,archived\n1\n2,true,3\n"),
            "Row 2 has 1 cells instead of 2, Row 3 has 3 cells instead of 2");
  EXPECT_EQ(problem("capacity\n1\n2\n3\n", 2), "The table has 3 rows; at most 2 are accepted");
  EXPECT_EQ(problem("capacity\n\"1"), "Row 2 has a quoted cell without an end");
}

TEST(SentTable, LeavesOutEmptyRows) {
  const auto table = units("capacity,archived\n1,true\n,\n\n3,true\n");
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table.number_of(1), 5U);
  EXPECT_EQ(table.cell(1, "capacity"), "3");
  EXPECT_EQ(table.cell(1, "etag"), std::nullopt);
}

} // namespace roost::http::table_columns_test
