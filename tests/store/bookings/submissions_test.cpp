#include "store/bookings/erasure.hpp"
#include "store/bookings/requests.hpp"
#include "store/bookings/submissions.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/support/rejecting_trigger.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <set>
#include <thread>
#include <vector>

namespace roost::testing::submissions_test {
using kind = store::put_receipt::kind;

/// A submission with the reference of `sample_request(n)`, as request `id`.
store::submission submission_of(unsigned long n, unsigned long id, std::string digest = "key-1:a") {
  auto request = sample_request(n);
  request.id = numbered_id(20, id);
  request.received_at += std::chrono::seconds{id};
  return {request, std::move(digest)};
}

class Submissions : public on_each_store {
protected:
  void SetUp() override { desk.emplace(session()); }

  store::put_receipt put(const store::submission& sent) {
    return store::put_submissions(session(), desk->lease, std::span{&sent, 1}).front();
  }

  std::optional<writer> desk;
};
ROOST_ON_EACH_STORE(Submissions);

TEST_P(Submissions, AreStoredOnce) {
  const auto first = submission_of(1, 1);
  const auto created = put(first);
  EXPECT_EQ(created.result, kind::created);
  EXPECT_EQ(created.id, first.request.id);
  EXPECT_EQ(created.received_at, first.request.received_at);
  const auto repeated = put(submission_of(1, 2));
  EXPECT_EQ(repeated.result, kind::repeated);
  EXPECT_EQ(repeated.id, first.request.id);
  EXPECT_EQ(repeated.received_at, first.request.received_at);
  EXPECT_EQ(store::pending_requests(session(), 0, 10).size(), 1U);
}

TEST_P(Submissions, WithAnotherBodyAreDifferent) {
  put(submission_of(1, 1));
  const auto receipt = put(submission_of(1, 2, "key-1:b"));
  EXPECT_EQ(receipt.result, kind::different);
  EXPECT_EQ(store::pending_requests(session(), 0, 10).size(), 1U);
  EXPECT_EQ(put(submission_of(1, 3)).result, kind::repeated) << "it is still compared with the first one";
}

TEST_P(Submissions, ThatAreSentAgainAfterAnUncertainCommitHaveBeenCreated) {
  const std::vector group{submission_of(1, 1), submission_of(2, 2), submission_of(1, 3)};
  const auto first = store::put_submissions(session(), desk->lease, group),
             again = store::put_submissions(session(), desk->lease, group);
  for (std::size_t i = 0; i < group.size(); ++i) {
    EXPECT_EQ(again[i].result, first[i].result);
    EXPECT_EQ(again[i].id, first[i].id);
  }
  EXPECT_EQ(store::pending_requests(session(), 0, 10).size(), 2U);
}

/// Only PostgreSQL locks rows.
class LockedSubmissions : public Submissions {};
ROOST_ON_POSTGRESQL(LockedSubmissions);

TEST_P(LockedSubmissions, DelayNoOthers) {
  const auto posted = submission_of(1, 1);
  store::insert_requests(session(), desk->lease, std::span{&posted, 1});
  const std::vector group{submission_of(1, 2), submission_of(2, 3)};
  {
    auto other = store().open();
    store::transaction deciding(other, store::transaction::purpose::write);
    other.internals().script("hold", "select 1 from booking_requests for update");
    const auto receipts = store::put_submissions(session(), desk->lease, group);
    EXPECT_EQ(receipts[0].result, kind::locked);
    EXPECT_EQ(receipts[1].result, kind::created);
  }
  const auto receipts = store::put_submissions(session(), desk->lease, group);
  EXPECT_EQ(receipts[0].result, kind::repeated);
  EXPECT_EQ(receipts[0].id, posted.request.id);
}

TEST_P(Submissions, OfOtherReferencesAndPlatformsAreIndependent) {
  put(submission_of(1, 1));
  EXPECT_EQ(put(submission_of(2, 2, "key-1:b")).result, kind::created);
  auto elsewhere = submission_of(1, 3, "key-1:c");
  elsewhere.request.platform = "marketplace-b";
  EXPECT_EQ(put(elsewhere).result, kind::created);
}

TEST_P(Submissions, InOneGroupAreStoredOnce) {
  const std::vector group{submission_of(1, 1), submission_of(2, 2), submission_of(1, 3),
                          submission_of(1, 4, "key-1:b")};
  const auto receipts = store::put_submissions(session(), desk->lease, group);
  ASSERT_EQ(receipts.size(), 4U);
  EXPECT_EQ(receipts[0].result, kind::created);
  EXPECT_EQ(receipts[1].result, kind::created);
  EXPECT_EQ(receipts[2].result, kind::repeated);
  EXPECT_EQ(receipts[2].id, receipts[0].id);
  EXPECT_EQ(receipts[3].result, kind::different);
  EXPECT_EQ(store::pending_requests(session(), 0, 10).size(), 2U);
}

TEST_P(Submissions, FromConcurrentCallersGetOneReceipt) {
  constexpr unsigned long callers = 4, rounds = 10;
  for (unsigned long round = 1; round <= rounds; ++round) {
    std::vector<std::future<store::put_receipt>> calls;
    for (unsigned long i = 0; i < callers; ++i)
      calls.push_back(std::async(std::launch::async, [&, i] {
        auto own = store().open();
        const auto sent = submission_of(round, 100 * round + i);
        for (;;) try {
            return store::put_submissions(own, desk->lease, std::span{&sent, 1}).front();
          } catch (const store::constraint_violated& violated) { // the other one has committed meanwhile
            if (violated.kind() != store::violation::conflicting_row) throw;
          }
      }));
    std::set<domain::uuid> ids;
    std::size_t created = 0;
    for (auto& call : calls) {
      const auto receipt = call.get();
      ids.insert(receipt.id);
      created += receipt.result == kind::created ? 1U : 0U;
    }
    EXPECT_EQ(ids.size(), 1U);
    EXPECT_EQ(created, 1U);
  }
  EXPECT_EQ(store::pending_requests(session(), 0, 100).size(), rounds);
}

TEST_P(Submissions, AfterAnEqualPostGetItsReceipt) {
  const auto posted = submission_of(1, 1);
  store::insert_requests(session(), desk->lease, std::span{&posted, 1});
  const auto receipt = put(submission_of(1, 2));
  EXPECT_EQ(receipt.result, kind::repeated);
  EXPECT_EQ(receipt.id, posted.request.id);
}

/// SQLite has only one writer at a time.
class ConcurrentSubmissions : public Submissions {};
ROOST_ON_POSTGRESQL(ConcurrentSubmissions);

TEST_P(ConcurrentSubmissions, KeepTheirReceiptIfAnEarlierPostBecomesVisibleLater) {
  const auto first = submission_of(1, 2);
  auto other = store().open();
  store::transaction txn(other, store::transaction::purpose::write);
  other.internals().script(
      "test_post",
      "insert into booking_requests (id, platform, external_id, reference, check_in, check_out,"
      " occupants, first_name, email, received_at, digest) values ('" +
          domain::to_string(numbered_id(20, 1)) +
          "', 'marketplace-a', 'ext-1', 'reference-1', '2027-04-01', '2027-05-01', 1, 'Eva', 'e',"
          " '2026-11-20T10:00:00Z', 'key-1:a')");
  EXPECT_EQ(put(first).result, kind::created);
  txn.commit();
  EXPECT_EQ(store::pending_requests(session(), 0, 1).front().request.id, numbered_id(20, 1));
  EXPECT_EQ(put(submission_of(1, 3)).id, first.request.id);
}

TEST_P(Submissions, AreComparedByRowWithoutADigest) {
  store::submission posted{sample_request(1)};
  store::insert_requests(session(), desk->lease, std::span{&posted, 1});
  EXPECT_EQ(put(submission_of(1, 2)).result, kind::repeated);
  auto other = submission_of(1, 3);
  other.request.tenant.first_name = "Ada";
  EXPECT_EQ(put(other).result, kind::different);
}

TEST_P(Submissions, AreComparedByRowIfTheKeyOfTheDigestIsLost) {
  put(submission_of(1, 1, "key-1:a"));
  EXPECT_EQ(put(submission_of(1, 2, "key-2:x")).result, kind::repeated);
  auto other = submission_of(1, 3, "key-2:y");
  other.request.occupants = 2;
  EXPECT_EQ(put(other).result, kind::different);
}

TEST_P(Submissions, AreRecognizedByTheirDigestAfterTheErasureOfTheGuest) {
  const auto with_digest = submission_of(1, 1);
  store::submission without_digest{sample_request(2)};
  for (const auto& each : {with_digest, without_digest})
    store::insert_requests(session(), desk->lease, std::span{&each, 1});
  desk->decide({refuse(with_digest.request), refuse(without_digest.request)});
  const auto erased = store::erase_former_guests(session(), desk->lease, day("2028-01-01"), 10);
  ASSERT_EQ(erased.requests, 2);
  EXPECT_EQ(put(submission_of(1, 3)).result, kind::repeated);
  EXPECT_EQ(put(submission_of(1, 4, "key-1:b")).result, kind::different);
  EXPECT_EQ(put(submission_of(2, 5)).result, kind::different) << "nothing is left to compare it with";
}

TEST_P(Submissions, ThatMayNotBeTheFirstAreOnlyRecognized) {
  const auto put_repeat = [this](unsigned long id, const std::string& digest) {
    auto repeat = submission_of(1, id, digest);
    repeat.may_be_first = false;
    return put(repeat);
  };
  EXPECT_EQ(put_repeat(1, "key-1:a").result, kind::absent);
  EXPECT_EQ(count_rows(session(), "booking_requests"), 0);
  const auto first = submission_of(1, 2);
  put(first);
  EXPECT_EQ(put_repeat(3, "key-1:a").result, kind::repeated);
  EXPECT_EQ(put_repeat(4, "key-1:a").id, first.request.id);
  EXPECT_EQ(put_repeat(5, "key-1:b").result, kind::different);
  EXPECT_EQ(count_rows(session(), "booking_requests"), 1);
}

TEST_P(Submissions, RequireTheLease) {
  auto lost = desk->lease;
  ++lost.epoch;
  const auto sent = submission_of(1, 1);
  EXPECT_THROW(store::put_submissions(session(), lost, std::span{&sent, 1}), store::lease_lost);
  EXPECT_EQ(count_rows(session(), "booking_requests"), 0);
}

TEST_P(Submissions, AreStoredTogetherOrNotAtAll) {
  reject_rows(session(), "booking_requests", "new.reference = 'reference-2'");
  const std::vector group{submission_of(1, 1), submission_of(2, 2)};
  EXPECT_THROW(store::put_submissions(session(), desk->lease, group), store::error);
  EXPECT_EQ(count_rows(session(), "booking_requests"), 0);
}

} // namespace roost::testing::submissions_test
