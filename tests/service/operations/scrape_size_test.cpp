#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

/// The size of a scrape, and whether it still has what the alerts need.
namespace roost::testing::scrape_size_test {
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t max_fresh_scrape = 75'000, max_used_scrape = 100'000; ///< bytes

std::string text_of(const std::string& path) {
  std::ifstream file{ROOST_SOURCE_DIR "/" + path};
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

bool has_series(const std::string& scrape, const std::string& name) {
  return scrape.find("\n" + name + "{") != std::string::npos ||
         scrape.find("\n" + name + " ") != std::string::npos;
}

/// Whether the scrape lacks this series of a histogram because the histogram has no value yet.
bool may_be_absent(const std::string& name) {
  static const std::set<std::string> until_first_value{"roost_http_request_duration_seconds_bucket",
                                                       "roost_store_job_seconds_bucket",
                                                       "roost_actor_mailbox_wait_seconds_bucket"};
  return until_first_value.contains(name);
}

/// Returns the metrics of the alerts that the scrape lacks, except those that may be absent.
std::set<std::string> missing_for_alerts(const std::string& scrape) {
  const auto rules = text_of("config/prometheus-rules.yml");
  const std::regex metric{"roost_[a-z_]+"};
  const std::regex expression{"expr: [^\\n]*|\\n {10,}[^\\n]*\\{job=[^\\n]*"};
  std::set<std::string> missing;
  for (std::sregex_iterator each{rules.begin(), rules.end(), expression}, end; each != end; ++each) {
    const auto text = each->str();
    for (std::sregex_iterator name{text.begin(), text.end(), metric}; name != end; ++name)
      if (!has_series(scrape, name->str()) && !may_be_absent(name->str())) missing.insert(name->str());
  }
  // RoostCertificateEnds needs TLS.
  missing.erase("roost_certificate_expiration_timestamp_seconds");
  return missing;
}

/// Waits for the metrics of the alerts: the writer counts the queue every two seconds. Returns the last
/// scrape.
std::string complete_scrape(const running_roost& server) {
  std::string scrape;
  eventually([&] {
    scrape = server.ops("/metrics").body;
    return missing_for_alerts(scrape).empty();
  });
  return scrape;
}

/// Returns the names of the histograms in the scrape that have label sets without values.
std::set<std::string> empty_histograms(const std::string& scrape) {
  std::set<std::string> empty;
  const std::regex count{"\\n([a-z_]+)_count(\\{[^\\n]*\\})? 0(?=\\n)"};
  for (std::sregex_iterator each{scrape.begin(), scrape.end(), count}, end; each != end; ++each)
    empty.insert((*each)[1]);
  return empty;
}

/// Sends requests to about thirty routes as the partners of a landlord do, once without a token.
void use_partner_routes(const running_roost& server) {
  unsigned unit = 0;
  for (const std::string platform :
       {"marketplace-a", "marketplace-b", "marketplace-c", "marketplace-d", "booking-engine",
        "channel-manager", "room-sharing", "student-housing"}) {
    const auto partner = server.partner_of(platform);
    const auto external_id = "u" + std::to_string(++unit);
    EXPECT_EQ(partner.get("/listings").status, 200U) << platform;
    partner.get("/listings/" + external_id);
    partner.get("/listings/none");
    EXPECT_EQ(partner.post("/bookings", booking(external_id, 30, 60)).status, 201U) << platform;
    EXPECT_EQ(send_request(server.port(), "GET", "/" + platform + "/listings").status, 401U) << platform;
    if (platform.starts_with("marketplace-")) partner.get("/casa-verde/listings/full");
  }
  server.partner_of("booking-engine").put("/listing", listing_update("u5"));
  server.partner_of("landlord-one").get("/listings");
  send_request(server.port(), "GET", "/nope");
}

ROOST_FOR_EACH_STORE(ScrapeSize);

TEST_P(ScrapeSize, IsLimitedAfterAStart) {
  workplace place(GetParam());
  place.import(portfolio_of(25));
  const running_roost server(place);
  const auto scrape = complete_scrape(server);
  EXPECT_LT(scrape.size(), max_fresh_scrape);
  EXPECT_THAT(missing_for_alerts(scrape), ::testing::IsEmpty());
  EXPECT_THAT(scrape, Not(HasSubstr("route=\"/marketplace-a/listings\",le=")));
}

TEST_P(ScrapeSize, IsLimitedWhenPartnersUseTheirRoutes) {
  workplace place(GetParam());
  place.import(portfolio_of(25));
  const running_roost server(place);
  use_partner_routes(server);
  server.wait_for_event("booking_created");
  const auto scrape = complete_scrape(server);
  EXPECT_LT(scrape.size(), max_used_scrape);
  EXPECT_THAT(missing_for_alerts(scrape), ::testing::IsEmpty());
  EXPECT_THAT(scrape, HasSubstr("\nroost_http_request_duration_seconds_bucket{"
                                "route=\"/marketplace-a/listings\",le=\"0.5\"} "));
}

TEST_P(ScrapeSize, ContainsOnlyTheEmptyHistogramsThatAlertsNeedFromTheStart) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  EXPECT_THAT(empty_histograms(server.ops("/metrics").body),
              ::testing::UnorderedElementsAre("roost_decision_seconds", "roost_intake_stage_seconds"));
}

/// RoostPartnerTurnedAway needs the counters of 401 before the first one, and those of no other route.
TEST_P(ScrapeSize, ContainsTheRefusalsOfPartnersFromTheStart) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  const auto refused = [&](const std::string& method, const std::string& route) {
    return server.metric(R"(roost_http_requests_total{listener="public",method=")" + method + R"(",route=")" +
                         route + R"(",status="401"})");
  };
  EXPECT_EQ(refused("GET", "/marketplace-b/listings"), 0);
  EXPECT_EQ(refused("POST", "/marketplace-b/bookings"), 0);
  EXPECT_EQ(refused("POST", "/ai-usage/records"), 0);
  EXPECT_EQ(refused("POST", "/auth/login"), std::nullopt);
  EXPECT_EQ(refused("GET", "/marketplace-b"), std::nullopt);
  for (const std::string status : {"500", "503", "other"})
    EXPECT_TRUE(server.metric(R"(roost_http_responses_total{listener="public",status=")" + status + "\"}"));
}

} // namespace roost::testing::scrape_size_test
