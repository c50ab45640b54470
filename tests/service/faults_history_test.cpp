#include "service/support/json_text.hpp"
#include "service/support/partner.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/removable_store.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>

/// A backup that is restored under a running server.
namespace roost::testing::faults_history_test {
using namespace std::chrono_literals;
using ::testing::HasSubstr;

class RestoredStore : public ::testing::TestWithParam<store_kind> {
protected:
  void SetUp() override {
    place().import(portfolio_of(1));
    token_ = place().issue_token("marketplace-a");
    server_.emplace(place());
    store_.back_up(); // with this server's lease in it
    server_->wait_until_ready();
  }

  workplace& place() { return store_.place(); }
  partner platform() const { return {server_->port(), "marketplace-a", token_}; }

  bool is_taken() const {
    return platform().get("/listings/u1").body.find("\"from\":\"" + day_from_now(10) + "\"") !=
           std::string::npos;
  }

  void restore_and_expect_the_servers_end() {
    store_.restore();
    EXPECT_EQ(server_->process().wait_for_end(running_roost::patience), 1) << server_->log();
    EXPECT_THAT(server_->log(), HasSubstr(" another_history "));
  }

  removable_store store_{GetParam()};
  std::string token_;
  std::optional<running_roost> server_;
};
ROOST_ON_EACH_STORE(RestoredStore);

TEST_P(RestoredStore, EndsAServerThatKnowsDecisionsWhichAreGone) {
  ASSERT_EQ(platform().post("/bookings", booking("u1", 10, 20)).status, 201U);
  ASSERT_TRUE(eventually([this] { return is_taken(); }));
  restore_and_expect_the_servers_end();
  server_.emplace(place()); // and the next one knows what is there
  EXPECT_TRUE(eventually([this] { return platform().get("/listings/u1").status == 200; }));
  EXPECT_FALSE(is_taken());
}

TEST_P(RestoredStore, EndsAServerThatKnowsAnImportWhichIsGone) {
  place().import(portfolio_of(2)); // waits until the server has it
  restore_and_expect_the_servers_end();
}

} // namespace roost::testing::faults_history_test
