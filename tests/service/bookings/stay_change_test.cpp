#include "service/support/stay_changes.hpp"
#include "service/support/webhook_fixture.hpp"
#include "support/patterns.hpp"
#include "support/raw_client.hpp"

#include <gmock/gmock.h>

/// PUT and GET /<prefix>/bookings/{bookingId}/changes/{changeId}.
namespace roost::testing::stay_change_test {
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class StayChanges : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(StayChanges);

std::string without_times(const std::string& text) {
  return with_replaced(text, R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)", "<time>");
}

/// Returns the outcome of a change of the dates only.
std::string change_body(int from, int to, const std::string& status, const std::string& decided_at) {
  return R"({"bookingId":")" + changed_reference + R"(","changeId":")" + first_change +
         R"(","checkInDate":")" + day_from_now(from) + R"(","checkOutDate":")" + day_from_now(to) +
         R"(","numberOfExtraTenants":null,"platformProviderPaymentValue":null,"status":")" + status +
         R"(","receivedAt":"<time>","decidedAt":)" + decided_at + R"(,"refusal":null})";
}

TEST_P(StayChanges, AreAcknowledgedWithAReceipt) {
  stay_change_fixture fixture(GetParam(), "1h");
  ASSERT_EQ(fixture.client.put(path_of_submission(), booking("u1", 30, 60)).status, 201U);
  const auto created = fixture.put(new_stay(40, 50));
  ASSERT_EQ(created.status, 201U) << created.body;
  EXPECT_THAT(created.header("location"), EndsWith("/channel-manager" + path_of_change()));
  EXPECT_EQ(without_times(created.body), R"({"bookingId":")" + changed_reference + R"(","changeId":")" +
                                             first_change + R"(","receivedAt":"<time>"})");
  const auto pending = fixture.client.get(path_of_change());
  EXPECT_EQ(pending.status, 200U);
  EXPECT_EQ(without_times(pending.body), change_body(40, 50, "pending", "null"));
  EXPECT_EQ(string_at(pending, "/receivedAt"), string_at(created, "/receivedAt"));
  EXPECT_EQ(string_at(fixture.client.get(path_of_change() + "?wait=1s"), "/status"), "pending");
}

TEST_P(StayChanges, ReturnTheSameReceiptToARepeat) {
  stay_change_fixture fixture(GetParam(), "1h");
  ASSERT_EQ(fixture.client.put(path_of_submission(), booking("u1", 30, 60)).status, 201U);
  const auto created = fixture.put(new_stay(40, 50));
  const auto repeated = fixture.put(new_stay(40, 50));
  EXPECT_EQ(repeated.status, 200U);
  EXPECT_EQ(repeated.body, created.body);
  EXPECT_EQ(repeated.header("location"), "");
  EXPECT_EQ(fixture.client
                .put("/bookings/0C1B5D1E-4A0E-4C57-9C8B-6C2E1B1F0A61/changes/"
                     "1F2E3D4C-5B6A-4978-8695-A4B3C2D1E0A1",
                     new_stay(40, 50))
                .body,
            created.body)
      << "in capital letters";
  fixture.server->kill();
  fixture.decide();
  EXPECT_EQ(fixture.put(new_stay(40, 50)).body, created.body) << "after a crash";
  EXPECT_EQ(string_at(fixture.decided(), "/status"), "applied");
  const auto after_decision = fixture.put(new_stay(40, 50));
  EXPECT_EQ(after_decision.status, 200U);
  EXPECT_EQ(after_decision.body, created.body);
}

TEST_P(StayChanges, CompareValuesNotTexts) {
  stay_change_fixture fixture(GetParam(), "1h");
  ASSERT_EQ(fixture.client.put(path_of_submission(), booking("u1", 30, 60)).status, 201U);
  const auto with = [&](const std::string& occupants, const std::string& payment) {
    return fixture.put(
        new_stay(40, 50, {{"/numberOfExtraTenants", occupants}, {"/platformProviderPaymentValue", payment}}));
  };
  const auto created = with("1", "700");
  ASSERT_EQ(created.status, 201U) << created.body;
  EXPECT_EQ(with("0", "700.00").body, created.body);
  const auto conflict =
      error_body(409, "A different change was already submitted with this changeId", "ConflictException");
  for (const auto& other :
       {with("2", "700"), with("1", "701"), fixture.put(new_stay(40, 50)), fixture.put(new_stay(40, 51))}) {
    EXPECT_EQ(other.status, 409U);
    EXPECT_EQ(other.body, conflict);
  }
  EXPECT_EQ(fixture.put(new_stay(40, 50), second_change).status, 201U) << "another changeId";
}

TEST_P(StayChanges, AreAppliedAndShownToThePlatform) {
  stay_change_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(30, 60), "confirmed");
  fixture.expect_taken({nights(30, 59)});
  const auto cursor = fixture.cursor();
  const auto applied = fixture.change(new_stay(50, 80));
  ASSERT_EQ(applied.status, 200U);
  EXPECT_EQ(without_times(applied.body), change_body(50, 80, "applied", "\"<time>\""));
  EXPECT_EQ(fixture.client.get(path_of_change()).body, applied.body);
  fixture.expect_taken({nights(50, 79)});
  const auto outcome = fixture.outcome();
  EXPECT_EQ(json_at(outcome, "/status"), "\"confirmed\"");
  EXPECT_EQ(json_at(outcome, "/checkInDate"), '"' + day_from_now(50) + '"');
  EXPECT_EQ(json_at(outcome, "/checkOutDate"), '"' + day_from_now(80) + '"');
  EXPECT_EQ(fixture.outcomes_after(cursor), '[' + outcome + ']');
  EXPECT_EQ(fixture.outcomes_after(fixture.cursor()), "[]");
  EXPECT_EQ(fixture.book(30, 50, other_reference), "confirmed") << "the former nights are free";
}

TEST_P(StayChanges, OfOccupantsAndPaymentKeepTheDates) {
  stay_change_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(30, 60), "confirmed");
  const auto outcome = fixture.outcome(), cursor = fixture.cursor();
  const auto applied = fixture.change(
      new_stay(30, 60, {{"/numberOfExtraTenants", "2"}, {"/platformProviderPaymentValue", "700.5"}}));
  EXPECT_EQ(string_at(applied, "/status"), "applied") << applied.body;
  EXPECT_EQ(json_at(applied.body, "/numberOfExtraTenants"), "2");
  EXPECT_EQ(json_at(applied.body, "/platformProviderPaymentValue"), "700.5");
  EXPECT_EQ(fixture.outcome(), outcome);
  EXPECT_EQ(fixture.outcomes_after(cursor), "[]");
  const auto booked = fixture.send("GET", "/api/bookings").body;
  EXPECT_EQ(json_at(booked, "/items/0/occupants"), "2");
  EXPECT_EQ(json_at(booked, "/items/0/platformProviderPaymentValue"), "700.5");
  EXPECT_EQ(string_at(fixture.change(new_stay(30, 50), second_change), "/status"), "applied");
  const auto later = fixture.send("GET", "/api/bookings").body;
  EXPECT_EQ(json_at(later, "/items/0/occupants"), "2") << "as booked";
  EXPECT_EQ(json_at(later, "/items/0/platformProviderPaymentValue"), "700.5") << "as booked";
}

TEST_P(StayChanges, WithoutEffectAreApplied) {
  stay_change_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(30, 60), "confirmed");
  const auto booked = fixture.send("GET", "/api/bookings").body, outcome = fixture.outcome(),
             cursor = fixture.cursor();
  const auto applied = fixture.change(
      new_stay(30, 60, {{"/numberOfExtraTenants", "0"}, {"/platformProviderPaymentValue", "650"}}));
  EXPECT_EQ(string_at(applied, "/status"), "applied") << applied.body;
  EXPECT_EQ(fixture.send("GET", "/api/bookings").body, booked);
  EXPECT_EQ(fixture.outcome(), outcome);
  EXPECT_EQ(fixture.outcomes_after(cursor), "[]");
  EXPECT_EQ(json_at(fixture.send("GET", "/api/notifications").body, "/total"), "1") << "the booking's";
}

TEST_P(StayChanges, AreDecidedBetweenTheRequestsThatArrivedBeforeAndAfterThem) {
  stay_change_fixture fixture(GetParam(), "1h");
  const auto booked = [&](const std::string& reference, int from, int to) {
    return fixture.client.put(path_of_submission(reference), booking("u1", from, to)).status == 201U;
  };
  const std::string third_reference = "0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a63";
  ASSERT_TRUE(booked(changed_reference, 30, 60));
  ASSERT_EQ(fixture.put(new_stay(70, 90)).status, 201U);
  ASSERT_TRUE(booked(other_reference, 30, 60));
  ASSERT_TRUE(booked(third_reference, 80, 100));
  fixture.decide();
  EXPECT_EQ(string_at(fixture.decided(), "/status"), "applied");
  EXPECT_EQ(fixture.server->events("stay_change_postponed").size(), 0U);
  const auto status = [&](const std::string& reference) {
    return string_at(fixture.client.get(path_of_submission(reference) + "?wait=20s"), "/status");
  };
  EXPECT_EQ(status(other_reference), "confirmed") << "the change has left these nights";
  EXPECT_EQ(status(third_reference), "refused") << "the change has taken these nights";
  fixture.expect_taken({nights(30, 59), nights(70, 89)});
}

TEST_P(StayChanges, AreOfBookingsByWebhookToo) {
  webhook_fixture fixture(GetParam());
  ASSERT_EQ(fixture.send_as_a().body, ok);
  fixture.decided_requests(1, "state", 1);
  const auto path = path_of_change(first_change, "90210");
  const auto created = fixture.a->put(path, R"({"checkInDate":"2099-04-01","checkOutDate":"2099-07-01"})");
  ASSERT_EQ(created.status, 201U) << created.body;
  EXPECT_EQ(json_at(created.body, "/bookingId"), "\"90210\"");
  EXPECT_THAT(created.header("location"), EndsWith("/marketplace-a" + path));
  const auto applied = fixture.a->get(path + "?wait=20s");
  EXPECT_EQ(string_at(applied, "/status"), "applied") << applied.body;
  const auto outcome = fixture.a->get("/bookings/90210").body;
  EXPECT_EQ(json_at(outcome, "/checkInDate"), "\"2099-04-01\"");
  EXPECT_EQ(json_at(outcome, "/checkOutDate"), "\"2099-07-01\"");
  EXPECT_THAT(fixture.unavailabilities_of("u1"), HasSubstr(R"("from":"2099-04-01","to":"2099-06-30")"));
}

TEST_P(StayChanges, OfABookingThatTheOfficeMovedAreInItsNewUnit) {
  stay_change_fixture fixture(GetParam());
  fixture.place.import(portfolio_of(2));
  ASSERT_EQ(fixture.book(30, 60), "confirmed");
  const auto path = "/api/bookings/" + string_at(fixture.send("GET", "/api/bookings"), "/items/0/id");
  const auto moved =
      fixture.send("PATCH", path, R"({"unitId":")" + unit_id(2) + R"("})", {{"If-Match", "*"}});
  ASSERT_EQ(moved.status, 200U) << moved.body;
  ASSERT_EQ(fixture.book(70, 80, other_reference), "confirmed") << "in u1";
  EXPECT_EQ(string_at(fixture.change(new_stay(60, 90)), "/status"), "applied");
  fixture.expect_taken({nights(70, 79)}, "u1");
  fixture.expect_taken({nights(60, 89)}, "u2");
  EXPECT_EQ(string_at(fixture.send("GET", path), "/unitId"), unit_id(2));
  EXPECT_EQ(json_at(fixture.outcome(), "/checkInDate"), '"' + day_from_now(60) + '"');
}

TEST_P(StayChanges, AreShownInTheOffice) {
  stay_change_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(30, 60), "confirmed");
  const auto booked = fixture.send("GET", "/api/bookings");
  EXPECT_EQ(json_at(booked.body, "/items/0/platformChange"), "null");
  const auto path = "/api/bookings/" + string_at(booked, "/items/0/id");
  const auto applied = fixture.change(new_stay(40, 80));
  ASSERT_EQ(string_at(applied, "/status"), "applied") << applied.body;
  const auto shown = fixture.send("GET", path);
  EXPECT_EQ(string_at(shown, "/checkInDate"), day_from_now(40));
  EXPECT_EQ(string_at(shown, "/checkOutDate"), day_from_now(80));
  EXPECT_EQ(without_times(json_at(shown.body, "/platformChange")),
            R"({"at":"<time>","checkInDate":")" + day_from_now(30) + R"(","checkOutDate":")" +
                day_from_now(60) + R"("})");
  raw_client reader(fixture.server->port()); // of HTTP/1.0: the table is sent in parts
  reader.send("GET /api/bookings HTTP/1.0\r\nHost: a\r\nAccept: text/csv\r\nAuthorization: Bearer " +
              fixture.token + "\r\n\r\n");
  const auto table = reader.receive_until_close();
  EXPECT_THAT(table, HasSubstr("cancellation.at,platformChange.at,platformChange.checkInDate,"
                               "platformChange.checkOutDate,createdAt"));

  ASSERT_EQ(string_at(fixture.change(new_stay(40, 70), second_change), "/status"), "applied");
  ASSERT_EQ(
      fixture.send("PATCH", path, R"({"checkOutDate":")" + day_from_now(90) + R"("})", {{"If-Match", "*"}})
          .status,
      200U);
  const auto later = fixture.send("GET", path);
  EXPECT_EQ(string_at(later, "/platformChange/checkInDate"), day_from_now(40));
  EXPECT_EQ(string_at(later, "/platformChange/checkOutDate"), day_from_now(80))
      << "before the platform's last change, not before that of the office";
}

TEST_P(StayChanges, NotifyTheLandlord) {
  stay_change_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(30, 60), "confirmed");
  ASSERT_EQ(string_at(fixture.change(new_stay(40, 80)), "/status"), "applied");
  const auto listed = fixture.send("GET", "/api/notifications");
  EXPECT_EQ(json_at(listed.body, "/total"), "2") << "the booking and its change";
  EXPECT_EQ(string_at(listed, "/items/0/kind"), "booking_changed");
  EXPECT_THAT(string_at(listed, "/items/0/title"), StartsWith("Booking changed: Room 1"));
  const auto written = [](int days) {
    return domain::written_out(domain::parse_date(day_from_now(days)).value());
  };
  EXPECT_THAT(string_at(listed, "/items/0/body"),
              AllOf(HasSubstr("from " + written(30) + " to " + written(60) + " (30 nights)"),
                    HasSubstr("was changed by channel-manager. It is now from " + written(40) + " to " +
                              written(80) + " (40 nights)"),
                    HasSubstr("settle a difference with channel-manager.")));
  EXPECT_EQ(string_at(listed, "/items/0/booking"),
            string_at(fixture.send("GET", "/api/bookings"), "/items/0/id"));
}

TEST_P(StayChanges, AreInTheChangelogAndInTheAuditLog) {
  stay_change_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(30, 60), "confirmed");
  ASSERT_EQ(string_at(fixture.change(new_stay(40, 60)), "/status"), "applied");
  const auto id = string_at(fixture.send("GET", "/api/bookings"), "/items/0/id");
  const auto changes = fixture.send("GET", "/api/units/" + unit_id(1) + "/changes");
  EXPECT_EQ(json_at(changes.body, "/total"), "1") << changes.body;
  EXPECT_EQ(string_at(changes, "/items/0/by"), "channel-manager");
  EXPECT_EQ(string_at(changes, "/items/0/subject"), id);
  EXPECT_THAT(json_at(changes.body, "/items/0/changes"),
              HasSubstr(R"({"member":"checkInDate","from":")" + day_from_now(30) + R"(","to":")" +
                        day_from_now(40) + R"("})"));
  const auto log = fixture.send("GET", "/api/audit");
  EXPECT_EQ(json_at(log.body, "/total"), "1") << log.body;
  EXPECT_EQ(string_at(log, "/items/0/action"), "booking change");
  EXPECT_EQ(string_at(log, "/items/0/subject"), id);
  EXPECT_THAT(string_at(log, "/items/0/detail"),
              AllOf(HasSubstr("checkInDate: "), HasSubstr(day_from_now(30)), HasSubstr(day_from_now(40))));
  const auto tokens =
      store_rows(fixture.place.store().open(), "select cast(id as text) from partner_tokens", 1);
  ASSERT_EQ(tokens.size(), 1U);
  EXPECT_EQ(string_at(log, "/items/0/actor"), "token " + tokens[0]);
}

} // namespace roost::testing::stay_change_test
