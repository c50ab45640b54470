#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Tenants through the office API.
namespace roost::testing::office_tenants_http_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct tenant_fixture : office_fixture {
  explicit tenant_fixture(store_kind kind, const std::map<std::string, std::string>& settings = {})
      : office_fixture(
            kind, with_cycle(settings),
            {{account_pointer + "/tenantCategories", R"([{"name":"Guest"},{"name":"Student"}])"}}) {}

  static std::map<std::string, std::string> with_cycle(std::map<std::string, std::string> settings) {
    settings.emplace("bookings.cycle", "\"1s\"");
    return settings;
  }

  /// Books u1 for a guest, and waits for the decision.
  void book(int check_in, int check_out, const std::string& email) {
    const auto before = decisions().size();
    ASSERT_EQ(
        partner_of("marketplace-a")
            .post("/bookings", booking("u1", check_in, check_out, {{"/tenant/email", '"' + email + '"'}}))
            .status,
        201U);
    ASSERT_TRUE(eventually([&] { return decisions().size() == before + 1; }));
  }

  /// Returns the path of the first tenant whose data contains a text.
  std::string path_of(const std::string& text) {
    return tenants_path + "/" + string_at(send("GET", tenants_path + "?q=" + text), "/items/0/id");
  }

  const std::string tenants_path = "/api/tenants";
};

class OfficeTenants : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeTenants);
ROOST_FOR_SQLITE(OfficeTenantsOverHttp);

const header_fields any_state{{"If-Match", "*"}};

TEST_P(OfficeTenants, AreFoundAndChanged) {
  tenant_fixture office(GetParam());
  office.book(30, 60, "eva@tenant.example");
  const auto listed = office.send("GET", office.tenants_path + "?q=LINDQVIST");
  ASSERT_EQ(json_at(listed.body, "/total"), "1") << listed.body;
  EXPECT_EQ(json_at(listed.body, "/items/0/stays/0/unitName"), R"("Room 1")");
  EXPECT_EQ(json_at(listed.body, "/items/0/stays/0/status"), R"("confirmed")");
  const auto path = office.path_of("eva@");
  const auto shown = office.send("GET", path);
  ASSERT_EQ(shown.status, 200U) << shown.body;
  const auto tag = shown.headers.find("etag")->second;
  EXPECT_EQ(office.send("GET", path, "", {{"If-None-Match", tag}}).status, 200U) << "the stays may differ";
  const auto changed =
      office.send("PATCH", path, R"({"phone":"+34 600","category":"Student"})", {{"If-Match", tag}});
  ASSERT_EQ(changed.status, 200U) << changed.body;
  EXPECT_EQ(json_at(changed.body, "/phone"), R"("+34 600")");
  EXPECT_EQ(json_at(changed.body, "/firstName"), R"("Eva")");
  EXPECT_EQ(office.send("PATCH", path, R"({"phone":null})").status, 428U);
  const auto outdated = office.send("PATCH", path, R"({"phone":null})", {{"If-Match", tag}});
  EXPECT_EQ(outdated.status, 412U);
  EXPECT_EQ(json_at(outdated.body, "/changed"), R"(["phone","category"])");
  EXPECT_EQ(json_at(outdated.body, "/changedBy"), R"("ana@casaverde.example")");
  const auto log = office.send("GET", "/api/audit");
  EXPECT_EQ(json_at(log.body, "/items/0/action"), R"("tenant change")");
  EXPECT_THAT(json_at(log.body, "/items/0/detail"), HasSubstr("Student"));
}

TEST_P(OfficeTenants, AreMatchedByTheirNewAddress) {
  tenant_fixture office(GetParam());
  office.book(30, 60, "eva@tenant.example");
  const auto path = office.path_of("eva@");
  ASSERT_EQ(office.send("PATCH", path, R"({"email":"eva@new.example"})", any_state).status, 200U);
  office.book(60, 90, "EVA@new.example");
  office.book(90, 120, "eva@tenant.example");
  EXPECT_EQ(json_at(office.send("GET", path).body, "/stays/1/unitName"), R"("Room 1")");
  EXPECT_EQ(json_at(office.send("GET", path).body, "/stays/2"), "");
  EXPECT_EQ(json_at(office.send("GET", office.tenants_path).body, "/total"), "2")
      << "the old address is free";
  const auto taken = office.send("PATCH", path, R"({"email":"Eva@tenant.example"})", any_state);
  EXPECT_EQ(taken.status, 409U);
  EXPECT_EQ(string_at(taken, "/message"), "Another tenant of the account has this email address");
}

TEST_P(OfficeTenants, AreErasedWithTheirTraces) {
  tenant_fixture office(GetParam());
  office.book(30, 60, "eva@tenant.example");
  const auto path = office.path_of("eva@");
  ASSERT_EQ(office.send("PATCH", path, R"({"lastName":"Svensson"})", any_state).status, 200U);
  const auto refused = office.send("POST", path + "/erase");
  EXPECT_EQ(refused.status, 409U);
  EXPECT_THAT(string_at(refused, "/message"), HasSubstr("current or future stay"));
  office.place.run_or_throw({"booking", "cancel", string_at(office.send("GET", path), "/stays/0/booking")});
  const auto erased = office.send("POST", path + "/erase");
  ASSERT_EQ(erased.status, 200U) << erased.body;
  EXPECT_EQ(json_at(erased.body, "/erased"), "true");
  EXPECT_EQ(json_at(erased.body, "/firstName"), R"("Erased")");
  EXPECT_EQ(json_at(office.send("GET", office.tenants_path).body, "/total"), "0");
  EXPECT_EQ(office.send("POST", path + "/erase").status, 200U) << "repeating it is safe";
  const auto log = office.send("GET", "/api/audit");
  EXPECT_THAT(log.body,
              AllOf(HasSubstr("tenant erase"), HasSubstr("tenant change"), Not(HasSubstr("Svensson"))));
  EXPECT_EQ(office.send("PATCH", path, R"({"email":"a@b.example"})", any_state).status, 409U);
  EXPECT_EQ(office.send("POST", office.tenants_path + "/" + unit_id(1) + "/erase").status, 404U);
}

/// Returns a table of tenants with its header: a client of HTTP/1.0 reads it until the end.
std::string table_of(const tenant_fixture& office, const std::string& query = "") {
  raw_client client(office.server->port());
  client.send("GET " + office.tenants_path + query +
              " HTTP/1.0\r\nHost: a\r\nAccept: text/csv\r\nAuthorization: Bearer " + office.token +
              "\r\n\r\n");
  return client.receive_until_close();
}

TEST_P(OfficeTenantsOverHttp, AreATableWithTheirTags) {
  tenant_fixture office(GetParam());
  EXPECT_THAT(table_of(office), AllOf(StartsWith("HTTP/1.1 200 OK"), HasSubstr("filename=\"tenants.csv\""),
                                      HasSubstr("\r\n\r\nid,firstName,lastName,email,")));
  office.book(30, 60, "eva@tenant.example");
  office.book(70, 99, "ivo@tenant.example");
  EXPECT_THAT(table_of(office), AllOf(HasSubstr("eva@tenant.example"), HasSubstr("ivo@tenant.example")));
  const auto tag = item_tag(office.send("GET", office.tenants_path + "?q=ivo"), "/items/0");
  EXPECT_THAT(table_of(office, "?q=ivo"),
              AllOf(HasSubstr(",\"\"" + tag + "\"\"\r\n"), HasSubstr("ivo@tenant.example"),
                    Not(HasSubstr("eva@tenant.example"))));
}

TEST_P(OfficeTenantsOverHttp, KeepTheRulesOfPartners) {
  tenant_fixture office(GetParam());
  office.book(30, 60, "eva@tenant.example");
  const auto path = office.path_of("eva@");
  const auto message = [&](const std::string& body) {
    const auto refused = office.send("PATCH", path, body, any_state);
    EXPECT_EQ(refused.status, 400U) << refused.body;
    return string_at(refused, "/message");
  };
  EXPECT_THAT(message(R"({"firstName":""})"), StartsWith("firstName "));
  EXPECT_THAT(message(R"({"email":null})"), StartsWith("email "));
  EXPECT_THAT(message(R"({"phone":")" + std::string(65, '1') + R"("})"), StartsWith("phone "));
  EXPECT_THAT(message(R"({"lastName":")" + std::string(129, 'a') + R"("})"), StartsWith("lastName "));
  EXPECT_EQ(message(R"({"nationality":"ESP"})"),
            "nationality must be an ISO 3166-1 country code of two letters, like ES");
  EXPECT_EQ(message(R"({"stays":[]})"), "stays is read-only");
  EXPECT_EQ(message(R"({"category":"King"})"), "category must be one of the account's tenant categories");
  EXPECT_EQ(office.send("PATCH", path, R"({"nationality":"se","email":"no address"})", any_state).status,
            200U);
}

TEST_P(OfficeTenantsOverHttp, AreTheAccountsAndNoOwners) {
  office_fixture office(
      GetParam(), {{"roles.Owner", R"(["tenants.view","tenants.edit"])"}},
      {{account_pointer + "/users/0/role", R"("Owner")"},
       {account_pointer + "/users/0/ownerId", R"("99999999-0000-4000-8000-000000000001")"}});
  const auto path = "/api/tenants/" + unit_id(1);
  EXPECT_EQ(office.send("GET", "/api/tenants").status, 200U);
  EXPECT_EQ(office.send("PATCH", path, R"({"phone":"1"})", any_state).status, 403U);
  EXPECT_EQ(office.send("POST", path + "/erase").status, 403U);
}

} // namespace roost::testing::office_tenants_http_test
