#pragma once

#include "service/support/stay_changes.hpp"
#include "store/database/connection.hpp"

#include <string>
#include <vector>

/// What tests of PUT and DELETE /<prefix>/holds/{holdId} have in common.
namespace roost::testing {

inline const std::string first_hold = "3f0c9e55-7f0b-4a3e-9a55-0a3b6f6a7d01",
                         second_hold = "3f0c9e55-7f0b-4a3e-9a55-0a3b6f6a7d02",
                         third_hold = "3f0c9e55-7f0b-4a3e-9a55-0a3b6f6a7d03";

inline std::string path_of_hold(const std::string& id = first_hold) { return "/holds/" + id; }

/// Returns a valid hold of 15 minutes, with edits.
inline std::string hold_of(int check_in_days, int check_out_days, const std::vector<edit>& edits = {},
                           const std::string& unit = "u1") {
  return edited(R"({"externalId":")" + unit + R"(","checkInDate":")" + day_from_now(check_in_days) +
                    R"(","checkOutDate":")" + day_from_now(check_out_days) + R"(","minutes":15})",
                edits);
}

/// Returns a member of a booking that claims a hold.
inline edit claim(const std::string& id = first_hold) { return {"/holdId", '"' + id + '"'}; }

/// An office with unit u1 and a platform that holds its nights.
struct hold_fixture : stay_change_fixture {
  using stay_change_fixture::stay_change_fixture;

  raw_response hold(const std::string& body, const std::string& id = first_hold) const {
    return client.put(path_of_hold(id), body);
  }
  raw_response release(const std::string& id = first_hold) const { return client.erase(path_of_hold(id)); }

  /// Requests a booking of u1 that claims a hold.
  raw_response claim_hold(int from, int to, const std::string& reference = changed_reference,
                          const std::vector<edit>& edits = {claim()}) const {
    return client.put(path_of_submission(reference), booking("u1", from, to, edits));
  }
  /// Waits for the decision about a booking.
  raw_response decided_booking(const std::string& reference = changed_reference) const {
    return client.get(path_of_submission(reference) + "?wait=20s");
  }

  /// Lets a hold expire now.
  void let_expire(const std::string& id = first_hold) {
    place.store().open().internals().script(
        "test_expiry", "update holds set expires_at = '2020-01-01T00:00:00.000Z' where id = '" + id + "'");
  }

  /// Returns the holds that the office's calendar shows, as JSON.
  std::string holds_in_office() {
    const auto shown = send("GET", "/api/calendar?from=" + day_from_now(0) + "&to=" + day_from_now(200));
    EXPECT_EQ(shown.status, 200U) << shown.body;
    return json_at(shown.body, "/items/0/holds");
  }

  std::string export_of_unit() const {
    return send_request(server->port(), "GET", "/ical-integration/listings/" + unit_id(1) + "/iCal.ics").body;
  }

  std::string quote(int from, int to) const {
    return client
        .get("/listings/u1/quote?checkInDate=" + day_from_now(from) + "&checkOutDate=" + day_from_now(to) +
             "&platformProviderPaymentValue=650")
        .body;
  }

  void crash() {
    server->kill();
    server.emplace(place);
    client = {server->port(), client.prefix().substr(1), client.token()};
  }
};

} // namespace roost::testing
