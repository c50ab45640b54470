#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gtest/gtest.h>

/// Unknown paths, similar paths and unsupported methods.
namespace roost::testing::paths_test {
ROOST_FOR_SQLITE(Paths);

TEST_P(Paths, AreNotFoundAndQuotedIfTheyAreUnknown) {
  workplace place(GetParam());
  const running_roost server(place);
  const auto token = server.partner_of("marketplace-b").token();
  for (const std::string target :
       {"/", "/nope", "/nope?a=1&b=%20", "/nope/%E2%82%AC/x", "/marketplace-b/listings/",
        "/marketplace-b//listings", "//marketplace-b/listings", "/marketplace-b/listings//",
        "/marketplace-b/listings/a/b", "/Marketplace-B/listings", "/marketplace-b/Listings",
        "/marketplace-b/./listings", "/marketplace-b/../marketplace-b/listings", "/marketplace-b/booking",
        "/ical-integration/bookings", "/healthz", "/metrics", "/readyz"})
    for (const header_fields& fields :
         {header_fields{}, header_fields{{"Authorization", "Bearer " + token}}}) {
      const auto response = send_request(server.port(), "GET", target, fields);
      EXPECT_EQ(response.status, 404U) << target;
      EXPECT_EQ(response.body, not_found("Cannot GET " + target));
      EXPECT_EQ(response.header("content-type"), "application/json; charset=utf-8");
    }
}

TEST_P(Paths, SupportOnlyTheirOwnMethods) {
  workplace place(GetParam());
  const running_roost server(place);
  const auto token = server.partner_of("marketplace-b").token();
  for (const std::string method :
       {"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get", "NONSENSE"})
    for (const std::string target : {"/marketplace-b/listings", "/marketplace-b/listings/u1?x=y"}) {
      const auto response =
          send_request(server.port(), method, target, {{"Authorization", "Bearer " + token}});
      EXPECT_EQ(response.status, 404U) << method << " " << target;
      EXPECT_EQ(response.body, not_found("Cannot " + method + " " + target));
    }
  for (const std::string method : {"PUT", "PATCH", "DELETE", "OPTIONS"})
    EXPECT_EQ(
        send_request(server.port(), method, "/marketplace-b/bookings", {{"Authorization", "Bearer " + token}})
            .body,
        not_found("Cannot " + method + " /marketplace-b/bookings"));
}

TEST_P(Paths, AreDecodedOnceAndRefusedWithInvalidEscapes) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {{unit_pointer(0) + "/links/1/externalId", R"("a b/ü%")"}}));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-b");
  EXPECT_EQ(partner.get("/%6Cistings").status, 200U);
  EXPECT_EQ(json_at(partner.get("/listings/a%20b%2F%C3%BC%25").body, "/externalId"), R"("a b/ü%")");
  EXPECT_EQ(partner.get("/listings/a%2520b").body,
            not_found("Listing not found for marketplace-b with externalId a%20b"));
  EXPECT_EQ(partner.get("/listings/a+b").body,
            not_found("Listing not found for marketplace-b with externalId a+b"));
  for (const std::string broken : {"%", "%2", "%ff", "%zz", "%ED%A0%80", "%C0%AF"}) {
    const auto response = partner.get("/listings/" + broken);
    EXPECT_EQ(response.status, 400U) << broken;
    EXPECT_EQ(response.body,
              bad_request("'/marketplace-b/listings/" + broken + "' is not a valid url component"));
  }
}

TEST_P(Paths, RespondToHeadLikeGetWithoutTheBody) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  const auto token = server.partner_of("marketplace-b").token();
  for (const std::string target :
       {"/marketplace-b/listings", "/marketplace-b/listings/u1", "/marketplace-b/listings/u2"}) {
    raw_client client(server.port());
    const header_fields fields{{"Authorization", "Bearer " + token}};
    const auto head = client.exchange(to_request("HEAD", target, fields), true);
    const auto get = client.exchange(to_request("GET", target, fields)); // the connection is still usable
    EXPECT_EQ(head.status, get.status) << target;
    EXPECT_EQ(head.header("content-length"), get.header("content-length"));
    EXPECT_EQ(head.header("content-type"), get.header("content-type"));
    EXPECT_EQ(head.header("etag"), get.header("etag"));
    EXPECT_EQ(get.header("content-length"), std::to_string(get.body.size()));
  }
}

} // namespace roost::testing::paths_test
