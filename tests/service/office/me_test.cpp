#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// What users change of themselves through the office API.
namespace roost::testing::office_me_test {
using ::testing::HasSubstr;

class OfficeMe : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeMe);
ROOST_FOR_SQLITE(OfficeMeOverHttp);

const std::string me_path = "/api/me";
constexpr const char* spanish = R"({"preferences":{"language":"es"}})";
const header_fields any_state{{"If-Match", "*"}};

std::string language(office_fixture& office) {
  return json_at(office.send("GET", "/auth/me").body, "/preferences/language");
}

TEST_P(OfficeMe, HasALanguageThatEveryResponseShows) {
  office_fixture office(GetParam());
  EXPECT_EQ(language(office), R"("en")");
  const auto before = office.send("GET", me_path);
  ASSERT_EQ(before.status, 200U) << before.body;
  EXPECT_EQ(json_at(before.body, "/email"), R"("ana@casaverde.example")");
  EXPECT_EQ(json_at(before.body, "/preferences"), R"({"language":"en"})");
  const auto tag = before.headers.find("etag")->second;
  EXPECT_EQ(office.send("GET", me_path, "", {{"If-None-Match", tag}}).status, 304U);
  const auto changed = office.send("PATCH", me_path, spanish, {{"If-Match", tag}});
  ASSERT_EQ(changed.status, 200U) << changed.body;
  EXPECT_EQ(json_at(changed.body, "/preferences"), R"({"language":"es"})");
  EXPECT_EQ(language(office), R"("es")");
  EXPECT_EQ(office.send("PATCH", me_path, spanish).status, 428U);
  const auto outdated =
      office.send("PATCH", me_path, R"({"preferences":{"language":"en"}})", {{"If-Match", tag}});
  EXPECT_EQ(outdated.status, 412U);
  EXPECT_EQ(json_at(outdated.body, "/changed"), R"(["preferences"])");
  EXPECT_EQ(json_at(outdated.body, "/changedBy"), R"("ana@casaverde.example")");
  office.restart();
  EXPECT_EQ(language(office), R"("es")");
}

TEST_P(OfficeMe, LeavesATraceOfTheChange) {
  office_fixture office(GetParam());
  ASSERT_EQ(office.send("PATCH", me_path, spanish, any_state).status, 200U);
  const auto log = office.send("GET", "/api/audit");
  EXPECT_EQ(json_at(log.body, "/total"), "1");
  EXPECT_EQ(json_at(log.body, "/items/0/action"), R"("user change")");
  EXPECT_EQ(json_at(log.body, "/items/0/actor"), R"("user ana@casaverde.example")");
  EXPECT_THAT(json_at(log.body, "/items/0/detail"), HasSubstr(R"(\"en\")"));
  ASSERT_EQ(office.send("PATCH", me_path, spanish, any_state).status, 200U);
  EXPECT_EQ(json_at(office.send("GET", "/api/audit").body, "/total"), "1") << "nothing has changed";
}

TEST_P(OfficeMe, KeepsTheLanguageWhenAFileWithAnotherOneIsImported) {
  office_fixture office(GetParam());
  const auto old = (office.place.folder() / "old.json").string();
  office.place.run_or_throw({"export", "--out", old});
  ASSERT_EQ(office.send("PATCH", me_path, spanish, any_state).status, 200U);
  office.place.run_or_throw({"import", old});
  EXPECT_EQ(language(office), R"("es")");
}

TEST_P(OfficeMe, KeepsTheLanguageWhenAnExportIsImportedAgain) {
  office_fixture office(GetParam());
  ASSERT_EQ(office.send("PATCH", me_path, spanish, any_state).status, 200U);
  const auto file = (office.place.folder() / "exported.json").string();
  office.place.run_or_throw({"export", "--out", file});
  office.place.run_or_throw({"import", file});
  EXPECT_EQ(language(office), R"("es")");
}

TEST_P(OfficeMeOverHttp, RefusesWhatTheUserCannotChange) {
  office_fixture office(GetParam());
  const auto message = [&](const std::string& body) {
    const auto refused = office.send("PATCH", me_path, body, any_state);
    EXPECT_EQ(refused.status, 400U) << refused.body;
    return string_at(refused, "/message");
  };
  EXPECT_EQ(message(R"({"preferences":{"language":"fr"}})"), "preferences.language must be one of en, es");
  EXPECT_EQ(message(R"({"preferences":{"language":null}})"), "preferences.language must be one of en, es");
  EXPECT_EQ(message(R"({"preferences":{}})"), "preferences.language is required");
  EXPECT_EQ(message(R"({"role":"Admin"})"), "role is read-only");
  EXPECT_EQ(office.send("GET", me_path).headers.count("etag"), 1U);
}

TEST_P(OfficeMeOverHttp, IsForUsersOfEveryRole) {
  office_fixture office(
      GetParam(), {{"roles.Owner", "[]"}},
      {{account_pointer + "/users/0/role", R"("Owner")"},
       {account_pointer + "/users/0/ownerId", R"("99999999-0000-4000-8000-000000000001")"}});
  EXPECT_EQ(office.send("PATCH", me_path, spanish, any_state).status, 200U);
  EXPECT_EQ(json_at(office.send("GET", me_path).body, "/ownerId"),
            R"("99999999-0000-4000-8000-000000000001")");
}

TEST_P(OfficeMeOverHttp, IsNoPartOfTheUsersOfTheAccount) {
  office_fixture office(GetParam());
  ASSERT_EQ(office.send("PATCH", me_path, spanish, any_state).status, 200U);
  const auto users = office.send("GET", "/api/users");
  EXPECT_EQ(json_at(users.body, "/items/0/language"), "");
  const auto path = "/api/users/" + string_at(users, "/items/0/id");
  EXPECT_EQ(office.send("PATCH", path, R"({"firstName":"Anna"})", any_state).status, 200U);
  EXPECT_EQ(language(office), R"("es")") << "other changes of the user keep it";
}

} // namespace roost::testing::office_me_test
