#include "store/bookings/booking_records.hpp"
#include "store/bookings/erasure.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/portfolio/live.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

namespace roost::testing::erasure_test {

/// A guest with one stay in April 2027 and one request that was refused.
class Erasure : public on_each_store {
protected:
  void SetUp() override {
    desk_.emplace(session());
    stay_.tenant.fiscal_id = "X-1";
    stay_.tenant.phone = "+34 600";
    refused_.tenant.email = "EVA1@tenant.example";
    desk_->insert({stay_, refused_});
    desk_->decide({accept(stay_, unit_id(1)), refuse(refused_)});
  }

  domain::tenant tenant() { return store::load_tenants(session(), {}).at(0); }
  store::lease& lease() { return desk_->lease; }

  std::int64_t requests_with_address() {
    static const store::selection with_address{"test_with_address",
                                               "select {columns} from booking_requests where email <> ''",
                                               store::named<std::int64_t>("count(*)")};
    return session().internals().read_one(with_address).value();
  }

  domain::booking_request stay_ = sample_request(1), refused_ = sample_request(2);

private:
  std::optional<writer> desk_;
};
ROOST_ON_EACH_STORE(Erasure);

TEST_P(Erasure, FindsGuestsByIdAndByAddressInAnyCase) {
  const auto id = tenant().id;
  const std::vector expected{store::tenant_key{account_id(1), id}};
  EXPECT_EQ(store::find_tenants(session(), domain::to_string(id)), expected);
  EXPECT_EQ(store::find_tenants(session(), "Eva1@Tenant.example"), expected);
  EXPECT_TRUE(store::find_tenants(session(), "nobody@tenant.example").empty());
}

TEST_P(Erasure, LeavesTheStayAndNothingOfWhoTheGuestWas) {
  const auto before = position_of(session());
  const auto found = store::find_tenants(session(), stay_.tenant.email);
  const auto done = store::erase_tenants(session(), found, stay_.tenant.email);
  EXPECT_EQ(done.tenants, 1);
  EXPECT_EQ(done.requests, 2) << "the refused one, too";
  EXPECT_GE(done.notifications, 1);
  ASSERT_TRUE(done.change);
  EXPECT_EQ(done.change->position, before + 2);
  const auto record = store::list_bookings(session(), {}, 1).at(0);
  const auto& details = record.tenant.details;
  EXPECT_EQ(details.first_name, "Erased");
  EXPECT_EQ(details.email, "");
  EXPECT_FALSE(details.last_name || details.fiscal_id || details.phone || details.nationality);
  EXPECT_EQ(record.booking.check_in, stay_.check_in);
  EXPECT_FALSE(record.booking.terms->plan.empty());
  EXPECT_EQ(requests_with_address(), 0);
  for (const auto& told : store::list_notifications(session(), {}, 10))
    EXPECT_EQ(told.body.find("Eva"), std::string::npos);
}

TEST_P(Erasure, KnowsOfStaysToCome) {
  const auto found = store::find_tenants(session(), stay_.tenant.email);
  EXPECT_TRUE(store::have_stays_to_come(session(), found, stay_.check_out));
  EXPECT_FALSE(store::have_stays_to_come(session(), found, stay_.check_out + domain::days{1}));
  EXPECT_FALSE(store::have_stays_to_come(session(), {}, stay_.check_in));
}

TEST_P(Erasure, OfOldGuestsWaitsUntilTheirLastStayIsOver) {
  const auto early = store::erase_guests_of_old(session(), lease(), stay_.check_out, 10);
  EXPECT_EQ(early.tenants + early.requests, 0);
  EXPECT_FALSE(early.change);
  const auto done = store::erase_guests_of_old(session(), lease(), stay_.check_out + domain::days{1}, 10);
  EXPECT_EQ(done.tenants, 1);
  EXPECT_EQ(done.requests, 2);
  EXPECT_EQ(tenant().details.email, "");
  const auto again = store::erase_guests_of_old(session(), lease(), stay_.check_out + domain::days{1}, 10);
  EXPECT_EQ(again.tenants + again.requests, 0);
}

TEST_P(Erasure, OfOldGuestsNeedsTheLease) {
  auto gone = lease();
  ++gone.epoch;
  EXPECT_THROW(store::erase_guests_of_old(session(), gone, stay_.check_out + domain::days{1}, 10),
               store::lease_lost);
  EXPECT_EQ(tenant().details.email, stay_.tenant.email);
}

} // namespace roost::testing::erasure_test
