#include "http/protocol/error.hpp"
#include "http/protocol/workload.hpp"

#include <gtest/gtest.h>

#include <list>
#include <thread>

namespace roost::http::testing::workload_test {

using boost::asio::ip::make_address;
using request = workload::request_in_flight;
using waiting = workload::waiting_request;
using body = workload::awaited_body;

/// A listener with three prefixes.
class Workload : public ::testing::Test {
protected:
  workload& load() {
    if (!load_) load_.emplace(limits_, 3, meter_);
    return *load_;
  }

  /// Adds requests of a prefix until one is refused. Returns how many were accepted.
  std::size_t take_all(std::size_t prefix) {
    const auto before = requests_.size();
    try {
      while (true) requests_.emplace_back(load(), prefix, false);
    } catch (const error& refusal) {
      EXPECT_EQ(refusal.status, 503U);
      EXPECT_TRUE(refusal.retry_after);
    }
    return requests_.size() - before;
  }

  /// Does the same with bodies of one client.
  std::size_t take_all_bodies(std::size_t prefix, const std::string& client) {
    const auto before = bodies_.size();
    try {
      while (true) bodies_.emplace_back(load(), prefix, make_address(client));
    } catch (const error& refusal) {
      EXPECT_EQ(refusal.status, 503U);
    }
    return bodies_.size() - before;
  }

  double refused(const std::string& limit) {
    const auto text = registry_.scrape();
    const auto sample = "roost_http_refused_requests_total{limit=\"" + limit + "\",listener=\"public\"} ";
    const auto at = text.find(sample);
    return at == std::string::npos ? -1 : std::stod(text.substr(at + sample.size()));
  }

  settings limits_;
  metrics::registry registry_;
  metrics::listener_meter meter_{registry_, "public"};
  std::optional<workload> load_;
  std::list<request> requests_;
  std::list<body> bodies_;
};

TEST_F(Workload, GrantsHalfOfTheRequestsToASinglePrefix) {
  limits_.max_in_flight = 12;
  EXPECT_EQ(take_all(0), 6U);
  EXPECT_EQ(load().in_flight(), 6U);
  EXPECT_EQ(refused("in_flight"), 1);
}

TEST_F(Workload, AlwaysHasCapacityForAnotherPrefix) {
  limits_.max_in_flight = 12;
  EXPECT_EQ(take_all(0), 6U);
  EXPECT_EQ(take_all(1), 3U);
  EXPECT_EQ(take_all(2), 2U);
  EXPECT_EQ(take_all(0), 0U);
  requests_.clear();
  EXPECT_EQ(load().in_flight(), 0U);
  EXPECT_EQ(take_all(2), 6U);
}

TEST_F(Workload, AcceptsARequestIfTheLimitIsOne) {
  limits_.max_in_flight = 1;
  EXPECT_EQ(take_all(0), 1U);
  EXPECT_EQ(take_all(1), 0U);
}

TEST_F(Workload, NeverExceedsTheLimitWithConcurrentThreads) {
  limits_.max_in_flight = 8;
  std::atomic<std::size_t> max_writing = 0;
  const auto work = [&](std::size_t prefix) {
    for (int i = 0; i < 20'000; ++i) {
      try {
        const request one(load(), prefix, true);
        max_writing = std::max<std::size_t>(max_writing, load().writing());
      } catch (const error&) {
      }
    }
  };
  load();
  {
    std::list<std::jthread> threads;
    for (std::size_t i = 0; i < 6; ++i) threads.emplace_back(work, i % 3);
  }
  EXPECT_GT(max_writing, 0U);
  EXPECT_EQ(load().in_flight(), 0U);
  EXPECT_EQ(load().writing(), 0U);
  EXPECT_EQ(take_all(0), 4U); // no share has leaked
}

TEST_F(Workload, CountsRequestsThatMayWriteSeparately) {
  const request reads(load(), 0, false);
  EXPECT_EQ(load().writing(), 0U);
  {
    const request writes(load(), 0, true);
    EXPECT_EQ(load().writing(), 1U);
  }
  EXPECT_EQ(load().writing(), 0U);
  EXPECT_EQ(load().in_flight(), 1U);
}

TEST_F(Workload, DoesNotCountWaitingRequestsAsInFlight) {
  const request one(load(), 0, false);
  {
    const waiting waits(load(), 0);
    EXPECT_EQ(load().waiting(), 1U);
    EXPECT_EQ(load().in_flight(), 0U);
  }
  EXPECT_EQ(load().waiting(), 0U);
  EXPECT_EQ(load().in_flight(), 1U);
}

TEST_F(Workload, SharesTheLimitOfWaitingRequestsAmongPrefixes) {
  limits_.max_in_flight = 100;
  limits_.max_waiting = 12;
  std::list<waiting> waits;
  const auto take_all_waits = [&](std::size_t prefix) {
    const auto before = waits.size();
    try {
      for (;;) {
        requests_.emplace_back(load(), prefix, false);
        waits.emplace_back(load(), prefix);
      }
    } catch (const error& refusal) {
      EXPECT_EQ(refusal.status, 503U);
      EXPECT_TRUE(refusal.retry_after);
    }
    return waits.size() - before;
  };
  EXPECT_EQ(take_all_waits(0), 6U);
  EXPECT_EQ(take_all_waits(1), 3U);
  EXPECT_EQ(load().waiting(), 9U);
  EXPECT_EQ(load().in_flight(), 2U) << "the refused ones still are";
  EXPECT_EQ(refused("waiting"), 2);
  EXPECT_EQ(refused("in_flight"), 0);
  waits.clear();
  EXPECT_EQ(load().waiting(), 0U);
  EXPECT_EQ(load().in_flight(), 11U);
}

TEST_F(Workload, RefusesEverythingOnceStopped) {
  const request before(load(), 0, true);
  load().stop();
  EXPECT_THROW(request(load(), 0, true), error);
  EXPECT_THROW(request(load(), 1, false), error);
  EXPECT_EQ(load().in_flight(), 1U);
  EXPECT_EQ(load().writing(), 1U);
  EXPECT_EQ(refused("in_flight"), 0); // no limit was reached
}

TEST_F(Workload, LimitsTheBodiesOfEachPrefix) {
  limits_.max_bodies_per_prefix = 3;
  limits_.max_bodies_per_address = 100;
  EXPECT_EQ(take_all_bodies(0, "203.0.113.7"), 3U);
  EXPECT_EQ(take_all_bodies(0, "203.0.113.8"), 0U);
  EXPECT_EQ(take_all_bodies(1, "203.0.113.7"), 3U);
  EXPECT_EQ(load().awaited_bodies(), 6U);
  EXPECT_EQ(refused("bodies_of_prefix"), 3);
  EXPECT_EQ(refused("bodies_of_address"), 0);
  bodies_.clear();
  EXPECT_EQ(load().awaited_bodies(), 0U);
  EXPECT_EQ(take_all_bodies(0, "203.0.113.7"), 3U);
}

TEST_F(Workload, LimitsTheBodiesOfAClientOverAllPrefixes) {
  limits_.max_bodies_per_prefix = 4;
  limits_.max_bodies_per_address = 3;
  EXPECT_EQ(take_all_bodies(0, "203.0.113.7"), 3U);
  EXPECT_EQ(take_all_bodies(1, "203.0.113.7"), 0U);
  EXPECT_EQ(take_all_bodies(1, "203.0.113.8"), 3U); // refused bodies do not count
  EXPECT_EQ(take_all_bodies(0, "203.0.113.9"), 1U);
  EXPECT_EQ(refused("bodies_of_address"), 3);
  EXPECT_EQ(refused("bodies_of_prefix"), 1);
}

TEST_F(Workload, CountsAnIpv6ClientByItsNetwork) {
  limits_.max_bodies_per_address = 2;
  EXPECT_EQ(take_all_bodies(0, "2001:db8:0:1::1"), 2U);
  EXPECT_EQ(take_all_bodies(0, "2001:db8:0:1:ffff::2"), 0U);
  EXPECT_EQ(take_all_bodies(0, "2001:db8:0:2::1"), 2U);
  EXPECT_EQ(take_all_bodies(0, "203.0.113.7"), 2U);
  EXPECT_EQ(take_all_bodies(0, "::ffff:203.0.113.7"), 0U); // the same host
}

TEST_F(Workload, DoesNotCountBodiesAsRequests) {
  limits_.max_in_flight = 2;
  EXPECT_EQ(take_all_bodies(0, "203.0.113.7"), limits_.max_bodies_per_address);
  EXPECT_EQ(take_all(0), 1U);
}

} // namespace roost::http::testing::workload_test
