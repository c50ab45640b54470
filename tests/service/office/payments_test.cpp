#include "domain/booking_terms.hpp"
#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Payments through the office API.
namespace roost::testing::office_payments_http_test {
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct payment_fixture : office_fixture {
  explicit payment_fixture(store_kind kind) : office_fixture(kind, {{"bookings.cycle", "\"1s\""}}) {
    EXPECT_EQ(partner_of("marketplace-a").post("/bookings", booking("u1", 30, 60)).status, 201U);
    EXPECT_TRUE(eventually([&] { return decisions().size() == 1; }));
  }

  raw_response list(const std::string& query = "") { return send("GET", "/api/payments" + query); }

  /// Returns the path of what was received of the first payment.
  std::string first() { return "/api/payments/" + string_at(list(), "/items/0/id") + "/received"; }
};

class OfficePayments : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficePayments);
ROOST_FOR_SQLITE(OfficePaymentsOverHttp);

const header_fields any_state{{"If-Match", "*"}}, none_yet{{"If-None-Match", "*"}};

TEST_P(OfficePayments, AreReceivedAndUndone) {
  payment_fixture office(GetParam());
  const auto listed = office.list();
  ASSERT_EQ(listed.status, 200U) << listed.body;
  EXPECT_EQ(json_at(listed.body, "/items/0/state"), R"("due")") << listed.body;
  EXPECT_EQ(json_at(listed.body, "/items/0/received"), "null");
  EXPECT_EQ(json_at(listed.body, "/items/0/tenantName"), R"("Eva Lindqvist")");
  const auto path = office.first(), tag = item_tag(listed, "/items/0");
  const auto receipt = R"({"date":")" + day_from_now(0) + R"(","amount":1.50,"note":"In cash"})";
  EXPECT_EQ(office.send("PUT", path, receipt).status, 428U);
  const auto received = office.send("PUT", path, receipt, {{"If-Match", tag}});
  ASSERT_EQ(received.status, 200U) << received.body;
  EXPECT_EQ(json_at(received.body, "/received/amount"), "1.5");
  EXPECT_EQ(json_at(received.body, "/received/by"), R"("ana@casaverde.example")");
  EXPECT_EQ(json_at(received.body, "/state"), R"("due")") << "a part of it";
  const auto outdated = office.send("PUT", path, receipt, {{"If-Match", tag}});
  EXPECT_EQ(outdated.status, 412U);
  EXPECT_EQ(json_at(outdated.body, "/changed"), R"(["received"])");
  EXPECT_EQ(office.send("PUT", path, receipt, none_yet).status, 412U);
  const auto whole = R"({"date":")" + day_from_now(0) + R"("})";
  const auto all = office.send("PUT", path, whole, any_state);
  EXPECT_EQ(json_at(all.body, "/state"), R"("received")") << all.body;
  EXPECT_EQ(json_at(all.body, "/outstanding"), "0");
  EXPECT_EQ(json_at(office.list("?state=received").body, "/total"), "1");
  EXPECT_EQ(office.send("DELETE", path).status, 428U);
  EXPECT_EQ(office.send("DELETE", path, "", any_state).status, 204U);
  EXPECT_EQ(json_at(office.list("?state=received").body, "/total"), "0");
  EXPECT_EQ(office.send("PUT", path, receipt, none_yet).status, 200U);
  const auto log = office.send("GET", "/api/audit");
  EXPECT_EQ(json_at(log.body, "/total"), "4");
  EXPECT_EQ(json_at(log.body, "/items/0/action"), R"("payment receipt")");
  EXPECT_THAT(json_at(log.body, "/items/0/detail"), HasSubstr("In cash"));
  office.restart();
  EXPECT_EQ(json_at(office.list().body, "/items/0/received/amount"), "1.5");
}

TEST_P(OfficePayments, OfACancelledBookingStayIfTheyWereReceived) {
  payment_fixture office(GetParam());
  const auto receipt = R"({"date":")" + day_from_now(0) + R"(","amount":2})";
  ASSERT_EQ(office.send("PUT", office.first(), receipt, none_yet).status, 200U);
  const auto before = office.list();
  EXPECT_NE(json_at(before.body, "/total"), "1");
  office.place.run_or_throw({"booking", "cancel", string_at(before, "/items/0/booking")});
  const auto after = office.list();
  EXPECT_EQ(json_at(after.body, "/total"), "1");
  EXPECT_EQ(json_at(after.body, "/items/0/planned"), "false");
  EXPECT_EQ(json_at(after.body, "/items/0/state"), R"("received")");
}

TEST_P(OfficePaymentsOverHttp, RefuseWhatCannotBe) {
  payment_fixture office(GetParam());
  const auto path = office.first();
  const auto message = [&](const std::string& body) {
    const auto refused = office.send("PUT", path, body, any_state);
    EXPECT_EQ(refused.status, 400U) << refused.body;
    return string_at(refused, "/message");
  };
  EXPECT_EQ(message("{}"), "date is required");
  EXPECT_EQ(message(R"({"date":")" + day_from_now(2) + R"("})"), "date must not be in the future");
  EXPECT_EQ(message(R"({"date":")" + day_from_now(2) + R"(","amount":0})"),
            "amount must be greater than 0, date must not be in the future");
  EXPECT_EQ(message(R"({"date":")" + day_from_now(0) + R"(","amount":0})"), "amount must be greater than 0");
  EXPECT_THAT(message(R"({"date":")" + day_from_now(0) + R"(","amount":100000})"),
              StartsWith("amount must not be more than "));
  const auto unknown = "/api/payments/" + unit_id(1) + "/received";
  EXPECT_EQ(office.send("PUT", unknown, R"({"date":")" + day_from_now(0) + R"("})", any_state).status, 404U);
  EXPECT_EQ(office.send("DELETE", unknown, "", any_state).status, 404U);
}

TEST_P(OfficePaymentsOverHttp, OfAnotherAccountAreUnknown) {
  const auto other =
      R"({"id":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002","companyName":"Other","currency":"EUR",)"
      R"("landlordKey":"other","platformCards":[{"platform":"marketplace-a",)"
      R"("integrationEmail":"feeds@other.example"}],"users":[],"properties":[{)"
      R"("id":"33333333-0000-4000-8000-000000000002","internalName":"Rua 2","address":{"city":"Porto"},)"
      R"("units":[)" +
      unit_json(2) + "]}]}";
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}}, {{"/accounts/1", other}});
  EXPECT_EQ(office.partner_of("marketplace-a").post("/bookings", booking("u2", 30, 60)).status, 201U);
  ASSERT_TRUE(eventually([&] { return office.decisions() == std::vector<std::string>{"Success"}; }));
  for (const auto* list : {"payments", "tenants", "requests", "notifications", "bookings"})
    EXPECT_EQ(json_at(office.send("GET", "/api/" + std::string(list)).body, "/total"), "0") << list;
  const auto booked = store_rows(office.place.store().open(), "select id from bookings", 1);
  const auto tenants = store_rows(office.place.store().open(), "select id from tenants", 1);
  const auto id = domain::payment_id(domain::parse_uuid(booked.at(0)).value(),
                                     domain::payment_kind::provider_platform_payment, {});
  const auto received = "/api/payments/" + domain::to_string(id) + "/received";
  const auto receipt = R"({"date":")" + day_from_now(0) + R"("})";
  EXPECT_EQ(office.send("PUT", received, receipt, any_state).status, 404U);
  EXPECT_EQ(office.send("DELETE", received, "", any_state).status, 404U);
  const auto tenant = "/api/tenants/" + tenants.at(0);
  EXPECT_EQ(office.send("GET", tenant).status, 404U);
  EXPECT_EQ(office.send("PATCH", tenant, R"({"phone":"1"})", any_state).status, 404U);
  EXPECT_EQ(office.send("POST", tenant + "/erase").status, 404U);
}

/// Returns a table with its header: a client of HTTP/1.0 reads it until the end.
std::string table_of(const office_fixture& office, const std::string& path) {
  raw_client client(office.server->port());
  client.send("GET " + path + " HTTP/1.0\r\nHost: a\r\nAccept: text/csv\r\nAuthorization: Bearer " +
              office.token + "\r\n\r\n");
  return client.receive_until_close();
}

TEST_P(OfficePaymentsOverHttp, HideNamesInTablesFromRolesThatMayNotSeeTenants) {
  const auto tables = [&](const std::string& permissions) {
    office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}, {"roles.Single", permissions}},
                          {{account_pointer + "/users/0/role", R"("Single")"}});
    EXPECT_EQ(office.partner_of("marketplace-a").post("/bookings", booking("u1", 30, 60)).status, 201U);
    EXPECT_TRUE(eventually([&] { return office.decisions().size() == 1; }));
    std::string all;
    for (const auto* list : {"payments", "requests", "notifications", "bookings"}) {
      const auto table = table_of(office, "/api/" + std::string(list));
      EXPECT_THAT(table, StartsWith("HTTP/1.1 200 OK\r\n"));
      EXPECT_THAT(table, HasSubstr("\r\n\r\nid,")) << list;
      all += table;
    }
    return all;
  };
  EXPECT_THAT(tables(R"(["finance.view","bookings.view","tenants.view"])"), HasSubstr("Lindqvist"));
  EXPECT_THAT(tables(R"(["finance.view","bookings.view"])"), Not(HasSubstr("Lindqvist")));
}

TEST_P(OfficePaymentsOverHttp, HaveFilters) {
  payment_fixture office(GetParam());
  const auto whole = office.list();
  const auto due = string_at(whole, "/items/0/due"), booking_id = string_at(whole, "/items/0/booking");
  EXPECT_NE(json_at(office.list("?due=" + due).body, "/total"), "0");
  EXPECT_EQ(json_at(office.list("?dueTo=2020-01-01").body, "/total"), "0");
  EXPECT_EQ(json_at(office.list("?booking=" + booking_id).body, "/total"), json_at(whole.body, "/total"));
  EXPECT_EQ(json_at(office.list("?platform=marketplace-b").body, "/total"), "0");
  EXPECT_EQ(office.list("?due=" + due + "&dueFrom=" + due).status, 400U);
  EXPECT_EQ(office.list("?state=paid").status, 400U);
  const auto first = office.list("?limit=1"),
             second = office.list("?limit=1&after=" + string_at(first, "/next"));
  EXPECT_EQ(json_at(second.body, "/items/0/id"), json_at(whole.body, "/items/1/id"));
  EXPECT_EQ(office.list("?after=00").status, 400U);
}

} // namespace roost::testing::office_payments_http_test
