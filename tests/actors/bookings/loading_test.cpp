#include "actors/support/booking_world.hpp"
#include "store/bookings/bookings.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/engine/linked_units.hpp"
#include "store/portfolio/live.hpp"
#include "store/support/cancelled_stays.hpp"

#include <gtest/gtest.h>

#include <future>

/// Changes to the store while a server loads it into memory.
namespace roost::testing::loading_test {

class Loading : public booking_world {
protected:
  /// Edits a rent as another server's booking engine does.
  void edit_rent(int euros) {
    store::unit_edit edit;
    edit.unit.id = numbered_id(0x10000 + 1);
    edit.unit.platform = "marketplace-a";
    edit.unit.linked_as = "u1";
    edit.edit.rent = {domain::money{euros * 100}};
    edit.entry_id = security::random_uuid();
    edit.now = now();
    auto other = store().open();
    ASSERT_TRUE(store::edit_units(other, lease, std::span{&edit, 1}).front().found);
  }

  /// Decides another stay of the same guest. Returns the number of guests in the store.
  std::size_t guests_after_another_stay(const domain::booking_request& first) {
    auto next = request(2, 2, "2027-02-01", "2027-03-01");
    next.tenant.email = first.tenant.email;
    enqueue({next});
    decide({next});
    return store::load_tenants(session(), {}).size();
  }
};

ROOST_ON_EACH_STORE(Loading);

TEST_P(Loading, DoesNotMissACancellation) {
  const auto booking = book_february();
  while_loading = [&] {
    auto other = store().open();
    cancel_stay(other, booking);
  };
  crash();
  EXPECT_TRUE(eventually([&] { return !shows_as_taken(1, "2027-02-28"); }));
}

TEST_P(Loading, KeepsNothingOfAnInterruptedLoad) {
  const auto booking = book_february();
  while_loading = [&, is_lost = true]() mutable {
    if (!std::exchange(is_lost, false)) return;
    auto other = store().open();
    cancel_stay(other, booking);
    throw store::unavailable("the connection was lost");
  };
  crash();
  EXPECT_FALSE(shows_as_taken(1, "2027-02-28")) << "the next load read the store after the cancel";
}

TEST_P(Loading, IncludesAGuestWhoIsAddedMeanwhile) {
  const auto booked = request(1, 1, "2027-02-01", "2027-03-01");
  enqueue({booked});
  const auto former = directory.get();
  while_loading = [&] {
    auto other = store().open();
    book_in_store_only(booked, other, *former, held->held().value());
  };
  crash();
  EXPECT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-28"); }));
  EXPECT_EQ(guests_after_another_stay(booked), 1U);
}

/// Otherwise, a constantly busy engine would delay it forever.
TEST_P(Loading, DoesNotRestartForEdits) {
  int loads = 0;
  while_loading = [&] { edit_rent(700 + ++loads); };
  crash();
  EXPECT_EQ(loads, 1);
  EXPECT_TRUE(eventually([&] { return listing(1).find(R"("rent":701,)") != std::string::npos; }));
}

/// A lock in PostgreSQL delays the read of the properties, which follows that of the tenants.
class LoadingHalfway : public Loading {
protected:
  void SetUp() override {
    Loading::SetUp();
    gate_.emplace(store().open());
  }

  void TearDown() override {
    gate_.reset();
    Loading::TearDown();
  }

  void close_gate() {
    gate_->internals().script("close", "begin; lock table properties in access exclusive mode");
  }
  void open_gate() { gate_->internals().script("open", "rollback"); }

  bool is_halfway() {
    static const store::selection waiting{
        "test_halfway",
        "select {columns} from pg_locks where relation = 'properties'::regclass and not granted",
        store::named<bool>("count(*) > 0")};
    return monitor_.internals().read_one(waiting).value();
  }

private:
  std::optional<store::session> gate_;
  store::session monitor_ = store().open();
};

ROOST_ON_POSTGRESQL(LoadingHalfway);

TEST_P(LoadingHalfway, IncludesAGuestWhoIsAddedAfterTheGuestsWereRead) {
  const auto booked = request(1, 1, "2027-02-01", "2027-03-01");
  enqueue({booked});
  const auto former = directory.get();
  close_gate();
  auto booking = std::async(std::launch::async, [&] {
    const auto is_waiting = eventually([&] { return is_halfway(); });
    auto other = store().open();
    book_in_store_only(booked, other, *former, held->held().value());
    open_gate();
    return is_waiting;
  });
  crash();
  EXPECT_TRUE(booking.get());
  EXPECT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-28"); }));
  EXPECT_EQ(guests_after_another_stay(booked), 1U);
}

} // namespace roost::testing::loading_test
