#include "service/support/json_text.hpp"
#include "service/support/openapi.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gtest/gtest.h>

/// GET /<engine-prefix>/listings/{externalId}/housemates.
namespace roost::testing::housemates_test {
ROOST_FOR_EACH_STORE(EngineHousemates);

std::string resident(const std::string& name, const std::string& nationality, int from, int to) {
  return R"({"name":")" + name + R"(","nationality":)" + nationality + R"(,"moveIn":")" + day_from_now(from) +
         R"(","moveOut":")" + day_from_now(to) +
         R"(","photo":null,"age":null,"occupation":null,"gender":null})";
}

TEST_P(EngineHousemates, AreTheCurrentTenantsOfTheProperty) {
  workplace place(GetParam());
  place.import(portfolio_of(3));
  const running_roost server(place, started::serving, {"--set", "bookings.cycle=1s"});
  const auto engine = server.partner_of("booking-engine");
  EXPECT_EQ(engine.get("/listings/u1/housemates").body, "[]");
  ASSERT_EQ(engine.post("/bookings", booking("u1", 0, 60, {{"/tenant/nationality", R"("SE")"}})).status,
            201U);
  ASSERT_EQ(engine
                .post("/bookings", booking("u2", -10, 30,
                                           {{"/tenant/email", R"("bo@tenant.example")"},
                                            {"/tenant/firstName", R"("Bo")"},
                                            {"/tenant/lastName", ""}}))
                .status,
            201U);
  ASSERT_EQ(engine.post("/bookings", booking("u3", 10, 60)).status, 201U); // moves in later
  const auto expected =
      "[" + resident("Bo", "null", -10, 30) + "," + resident("Eva Lindqvist", R"("SE")", 0, 60) + "]";
  EXPECT_TRUE(eventually([&] { return engine.get("/listings/u1/housemates").body == expected; }));
  for (const auto* id : {"u2", "u3"}) {
    const auto response = engine.get(std::string("/listings/") + id + "/housemates");
    EXPECT_EQ(response.status, 200U);
    EXPECT_EQ(response.body, expected);
  }
  const openapi document(send_request(server.port(), "GET", "/booking-engine-json").body);
  EXPECT_EQ(document.mismatch({"get", "/booking-engine/listings/{externalId}/housemates"}, 200, expected),
            "");
}

TEST_P(EngineHousemates, AreServedWithoutUsableRentButNotForHiddenUnits) {
  workplace place(GetParam());
  place.import(portfolio_of(4, {{unit_pointer(0) + "/rent/amount", "0"},
                                {unit_pointer(1) + "/links", "[]"},
                                {unit_pointer(2) + "/excludedFrom", R"(["booking-engine"])"},
                                {unit_pointer(3) + "/archived", "true"}}));
  const running_roost server(place);
  const auto engine = server.partner_of("booking-engine");
  EXPECT_EQ(engine.get("/listings/u1/housemates").body, "[]");
  EXPECT_EQ(engine.get("/listings/u1_7/housemates").body, "[]"); // a room of a whole property
  for (const auto* id : {"u2", "u3", "u4", "nobody"})
    EXPECT_EQ(engine.get(std::string("/listings/") + id + "/housemates").body,
              not_found(std::string("Listing not found for booking-engine with externalId ") + id));
}

TEST_P(EngineHousemates, AreServedOnlyToTheEngine) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  EXPECT_EQ(send_request(server.port(), "GET", "/booking-engine/listings/u1/housemates").status, 401U);
  EXPECT_EQ(server.partner_of("marketplace-d").get("/listings/u1/housemates").body,
            not_found("Cannot GET /marketplace-d/listings/u1/housemates"));
  EXPECT_EQ(server.partner_of("booking-engine").post("/listings/u1/housemates", "{}").status, 404U);
}

} // namespace roost::testing::housemates_test
