#pragma once

#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <optional>
#include <string>
#include <vector>

namespace roost::testing {

/// The response to an accepted event.
constexpr auto ok = R"({"ok":true})";

/// A server with units u1 and u2, and clients for marketplaces A and B.
struct webhook_fixture {
  explicit webhook_fixture(store_kind kind, const std::string& portfolio = portfolio_of(2)) : place(kind) {
    place.import(portfolio);
    server.emplace(place);
    a.emplace(server->partner_of("marketplace-a"));
    b.emplace(server->partner_of("marketplace-b"));
  }

  raw_response send_as_a(const std::vector<edit>& edits = {}) const {
    return a->post("/webhook",
                   edited(R"({"event":"booking-paid","offer_api_reference":"u1","booking_id":90210,
        "move_in_date":"2099-03-01","move_out_date":"2099-06-01","contract_price_amount":68300})",
                          edits));
  }

  raw_response send_as_b(const std::vector<edit>& edits = {},
                         const std::string& landlord = "casa-verde") const {
    return b->post("/" + landlord + "/webhook",
                   edited(R"({"notification_type":"booking_paid","listing_external_reference":"u1",
        "booking_uuid":"b-1","booking_start_date":"2099-03-01","booking_end_date":"2099-06-01",
        "booking_price":"68300"})",
                          edits));
  }

  /// Waits for `count` decided requests, and returns the columns of all decided requests.
  std::vector<std::string> decided_requests(std::size_t count, const std::string& columns, int column_count) {
    const auto query = "select " + columns + " from booking_requests where state <> 'New' order by seq";
    eventually([&] { return store_rows(place.store().open(), query, column_count).size() >= count; });
    return store_rows(place.store().open(), query, column_count);
  }

  std::vector<std::string> bookings(const std::string& columns, int column_count) {
    return store_rows(place.store().open(),
                      "select " + columns +
                          " from bookings b join tenants t on t.id = b.tenant_id order by b.created_at",
                      column_count);
  }

  std::string unavailabilities_of(const std::string& unit) const {
    return json_at(a->get("/listings/" + unit).body, "/unavailabilities");
  }

  std::size_t notification_count(const std::string& kind) {
    return store_rows(place.store().open(), "select kind from notifications where kind = '" + kind + "'", 1)
        .size();
  }

  workplace place;
  std::optional<running_roost> server;
  std::optional<partner> a, b;
};

} // namespace roost::testing
