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

/// An operator ends a busy server.
namespace roost::testing::shutdown_test {
using namespace std::chrono_literals;

constexpr std::chrono::seconds in_seconds{8};

std::size_t stored_requests(workplace& place) {
  return store_rows(place.store().open(), "select state from booking_requests", 1).size();
}

class OrderlyEnd : public ::testing::TestWithParam<std::tuple<store_kind, int>> {
protected:
  void send_signal(running_roost& server) { server.process().send_signal(std::get<int>(GetParam())); }

  static void expect_end(running_roost& server) {
    EXPECT_EQ(server.process().wait_for_end(in_seconds), 0) << server.log();
  }

  workplace place_{std::get<store_kind>(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(OnEachStore, OrderlyEnd,
                         ::testing::Combine(::testing::Values(store_kind::sqlite, store_kind::postgresql),
                                            ::testing::Values(SIGTERM, SIGINT)),
                         [](const auto& info) {
                           return to_string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) == SIGTERM ? "Sigterm" : "Sigint");
                         });

TEST_P(OrderlyEnd, AnswersWhatIsInFlightAndRefusesConnections) {
  place_.import(portfolio_of(1));
  running_roost server(place_);
  const auto platform = server.partner_of("marketplace-a");
  EXPECT_TRUE(eventually([&] { return platform.get("/listings").status == 200; }));
  std::list<raw_client> whole, parts;
  const auto request = [&](int i) {
    return platform.post_text("/bookings", booking("u1", 10 + 10 * i, 20 + 10 * i));
  };
  raw_client idle(server.port());
  EXPECT_EQ(idle.exchange(to_request("GET", "/nowhere")).status, 404U);
  {
    const write_block nobody_writes(place_.store());
    for (int i = 0; i < 5; ++i) whole.emplace_back(server.port()).send(request(i));
    for (int i = 5; i < 10; ++i)
      parts.emplace_back(server.port()).send(request(i).substr(0, request(i).size() - i));
    ASSERT_TRUE(eventually([&] {
      return server.metric(R"(roost_http_requests_in_flight{listener="public"})") == 5 &&
             server.metric(R"(roost_http_awaited_bodies{listener="public"})") == 5;
    }));

    send_signal(server);
    server.wait_for_log({" stopping "});
    EXPECT_TRUE(idle.is_closed_within(5s)); // by then the others have been looked at, too
    EXPECT_THROW(raw_client{server.port()}, std::runtime_error);
    for (auto& client : parts) {
      const auto got = client.receive();
      ASSERT_TRUE(got);
      EXPECT_THAT(*got, is_busy());
      EXPECT_EQ(got->header("connection"), "close");
    }
  }
  for (auto& client : whole) {
    const auto got = client.receive();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, 201U);
    EXPECT_EQ(got->header("connection"), "close");
  }
  expect_end(server);

  running_roost again(place_);
  auto session = place_.store().open();
  EXPECT_TRUE(eventually([&] { return undecided_requests(session) == 0; }));
  EXPECT_EQ(stored_requests(place_), 5U);
}

/// Clients that would hold the end for an hour if it waited for them.
TEST_P(OrderlyEnd, WaitsForNoClientThatHasNotSentAllOfARequest) {
  place_.set("server.drain_timeout", "\"1h\"");
  place_.import(portfolio_of(1));
  running_roost server(place_);
  const auto platform = server.partner_of("marketplace-a");
  raw_client head(server.port()), body(server.port()), refused(server.port()), idle(server.port());
  head.send("GET /marketplace-a HT"); // and no token
  refused.send(to_request("POST", "/marketplace-a/bookings", {{"Content-Type", "application/json"}}, "{}")
                   .substr(0, 100));
  const auto request = platform.post_text("/bookings", booking("u1", 10, 20));
  body.send(request.substr(0, request.size() - 1));
  EXPECT_EQ(idle.exchange(to_request("GET", "/nowhere")).status, 404U);
  EXPECT_TRUE(
      eventually([&] { return server.metric(R"(roost_http_awaited_bodies{listener="public"})") == 1; }));
  send_signal(server);
  expect_end(server);
  EXPECT_THAT(server.log(), ::testing::Not(::testing::HasSubstr(" drain_incomplete")));
  EXPECT_EQ(stored_requests(place_), 0U);
}

TEST_P(OrderlyEnd, GivesTheLeaseBackWhileAnAnswerIsStillBeingSent) {
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
  const auto got = slow.receive(false, 20s);
  ASSERT_TRUE(got) << server.log();
  EXPECT_EQ(got->status, 200U);
  EXPECT_TRUE(got->body == list);
  expect_end(server);
}

TEST_P(OrderlyEnd, UnderLoadTakesSecondsAndLeavesNothingInDoubt) {
  booking_load load(prepare_load(place_, 1));
  running_roost server(place_);
  load.set_port(server.port());
  ASSERT_TRUE(load.wait_for_more(201, 100, running_roost::timeout));
  send_signal(server);
  expect_end(server);
  const auto submitted = load.finish();
  std::cout << summary(submitted) << '\n';
  expect_acknowledged_or_busy(submitted, unanswered::allowed); // a request may meet a connection that closes
  // What was taken was answered: nothing is in the store that its client does not know to be there.
  EXPECT_EQ(static_cast<std::ptrdiff_t>(stored_requests(place_)),
            std::ranges::count_if(submitted, &submission::acknowledged));

  running_roost again(place_);
  expect_exact_history(place_, submitted);
  EXPECT_EQ(again.stop(), 0);
}

} // namespace roost::testing::shutdown_test
