#include "domain/text.hpp"
#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Tables of units that are exported, edited and sent back through the office API.
namespace roost::testing::office_unit_import_test {
using ::testing::HasSubstr;

class OfficeUnitImport : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeUnitImport);
ROOST_FOR_SQLITE(OfficeUnitImportOverHttp);

const std::string units_path = "/api/units", import_path = units_path + "/import",
                  first_path = units_path + "/" + unit_id(1);

raw_response import_table(office_fixture& office, const std::string& table, const std::string& query = "",
                          const std::string& type = "text/csv; charset=utf-8") {
  return send_request(office.server->port(), "POST", import_path + query,
                      {{"Authorization", "Bearer " + office.token}, {"Content-Type", type}}, table);
}

std::string exported(office_fixture& office) {
  return office.send("GET", units_path, "", {{"Accept", "text/csv"}}).body;
}

std::string property(office_fixture& office) {
  return string_at(office.send("GET", first_path), "/propertyId");
}

TEST_P(OfficeUnitImport, ChangesNothingIfAnExportIsSentBack) {
  office_fixture office(GetParam());
  const auto before = office.send("GET", units_path).body;
  const auto done = import_table(office, exported(office));
  ASSERT_EQ(done.status, 200U) << done.body;
  EXPECT_EQ(json_at(done.body, "/unchanged"), "1");
  EXPECT_EQ(json_at(done.body, "/units/0/result"), R"("unchanged")");
  EXPECT_EQ(office.send("GET", units_path).body, before);
  EXPECT_EQ(json_at(office.send("GET", "/api/audit").body, "/total"), "0");
}

TEST_P(OfficeUnitImport, ChangesAndCreatesUnitsThatEveryReadShows) {
  office_fixture office(GetParam());
  const auto done = import_table(office, "\xEF\xBB\xBFid,propertyId,internalName,rent.amount,kind\r\n" +
                                             unit_id(1) + "," + property(office) + ",u1,701,room\r\n," +
                                             property(office) + ",\"Room, \"\"two\"\"\",500,room\r\n");
  ASSERT_EQ(done.status, 200U) << done.body;
  EXPECT_EQ(json_at(done.body, "/plan"), "false");
  EXPECT_EQ(json_at(done.body, "/changed"), "1");
  EXPECT_EQ(json_at(done.body, "/created"), "1");
  EXPECT_EQ(json_at(done.body, "/units/1/row"), "3");
  EXPECT_THAT(office.partner_of("marketplace-a").get("/listings/u1").body, HasSubstr(R"("rent":701,)"));
  const auto created = office.send("GET", units_path + "/" + string_at(done, "/units/1/id"));
  EXPECT_EQ(json_at(created.body, "/internalName"), R"("Room, \"two\"")");
  EXPECT_EQ(json_at(created.body, "/rent/amount"), "500");
  const auto log = office.send("GET", "/api/audit");
  EXPECT_EQ(json_at(log.body, "/total"), "2");
  const auto changes = office.send("GET", first_path + "/changes");
  EXPECT_EQ(json_at(changes.body, "/items/0/by"), R"("ana@casaverde.example")");
}

TEST_P(OfficeUnitImport, IsPlannedFirst) {
  office_fixture office(GetParam());
  const auto table = "id,propertyId,internalName,rent.amount\n" + unit_id(1) + ",,,\n";
  const auto price = "id,rent.amount\n" + unit_id(1) + ",701\n";
  const auto plan = import_table(office, price, "?plan=true");
  ASSERT_EQ(plan.status, 200U) << plan.body;
  EXPECT_EQ(json_at(plan.body, "/plan"), "true");
  EXPECT_EQ(json_at(plan.body, "/units/0/changes/0/member"), R"("rent")");
  EXPECT_EQ(json_at(plan.body, "/units/0/changes/0/to/amount"), "701");
  EXPECT_EQ(json_at(office.send("GET", first_path).body, "/rent/amount"), "650");
  const auto creation =
      import_table(office, "propertyId,internalName\n" + property(office) + ",New\n", "?plan=true");
  EXPECT_EQ(json_at(creation.body, "/units/0/id"), "null");
  EXPECT_EQ(json_at(creation.body, "/units/0/result"), R"("created")");
  const auto refused = import_table(office, table, "?plan=true");
  EXPECT_EQ(refused.status, 400U) << refused.body;
  EXPECT_EQ(refused.body, import_table(office, table).body) << "the same errors";
}

TEST_P(OfficeUnitImport, ReportsAllProblemsWithTheirRows) {
  office_fixture office(GetParam());
  const auto refused =
      import_table(office, "id,rent.amount,capacity,propertyId,internalName\n" + unit_id(1) + ",-1,0," +
                               property(office) + ",A\nx,1,,,\n" + unit_id(1) + ",1,1,x,A\n");
  EXPECT_EQ(refused.status, 400U);
  EXPECT_EQ(string_at(refused, "/message"),
            "units[0].capacity must be a whole number from 1 to 1000, "
            "units[0].rent.amount must not be less than 0, "
            "units[1].id must be a UUID, units[1].propertyId is required, units[1].internalName is required, "
            "units[2].propertyId must be a UUID, units[2].id is the id of an earlier row");
  EXPECT_EQ(json_at(office.send("GET", first_path).body, "/rent/amount"), "650");
}

TEST_P(OfficeUnitImport, RefusesWhatOtherUnitsContradict) {
  office_fixture office(GetParam());
  const auto name = string_at(office.send("GET", first_path), "/internalName");
  const auto taken = import_table(office, "propertyId,internalName\n" + property(office) + "," + name + "\n");
  EXPECT_EQ(taken.status, 409U);
  EXPECT_EQ(string_at(taken, "/message"), "units[0].internalName is the name of another unit");
  const auto elsewhere =
      import_table(office, "propertyId,internalName\naaaaaaaa-0000-4000-8000-000000000001,B\n");
  EXPECT_EQ(elsewhere.status, 400U);
  EXPECT_EQ(string_at(elsewhere, "/message"), "units[0].propertyId must be a property of the account");
}

TEST_P(OfficeUnitImport, RefusesToSetBackWhatHasChangedSinceTheExport) {
  office_fixture office(GetParam());
  const auto table = exported(office);
  ASSERT_EQ(office.send("PATCH", first_path, R"({"capacity":3})", {{"If-Match", "*"}}).status, 200U);
  const auto outdated = import_table(office, table);
  ASSERT_EQ(outdated.status, 412U) << outdated.body;
  EXPECT_EQ(json_at(outdated.body, "/units/0/id"), '"' + unit_id(1) + '"');
  EXPECT_EQ(json_at(outdated.body, "/units/0/row"), "2");
  EXPECT_EQ(json_at(outdated.body, "/units/0/changed"), R"(["capacity"])");
  EXPECT_EQ(json_at(outdated.body, "/units/0/changedBy"), R"("ana@casaverde.example")");
  EXPECT_EQ(import_table(office, "id,capacity\n" + unit_id(1) + ",2\n").status, 200U)
      << "without tags, the last write wins";
}

TEST_P(OfficeUnitImport, ReportsRowsThatAreOutdatedInsteadOfTheirReadOnlyCells) {
  office_fixture office(GetParam());
  const auto before = office.send("GET", first_path);
  const auto row = unit_id(1) + "," + domain::csv_cell(before.headers.find("etag")->second) + "," +
                   domain::csv_cell(json_at(before.body, "/links")) + ",";
  const auto table = [&](const std::string& capacity) {
    return "id,etag,links,capacity\n" + row + capacity + "\n";
  };
  ASSERT_LT(office.send("DELETE", first_path + "/links/marketplace-a", "", {{"If-Match", "*"}}).status, 300U);
  const auto outdated = import_table(office, table("9"));
  ASSERT_EQ(outdated.status, 412U) << outdated.body;
  EXPECT_EQ(json_at(outdated.body, "/units/0/changed"), R"(["links"])");
  const auto same = import_table(office, table(json_at(before.body, "/capacity")));
  ASSERT_EQ(same.status, 200U) << "the row changes nothing: " << same.body;
  EXPECT_EQ(json_at(same.body, "/unchanged"), "1");
}

TEST_P(OfficeUnitImport, ShowsTheEndOfExportAddresses) {
  office_fixture office(GetParam());
  const auto renewed = office.send("POST", first_path + "/export-address", "", {{"If-Match", "*"}});
  ASSERT_EQ(renewed.status, 200U) << renewed.body;
  const auto end = "…" + string_at(renewed, "/address").substr(24);
  EXPECT_EQ(string_at(office.send("GET", first_path), "/exportAddressEnd"), end);
  EXPECT_THAT(exported(office), HasSubstr("," + end + ","));
}

TEST_P(OfficeUnitImport, RefusesOtherLinks) {
  office_fixture office(GetParam());
  const auto table = "id,links,createdAt\n" + unit_id(1) + ",[],2020-01-01\n";
  const auto refused = import_table(office, table);
  EXPECT_EQ(refused.status, 400U);
  EXPECT_EQ(string_at(refused, "/message"), "units[0].links is read-only");
}

TEST_P(OfficeUnitImport, IsOneEventOfAllItsUnits) {
  office_fixture office(GetParam());
  const auto position = [&] {
    return store_rows(office.place.store().open(), "select max(position) from changes", 1).at(0);
  };
  const auto before = position();
  std::string table = "propertyId,internalName\n";
  const auto home = property(office);
  for (int i = 0; i < 50; ++i) table += home + ",New " + std::to_string(i) + "\n";
  ASSERT_EQ(import_table(office, table).status, 200U);
  EXPECT_EQ(std::stoll(position()), std::stoll(before) + 1);
  EXPECT_EQ(json_at(office.send("GET", units_path).body, "/total"), "51");
}

TEST_P(OfficeUnitImportOverHttp, TakesOnlyTables) {
  office_fixture office(GetParam());
  EXPECT_EQ(import_table(office, "id\n", "", "application/json").status, 415U);
  EXPECT_EQ(import_table(office, "id\n").status, 200U) << "no rows";
  EXPECT_EQ(import_table(office, "").status, 400U);
  EXPECT_EQ(import_table(office, "colour\n").status, 400U);
  EXPECT_EQ(import_table(office, "id\n", "?plan=yes").status, 400U);
  EXPECT_EQ(import_table(office, std::string((1U << 20U) + 1, 'x')).status, 413U);
  std::string table = "internalName\n";
  for (int i = 0; i < 1'001; ++i) table += "x\n";
  EXPECT_EQ(string_at(import_table(office, table), "/message"),
            "The table has 1001 rows; at most 1000 are accepted");
}

TEST_P(OfficeUnitImportOverHttp, AcceptsAThousandRows) {
  office_fixture office(GetParam());
  std::string table = "propertyId,internalName,rent.amount\n";
  const auto place = property(office);
  const auto home = property(office);
  for (int i = 0; i < 1'000; ++i) table += home + ",R" + std::to_string(i) + ",1\n";
  const auto done = import_table(office, table);
  ASSERT_EQ(done.status, 200U) << done.body.substr(0, 300);
  EXPECT_EQ(json_at(done.body, "/created"), "1000");
}

TEST_P(OfficeUnitImportOverHttp, ShowsOwnersOnlyTheirUnits) {
  office_fixture office(
      GetParam(), {{"roles.Owner", R"(["listings.edit", "listings.view"])"}},
      {{account_pointer + "/users/0/role", R"("Owner")"},
       {account_pointer + "/users/0/ownerId", R"("99999999-0000-4000-8000-000000000001")"}});
  const auto refused = import_table(office, "id,capacity\n" + unit_id(1) + ",3\n");
  EXPECT_EQ(refused.status, 400U) << "like a new unit: " << refused.body;
  EXPECT_THAT(refused.body, HasSubstr("units[0].propertyId is required"));
}

} // namespace roost::testing::office_unit_import_test
