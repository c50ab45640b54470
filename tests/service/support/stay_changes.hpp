#pragma once

#include "service/support/office.hpp"
#include "support/eventually.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

/// What tests of PUT /<prefix>/bookings/{bookingId}/changes/{changeId} have in common.
namespace roost::testing {

inline const std::string changed_reference = "0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a61",
                         other_reference = "0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a62",
                         first_change = "1f2e3d4c-5b6a-4978-8695-a4b3c2d1e0a1",
                         second_change = "1f2e3d4c-5b6a-4978-8695-a4b3c2d1e0a2";

inline std::string path_of_submission(const std::string& reference = changed_reference) {
  return "/bookings/" + reference;
}

inline std::string path_of_change(const std::string& id = first_change,
                                  const std::string& reference = changed_reference) {
  return path_of_submission(reference) + "/changes/" + id;
}

/// Returns a valid change of a stay, with edits.
inline std::string new_stay(int check_in_days, int check_out_days, const std::vector<edit>& edits = {}) {
  return edited(R"({"checkInDate":")" + day_from_now(check_in_days) + R"(","checkOutDate":")" +
                    day_from_now(check_out_days) + R"("})",
                edits);
}

inline const edit without_payment{"/platformProviderPaymentValue", "0"};

/// An office with unit u1 and a platform that books it.
struct stay_change_fixture : office_fixture {
  explicit stay_change_fixture(store_kind kind, const std::string& cycle = "100ms",
                               const std::string& platform = "channel-manager")
      : office_fixture(kind, {{"bookings.cycle", '"' + cycle + '"'}}), client(partner_of(platform)) {}

  /// Restarts the server so that it decides soon.
  void decide() {
    server.reset();
    place.set("bookings.cycle", "\"100ms\"");
    server.emplace(place);
    client = {server->port(), client.prefix().substr(1), client.token()};
  }

  /// Books a unit, and waits for the decision and until the listing shows the stay. Returns the status.
  std::string book(int from, int to, const std::string& reference = changed_reference,
                   const std::string& unit = "u1") const {
    const auto taken_before = taken_nights(unit);
    const auto created = client.put(path_of_submission(reference), booking(unit, from, to));
    if (created.status != 201) return created.body;
    auto status = string_at(client.get(path_of_submission(reference) + "?wait=20s"), "/status");
    if (status == "confirmed") {
      EXPECT_TRUE(eventually([&] { return taken_nights(unit) != taken_before; }));
    }
    return status;
  }

  raw_response put(const std::string& body, const std::string& id = first_change) const {
    return client.put(path_of_change(id), body);
  }
  /// Waits for the decision about a change.
  raw_response decided(const std::string& id = first_change) const {
    return client.get(path_of_change(id) + "?wait=20s");
  }
  /// Requests a change and waits for the decision.
  raw_response change(const std::string& body, const std::string& id = first_change) const {
    const auto created = put(body, id);
    return created.status == 201 ? decided(id) : created;
  }

  std::string outcome(const std::string& reference = changed_reference) const {
    return client.get(path_of_submission(reference)).body;
  }

  /// Returns the cursor after all outcomes.
  std::string cursor() const { return string_at(client.get("/bookings"), "/cursor"); }
  /// Returns the outcomes that changed after a cursor.
  std::string outcomes_after(const std::string& cursor) const {
    return json_at(client.get("/bookings?after=" + cursor).body, "/bookings");
  }

  /// Returns the first and the last night of each range that the listing shows as taken.
  std::vector<std::string> taken_nights(const std::string& unit = "u1") const {
    const auto listing = client.get("/listings/" + unit).body;
    std::vector<std::string> taken;
    for (int i = 0;; ++i) {
      const auto row = "/unavailabilities/" + std::to_string(i);
      if (json_at(listing, row).empty()) return taken;
      taken.push_back(json_at(listing, row + "/from") + ' ' + json_at(listing, row + "/to"));
    }
  }

  /// Waits until the listing shows these ranges as taken: memory follows the store.
  void expect_taken(const std::vector<std::string>& expected, const std::string& unit = "u1") const {
    EXPECT_TRUE(eventually([&] { return taken_nights(unit) == expected; }))
        << ::testing::PrintToString(taken_nights(unit));
  }

  partner client;
};

/// Returns a range of nights as stay_change_fixture::taken_nights.
inline std::string nights(int first, int last) {
  return '"' + day_from_now(first) + "\" \"" + day_from_now(last) + '"';
}

} // namespace roost::testing
