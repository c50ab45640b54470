#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Lists never go backwards at a takeover: the new writer's first list shows what the old one's has shown.
namespace roost::testing::takeover_lists_test {
using ::testing::HasSubstr;

class ListsAtATakeover : public ::testing::TestWithParam<store_kind> {
protected:
  ListsAtATakeover() {
    place_.import(portfolio_of(2));
    place_.set("bookings.cycle", "\"50ms\"");
    place_.set("feeds.rebuild", "\"100ms\"");
    writer_.emplace(place_);
    place_.set("feeds.rebuild", "\"1h\"");
    token_ = place_.issue_token("marketplace-a");
    full_token_ = place_.issue_token("marketplace-d");
  }

  raw_response list_of(const running_roost& server) const {
    return partner(server.port(), "marketplace-a", token_).get("/listings");
  }
  raw_response full_list_of(const running_roost& server) const {
    return partner(server.port(), "marketplace-d", full_token_).get("/casa-verde/listings/full");
  }

  /// Books a stay, and waits until the server's list shows its first night.
  void book(const running_roost& server, int from) const {
    const partner platform(server.port(), "marketplace-a", token_);
    ASSERT_EQ(platform.post("/bookings", booking("u1", from, from + 30)).status, 201U);
    ASSERT_TRUE(
        eventually([&] { return list_of(server).body.find(day_from_now(from)) != std::string::npos; }));
  }

  /// Sends a request until its response is not "busy", and returns that response.
  template <typename Request>
  static raw_response first_response(Request request) {
    raw_response response;
    eventually([&] { return (response = request()).status != 503; });
    return response;
  }

  workplace place_{GetParam()};
  std::optional<running_roost> writer_;
  std::string token_, full_token_;
};
ROOST_ON_EACH_STORE(ListsAtATakeover);

TEST_P(ListsAtATakeover, ShowEveryStayThatTheOldWriterHasShown) {
  running_roost standby(place_, started::listening);
  standby.wait_for_event("feed_built", {{"platform", "marketplace-a"}});
  book(*writer_, 40);
  writer_->kill();
  const auto list = first_response([&] { return list_of(standby); });
  EXPECT_EQ(list.status, 200U);
  EXPECT_THAT(list.body, HasSubstr(day_from_now(40)));
  const auto full = first_response([&] { return full_list_of(standby); });
  EXPECT_EQ(full.status, 200U);
  EXPECT_THAT(full.body, HasSubstr(day_from_now(40)));
  standby.wait_until_ready();
  EXPECT_EQ(standby.stop(), 0);
}

} // namespace roost::testing::takeover_lists_test
