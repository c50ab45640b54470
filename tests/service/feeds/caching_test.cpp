#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "support/gunzip.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Lists with gzip, a strong entity tag per encoding, and responses without a body for clients with a current
/// copy (RFC 9110, 8.8.3, 12.5.3, 13.1.2).
namespace roost::testing::caching_test {
using ::testing::MatchesRegex;

ROOST_FOR_SQLITE(Caching);

const std::pair<std::string, std::string> gzip{"Accept-Encoding", "gzip"};

std::pair<std::string, std::string> if_none_match(const std::string& tags) { return {"If-None-Match", tags}; }

TEST_P(Caching, GivesEachEncodingItsOwnStrongTag) {
  workplace place(GetParam());
  place.import(portfolio_of(20));
  const running_roost server(place);
  for (const auto* platform : {"marketplace-a", "booking-engine", "landlord-one"}) {
    const auto partner = server.partner_of(platform);
    const auto plain = partner.get("/listings"), packed = partner.get("/listings", {gzip});
    EXPECT_EQ(plain.header("content-encoding"), "");
    EXPECT_EQ(packed.header("content-encoding"), "gzip");
    EXPECT_EQ(gunzip(packed.body), plain.body);
    EXPECT_LT(packed.body.size(), plain.body.size() / 5);
    EXPECT_THAT(plain.header("etag"), MatchesRegex(R"("[^"]+")"));
    EXPECT_THAT(packed.header("etag"), MatchesRegex(R"("[^"]+")"));
    EXPECT_NE(plain.header("etag"), packed.header("etag"));
    for (const auto& response : {plain, packed}) {
      EXPECT_EQ(response.status, 200U);
      EXPECT_EQ(response.header("vary"), "Accept-Encoding");
      EXPECT_EQ(response.header("content-type"), "application/json; charset=utf-8");
      EXPECT_EQ(response.header("content-length"), std::to_string(response.body.size()));
    }
  }
}

TEST_P(Caching, ChoosesTheEncodingThatTheClientPrefers) {
  workplace place(GetParam());
  place.import(portfolio_of(2));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  for (const auto& [accepted, encoding] : std::vector<std::pair<std::string, std::string>>{
           {"gzip", "gzip"},
           {"GZIP", "gzip"},
           {"x-gzip", "gzip"},
           {"deflate, gzip;q=0.5, br", "gzip"},
           {"*", "gzip"},
           {"gzip;q=0.001", "gzip"},
           {"identity;q=0.5, gzip", "gzip"},
           {"gzip;q=0", ""},
           {"gzip;q=0.000, *", ""},
           {"*;q=0", ""},
           {"identity", ""},
           {"identity, gzip;q=0.5", ""},
           {"br, deflate", ""},
           {"gzip;q=nonsense", ""},
           {"", ""},
       }) {
    const auto response = partner.get("/listings", {{"Accept-Encoding", accepted}});
    EXPECT_EQ(response.status, 200U) << accepted;
    EXPECT_EQ(response.header("content-encoding"), encoding) << accepted;
    EXPECT_EQ(response.header("vary"), "Accept-Encoding") << accepted;
  }
}

TEST_P(Caching, GivesASingleReadATagUntilItsBodyChanges) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  int capacity = 3;
  for (const auto* platform : {"marketplace-b", "booking-engine", "room-sharing"}) {
    const auto partner = server.partner_of(platform);
    const auto read = partner.get("/listings/u1"), again = partner.get("/listings/u1");
    const auto tag = read.header("etag");
    EXPECT_THAT(tag, MatchesRegex(R"("[^"]+")")) << platform;
    EXPECT_EQ(read.header("cache-control"), "private, no-cache");
    EXPECT_EQ(again.body, read.body);
    EXPECT_EQ(again.header("etag"), tag);
    const auto known = partner.get("/listings/u1", {if_none_match(tag)});
    EXPECT_EQ(known.status, 304U);
    EXPECT_EQ(known.body, "");
    EXPECT_EQ(known.header("etag"), tag);
    EXPECT_EQ(partner.get("/listings/u1", {if_none_match("\"other\"")}).body, read.body);
    place.import(portfolio_of(1, {{unit_pointer(0) + "/capacity", std::to_string(++capacity)}}));
    EXPECT_TRUE(eventually([&] { return partner.get("/listings/u1").body != read.body; })) << platform;
    EXPECT_NE(partner.get("/listings/u1").header("etag"), tag) << platform;
  }
}

TEST_P(Caching, SendsNoBodyToAClientThatHasIt) {
  workplace place(GetParam());
  place.import(portfolio_of(2));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  const auto plain_tag = partner.get("/listings").header("etag");
  const auto packed_tag = partner.get("/listings", {gzip}).header("etag");
  struct exchange {
    header_fields fields;
    std::string tag; ///< of the 304 response
  };
  for (const auto& [fields, tag] : std::vector<exchange>{
           {{if_none_match(plain_tag)}, plain_tag},
           {{if_none_match("W/" + plain_tag)}, plain_tag}, // compared weakly
           {{if_none_match("*")}, plain_tag},
           {{if_none_match("\"other\", " + plain_tag + " , \"a,b\"")}, plain_tag},
           {{if_none_match("\"other\""), if_none_match(plain_tag)}, plain_tag},
           {{gzip, if_none_match(packed_tag)}, packed_tag},
           {{gzip, if_none_match(plain_tag + "," + packed_tag)}, packed_tag},
       }) {
    const auto response = partner.get("/listings", fields);
    EXPECT_EQ(response.status, 304U) << fields[0].second;
    EXPECT_EQ(response.body, "");
    EXPECT_EQ(response.header("etag"), tag);
    EXPECT_EQ(response.header("vary"), "Accept-Encoding");
    EXPECT_EQ(response.header("content-length"), "");
    EXPECT_NE(response.header("x-request-id"), "");
  }
  for (const header_fields& fields :
       std::vector<header_fields>{{if_none_match(packed_tag)},          // the other encoding's tag
                                  {gzip, if_none_match(plain_tag)},     // likewise
                                  {if_none_match(plain_tag.substr(1))}, // not a tag without quotes
                                  {if_none_match("\"\"")},
                                  {if_none_match("nonsense")}})
    EXPECT_EQ(partner.get("/listings", fields).status, 200U) << fields.back().second;
}

TEST_P(Caching, KeepsTheConnectionUsableAfterAResponseWithoutABody) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  const auto list = partner.get("/listings");
  raw_client client(server.port());
  const std::pair<std::string, std::string> token{"Authorization", "Bearer " + partner.token()};
  client.send(to_request("GET", "/marketplace-a/listings", {token, if_none_match(list.header("etag"))}) +
              to_request("GET", "/marketplace-a/listings", {token}));
  EXPECT_EQ(client.receive()->status, 304U);
  EXPECT_EQ(client.receive()->body, list.body);
}

TEST_P(Caching, RevealsNothingWithoutAToken) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  const auto tag = server.partner_of("marketplace-a").get("/listings").header("etag");
  for (const auto& known : {tag, std::string("*")}) {
    const auto response =
        send_request(server.port(), "GET", "/marketplace-a/listings", {if_none_match(known)});
    EXPECT_EQ(response.status, 401U);
    EXPECT_EQ(response.header("etag"), "");
  }
}

TEST_P(Caching, ChangesTheTagOnlyWithTheContent) {
  workplace place(GetParam());
  place.import(portfolio_of(2));
  std::optional<running_roost> server(std::in_place, place);
  auto partner = server->partner_of("marketplace-a");
  const auto before = partner.get("/listings").header("etag");
  EXPECT_EQ(server->stop(), 0);
  server.emplace(place);
  partner = server->partner_of("marketplace-a");
  EXPECT_EQ(partner.get("/listings", {if_none_match(before)}).status,
            304U); // the same content after a restart

  place.import(portfolio_of(2, {{unit_pointer(0) + "/rent/amount", "651"}}));
  EXPECT_TRUE(eventually([&] { return partner.get("/listings", {if_none_match(before)}).status == 200; },
                         std::chrono::seconds(1)));
  EXPECT_NE(partner.get("/listings").header("etag"), before);
  EXPECT_EQ(json_at(partner.get("/listings").body, "/0/rent"), "651");
}

} // namespace roost::testing::caching_test
