#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "support/gunzip.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// GET /<prefix>: the page of the interactive explorer and its resources.
namespace roost::testing::explorer_test {
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// The prefixes of the shipped configuration and of the calendar export. No landlord account is imported.
const std::vector<std::string> prefixes{
    "marketplace-a",   "marketplace-b", "marketplace-c",   "marketplace-d", "booking-engine",
    "channel-manager", "room-sharing",  "student-housing", "landlord-one",  "landlord-two",
    "landlord-three",  "landlord-four", "ical-integration"};

struct part {
  std::string path, content_type, beginning;
  bool compressed = false;
};

const std::vector<part> parts{
    {"/explorer/start.js", "text/javascript; charset=utf-8", "\"use strict\";"},
    {"/explorer/icon.svg", "image/svg+xml", "<svg"},
    {"/explorer/swagger-ui-bundle.js", "text/javascript; charset=utf-8",
     "/*! For license information please see swagger-ui-bundle.js.LICENSE.txt */", true},
    {"/explorer/swagger-ui.css", "text/css; charset=utf-8", ".swagger-ui", true},
    {"/explorer/swagger-ui-bundle.js.LICENSE.txt", "text/plain; charset=utf-8", "/*!"},
    {"/explorer/LICENSE.txt", "text/plain; charset=utf-8",
     "\n                                 Apache License"},
    {"/explorer/NOTICE.txt", "text/plain; charset=utf-8", "swagger-ui\nCopyright"}};

void expect_security_headers(const raw_response& response) {
  EXPECT_EQ(
      response.header("content-security-policy"),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  EXPECT_EQ(response.header("x-content-type-options"), "nosniff");
  EXPECT_EQ(response.header("referrer-policy"), "no-referrer");
  EXPECT_EQ(response.header("cache-control"), "no-cache");
}

class Explorer : public ::testing::Test {
protected:
  raw_response get(const std::string& path, const header_fields& fields = {}) const {
    return send_request(server_.port(), "GET", path, fields);
  }

  workplace place_{store_kind::sqlite};
  running_roost server_{place_};
};

TEST_F(Explorer, IsServedForEveryPrefixWithoutCredentials) {
  for (const auto& prefix : prefixes) {
    const auto page = get("/" + prefix);
    EXPECT_EQ(page.status, 200U) << prefix;
    EXPECT_EQ(page.header("content-type"), "text/html; charset=utf-8");
    EXPECT_THAT(page.body, StartsWith("<!doctype html>"));
    EXPECT_THAT(page.body, Not(HasSubstr("//")));     // no address of another host
    EXPECT_THAT(page.body, Not(HasSubstr("style="))); // the policy forbids inline styles
    EXPECT_THAT(page.body, HasSubstr(R"(<link rel="service-desc" type="application/json" href="/)" + prefix +
                                     R"(-json" title="Roost)"));
    for (const auto* its : {"start.js", "swagger-ui-bundle.js", "swagger-ui.css", "icon.svg"})
      EXPECT_THAT(page.body, HasSubstr(std::string{"\"/explorer/"} + its + '"'));
    expect_security_headers(page);
  }
}

TEST_F(Explorer, LinksTheDocumentOfMarketplaceBsWebhook) {
  for (const auto& prefix : prefixes) {
    const auto page = get("/" + prefix).body;
    const auto second = "href=\"/" + prefix + "-webhook-json\" title=\"Roost for " + prefix + ": webhook\"";
    EXPECT_EQ(page.find(second) != std::string::npos, prefix == "marketplace-b") << prefix;
  }
  EXPECT_EQ(get("/marketplace-b-webhook").status, 404U); // one page shows both
}

TEST_F(Explorer, IsServedWithItsResources) {
  for (const auto& part : parts) {
    const auto response = get(part.path);
    EXPECT_EQ(response.status, 200U) << part.path;
    EXPECT_EQ(response.header("content-type"), part.content_type);
    EXPECT_THAT(response.body, StartsWith(part.beginning));
    expect_security_headers(response);
    const auto packed = get(part.path, {{"Accept-Encoding", "gzip"}});
    EXPECT_EQ(packed.header("content-encoding"), part.compressed ? "gzip" : "");
    EXPECT_EQ(part.compressed ? gunzip(packed.body) : packed.body, response.body) << part.path;
  }
}

TEST_F(Explorer, SendsNoBodyToAClientThatHasIt) {
  std::vector<std::string> paths{"/marketplace-a", "/landlord-two"};
  for (const auto& part : parts) paths.push_back(part.path);
  for (const auto& path : paths)
    for (const auto* encoding : {"identity", "gzip"}) {
      const auto tag = get(path, {{"Accept-Encoding", encoding}}).header("etag");
      const auto again = get(path, {{"Accept-Encoding", encoding}, {"If-None-Match", tag}});
      EXPECT_EQ(again.status, 304U) << path;
      EXPECT_EQ(again.header("etag"), tag);
      expect_security_headers(again);
    }
}

TEST_F(Explorer, RespondsToHeadLikeGetWithoutTheBody) {
  for (const auto* path : {"/marketplace-a", "/explorer/swagger-ui.css"}) {
    const auto response = get(path), head = send_request(server_.port(), "HEAD", path);
    EXPECT_EQ(head.status, 200U);
    EXPECT_EQ(head.body, "");
    EXPECT_EQ(head.header("content-length"), std::to_string(response.body.size()));
    expect_security_headers(head);
  }
}

TEST_F(Explorer, IsServedAtNoOtherPath) {
  for (const auto* path : {"/marketplace-a/", "/nobody", "/Marketplace-a", "/explorer", "/explorer/",
                           "/explorer/page.html", "/explorer/swagger-ui.css/", "/explorer/package.json", "/"})
    EXPECT_EQ(get(path).body, not_found(std::string{"Cannot GET "} + path));
  EXPECT_EQ(send_request(server_.port(), "POST", "/marketplace-a").body,
            not_found("Cannot POST /marketplace-a"));
}

TEST_F(Explorer, IsAbsentFromOpenApiDocuments) {
  auto documents = prefixes;
  documents.emplace_back("marketplace-b-webhook");
  for (const auto& name : documents) {
    const auto document = get("/" + name + "-json").body;
    EXPECT_EQ(json_at(document, "/openapi"), R"("3.1.0")") << name;
    EXPECT_EQ(json_at(document, "/paths/~1" + name), "");
    EXPECT_THAT(document, Not(HasSubstr("explorer")));
  }
}

TEST_F(Explorer, DoesNotAffectTheRoutesBelowItsPrefix) {
  EXPECT_EQ(get("/marketplace-a/listings").body, unauthorized("Missing integration credentials"));
  EXPECT_EQ(get("/landlord-two/listings").status, 503U); // its account is not imported
}

TEST(ExplorerOfAServerWithoutAStore, IsServed) {
  workplace place(store_kind::sqlite);
  place.set("store.url", "\"postgresql://roost@127.0.0.1:1/roost\"");
  const running_roost server(place, started::listening);
  EXPECT_EQ(send_request(server.port(), "GET", "/marketplace-a/listings").status, 503U);
  EXPECT_EQ(send_request(server.port(), "GET", "/marketplace-a").status, 200U);
  EXPECT_EQ(send_request(server.port(), "GET", "/explorer/start.js").status, 200U);
}

} // namespace roost::testing::explorer_test
