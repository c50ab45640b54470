#include "actors/support/booking_world.hpp"
#include "store/bookings/outcomes.hpp"
#include "store/database/connection.hpp"
#include "store/portfolio/live.hpp"

#include <gtest/gtest.h>

#include <any>
#include <future>
#include <random>
#include <set>

namespace roost::testing::booking_queue_test {
using domain::request_state;

class BookingQueue : public booking_world {};

ROOST_ON_EACH_STORE(BookingQueue);

TEST_P(BookingQueue, MakesABookingOfARequest) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-05-01")};
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::success);
  const std::vector ids{requests[0].id};
  const auto stays = booked_stays(session(), ids);
  ASSERT_EQ(stays.size(), 1U);
  EXPECT_EQ(stays[0].blocked, (domain::nights{day("2027-02-01"), day("2027-04-30")}));
}

TEST_P(BookingQueue, RefusesTheLaterOfTwoOverlappingRequestsAndMailsTheLandlord) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-05-01"),
                             request(2, 1, "2027-04-30", "2027-06-01")};
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::success);
  EXPECT_EQ(state_of(requests[1]), request_state::failed);
  ASSERT_TRUE(eventually([&] { return mails->count() == 1; })); // the Admin; the Manager is not notified
  EXPECT_EQ(mails->sent[0].to, "user1@landlord.example");
}

TEST_P(BookingQueue, RecordsWhichNightsOfARefusedStayAreTaken) {
  const std::vector earlier{request(1, 1, "2027-02-01", "2027-02-10")};
  enqueue(earlier);
  decide(earlier);
  const std::vector requests{request(2, 1, "2027-02-20", "2027-03-01"), // held while its group is decided
                             request(3, 1, "2027-02-05", "2027-02-25"),
                             request(4, 1, "2027-02-10", "2027-02-10")};
  enqueue(requests);
  decide(requests);
  const auto outcome = store::find_outcome(session(), "marketplace-a", *requests[1].reference).value();
  EXPECT_EQ(outcome.status, store::outcome_status::refused);
  EXPECT_EQ(outcome.refusal, domain::refusal::overlapping_nights);
  EXPECT_EQ(outcome.taken_nights, (std::vector{domain::nights{day("2027-02-05"), day("2027-02-09")},
                                               domain::nights{day("2027-02-20"), day("2027-02-24")}}));
  const auto reversed = store::find_outcome(session(), "marketplace-a", *requests[2].reference).value();
  EXPECT_EQ(reversed.refusal, domain::refusal::check_out_not_after_check_in);
  EXPECT_TRUE(reversed.taken_nights.empty());
}

TEST_P(BookingQueue, ListsItsDecisionsInTheirOrder) {
  std::vector requests{request(1, 1, "2027-02-01", "2027-03-01"), request(2, 1, "2027-02-01", "2027-03-01"),
                       request(3, 2, "2027-02-01", "2027-03-01"), request(4, 3, "2027-02-01", "2027-03-01"),
                       request(5, 4, "2027-02-01", "2027-03-01")};
  requests[2].reference = requests[0].reference; // a repeat
  requests[3].reference.reset();
  enqueue(requests);
  decide(requests);
  const auto page = store::outcomes_after(session(), "marketplace-a", 0, 10);
  std::vector<std::string> references;
  for (const auto& each : page.outcomes) references.push_back(each.reference);
  EXPECT_EQ(references,
            (std::vector{*requests[0].reference, *requests[1].reference, *requests[4].reference}));
  EXPECT_EQ(page.cursor, 3);
}

TEST_P(BookingQueue, DropsASecondRequestWithTheSameReference) {
  std::vector requests{request(1, 1, "2027-02-01", "2027-03-01"), request(2, 2, "2027-02-01", "2027-03-01")};
  requests[1].reference = requests[0].reference;
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[1]), request_state::dropped);
  EXPECT_EQ(mails->count(), 0U);
}

TEST_P(BookingQueue, StartsOverOnlyOnceTheDecisionInProgressHasReleasedItsNights) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  const auto calendar = directory.get()->find(0, "u1")->calendar;
  caf::scoped_actor self{rt.system()};
  const auto write = security::random_uuid(); // of the office, whose outcome the calendar waits for
  caf::anon_send(calendar, actors::hold_nights{write, {day("2027-02-05"), day("2027-02-06")}});
  wait_until_received(self, calendar);
  run_queue();
  ASSERT_TRUE(eventually([&] { return jobs("pending_requests", "done") == 1; }));
  wait_until_received(self, queue);
  const std::uint64_t first_run = 1;
  caf::anon_send(queue, actors::resume_queue{first_run}); // the run starts over
  ASSERT_TRUE(eventually([&] { return jobs("pending_requests", "done") == 2; }));
  wait_until_received(self, queue);
  wait_until_received(self, calendar);
  caf::anon_send(calendar, actors::release_nights{write});
  ASSERT_TRUE(eventually([&] { return decided(requests); }));
  EXPECT_EQ(state_of(requests[0]), request_state::success);
}

TEST_P(BookingQueue, DropsADuplicateOfAnEarlierRun) {
  const std::vector first{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(first);
  decide(first);
  std::vector again{request(2, 2, "2027-02-01", "2027-03-01")};
  again[0].reference = first[0].reference;
  enqueue(again);
  decide(again);
  EXPECT_EQ(state_of(again[0]), request_state::dropped);
}

TEST_P(BookingQueue, FailsARequestForAUnitThatIsNotLinked) {
  const std::vector requests{request(1, 999, "2027-02-01", "2027-05-01")};
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::failed);
}

TEST_P(BookingQueue, FailsARequestWithoutAPayment) {
  std::vector requests{request(1, 1, "2027-02-01", "2027-05-01")};
  requests[0].provider_payment.reset();
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::failed);
}

TEST_P(BookingQueue, MatchesATenantByEmailInAnyLetterCase) {
  std::vector requests{request(1, 1, "2027-02-01", "2027-03-01"), request(2, 2, "2027-02-01", "2027-03-01")};
  requests[1].tenant.email = "GUEST1@Example.com";
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(store::load_tenants(session(), {}).size(), 1U);
}

TEST_P(BookingQueue, MatchesATenantByEmailInAnyLetterCaseOfAnyScript) {
  std::vector requests{request(1, 1, "2027-02-01", "2027-03-01"), request(2, 2, "2027-02-01", "2027-03-01"),
                       request(3, 3, "2027-02-01", "2027-03-01")};
  requests[0].tenant.email = "müller@straße.example";
  requests[1].tenant.email = "MÜLLER@STRASSE.example";
  requests[2].tenant.email = "muller@strasse.example"; // another person
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(store::load_tenants(session(), {}).size(), 2U);
}

TEST_P(BookingQueue, UsesAnImportThatFollowedTheLoadOfTheCalendars) {
  auto file = sample();
  file.accounts[0].properties[0].units[0].blocks.push_back({{}, {day("2027-02-10"), day("2027-02-20")}});
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  import(file); // the decision must not use the former content of memory
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::failed);
}

/// Requests are read on the lane of mail and other reads, where they may wait for long.
TEST_P(BookingQueue, FindsAUnitThatWasPublishedBeforeItsRequestArrived) {
  std::promise<void> may_end;
  actors::storage_job blocking{"test", {}, {}};
  blocking.work = [end = may_end.get_future().share()](store::session&) -> std::any { return end.wait(), 0; };
  caf::anon_send(storage->at(actors::storage_pool::lane::reads_and_mail), blocking);
  const auto started = actors::heartbeat::clock::now();
  run_queue();
  ASSERT_TRUE(eventually([&] { return actors::heartbeat::clock::now() - heartbeat->age() > started; }));
  auto file = sample();
  add_unit(file.accounts[0], sample_unit(units + 1));
  import(file);
  ASSERT_TRUE(eventually([&] { return directory.get()->find(0, "u" + std::to_string(units + 1)); }));
  const std::vector requests{request(1, units + 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  may_end.set_value();
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::success);
}

TEST_P(BookingQueue, LetsTheDatabaseRefuseAStayThatACalendarAllowed) {
  // A booking that no calendar has, as after a defect or a manual change of the database.
  const std::vector first{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(first);
  decide(first);
  const auto booked = booked_stays(session(), std::vector{first[0].id});
  ASSERT_EQ(booked.size(), 1U);
  session().internals().script("test_move", "update bookings set unit_id = '" +
                                                domain::to_string(numbered_id(0x10002)) + "'");
  std::vector<domain::booking_request> group;
  for (unsigned i = 2; i <= 6; ++i) group.push_back(request(i, i, "2027-02-01", "2027-03-01"));
  enqueue(group);
  decide(group);
  EXPECT_EQ(state_of(group[0]), request_state::failed) << "the one that overlaps in the database";
  for (std::size_t i = 1; i < group.size(); ++i) EXPECT_EQ(state_of(group[i]), request_state::success);
}

TEST_P(BookingQueue, WritesNothingWithoutTheLease) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  auto other = store().open();
  store::release(other, lease);
  // Fails while the mailer reads old mail.
  ASSERT_TRUE(eventually([&] { return store::try_acquire(other, "another server", 1h).has_value(); }));
  run_queue(); // this server still believes that it is the writer
  ASSERT_TRUE(eventually([&] { return jobs("record_decisions", "failed") > 0; }));
  EXPECT_EQ(state_of(requests[0]), request_state::pending);
}

TEST_P(BookingQueue, DecidesMoreThanOneGroupInOrder) {
  std::vector<domain::booking_request> requests;
  for (unsigned i = 0; i < 1200; ++i) {
    const auto start = domain::to_string(day("2027-01-01") + domain::days{static_cast<int>(i / units)});
    const auto end = domain::to_string(day("2027-01-01") + domain::days{static_cast<int>(i / units) + 1});
    requests.push_back(request(i, i % units + 1, start.c_str(), end.c_str()));
  }
  requests.push_back(request(5000, 1, "2027-01-01", "2027-03-01")); // the last comes too late
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(stays(requests), 1200U);
  EXPECT_EQ(state_of(requests.back()), request_state::failed);
}

TEST_P(BookingQueue, NeverBooksANightTwiceForRandomRequests) {
  std::mt19937 random{20261120};
  std::vector<domain::booking_request> requests;
  for (unsigned i = 0; i < 900; ++i) {
    const auto start = day("2027-01-01") + domain::days{static_cast<int>(random() % 200)};
    const auto end = start + domain::days{1 + static_cast<int>(random() % 20)};
    requests.push_back(
        request(i, 1 + random() % units, domain::to_string(start).c_str(), domain::to_string(end).c_str()));
    if (random() % 10 == 0 && i > 0) requests.back().reference = requests[random() % i].reference;
  }
  enqueue(requests);
  decide(requests);
  // The model decides in order of arrival, one request at a time.
  std::map<std::string, std::set<domain::date>> booked;
  std::set<std::string> references;
  for (const auto& submission : requests) {
    auto expected = request_state::success;
    auto& nights = booked[submission.external_id];
    if (references.contains(*submission.reference)) expected = request_state::dropped;
    for (auto night = submission.check_in; night < submission.check_out && expected == request_state::success;
         night += domain::days{1})
      if (nights.contains(night)) expected = request_state::failed;
    if (expected == request_state::success) {
      references.insert(*submission.reference);
      for (auto night = submission.check_in; night < submission.check_out; night += domain::days{1})
        nights.insert(night);
    }
    EXPECT_EQ(state_of(submission), expected) << domain::to_string(submission.id);
  }
}

/// Only PostgreSQL has connections that another client can end.
class BookingQueueOverALostConnection : public booking_world {};

ROOST_ON_POSTGRESQL(BookingQueueOverALostConnection);

TEST_P(BookingQueueOverALostConnection, DecidesEveryRequestExactlyOnce) {
  std::vector<domain::booking_request> requests;
  for (unsigned i = 0; i < 3000; ++i) {
    const auto start = day("2027-01-01") + domain::days{static_cast<int>(i / units)};
    requests.push_back(request(i, i % units + 1, domain::to_string(start).c_str(),
                               domain::to_string(start + domain::days{1}).c_str()));
  }
  enqueue(requests);
  run_queue();
  const auto groups = [&] { return jobs("record_decisions", "done"); };
  for (unsigned i = 1; i <= 5; ++i) { // one group further each time
    ASSERT_TRUE(eventually(
        [&] {
          run_queue();
          return groups() >= i;
        },
        30s));
    store().cut_connections();
  }
  ASSERT_TRUE(eventually(
      [&] {
        run_queue(); // as its cycle would
        try {
          return decided(requests);
        } catch (const store::unavailable&) {
          return false; // this session was ended, too
        }
      },
      30s));
  EXPECT_EQ(stays(requests), requests.size());
}

/// Otherwise, a former standby would seem to be stuck from its takeover to its first run.
TEST_P(BookingQueue, SendsHeartbeatsWhileAnotherServerDecides) {
  held->give_up();
  const auto started = actors::heartbeat::clock::now();
  caf::anon_send(queue, actors::run_queue{});
  EXPECT_TRUE(eventually([&] { return actors::heartbeat::clock::now() - heartbeat->age() > started; }));
}

} // namespace roost::testing::booking_queue_test
