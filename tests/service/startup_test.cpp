#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gtest/gtest.h>

/// Starting and ending a server.
namespace roost::testing {
namespace {

ROOST_FOR_EACH_STORE(Startup);

TEST_P(Startup, MakesItsStoreAndSecretsAndServesUntilItIsToldToEnd) {
  workplace place(GetParam(), false);
  running_roost server(place);
  EXPECT_TRUE(std::filesystem::exists(place.folder() / "secrets.toml"));
  EXPECT_EQ(server.partner_of("marketplace-a").get("/listings").body, "[]");
  EXPECT_EQ(server.stop(), 0);
}

TEST_P(Startup, ServesWhatWasImportedBefore) {
  workplace place(GetParam());
  place.import(portfolio_of(2));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  EXPECT_NE(partner.get("/listings").body.find(R"("externalId":"u2")"), std::string::npos);
  EXPECT_EQ(partner.get("/listings/u1").status, 200U);
}

} // namespace
} // namespace roost::testing
