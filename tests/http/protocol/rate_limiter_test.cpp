#include "http/protocol/error.hpp"
#include "http/protocol/rate_limiter.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <thread>

namespace roost::http::testing::rate_limiter_test {

using namespace std::chrono_literals;
using boost::asio::ip::make_address;
using clock = rate_limiter::clock;

/// A limiter with a clock that the test controls.
class RateLimiter : public ::testing::Test {
protected:
  std::optional<std::chrono::seconds> request_from(const std::string& client, std::size_t limit = 3,
                                                   std::size_t group = 0) {
    return limiter.admit(group, make_address(client), limit);
  }

  /// Returns how many of these requests are admitted.
  int admitted(int requests, const std::string& client, std::size_t limit = 3, std::size_t group = 0) {
    int count = 0;
    for (int i = 0; i < requests; ++i) count += request_from(client, limit, group) ? 0 : 1;
    return count;
  }

  clock::time_point now{1h};
  rate_limiter limiter{[this] { return now; }};
};

TEST_F(RateLimiter, AdmitsTheLimitPerMinute) {
  EXPECT_EQ(admitted(10, "192.0.2.1"), 3);
  now += 60s - 1ns;
  EXPECT_EQ(admitted(10, "192.0.2.1"), 0);
  now += 1ns;
  EXPECT_EQ(admitted(10, "192.0.2.1"), 3);
}

TEST_F(RateLimiter, UsesASlidingWindow) {
  ASSERT_EQ(admitted(1, "192.0.2.1"), 1);
  now += 30s;
  ASSERT_EQ(admitted(2, "192.0.2.1"), 2);
  now += 30s; // the first one has expired, the other two have not
  EXPECT_EQ(admitted(5, "192.0.2.1"), 1);
  now += 30s;
  EXPECT_EQ(admitted(5, "192.0.2.1"), 2);
}

TEST_F(RateLimiter, ReturnsWhenTheNextRequestIsAdmitted) {
  ASSERT_EQ(admitted(1, "192.0.2.1"), 1);
  now += 10s;
  ASSERT_EQ(admitted(2, "192.0.2.1"), 2);
  EXPECT_EQ(request_from("192.0.2.1"), 50s);
  now += 500ms;
  EXPECT_EQ(request_from("192.0.2.1"), 50s); // 49.5 s, rounded up
  now += 49s + 499ms;
  EXPECT_EQ(request_from("192.0.2.1"), 1s); // a millisecond
  now += 1ms;
  EXPECT_EQ(request_from("192.0.2.1"), std::nullopt);
  EXPECT_EQ(request_from("192.0.2.1"), 10s); // until the second one expires
}

TEST_F(RateLimiter, DoesNotCountRefusedRequests) {
  ASSERT_EQ(admitted(3, "192.0.2.1"), 3);
  for (int i = 0; i < 59; ++i) {
    now += 1s;
    EXPECT_EQ(request_from("192.0.2.1"), 59s - i * 1s);
  }
  now += 1s;
  EXPECT_EQ(request_from("192.0.2.1"), std::nullopt);
}

TEST_F(RateLimiter, CountsEachClientAndGroupSeparately) {
  ASSERT_EQ(admitted(5, "192.0.2.1"), 3);
  EXPECT_EQ(admitted(5, "192.0.2.2"), 3);
  EXPECT_EQ(admitted(5, "192.0.2.1", 3, 1), 3);
}

TEST_F(RateLimiter, CountsAnIPv6NetworkAsOneClient) {
  ASSERT_EQ(admitted(3, "2001:db8:1:2::1"), 3);
  EXPECT_EQ(admitted(3, "2001:db8:1:2:ffff::9"), 0);
  EXPECT_EQ(admitted(3, "2001:db8:1:3::1"), 3);
}

TEST_F(RateLimiter, RecognizesAnIPv4ClientOnAnIPv6Socket) {
  ASSERT_EQ(admitted(3, "192.0.2.1"), 3);
  EXPECT_EQ(admitted(3, "::ffff:192.0.2.1"), 0);
}

TEST_F(RateLimiter, DistinguishesAnIPv6NetworkFromAnIPv4Address) {
  ASSERT_EQ(admitted(3, "192.0.2.1"), 3);
  EXPECT_EQ(admitted(3, "0:0:102:c0::"), 3); // has the same bits in its first half on a little-endian machine
}

TEST_F(RateLimiter, SupportsDifferentLimitsWithinAGroup) {
  ASSERT_EQ(admitted(5, "192.0.2.1", 5), 5);
  now += 10s;
  EXPECT_EQ(request_from("192.0.2.1", 3), 50s); // three of five must expire, and all expire together
  EXPECT_EQ(request_from("192.0.2.1", 6), std::nullopt);
}

TEST_F(RateLimiter, ReturnsTheSameNumberForTheSameGroup) {
  const auto login = limiter.group("login");
  EXPECT_NE(limiter.group("refresh"), login);
  EXPECT_EQ(limiter.group("login"), login);
}

/// Compares the limiter with a list of all times.
TEST_F(RateLimiter, AgreesWithASimpleListOfAllRequests) {
  std::mt19937 random{7}; // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
  std::map<std::string, std::vector<clock::time_point>> admitted;
  constexpr std::size_t limit = 7;
  for (int i = 0; i < 20'000; ++i) {
    now += std::chrono::milliseconds{random() % 4'000};
    const auto client = "192.0.2." + std::to_string(random() % 3);
    auto& moments = admitted[client];
    std::erase_if(moments, [&](auto moment) { return moment <= now - 60s; });
    const auto refused = request_from(client, limit);
    ASSERT_EQ(refused.has_value(), moments.size() >= limit) << i;
    if (refused)
      ASSERT_EQ(*refused, std::max(1s, std::chrono::ceil<std::chrono::seconds>(moments.front() + 60s - now)));
    else
      moments.push_back(now);
  }
}

TEST_F(RateLimiter, EvictsTheLeastRecentlySeenClients) {
  rate_limiter small{[this] { return now; }, {.clients = 3, .shards = 1}};
  const auto request = [&](const std::string& client) { return small.admit(0, make_address(client), 1); };
  for (const auto* client : {"192.0.2.1", "192.0.2.2", "192.0.2.3"}) ASSERT_EQ(request(client), std::nullopt);
  ASSERT_NE(request("192.0.2.1"), std::nullopt); // refused, but seen
  ASSERT_EQ(request("192.0.2.4"), std::nullopt); // evicts the second
  EXPECT_NE(request("192.0.2.1"), std::nullopt);
  EXPECT_NE(request("192.0.2.3"), std::nullopt);
  EXPECT_EQ(request("192.0.2.2"), std::nullopt);
  EXPECT_EQ(small.clients(), 3U);
}

TEST_F(RateLimiter, LimitsTheNumberOfTimestamps) {
  rate_limiter small{[this] { return now; }, {.clients = 1000, .stamps = 64, .shards = 1}};
  for (int client = 0; client < 20; ++client)
    for (int i = 0; i < 16; ++i)
      ASSERT_EQ(small.admit(0, make_address("192.0.2." + std::to_string(client)), 16), std::nullopt);
  EXPECT_EQ(small.clients(), 4U); // with 16 timestamps each
}

TEST_F(RateLimiter, NeverEvictsTheCurrentClient) {
  rate_limiter small{[this] { return now; }, {.clients = 1000, .stamps = 4, .shards = 1}};
  int in = 0;
  for (int i = 0; i < 200; ++i) in += small.admit(0, make_address("192.0.2.1"), 100) ? 0 : 1;
  EXPECT_EQ(in, 100);
}

TEST_F(RateLimiter, LimitsTheNumberOfClients) {
  const rate_limiter_bounds bounds;
  for (std::uint32_t i = 0; i < 4 * bounds.clients; ++i)
    ASSERT_EQ(limiter.admit(0, boost::asio::ip::address_v4(i), 10), std::nullopt);
  EXPECT_LE(limiter.clients(), bounds.clients);
  EXPECT_GT(limiter.clients(), bounds.clients / 2); // the load is balanced among shards
}

TEST(SharedRateLimiter, AdmitsExactlyTheLimitWithConcurrentThreads) {
  rate_limiter limiter{[] { return clock::time_point{1h}; }};
  std::atomic<int> in = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 1000; ++j)
        for (const auto* client : {"192.0.2.1", "192.0.2.2"})
          in += limiter.admit(0, make_address(client), 500) ? 0 : 1;
    });
  threads.clear();
  EXPECT_EQ(in, 1000);
}

TEST_F(RateLimiter, RefusesAsSpecifiedByTheManagementApi) {
  const auto check = rate_limit_check(limiter, "login", 1);
  request req;
  req.remote_address = "192.0.2.1";
  check(req);
  now += 20s;
  try {
    check(req);
    FAIL() << "admitted";
  } catch (const error& refusal) {
    EXPECT_EQ(refusal.status, 429U);
    EXPECT_EQ(refusal.message, "ThrottlerException: Too Many Requests");
    EXPECT_EQ(refusal.name, "ThrottlerException");
    EXPECT_EQ(refusal.retry_after, 40s);
  }
}

TEST_F(RateLimiter, CountsRoutesOfOneGroupTogether) {
  const auto login = rate_limit_check(limiter, "login", 1), page = rate_limit_check(limiter, "login", 1),
             other = rate_limit_check(limiter, "refresh", 1);
  request req;
  req.remote_address = "192.0.2.1";
  login(req);
  EXPECT_THROW(page(req), error);
  EXPECT_NO_THROW(other(req));
}

TEST_F(RateLimiter, AdmitsEveryoneIfTheLimitIsZero) {
  const auto check = rate_limit_check(limiter, "login", 0);
  request req;
  req.remote_address = "192.0.2.1";
  for (int i = 0; i < 1000; ++i) EXPECT_NO_THROW(check(req));
  EXPECT_EQ(limiter.clients(), 0U);
}

} // namespace roost::http::testing::rate_limiter_test
