#include "service/support/fault_scene.hpp"
#include "service/support/portfolio.hpp"

#include <list>

/// More connections and more requests at once than the configuration allows.
namespace roost::testing::faults_limits_test {
using namespace std::chrono_literals;

const std::string nowhere = to_request("GET", "/nowhere"); // 404: needs no token and no portfolio

/// Connections that have had an answer and stay open.
std::list<raw_client> open_connections(std::uint16_t port, int count) {
  std::list<raw_client> open;
  for (int i = 0; i < count; ++i) EXPECT_EQ(open.emplace_back(port).exchange(nowhere).status, 404U);
  return open;
}

TEST(ConnectionLimit, TellsFurtherClientsToComeBackAndLetsThemInWhenThereIsRoom) {
  workplace place(store_kind::sqlite);
  place.set("server.max_connections", "20");
  running_roost server(place);
  auto open = open_connections(server.port(), 20);
  for (int i = 0; i < 10; ++i) {
    raw_client further(server.port());
    const auto refusal = further.exchange(nowhere);
    EXPECT_THAT(refusal, is_busy());
    EXPECT_EQ(refusal.header("connection"), "close");
    EXPECT_TRUE(further.is_closed_within(5s));
  }
  EXPECT_EQ(server.metric(R"(roost_http_refused_connections_total{listener="public"})"), 10.0);
  EXPECT_TRUE(server.is_ready());
  for (auto& client : open) EXPECT_EQ(client.exchange(nowhere).status, 404U);
  open.clear();
  EXPECT_TRUE(eventually([&] { return ask(server.port(), "GET", "/nowhere").status == 404; }));
  EXPECT_EQ(server.stop(), 0);
}

TEST(ConnectionLimit, SurvivesAFloodOfConnections) {
  workplace place(store_kind::sqlite);
  place.set("server.max_connections", "20");
  running_roost server(place);
  auto open = open_connections(server.port(), 20);
  std::list<raw_client> flood;
  for (int i = 0; i < 500; ++i) flood.emplace_back(server.port()); // and none of them says a word
  for (auto& client : open) EXPECT_EQ(client.exchange(nowhere).status, 404U);
  EXPECT_TRUE(server.is_ready());
  flood.clear();
  open.clear();
  EXPECT_TRUE(
      eventually([&] { return server.metric(R"(roost_http_open_connections{listener="public"})") == 0; }));
  EXPECT_EQ(ask(server.port(), "GET", "/nowhere").status, 404U);
  EXPECT_EQ(server.stop(), 0);
}

TEST(InFlightLimit, TellsFurtherRequestsToComeBackAndFinishesThoseItHas) {
  workplace place(store_kind::sqlite);
  place.set("server.max_in_flight", "4");
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto platform = server.partner_of("marketplace-a");
  EXPECT_TRUE(eventually([&] { return platform.get("/listings").status == 200; }));
  std::list<raw_client> slow;
  std::vector<std::string> rests;
  for (int i = 0; i < 4; ++i) {
    const auto request = platform.post_text("/bookings", booking("u1", 10 + 10 * i, 20 + 10 * i));
    slow.emplace_back(server.port()).send(request.substr(0, request.size() - 10));
    rests.push_back(request.substr(request.size() - 10));
  }
  const std::string in_flight = R"(roost_http_requests_in_flight{listener="public"})";
  ASSERT_TRUE(eventually([&] { return server.metric(in_flight) == 4; }));
  raw_client further(server.port());
  EXPECT_THAT(further.exchange(nowhere), is_busy());
  EXPECT_THAT(further.exchange(nowhere), is_busy()); // on the same connection: it may try again
  EXPECT_EQ(server.ops("/healthz").status, 200U);
  std::size_t next = 0;
  for (auto& client : slow) EXPECT_EQ(client.exchange(rests[next++]).status, 201U);
  EXPECT_EQ(further.exchange(nowhere).status, 404U);
  EXPECT_EQ(server.stop(), 0);
}

ROOST_FOR_EACH_STORE(Overload);

TEST_P(Overload, RefusesSomeRequestsAndLosesNone) {
  workplace place(GetParam());
  place.set("server.max_in_flight", "4");
  auto settings = prepare_for_load(place, 1);
  settings.clients = 60;
  settings.pause = 10ms; // the server shares its cores with them
  booking_load load(settings);
  running_roost server(place);
  load.aim_at(server.port());
  EXPECT_TRUE(load.wait_for_more(201, 300, 15s));
  EXPECT_GT(load.answered_with(503), 0U);
  EXPECT_TRUE(server.is_ready());
  expect_every_answer_true(place, load.finish());
  EXPECT_EQ(server.stop(), 0);
}

} // namespace roost::testing::faults_limits_test
