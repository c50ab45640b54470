#pragma once

#include "domain/calendar.hpp"
#include "domain/date.hpp"
#include "support/edited_json.hpp"

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

/// Portfolio files and request bodies for whole-server tests, as text.
namespace roost::testing {

using support::edit;
using support::edited;

/// The account that `landlord-one` of the shipped platforms belongs to.
inline const std::string account_id = "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001";

/// Returns the id of the unit that platforms call `u<number>`.
inline std::string unit_id(unsigned number) {
  char text[40];
  std::snprintf(text, sizeof text, "11111111-0000-4000-8000-%012x", number);
  return text;
}

/// An account with a card on marketplace-a, a user who receives booking notifications, and a property without
/// units.
inline constexpr std::string_view empty_portfolio = R"({
  "format": "roost-portfolio/1",
  "accounts": [{
    "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001",
    "companyName": "Casa Verde Rentals", "currency": "EUR", "landlordKey": "casa-verde",
    "platformCards": [{ "platform": "marketplace-a", "integrationEmail": "feeds@casaverde.example" }],
    "users": [{ "id": "22222222-0000-4000-8000-000000000001", "email": "ana@casaverde.example",
                "password": "ana-only", "firstName": "Ana", "lastName": "Robledo", "role": "Admin" }],
    "properties": [{
      "id": "33333333-0000-4000-8000-000000000001", "internalName": "Calle Mayor 12",
      "address": { "city": "Madrid" }, "units": []
    }]
  }]
})";

/// Returns a room for 650 a month, linked as `u<number>` to every shared platform of the shipped
/// configuration.
inline std::string unit_json(unsigned number) {
  const std::string id = "u" + std::to_string(number);
  std::string links;
  for (const auto* platform : {"marketplace-a", "marketplace-b", "marketplace-c", "marketplace-d",
                               "booking-engine", "channel-manager", "room-sharing", "student-housing"})
    links += (links.empty() ? "" : ",") + std::string(R"({"platform":")") + platform + R"(","externalId":")" +
             id + R"("})";
  return R"({"id":")" + unit_id(number) + R"(","internalName":"Room )" + std::to_string(number) +
         R"(","capacity":2,"rent":{"fixed":true,"amount":650},"links":[)" + links + "]}";
}

/// JSON pointers into such a portfolio.
inline const std::string account_pointer = "/accounts/0",
                         property_pointer = account_pointer + "/properties/0";
inline std::string unit_pointer(unsigned index) {
  return property_pointer + "/units/" + std::to_string(index);
}

/// Returns the account with units u1 to u<count>, with edits.
inline std::string portfolio_of(unsigned count, const std::vector<edit>& edits = {}) {
  std::string units = "[";
  for (unsigned number = 1; number <= count; ++number) units += (number == 1 ? "" : ",") + unit_json(number);
  return edited(edited(empty_portfolio, {{property_pointer + "/units", units + "]"}}), edits);
}

/// The number of units whose list (6 MB) exceeds what the kernel buffers for a client that does not read (4
/// MB).
inline constexpr unsigned large_list_units = 12'000;

/// Returns a date in the format of requests, relative to today (UTC).
inline std::string day_from_now(int days) {
  const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  return domain::to_string(domain::date{today + std::chrono::days{days}});
}

/// Returns a valid booking submission, with edits.
inline std::string booking(const std::string& external_id, int check_in_days, int check_out_days,
                           const std::vector<edit>& edits = {}) {
  const std::string text =
      R"({"checkInDate":")" + day_from_now(check_in_days) + R"(","checkOutDate":")" +
      day_from_now(check_out_days) + R"(","externalId":")" + external_id +
      R"(","platformProviderPaymentValue":650,)"
      R"("tenant":{"firstName":"Eva","lastName":"Lindqvist","email":"eva@tenant.example"}})";
  return edited(text, edits);
}

/// Returns a valid listing update of the booking engine, to a fixed rent of 700, with edits.
inline std::string listing_update(const std::string& external_id, const std::vector<edit>& edits = {}) {
  return edited(
      R"({"externalId":")" + external_id +
          R"(","isRentFixed":true,"rent":700,"rentsPerMonth":[],"minStayPeriod":0,"maxStayPeriod":0,)"
          R"("extraPricePerTenant":0,"availableFrom":"2027-01-01","capacity":1,"cleaningFeeValue":0,)"
          R"("billsIncludedMaxValue":0,"adminFeeValue":0,"depositValue":0,"landlordEmail":"",)"
          R"("unavailabilities":[]})",
      edits);
}

/// Returns a room of a property creation, called `<property> <number>`, with edits.
inline std::string engine_room(const std::string& property, unsigned number,
                               const std::vector<edit>& edits = {}) {
  const auto id = std::to_string(number);
  return edited(R"({"id":)" + id + R"(,"accommodation":"rooms","internalName":")" + property + " " + id +
                    R"(","number":)" + id + R"(,"rent":650,"fixedRent":true})",
                edits);
}

/// Returns a property creation of the booking engine with rooms 1 to `rooms`, with edits.
inline std::string engine_property(const std::string& id, unsigned rooms,
                                   const std::vector<edit>& edits = {}) {
  std::string list;
  for (unsigned number = 1; number <= rooms; ++number)
    list += (list.empty() ? "" : ",") + engine_room(id, number);
  return edited(R"({"id":")" + id + R"(","address":"Rua 1","rooms":[)" + list + "]}", edits);
}

} // namespace roost::testing
