#include "service/support/fault_fixture.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/store_faults.hpp"

#include <list>

/// More concurrent connections and requests than the configuration allows.
namespace roost::testing::limits_test {
using namespace std::chrono_literals;

const std::string nowhere = to_request("GET", "/nowhere"); // its 404 needs neither a token nor a portfolio

/// Returns open connections that have had a response.
std::list<raw_client> open_connections(std::uint16_t port, int count) {
  std::list<raw_client> open;
  for (int i = 0; i < count; ++i) EXPECT_EQ(open.emplace_back(port).exchange(nowhere).status, 404U);
  return open;
}

TEST(ConnectionLimit, RefusesFurtherClientsUntilAConnectionIsFree) {
  workplace place(store_kind::sqlite);
  place.set("server.max_connections", "20");
  running_roost server(place);
  auto open = open_connections(server.port(), 20);
  for (int i = 0; i < 10; ++i) {
    raw_client further(server.port());
    const auto response = further.exchange(nowhere);
    EXPECT_THAT(response, is_busy());
    EXPECT_EQ(response.header("connection"), "close");
    EXPECT_TRUE(further.is_closed_within(5s));
  }
  EXPECT_EQ(server.metric(R"(roost_http_refused_connections_total{listener="public"})"), 10.0);
  EXPECT_TRUE(server.is_ready());
  for (auto& client : open) EXPECT_EQ(client.exchange(nowhere).status, 404U);
  open.clear();
  EXPECT_TRUE(eventually([&] { return send_request(server.port(), "GET", "/nowhere").status == 404; }));
  EXPECT_EQ(server.stop(), 0);
}

TEST(ConnectionLimit, SurvivesAFloodOfConnections) {
  workplace place(store_kind::sqlite);
  place.set("server.max_connections", "20");
  running_roost server(place);
  auto open = open_connections(server.port(), 20);
  std::list<raw_client> flood;
  for (int i = 0; i < 500; ++i) flood.emplace_back(server.port()); // idle connections
  for (auto& client : open) EXPECT_EQ(client.exchange(nowhere).status, 404U);
  EXPECT_TRUE(server.is_ready());
  flood.clear();
  open.clear();
  EXPECT_TRUE(
      eventually([&] { return server.metric(R"(roost_http_open_connections{listener="public"})") == 0; }));
  EXPECT_EQ(send_request(server.port(), "GET", "/nowhere").status, 404U);
  EXPECT_EQ(server.stop(), 0);
}

const std::string in_flight = R"(roost_http_requests_in_flight{listener="public"})";
const std::string awaited_bodies = R"(roost_http_awaited_bodies{listener="public"})";
std::string refused_by(const std::string& limit) {
  return R"(roost_http_refused_requests_total{limit=")" + limit + R"(",listener="public"})";
}

/// Clients that have sent a submission without its last bytes.
class slow_bodies {
public:
  explicit slow_bodies(const running_roost& server) : server_(server) {}

  void add(const partner& sender, int count, header_fields fields = {}) {
    fields.insert(fields.end(),
                  {{"Authorization", "Bearer " + sender.token()}, {"Content-Type", "application/json"}});
    for (int i = 0; i < count; ++i) {
      const auto check_in = 10 * static_cast<int>(clients_.size() + 1);
      const auto request =
          to_request("POST", sender.prefix() + "/bookings", fields, booking("u1", check_in, check_in + 10));
      const auto cut = request.size() - 10;
      clients_.emplace_back(server_.port()).send(request.substr(0, cut));
      rests_.push_back(request.substr(cut));
    }
  }

  bool are_awaited(int count) const {
    return eventually([&] { return server_.metric(awaited_bodies) == count; });
  }

  /// Sends the missing bytes, and returns the number of acknowledged submissions.
  int finish() {
    int acknowledged = 0;
    auto rest = rests_.begin();
    for (auto& client : clients_) {
      client.send(*rest++);
      const auto response = client.receive();
      acknowledged += response && response->status == 201 ? 1 : 0;
    }
    return acknowledged;
  }

private:
  const running_roost& server_;
  std::list<raw_client> clients_;
  std::vector<std::string> rests_;
};

TEST(SlowBodies, DoNotBlockReadsAndBookings) {
  workplace place(store_kind::sqlite);
  place.set("server.max_in_flight", "8");
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto slow = server.partner_of("marketplace-a"), other = server.partner_of("marketplace-b");
  slow_bodies bodies(server);
  bodies.add(slow, 40);
  ASSERT_TRUE(bodies.are_awaited(40));
  for (int i = 0; i < 60; ++i) {
    EXPECT_EQ(other.get("/listings/u1").status, 200U);
    EXPECT_EQ(slow.get("/listings").status, 200U);
  }
  EXPECT_EQ(other.post("/bookings", booking("u1", 600, 610)).status, 201U);
  EXPECT_EQ(server.metric(in_flight), 0.0);
  EXPECT_EQ(bodies.finish(), 40);
  EXPECT_EQ(server.stop(), 0);
}

TEST(SlowBodies, AreLimitedPerPlatform) {
  workplace place(store_kind::sqlite);
  place.set("server.max_bodies_per_platform", "5");
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto slow = server.partner_of("marketplace-a"), other = server.partner_of("marketplace-b");
  slow_bodies bodies(server), other_bodies(server);
  bodies.add(slow, 5);
  ASSERT_TRUE(bodies.are_awaited(5));
  const auto request = slow.post_text("/bookings", booking("u1", 600, 610));
  raw_client further(server.port());
  const auto response = further.exchange(request.substr(0, request.size() - 1));
  EXPECT_THAT(response, is_busy());
  EXPECT_EQ(response.header("connection"), "close");
  EXPECT_EQ(server.metric(refused_by("bodies_of_prefix")), 1.0);
  EXPECT_EQ(raw_client(server.port()).exchange(request).status, 201U); // a complete request
  other_bodies.add(other, 5);
  ASSERT_TRUE(other_bodies.are_awaited(10));
  EXPECT_EQ(bodies.finish(), 5);
  EXPECT_EQ(other_bodies.finish(), 5);
  EXPECT_EQ(server.stop(), 0);
}

TEST(SlowBodies, AreLimitedPerClientBehindTrustedProxies) {
  workplace place(store_kind::sqlite);
  place.set("server.max_bodies_per_address", "3");
  place.set("server.trusted_proxies", "[\"127.0.0.0/8\"]");
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto one = server.partner_of("marketplace-a"), two = server.partner_of("marketplace-b");
  const header_fields slow{{"X-Forwarded-For", "198.51.100.1, 203.0.113.7"}},
      other{{"X-Forwarded-For", "203.0.113.8"}};
  slow_bodies bodies(server);
  bodies.add(one, 2, slow);
  bodies.add(two, 1, slow);
  ASSERT_TRUE(bodies.are_awaited(3));
  slow_bodies refused(server);
  refused.add(two, 2, slow);
  EXPECT_TRUE(eventually([&] { return server.metric(refused_by("bodies_of_address")) == 2; }));
  EXPECT_EQ(refused.finish(), 0);
  bodies.add(two, 3, other);
  EXPECT_TRUE(bodies.are_awaited(6));
  EXPECT_EQ(bodies.finish(), 6);
  EXPECT_EQ(server.stop(), 0);
}

ROOST_FOR_SQLITE(InFlightLimit);

TEST_P(InFlightLimit, RefusesAPartnerBeyondItsShareAndServesOthers) {
  workplace place(GetParam());
  place.set("server.max_in_flight", "8");
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto greedy = server.partner_of("marketplace-a"), other = server.partner_of("marketplace-b");
  std::list<raw_client> waiting;
  {
    const write_block block(place.store());
    for (int i = 0; i < 4; ++i)
      waiting.emplace_back(server.port())
          .send(greedy.post_text("/bookings", booking("u1", 10 + 10 * i, 20 + 10 * i)));
    ASSERT_TRUE(eventually([&] { return server.metric(in_flight) == 4; }));
    raw_client further(server.port());
    const auto request = greedy.post_text("/bookings", booking("u1", 600, 610));
    EXPECT_THAT(further.exchange(request), is_busy());
    EXPECT_THAT(further.exchange(request), is_busy()); // a retry on the same connection
    EXPECT_EQ(other.get("/listings/u1").status, 200U);
    EXPECT_EQ(other.get("/listings").status, 200U);
    EXPECT_EQ(send_request(server.port(), "GET", "/marketplace-a-json").status, 200U);
    EXPECT_EQ(server.ops("/readyz").status, 200U);
    EXPECT_EQ(server.metric(refused_by("in_flight")), 2.0);
  }
  for (auto& client : waiting) EXPECT_EQ(client.receive().value_or(raw_response{}).status, 201U);
  EXPECT_EQ(greedy.get("/listings/u1").status, 200U);
  EXPECT_EQ(server.stop(), 0);
}

ROOST_FOR_EACH_STORE(Overload);

TEST_P(Overload, RefusesSomeRequestsWithoutLosingAny) {
  workplace place(GetParam());
  place.set("server.max_in_flight", "4");
  auto settings = prepare_load(place, 1);
  settings.clients = 60;
  settings.pause = 10ms; // the clients share the server's cores
  booking_load load(settings);
  running_roost server(place);
  load.set_port(server.port());
  EXPECT_TRUE(load.wait_for_more(201, 100, 15s));
  EXPECT_GT(load.response_count(503), 0U);
  EXPECT_TRUE(server.is_ready());
  expect_consistent_responses(place, load.finish());
  EXPECT_EQ(server.stop(), 0);
}

} // namespace roost::testing::limits_test
