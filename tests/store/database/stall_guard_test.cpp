#include "store/database/stall_guard.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <sys/socket.h>
#include <unistd.h>

namespace roost::store::stall_guard_test {
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

/// A connected pair of sockets.
class StallGuard : public ::testing::Test {
protected:
  void SetUp() override { ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()), 0); }
  void TearDown() override {
    for (const int end : ends_) ::close(end);
  }

  int client() const { return ends_[0]; }
  int server() const { return ends_[1]; }

  /// Waits for a byte; returns nullopt at the end of the connection.
  static std::optional<char> next_byte(int end) {
    char byte = 0;
    return ::recv(end, &byte, 1, 0) == 1 ? std::optional{byte} : std::nullopt;
  }
  static void send_byte(int end) { ASSERT_EQ(::send(end, "x", 1, MSG_NOSIGNAL), 1); }

private:
  std::array<int, 2> ends_{-1, -1};
};

TEST_F(StallGuard, EndsACallWithoutAResponse) {
  stall_guard guard{client()};
  const auto started_at = clock::now();
  const stall_guard::time_limit limit{&guard, 300ms};
  EXPECT_EQ(next_byte(client()), std::nullopt);
  EXPECT_GE(clock::now() - started_at, 300ms);
  EXPECT_EQ(next_byte(server()), std::nullopt); // the peer is disconnected as well
}

TEST_F(StallGuard, IgnoresTimelyCallsAndIdleTime) {
  stall_guard guard{client()}, other{server()};
  for (int call = 0; call < 3; ++call) {
    const stall_guard::time_limit limit{&guard, 10s};
    send_byte(server());
    EXPECT_EQ(next_byte(client()), 'x');
  }
  { const stall_guard::time_limit limit{&guard, 1ms}; }
  const stall_guard::time_limit limit{&other, 700ms}; // the first guard has no call in progress meanwhile
  EXPECT_EQ(next_byte(server()), std::nullopt);
}

TEST_F(StallGuard, ClosesItsOwnConnectionWhenTheDescriptorIsReused) {
  std::array<int, 2> later{};
  stall_guard guard{client()};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, later.data()), 0);
  ASSERT_EQ(::dup2(later[0], client()), client()); // closed by its owner and reused for another connection
  const stall_guard::time_limit limit{&guard, 1ms};
  EXPECT_EQ(next_byte(server()), std::nullopt);
  send_byte(later[1]);
  EXPECT_EQ(next_byte(client()), 'x');
  for (const int end : later) ::close(end);
}

TEST(StallGuardTimeLimit, AcceptsNoGuard) { const stall_guard::time_limit limit{nullptr, 1ms}; }

} // namespace roost::store::stall_guard_test
