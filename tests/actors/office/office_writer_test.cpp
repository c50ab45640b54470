#include "actors/office/office_writer.hpp"
#include "actors/support/office_world.hpp"
#include "store/database/error.hpp"
#include "store/office/calendars.hpp"
#include "store/support/rejecting_trigger.hpp"

#include <gmock/gmock.h>

namespace roost::testing::office_writer_test {
using domain::request_state;
using store::office_result;
using ::testing::SizeIs;

class OfficeWriter : public office_world {};
ROOST_ON_EACH_STORE(OfficeWriter);

TEST_P(OfficeWriter, RespondsOnceReadsShowTheBlock) {
  ASSERT_EQ(block(1, "2027-02-01", "2027-02-10"), office_result::created);
  EXPECT_TRUE(shows_as_taken(1, "2027-02-10"));
  EXPECT_FALSE(shows_as_taken(2, "2027-02-10"));
}

TEST_P(OfficeWriter, RespondsOnceReadsShowTheChangeAndTheDeletion) {
  const auto created = write(creation(1, "2027-02-01", "2027-02-10")).value();
  const auto id = created.block.block.id;
  const auto always = [](const store::office_block&) { return true; };
  store::block_change change{unit_id(1), id, always,
                             [](store::office_block& block) {
                               block.block.nights.last = day("2027-02-20");
                               return std::string{};
                             },
                             domain::nights{day("2027-02-01"), day("2027-02-20")}};
  EXPECT_EQ(write(message_of(change))->result, office_result::changed);
  EXPECT_TRUE(shows_as_taken(1, "2027-02-20"));
  EXPECT_FALSE(shows_as_taken(1, "2027-02-10"));
  EXPECT_EQ(write(message_of(store::block_deletion{unit_id(1), id, always}))->result, office_result::deleted);
  EXPECT_FALSE(shows_as_taken(1, "2027-02-20"));
}

TEST_P(OfficeWriter, RefusesBookedNights) {
  const auto booking = book_february();
  const auto refused = write(creation(1, "2027-02-10", "2027-03-10")).value();
  EXPECT_EQ(refused.result, office_result::booked);
  ASSERT_THAT(refused.booked, SizeIs(1));
  EXPECT_EQ(refused.booked[0].booking_id, booking);
  EXPECT_FALSE(shows_as_taken(1, "2027-03-10"));
}

TEST_P(OfficeWriter, LetsNoRequestBookBlockedNights) {
  ASSERT_EQ(block(1, "2027-02-01", "2027-02-10"), office_result::created);
  const std::vector requests{request(1, 1, "2027-02-10", "2027-03-01"),
                             request(2, 1, "2027-02-11", "2027-03-01")};
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::failed);
  EXPECT_EQ(state_of(requests[1]), request_state::success);
  EXPECT_EQ(jobs("record_decisions", "failed"), 0U) << "memory knew the block";
}

TEST_P(OfficeWriter, LetsARequestWaitForABlockThatIsBeingWritten) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  {
    caf::scoped_actor self{rt.system()};
    const busy_lane busy(storage->at(actors::storage_pool::side_lane::office));
    self->send(writer, creation(1, "2027-02-10", "2027-02-20"));
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
  EXPECT_TRUE(shows_as_taken(1, "2027-02-20"));
}

TEST_P(OfficeWriter, FreesTheNightsOfABlockThatTheStoreRejects) {
  reject_rows(session(), "blocks", "new.note = ''");
  EXPECT_EQ(write(creation(1, "2027-02-10", "2027-02-20")), std::nullopt);
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::success);
}

TEST_P(OfficeWriter, DoesNotHoldNightsOfAnUnknownUnit) {
  EXPECT_EQ(block(999, "2027-02-01", "2027-02-10"), office_result::not_found);
}

TEST_P(OfficeWriter, RefusesWithoutTheLease) {
  held->give_up();
  EXPECT_EQ(write(creation(1, "2027-02-10", "2027-02-20")), std::nullopt);
}

TEST_P(OfficeWriter, KeepsBlocksThroughAReload) {
  ASSERT_EQ(block(1, "2027-02-01", "2027-02-10"), office_result::created);
  caf::anon_send(follower, actors::reload_account{numbered_id(1)});
  ASSERT_EQ(block(2, "2027-02-01", "2027-02-10"), office_result::created);
  EXPECT_TRUE(shows_as_taken(1, "2027-02-10"));
}

TEST_P(OfficeWriter, ComputesTheBlocksOfACalendarAgainAfterAConflictingCommit) {
  book_february();
  store::office_calendar calendar;
  calendar.id = security::random_uuid();
  calendar.name = "Host";
  calendar.url = "https://host.example/1.ics";
  auto db = store().open();
  ASSERT_EQ(store::create_calendar(db, lease, scope_of(1), {calendar, {}, {}}, author()).result,
            office_result::created);
  store::calendar_reading reading;
  reading.id = calendar.id;
  reading.unit_id = unit_id(1);
  reading.account_id = numbered_id(1);
  reading.result = store::calendar_result::version;
  reading.events = {{day("2027-02-20"), day("2027-03-10")}};
  reading.now = now();
  reading.today = std::chrono::floor<domain::days>(now());
  std::atomic<int> attempts = 0;
  const auto conflict = [&](const store::calendar_conflict&) {
    // In place of the database, which refuses blocks on nights that were booked meanwhile.
    if (++attempts == 1)
      throw store::constraint_violated(store::violation::overlapping_stay, "blocks_not_booked");
    return notice();
  };
  const auto failure = [](const store::failing_calendar&) { return notice(); };
  caf::scoped_actor self{rt.system()};
  self->request(writer, 20s, actors::store_calendar{reading, {conflict, failure}, actors::deadline::in(10s)})
      .receive([](const store::calendar_reading_outcome& outcome) { EXPECT_TRUE(outcome.is_changed); },
               [](const caf::error&) { ADD_FAILURE() << "it was not stored"; });
  EXPECT_EQ(attempts, 2);
  EXPECT_TRUE(shows_as_taken(1, "2027-03-10"));
}

} // namespace roost::testing::office_writer_test
