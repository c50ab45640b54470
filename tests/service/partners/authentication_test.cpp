#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gtest/gtest.h>

/// Partner API, Authentication, rules 1 to 4 and 7, on a running server.
namespace roost::testing::authentication_test {
using namespace std::chrono_literals;

ROOST_FOR_EACH_STORE(Authentication);
ROOST_FOR_SQLITE(AuthenticationOverHttp);

constexpr auto missing = "Missing integration credentials";
constexpr auto invalid = "Invalid integration credentials";
constexpr auto refused = "Unauthorized";

TEST_P(AuthenticationOverHttp, RefusesEveryInvalidFormOfTheHeader) {
  workplace place(GetParam());
  const running_roost server(place);
  const auto token = server.partner_of("marketplace-b").token();
  struct form {
    header_fields fields;
    std::string message;
  };
  const std::vector<form> forms{
      {{}, missing},
      {{{"X-Api-Key", token}}, missing},
      {{{"Authorization", ""}}, invalid},
      {{{"Authorization", token}}, invalid},
      {{{"Authorization", "Bearer"}}, invalid},
      {{{"Authorization", "Bearer "}}, invalid},
      {{{"Authorization", "Bearer  " + token}}, invalid},
      {{{"Authorization", "Bearer\t" + token}}, invalid},
      {{{"Authorization", "bearer " + token}}, invalid},
      {{{"Authorization", "BEARER " + token}}, invalid},
      {{{"Authorization", "Basic " + token}}, invalid},
      {{{"Authorization", "Token " + token}}, invalid},
      {{{"Authorization", "Bearer Bearer " + token}}, refused},
      {{{"Authorization", "Bearer " + token + ", Bearer " + token}}, refused},
      {{{"Authorization", "Bearer " + token}, {"Authorization", "Bearer " + token}}, refused},
      {{{"Authorization", "Bearer nonsense"}}, refused},
      {{{"Authorization", "Bearer " + token + "x"}}, refused},
      {{{"Authorization", "Bearer " + token.substr(0, token.size() - 1)}}, refused},
      {{{"Authorization", "Bearer " + std::string(8000, 'x')}}, refused},
  };
  for (const auto& [fields, message] : forms) {
    const auto response = send_request(server.port(), "GET", "/marketplace-b/listings", fields);
    EXPECT_EQ(response.status, 401U) << (fields.empty() ? "" : fields[0].second);
    EXPECT_EQ(response.body, unauthorized(message)) << (fields.empty() ? "" : fields[0].second);
  }
  EXPECT_EQ(
      send_request(server.port(), "GET", "/marketplace-b/listings", {{"authorization", "Bearer " + token}})
          .status,
      200U);
}

TEST_P(AuthenticationOverHttp, ProtectsEveryRouteOfAPrefix) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  for (const auto* prefix : {"/marketplace-a", "/marketplace-d", "/booking-engine", "/landlord-one"})
    for (const auto& [method, path] : std::vector<std::pair<std::string, std::string>>{
             {"GET", "/listings"}, {"HEAD", "/listings"}, {"GET", "/listings/u1"}, {"POST", "/bookings"}}) {
      const auto response = send_request(server.port(), method, prefix + path);
      EXPECT_EQ(response.status, 401U) << method << " " << prefix << path;
      if (method != "HEAD") {
        EXPECT_EQ(response.body, unauthorized(missing));
      }
    }
}

TEST_P(AuthenticationOverHttp, PrecedesTheValidationOfTheBody) {
  workplace place(GetParam());
  const running_roost server(place);
  const std::string path = "/marketplace-b/bookings";
  EXPECT_EQ(send_request(server.port(), "POST", path, {{"Content-Type", "application/json"}}, "{").body,
            unauthorized(missing));
  EXPECT_EQ(send_request(server.port(), "POST", path, {{"Content-Type", "application/xml"}}, "<a/>").body,
            unauthorized(missing));
}

TEST_P(AuthenticationOverHttp, AcceptsATokenOnlyUnderItsOwnPrefix) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  const auto token = server.partner_of("marketplace-b").token();
  for (const auto* other : {"marketplace-a", "marketplace-c", "booking-engine", "landlord-one"})
    EXPECT_EQ(partner(server.port(), other, token).get("/listings").body, unauthorized(refused)) << other;
}

TEST_P(AuthenticationOverHttp, RefusesATokenOfAnotherInstallation) {
  workplace place(GetParam()), other(store_kind::sqlite);
  const running_roost server(place);
  const auto token = other.issue_token("marketplace-b");
  EXPECT_EQ(partner(server.port(), "marketplace-b", token).get("/listings").body, unauthorized(refused));
}

TEST_P(Authentication, AcceptsANewTokenImmediatelyAndKeepsEarlierOnes) {
  workplace place(GetParam());
  const running_roost server(place);
  const auto first = server.partner_of("marketplace-b"), second = server.partner_of("marketplace-b");
  EXPECT_EQ(first.get("/listings").status, 200U);
  EXPECT_EQ(second.get("/listings").status, 200U);
}

TEST_P(Authentication, RefusesAReplacedTokenImmediately) {
  workplace place(GetParam());
  const running_roost server(place);
  const auto old = server.partner_of("marketplace-b"), elsewhere = server.partner_of("marketplace-c");
  EXPECT_EQ(old.get("/listings").status, 200U);
  const partner fresh(server.port(), "marketplace-b", place.issue_token("marketplace-b", {"--replace"}));
  EXPECT_EQ(old.get("/listings").body, unauthorized(refused));
  EXPECT_EQ(fresh.get("/listings").status, 200U);
  EXPECT_EQ(elsewhere.get("/listings").status, 200U); // a token of another platform
}

TEST_P(Authentication, RefusesARevokedTokenImmediatelyAndAfterARestart) {
  workplace place(GetParam());
  std::optional<running_roost> server(std::in_place, place);
  const auto revoked = server->partner_of("marketplace-b");
  const auto id = place.run_or_throw({"token", "list"}).substr(0, 36);
  const auto other = server->partner_of("marketplace-b");
  EXPECT_EQ(revoked.get("/listings").status, 200U);
  place.run_or_throw({"token", "revoke", id});
  EXPECT_EQ(revoked.get("/listings").body, unauthorized(refused));
  EXPECT_EQ(other.get("/listings").status, 200U);
  EXPECT_EQ(server->stop(), 0); // so that the lease is released
  server.reset();
  server.emplace(place);
  EXPECT_EQ(partner(server->port(), "marketplace-b", revoked.token()).get("/listings").status, 401U);
  EXPECT_EQ(partner(server->port(), "marketplace-b", other.token()).get("/listings").status, 200U);
}

TEST_P(AuthenticationOverHttp, RefusesAnExpiredToken) {
  workplace place(GetParam());
  const running_roost server(place);
  const partner brief(server.port(), "marketplace-b", place.issue_token("marketplace-b", {"--ttl", "3s"}));
  EXPECT_EQ(brief.get("/listings").status, 200U);
  EXPECT_TRUE(eventually([&] { return brief.get("/listings").status == 401; }, 4s));
  EXPECT_EQ(brief.get("/listings").body, unauthorized(refused));
}

TEST_P(Authentication, AcceptsTheWebhookKeyInsteadOfATokenOnMarketplaceA) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  auto key = place.run_or_throw({"webhook-key", "issue"});
  key.pop_back(); // the newline
  const auto status = [&](const header_fields& fields, const std::string& prefix = "marketplace-a") {
    return send_request(server.port(), "GET", "/" + prefix + "/listings/u1", fields).status;
  };
  EXPECT_EQ(status({{"x-api-key", key}}), 200U);
  EXPECT_EQ(status({{"X-API-Key", "  " + key + " \t"}}), 200U);
  EXPECT_EQ(status({{"x-api_key", key}}), 200U);
  EXPECT_EQ(status({{"x-api-key", key}, {"Authorization", "nonsense"}}), 200U);
  EXPECT_EQ(status({{"x-api-key", key}}, "marketplace-b"), 401U);
  EXPECT_EQ(status({{"Authorization", "Bearer " + key}}), 401U);

  const auto token = server.partner_of("marketplace-a").token();
  EXPECT_EQ(status({{"x-api-key", "wrong"}, {"Authorization", "Bearer " + token}}), 200U);
  EXPECT_EQ(send_request(server.port(), "GET", "/marketplace-a/listings/u1", {{"x-api-key", "wrong"}}).body,
            unauthorized(missing));
  EXPECT_EQ(send_request(server.port(), "GET", "/marketplace-a/listings/u1", {{"x-api-key", ""}}).body,
            unauthorized(missing));

  place.run_or_throw({"webhook-key", "revoke", place.run_or_throw({"webhook-key", "list"}).substr(0, 36)});
  EXPECT_EQ(status({{"x-api-key", key}}), 401U);
}

} // namespace roost::testing::authentication_test
