#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

/// Malformed requests on every route: an error response, never a 500, and the server keeps serving.
namespace roost::testing::malformed_test {
using ::testing::HasSubstr;
using ::testing::Not;

ROOST_FOR_SQLITE(Malformed);

/// A server with two units, and a valid request for each route of each kind of prefix.
struct malformed_fixture {
  explicit malformed_fixture(store_kind kind) : place(kind) {
    place.set("bookings.cycle", "\"1h\"");
    place.import(portfolio_of(2));
    server.emplace(place);
    for (const auto* platform : {"channel-manager", "booking-engine", "landlord-one"}) {
      const auto prefix = "/" + std::string(platform);
      const std::pair<std::string, std::string> token{"Authorization",
                                                      "Bearer " + place.issue_token(platform)};
      const auto id = prefix == "/landlord-one" ? unit_id(1) : "u1";
      good.push_back(to_request("GET", prefix + "/listings", {token}));
      good.push_back(to_request("GET", prefix + "/listings/" + id, {token}));
      good.push_back(to_request("POST", prefix + "/bookings", {token, {"Content-Type", "application/json"}},
                                booking(id, 30, 60)));
    }
  }

  void expect_still_serving() const {
    for (const auto& request : good)
      EXPECT_LT(raw_client(server->port()).exchange(request).status, 300U) << request.substr(0, 60);
    EXPECT_THAT(server->log(), Not(HasSubstr("request_failed")));
    EXPECT_THAT(server->log(), Not(HasSubstr("connection_failed")));
  }

  workplace place;
  std::optional<running_roost> server;
  std::vector<std::string> good;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST_P(Malformed, HeadersAreRefusedOnEveryRoute) {
  const malformed_fixture fixture(GetParam());
  const std::string host = "Host: localhost\r\n";
  for (const auto& request : fixture.good)
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {" HTTP/1.1", " HTTP/1.2x"},
             {" HTTP/1.1", ""},
             {" HTTP/1.1", " http/1.1"},
             {" /", "  /"},
             {" /", " relative"},
             {host, ""},
             {host, host + host},
             {host, "Host: a b\r\n"},
             {host, "Host : localhost\r\n"},
             {host, host + " folded: line\r\n"},
             {host, host + "Name\r\n"},
             {host, host + ": nameless\r\n"},
             {host, host + "Bad Name: x\r\n"},
             {host, host + "Control: a\x01z\r\n"},
             {host, host + "Bare: a\nb\r\n"},
             {host, host + "Content-Length: -1\r\n"},
             {host, host + "Content-Length: 1, 1\r\n"},
             {host, host + "Content-Length: 1e3\r\n"},
             {host, host + "Content-Length: 99999999999999999999\r\n"},
             {host, host + "Transfer-Encoding: gzip\r\n"},
             {host, host + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n"},
             {host, host + "Transfer-Encoding: chunked, chunked\r\n"},
         }) {
      raw_client client(fixture.server->port());
      client.send(replaced(request, from, to));
      const auto response = client.receive();
      ASSERT_TRUE(response) << from << " -> " << to;
      EXPECT_TRUE(response->status == 400 || response->status == 505)
          << response->status << ": " << from << " -> " << to;
      EXPECT_EQ(json_at(response->body, "/statusCode"), std::to_string(response->status));
      EXPECT_TRUE(client.is_closed_within(std::chrono::seconds(2)));
    }
  fixture.expect_still_serving();
}

TEST_P(Malformed, PathsAreRefusedAndQueriesIgnoredOnEveryRoute) {
  const malformed_fixture fixture(GetParam());
  for (const auto& request : fixture.good)
    for (const auto& [ending, status] :
         std::vector<std::pair<std::string, unsigned>>{{"%", 400},
                                                       {"%ff", 400},
                                                       {"%C0%80", 400},
                                                       {"/../..", 404},
                                                       {"//", 404},
                                                       {"/%2e%2e", 404},
                                                       {"/" + std::string(4000, 'x'), 404}}) {
      const auto end_of_path = request.find(" HTTP/1.1");
      auto changed = request;
      const auto response = raw_client(fixture.server->port()).exchange(changed.insert(end_of_path, ending));
      EXPECT_EQ(response.status, status) << changed.substr(0, 100);
      EXPECT_EQ(json_at(response.body, "/statusCode"), std::to_string(status));
    }
  for (const auto& request : fixture.good) {
    const auto end_of_path = request.find(" HTTP/1.1");
    for (const auto& query : {std::string("?%"), std::string("?a=%ff&&&==="), "?" + std::string(4000, 'x')}) {
      auto changed = request;
      EXPECT_LT(raw_client(fixture.server->port()).exchange(changed.insert(end_of_path, query)).status, 300U)
          << query;
    }
  }
  fixture.expect_still_serving();
}

TEST_P(Malformed, BodiesAreRefusedUnderEveryPrefix) {
  const malformed_fixture fixture(GetParam());
  for (const auto& request : fixture.good) {
    if (!request.starts_with("POST")) continue;
    const auto head = request.substr(0, request.find("Content-Length"));
    for (const std::string body :
         {"{", "[]", "null", "{}", R"({"tenant":1})", "\xff\xfe", "{\"a\":1e999}", "{\"\":0}"}) {
      const auto response =
          raw_client(fixture.server->port())
              .exchange(head + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
      EXPECT_EQ(response.status, 400U) << body;
      EXPECT_EQ(json_at(response.body, "/error"), R"("BadRequestException")") << body;
    }
    for (const std::string chunks :
         {"zz\r\n", "5\r\nab\r\n", "-1\r\n", "ffffffffffffffffff\r\n", "2;\x01\r\n{}\r\n0\r\n\r\n"}) {
      raw_client client(fixture.server->port());
      client.send(head + "Transfer-Encoding: chunked\r\n\r\n" + chunks);
      client.shut_down_sending();
      const auto response = client.receive();
      if (response) {
        EXPECT_EQ(response->status, 400U) << chunks;
      }
      EXPECT_TRUE(client.is_closed_within(std::chrono::seconds(2)));
    }
  }
  fixture.expect_still_serving();
}

TEST_P(Malformed, RequestsOfAllKindsNeverCauseAnInternalError) {
  const malformed_fixture fixture(GetParam());
  constexpr unsigned seed = 20261120;
  std::mt19937 random(seed);
  const auto below = [&](std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
  };
  constexpr int rounds = 600;
  int response_count = 0;
  for (int round = 0; round < rounds; ++round) {
    auto request = fixture.good[below(fixture.good.size())];
    for (auto changes = 1 + below(4); changes > 0; --changes) {
      const auto at = below(request.size());
      switch (below(4)) {
      case 0:
        request[at] = static_cast<char>(below(256));
        break;
      case 1:
        request.erase(at, 1 + below(8));
        break;
      case 2:
        request.insert(at, 1 + below(8), static_cast<char>(below(256)));
        break;
      default:
        request.insert(at, request.substr(below(request.size()), 1 + below(40)));
      }
    }
    raw_client client(fixture.server->port());
    client.send(request);
    client.shut_down_sending();
    const auto response = client.receive();
    if (!response) continue; // the request was incomplete
    ++response_count;
    EXPECT_TRUE(response->status < 500 || response->status == 505)
        << "round " << round << " of seed " << seed << "\n"
        << request;
    if (response->status >= 400) {
      EXPECT_EQ(json_at(response->body, "/statusCode"), std::to_string(response->status)) << request;
    }
  }
  EXPECT_GT(response_count, rounds / 2);
  fixture.expect_still_serving();
}

} // namespace roost::testing::malformed_test
