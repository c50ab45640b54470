#include "actors/support/office_world.hpp"
#include "store/database/error.hpp"
#include "store/support/rejecting_trigger.hpp"
#include "store/support/stored_rows.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <memory>

/// Bookings by hand next to the actors that book for platforms.
namespace roost::testing::office_bookings_test {
using domain::request_state;
using store::office_result;
using ::testing::SizeIs;

class OfficeBookings : public office_world {
protected:
  static actors::create_booking stay(unsigned unit, const char* check_in, const char* check_out,
                                     const std::string& email = "ida@guests.example") {
    store::booking_creation request;
    request.unit_id = unit_id(unit);
    request.id = security::random_uuid();
    request.stay = {day(check_in), day(check_out), 1, {}, domain::day_of(now())};
    request.tenant.first_name = "Ida";
    request.tenant.email = email;
    request.new_tenant_id = security::random_uuid();
    request.describe = [](const auto*, const auto&) { return std::vector<domain::field_change>{}; };
    request.notice = notice();
    return message_of(std::move(request));
  }

  static store::booking_notice notice() {
    return [](const auto*, const store::booking_record& after, auto) {
      return domain::notification{security::random_uuid(),
                                  after.booking.account_id,
                                  "booking_created",
                                  "t",
                                  "b",
                                  after.booking.id,
                                  {},
                                  now()};
    };
  }

  std::optional<store::booking_outcome> book(actors::create_booking message) {
    return write<store::booking_outcome>(std::move(message));
  }

  std::optional<store::booking_outcome> move(const domain::uuid& id, unsigned unit, const char* check_in,
                                             const char* check_out) {
    store::booking_change request{id, [](const auto&) { return true; }};
    request.unit_id = unit_id(unit);
    request.check_in = day(check_in);
    request.check_out = day(check_out);
    request.expected = store::unit_nights{unit_id(unit), domain::stay_nights(day(check_in), day(check_out))};
    request.entry_id = security::random_uuid();
    request.describe = [](const auto*, const auto&) { return std::vector<domain::field_change>{}; };
    request.notice = notice();
    return write<store::booking_outcome>(message_of(std::move(request)));
  }

  /// Lets the follower see changes that it may not read yet, because their messages could still arrive: its
  /// next read includes them.
  void see_changes() { caf::anon_send(follower, actors::poll_changes{}); }

  /// Returns whether the calendar grants the nights to a write of the office now.
  bool is_granted(const actors::unit_calendar& calendar, const domain::nights& nights) {
    const auto id = security::random_uuid();
    const auto granted = std::make_shared<std::atomic<bool>>(false);
    const auto asking = rt.system().spawn([=](caf::event_based_actor* actor) -> caf::behavior {
      actor->request(calendar, caf::infinite, actors::hold_nights{id, nights})
          .then([=](const actors::nights_held&) { *granted = true; }, [](const caf::error&) {});
      return {[](int) {}};
    });
    caf::scoped_actor self{rt.system()};
    wait_until_received(self, asking);
    wait_until_received(self, calendar);
    wait_until_received(self, asking);
    self->send(calendar, actors::release_nights{id});
    caf::anon_send_exit(asking, caf::exit_reason::user_shutdown);
    return *granted;
  }

  std::optional<store::booking_outcome> cancel(const domain::uuid& id) {
    store::booking_cancellation request{
        id, [](const auto&) { return true; }, "Ill",
        [](const auto*, const auto&) { return std::vector<domain::field_change>{}; }, notice()};
    return write<store::booking_outcome>(message_of(std::move(request)));
  }
};
ROOST_ON_EACH_STORE(OfficeBookings);

TEST_P(OfficeBookings, AreVisibleOnceTheyAreMadeAndUntilTheyAreCancelled) {
  const auto made = book(stay(1, "2027-02-01", "2027-02-11")).value();
  ASSERT_EQ(made.result, office_result::created);
  EXPECT_TRUE(shows_as_taken(1, "2027-02-10"));
  ASSERT_EQ(cancel(made.booking.booking.id).value().result, office_result::changed);
  EXPECT_FALSE(shows_as_taken(1, "2027-02-10"));
}

TEST_P(OfficeBookings, AreRefusedOnNightsThatAPlatformHasSold) {
  book_february();
  const auto refused = book(stay(1, "2027-02-10", "2027-03-10")).value();
  EXPECT_EQ(refused.refused, domain::refusal::overlapping_nights);
  ASSERT_THAT(refused.taken, SizeIs(1));
  EXPECT_EQ(refused.taken[0].first, day("2027-02-10"));
  EXPECT_FALSE(shows_as_taken(1, "2027-03-09"));
}

TEST_P(OfficeBookings, LetNoRequestBookTheirNights) {
  ASSERT_EQ(book(stay(1, "2027-02-01", "2027-02-11")).value().result, office_result::created);
  const std::vector requests{request(1, 1, "2027-02-10", "2027-03-01"),
                             request(2, 1, "2027-02-11", "2027-03-01")};
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::failed);
  EXPECT_EQ(state_of(requests[1]), request_state::success);
  EXPECT_EQ(jobs("record_decisions", "failed"), 0U) << "memory knew the booking";
}

TEST_P(OfficeBookings, LetARequestWaitUntilTheyAreWritten) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  {
    caf::scoped_actor self{rt.system()};
    const busy_lane busy(storage->at(actors::storage_pool::side_lane::office));
    self->send(writer, stay(1, "2027-02-10", "2027-02-20"));
    const auto calendar = directory.get()->find_unit(unit_id(1))->calendar;
    wait_until_received(self, writer);
    wait_until_received(self, calendar); // it holds the nights
    run_queue();
    ASSERT_TRUE(eventually([&] { return jobs("pending_requests", "done") == 1; }));
    wait_until_received(self, queue);
    wait_until_received(self, calendar);
    EXPECT_EQ(state_of(requests[0]), request_state::pending);
  }
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::failed);
  EXPECT_TRUE(shows_as_taken(1, "2027-02-19"));
}

TEST_P(OfficeBookings, FreeTheNightsIfTheStoreRejectsThem) {
  reject_rows(session(), "bookings", "new.request_id is null");
  EXPECT_EQ(book(stay(1, "2027-02-10", "2027-02-20")), std::nullopt);
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::success);
}

TEST_P(OfficeBookings, TeachTheQueueTheirTenant) {
  auto requests = std::vector{request(1, 2, "2027-02-01", "2027-03-01")};
  const auto made = book(stay(1, "2027-02-01", "2027-02-11", requests[0].tenant.email)).value();
  ASSERT_EQ(made.result, office_result::created);
  enqueue(requests);
  decide(requests);
  const auto bookings = store::list_bookings(session(), {}, 10);
  ASSERT_THAT(bookings, SizeIs(2));
  EXPECT_EQ(bookings[0].tenant.id, bookings[1].tenant.id);
}

TEST_P(OfficeBookings, MoveInEveryCalendar) {
  const auto id = book(stay(1, "2027-02-01", "2027-02-11")).value().booking.booking.id;
  ASSERT_EQ(move(id, 1, "2027-02-05", "2027-02-21").value().result, office_result::changed);
  EXPECT_TRUE(shows_as_taken(1, "2027-02-20"));
  ASSERT_EQ(move(id, 2, "2027-02-05", "2027-02-21").value().result, office_result::changed);
  EXPECT_FALSE(shows_as_taken(1, "2027-02-20"));
  EXPECT_TRUE(shows_as_taken(2, "2027-02-20"));
  ASSERT_EQ(move(id, 1, "2027-02-05", "2027-02-11").value().result, office_result::changed);
  EXPECT_TRUE(shows_as_taken(1, "2027-02-10"));
  EXPECT_FALSE(shows_as_taken(2, "2027-02-20"));
  const std::vector requests{request(1, 2, "2027-02-01", "2027-03-01"),
                             request(2, 1, "2027-02-11", "2027-03-01")};
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::success);
  EXPECT_EQ(state_of(requests[1]), request_state::success);
  EXPECT_EQ(jobs("record_decisions", "failed"), 0U) << "memory knew the moves";
}

TEST_P(OfficeBookings, MoveAlsoIfAPlatformMadeThem) {
  const auto id = book_february();
  ASSERT_EQ(move(id, 2, "2027-02-01", "2027-04-01").value().result, office_result::changed);
  EXPECT_FALSE(shows_as_taken(1, "2027-02-28"));
  EXPECT_TRUE(shows_as_taken(2, "2027-03-31"));
  caf::anon_send(follower, actors::reload_account{numbered_id(1)});
  ASSERT_EQ(book(stay(1, "2027-02-01", "2027-03-01")).value().result, office_result::created);
  EXPECT_TRUE(shows_as_taken(2, "2027-03-31"));
}

TEST_P(OfficeBookings, ThatTheOfficeMovedAreCancelledByTheirPlatform) {
  const auto id = book_february();
  ASSERT_EQ(move(id, 2, "2027-02-01", "2027-04-01").value().result, office_result::changed);
  const auto booking = store::find_booking(session(), id).value().booking;
  const auto* linked = directory.get()->find(0, request(1, 1, "2027-02-01", "2027-03-01").external_id);
  actors::cancel_platform_booking cancellation{
      {booking.platform.value(), booking.reference.value(), booking.account_id},
      linked->id(),
      linked->calendar};
  cancellation.deadline = actors::deadline::in(10s);
  caf::scoped_actor self{rt.system()};
  bool is_done = false;
  self->request(events, 20s, cancellation)
      .receive([&](const actors::platform_booking_cancelled& response) { is_done = response.done; },
               [](const caf::error&) {});
  EXPECT_TRUE(is_done) << "by the unit that the platform knows";
  EXPECT_FALSE(shows_as_taken(2, "2027-03-31")) << "in the unit that it is in, once this is acknowledged";
}

TEST_P(OfficeBookings, HoldNoNightsOfAnotherAccount) {
  const auto held = security::random_uuid();
  const auto calendar = directory.get()->find_unit(unit_id(1))->calendar;
  caf::scoped_actor self{rt.system()};
  self->request(calendar, 20s, actors::hold_nights{held, {day("2027-02-01"), day("2027-02-10")}})
      .receive([](const actors::nights_held&) {}, [](const caf::error&) { ADD_FAILURE(); });
  auto block = creation(1, "2027-02-01", "2027-02-10");
  block.scope.account_id = numbered_id(2);
  const auto refused = write(block);
  ASSERT_TRUE(refused) << "it waits for the nights";
  EXPECT_EQ(refused->result, office_result::not_found);
  self->send(calendar, actors::release_nights{held});
}

TEST_P(OfficeBookings, HoldTheNightsOfPreparationWhileTheyAreWritten) {
  auto file = sample();
  file.accounts[0].properties[0].units[0].terms.preparation_days = 3;
  import_elsewhere(file);
  ASSERT_EQ(book(stay(2, "2027-02-01", "2027-02-02")).value().result, office_result::created)
      << "memory has followed the import";
  caf::scoped_actor self{rt.system()};
  bool is_held = false;
  {
    const busy_lane busy(storage->at(actors::storage_pool::side_lane::office));
    self->send(writer, stay(1, "2027-02-10", "2027-02-20"));
    const auto calendar = directory.get()->find_unit(unit_id(1))->calendar;
    wait_until_received(self, writer);
    wait_until_received(self, calendar);
    is_held = !is_granted(calendar, {day("2027-02-22"), day("2027-02-22")});
    EXPECT_TRUE(is_granted(calendar, {day("2027-02-23"), day("2027-02-23")}));
  }
  EXPECT_TRUE(is_held);
}

TEST_P(OfficeBookings, HoldTheirNightsUntilAnUncertainCommitIsSettled) {
  auto uncertain = stay(1, "2027-02-10", "2027-02-20");
  uncertain.request.notice = [](const auto*, const auto&, auto) -> domain::notification {
    throw store::unavailable("the connection was lost", true);
  };
  const auto calendar = directory.get()->find_unit(unit_id(1))->calendar;
  {
    const busy_lane busy(storage->at(actors::storage_pool::lane::reads_and_mail));
    EXPECT_EQ(book(std::move(uncertain)), std::nullopt);
    EXPECT_FALSE(is_granted(calendar, {day("2027-02-19"), day("2027-02-19")}));
  }
  ASSERT_EQ(book(stay(2, "2027-02-01", "2027-02-02")).value().result, office_result::created)
      << "memory reaches the position that the writer waits for";
  EXPECT_TRUE(eventually([&] { return is_granted(calendar, {day("2027-02-19"), day("2027-02-19")}); }));
}

TEST_P(OfficeBookings, KeepTheirNightsIfTheUncertainCommitWasDone) {
  auto uncertain = stay(1, "2027-02-10", "2027-02-20");
  {
    const busy_lane busy(storage->at(actors::storage_pool::lane::reads_and_mail));
    auto failing = uncertain;
    failing.request.notice = [](const auto*, const auto&, auto) -> domain::notification {
      throw store::unavailable("the connection was lost", true);
    };
    EXPECT_EQ(book(std::move(failing)), std::nullopt);
    auto db = store().open(); // in place of the commit whose response was lost
    ASSERT_EQ(store::create_booking(db, lease, uncertain.scope, uncertain.request, uncertain.author).result,
              office_result::created);
  }
  see_changes();
  ASSERT_EQ(book(stay(2, "2027-02-01", "2027-02-02")).value().result, office_result::created);
  EXPECT_TRUE(shows_as_taken(1, "2027-02-19"));
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::failed);
  EXPECT_EQ(jobs("record_decisions", "failed"), 0U) << "memory knew the booking";
}

TEST_P(OfficeBookings, FollowADecisionOfTheQueueThatWasCommittedBefore) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  book_in_store_only(requests[0]);
  EXPECT_EQ(book(stay(1, "2027-02-10", "2027-02-20")).value().refused, domain::refusal::overlapping_nights);
  see_changes(); // the decision's message never arrives
  ASSERT_EQ(book(stay(2, "2027-02-01", "2027-02-11")).value().result, office_result::created);
  EXPECT_TRUE(shows_as_taken(2, "2027-02-10"));
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
}

TEST_P(OfficeBookings, CostWhatAPlatformsRequestDoes) {
  const auto by_request = request(1, 1, "2027-02-05", "2027-05-20");
  enqueue({by_request});
  decide({by_request});
  const auto sold = store::list_bookings(session(), {}, 1).at(0).booking;
  auto by_hand = stay(1, "2027-02-05", "2027-05-20");
  by_hand.request.platform = sample_platforms()->at(0);
  by_hand.request.stay.provider_payment = by_request.provider_payment;
  ASSERT_EQ(cancel(sold.id).value().result, office_result::changed);
  const auto made = book(std::move(by_hand)).value();
  ASSERT_EQ(made.result, office_result::created);
  EXPECT_EQ(*made.booking.booking.terms, *sold.terms);
  EXPECT_FALSE(sold.terms->plan.empty());
}

TEST_P(OfficeBookings, AreKnownToStandbyServersWithTheirTenant) {
  ASSERT_EQ(book(stay(1, "2027-02-01", "2027-02-11", "guest1@example.com")).value().result,
            office_result::created);
  // As on a server that only follows: everything comes from the change stream.
  auto other = stay(1, "2027-03-01", "2027-03-11", "guest2@example.com");
  {
    auto db = store().open();
    ASSERT_EQ(store::create_booking(db, lease, other.scope, other.request, other.author).result,
              office_result::created);
  }
  see_changes();
  ASSERT_EQ(book(stay(2, "2027-02-01", "2027-02-02")).value().result, office_result::created);
  EXPECT_TRUE(shows_as_taken(1, "2027-03-10"));
  const std::vector requests{request(2, 3, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  decide(requests);
  const auto bookings = store::list_bookings(session(), {}, 10);
  const auto tenants = std::ranges::count(bookings, std::string("guest2@example.com"),
                                          [](const auto& each) { return each.tenant.details.email; });
  EXPECT_EQ(tenants, 2);
  EXPECT_EQ(count_rows(session(), "tenants where email = 'guest2@example.com'"), 1);
}

TEST_P(OfficeBookings, AreRefusedWithoutTheLease) {
  held->give_up();
  EXPECT_EQ(book(stay(1, "2027-02-10", "2027-02-20")), std::nullopt);
}

} // namespace roost::testing::office_bookings_test
