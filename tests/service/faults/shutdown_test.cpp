#include "service/support/fault_fixture.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/store_faults.hpp"
#include "service/support/workplace.hpp"
#include "store/database/lease.hpp"

#include <algorithm>
#include <csignal>
#include <iostream>
#include <list>
#include <tuple>

/// An operator stops a busy server.
namespace roost::testing::shutdown_test {
using namespace std::chrono_literals;

constexpr std::chrono::seconds exit_limit{8};

std::size_t stored_requests(workplace& place) {
  return store_rows(place.store().open(), "select state from booking_requests", 1).size();
}

class OrderlyShutdown : public ::testing::TestWithParam<std::tuple<store_kind, int>> {
protected:
  void send_signal(running_roost& server) { server.process().send_signal(std::get<int>(GetParam())); }

  static void expect_exit(running_roost& server) {
    EXPECT_EQ(server.process().wait_for_end(exit_limit), 0) << server.log();
  }

  workplace place_{std::get<store_kind>(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(OnEachStore, OrderlyShutdown,
                         ::testing::Combine(::testing::Values(store_kind::sqlite, store_kind::postgresql),
                                            ::testing::Values(SIGTERM, SIGINT)),
                         [](const auto& info) {
                           return to_string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) == SIGTERM ? "Sigterm" : "Sigint");
                         });

TEST_P(OrderlyShutdown, CompletesRequestsInFlightAndRefusesConnections) {
  place_.import(portfolio_of(1));
  running_roost server(place_);
  const auto platform = server.partner_of("marketplace-a");
  EXPECT_TRUE(eventually([&] { return platform.get("/listings").status == 200; }));
  std::list<raw_client> complete, partial;
  const auto request = [&](int i) {
    return platform.post_text("/bookings", booking("u1", 10 + 10 * i, 20 + 10 * i));
  };
  raw_client idle(server.port());
  EXPECT_EQ(idle.exchange(to_request("GET", "/nowhere")).status, 404U);
  {
    const write_block block(place_.store());
    for (int i = 0; i < 5; ++i) complete.emplace_back(server.port()).send(request(i));
    for (int i = 5; i < 10; ++i)
      partial.emplace_back(server.port()).send(request(i).substr(0, request(i).size() - i));
    ASSERT_TRUE(eventually([&] {
      return server.metric(R"(roost_http_requests_in_flight{listener="public"})") == 5 &&
             server.metric(R"(roost_http_awaited_bodies{listener="public"})") == 5;
    }));

    send_signal(server);
    server.wait_for_event("stopping");
    EXPECT_TRUE(idle.is_closed_within(5s)); // by then the server has checked the other connections as well
    EXPECT_THROW(raw_client{server.port()}, std::runtime_error);
    for (auto& client : partial) {
      const auto response = client.receive();
      ASSERT_TRUE(response);
      EXPECT_THAT(*response, is_busy());
      EXPECT_EQ(response->header("connection"), "close");
    }
  }
  for (auto& client : complete) {
    const auto response = client.receive();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 201U);
    EXPECT_EQ(response->header("connection"), "close");
  }
  expect_exit(server);

  running_roost again(place_);
  auto session = place_.store().open();
  EXPECT_TRUE(eventually([&] { return undecided_requests(session) == 0; }));
  EXPECT_EQ(stored_requests(place_), 5U);
}

/// Clients that would delay the shutdown for an hour if the server waited for them.
TEST_P(OrderlyShutdown, DoesNotWaitForIncompleteRequests) {
  place_.set("server.drain_timeout", "\"1h\"");
  place_.import(portfolio_of(1));
  running_roost server(place_);
  const auto platform = server.partner_of("marketplace-a");
  raw_client head(server.port()), body(server.port()), refused(server.port()), idle(server.port());
  head.send("GET /marketplace-a HT"); // without a token
  refused.send(to_request("POST", "/marketplace-a/bookings", {{"Content-Type", "application/json"}}, "{}")
                   .substr(0, 100));
  const auto request = platform.post_text("/bookings", booking("u1", 10, 20));
  body.send(request.substr(0, request.size() - 1));
  EXPECT_EQ(idle.exchange(to_request("GET", "/nowhere")).status, 404U);
  EXPECT_TRUE(
      eventually([&] { return server.metric(R"(roost_http_awaited_bodies{listener="public"})") == 1; }));
  send_signal(server);
  expect_exit(server);
  EXPECT_THAT(server.log(), ::testing::Not(::testing::HasSubstr(" drain_incomplete")));
  EXPECT_EQ(stored_requests(place_), 0U);
}

TEST_P(OrderlyShutdown, ReleasesTheLeaseWhileAResponseIsStillBeingSent) {
  place_.set("server.drain_timeout", "\"1h\"");
  place_.import(portfolio_of(large_list_units));
  running_roost server(place_);
  const auto platform = server.partner_of("marketplace-a");
  const auto list = platform.get("/listings").body;
  raw_client slow(server.port(), 4096);
  slow.send(platform.get_text("/listings"));
  ASSERT_TRUE(slow.read_some());

  send_signal(server);
  auto session = place_.store().open();
  ASSERT_TRUE(eventually([&] { return !store::current_lease(session); }));
  EXPECT_FALSE(server.process().wait_for_end(0s)) << server.log();
  const auto response = slow.receive(false, 20s);
  ASSERT_TRUE(response) << server.log();
  EXPECT_EQ(response->status, 200U);
  EXPECT_TRUE(response->body == list);
  expect_exit(server);
}

TEST_P(OrderlyShutdown, TakesSecondsUnderLoadAndLeavesNoRequestInDoubt) {
  booking_load load(prepare_load(place_, 1));
  running_roost server(place_);
  load.set_port(server.port());
  ASSERT_TRUE(load.wait_for_more(201, 100, running_roost::timeout));
  send_signal(server);
  expect_exit(server);
  const auto submitted = load.finish();
  std::cout << summary(submitted) << '\n';
  expect_acknowledged_or_busy(submitted,
                              unanswered::allowed); // a request may arrive while its connection closes
  // The store has no request without an acknowledgement.
  EXPECT_EQ(static_cast<std::ptrdiff_t>(stored_requests(place_)),
            std::ranges::count_if(submitted, &submission::acknowledged));

  running_roost again(place_);
  expect_exact_history(place_, submitted);
  EXPECT_EQ(again.stop(), 0);
}

} // namespace roost::testing::shutdown_test
