#pragma once

#include "service/support/portfolio.hpp"

#include <string>
#include <vector>

/// Bodies of requests for bookings and quotes.
namespace roost::testing {

inline const std::string bookings_path = "/api/bookings", quotes_path = "/api/quotes";

/// Returns a valid request for a stay in the first unit, with edits.
inline std::string stay(const char* check_in, const char* check_out, const std::vector<edit>& edits = {}) {
  return edited(R"({"unitId":")" + unit_id(1) + R"(","platform":null,"checkInDate":")" + check_in +
                    R"(","checkOutDate":")" + check_out +
                    R"(","occupants":1,"tenant":{"firstName":"Ida",)"
                    R"("lastName":"Berg","email":"ida@guests.example","phone":"+45 1"}})",
                edits);
}

/// Returns a valid request for a quote of the first unit, with edits.
inline std::string quote(const char* check_in, const char* check_out, const std::vector<edit>& edits = {}) {
  return edited(R"({"unitId":")" + unit_id(1) + R"(","checkInDate":")" + check_in + R"(","checkOutDate":")" +
                    check_out + R"(","occupants":1})",
                edits);
}

} // namespace roost::testing
