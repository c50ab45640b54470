#include "store/bookings/requests.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace roost::testing::requests_test {
ROOST_FOR_EACH_STORE(BookingRequests);

TEST_P(BookingRequests, AreReadInOrderWithAllFields) {
  writer node(session());
  auto full = sample_request(1);
  full.ota_commission = domain::money{12'34};
  full.occupants = 3;
  full.tenant.last_name = "Núñez";
  full.tenant.fiscal_id = "X-1";
  full.tenant.phone = "+34 600";
  full.tenant.nationality = "ES";
  auto bare = sample_request(2);
  bare.reference.reset();
  bare.provider_payment.reset();
  node.insert({full, bare});

  const auto pending = store::pending_requests(session(), 0, 10);
  ASSERT_EQ(pending.size(), 2u);
  EXPECT_LT(pending[0].seq, pending[1].seq);
  const auto& read = pending[0].request;
  EXPECT_EQ(read.id, full.id);
  EXPECT_EQ(read.platform, full.platform);
  EXPECT_EQ(read.external_id, full.external_id);
  EXPECT_EQ(read.reference, full.reference);
  EXPECT_EQ(read.check_in, full.check_in);
  EXPECT_EQ(read.check_out, full.check_out);
  EXPECT_EQ(read.occupants, 3);
  EXPECT_EQ(read.provider_payment, full.provider_payment);
  EXPECT_EQ(read.ota_commission, full.ota_commission);
  EXPECT_EQ(read.tenant.first_name, "Eva");
  EXPECT_EQ(read.tenant.last_name, "Núñez");
  EXPECT_EQ(read.tenant.email, full.tenant.email);
  EXPECT_EQ(read.tenant.fiscal_id, "X-1");
  EXPECT_EQ(read.tenant.phone, "+34 600");
  EXPECT_EQ(read.tenant.nationality, "ES");
  EXPECT_EQ(read.received_at, full.received_at);
  EXPECT_FALSE(pending[1].request.reference);
  EXPECT_FALSE(pending[1].request.provider_payment);
  EXPECT_EQ(store::pending_requests(session(), pending[0].seq, 10).size(), 1u);
  EXPECT_EQ(store::pending_requests(session(), 0, 1).size(), 1u);
}

TEST_P(BookingRequests, AreStoredInGroupsOfAnySize) {
  writer node(session());
  node.insert({});
  std::vector<domain::booking_request> many;
  for (unsigned long n = 1; n <= 2501; ++n) many.push_back(sample_request(n));
  node.insert(many);
  const auto pending = store::pending_requests(session(), 0, 5000);
  ASSERT_EQ(pending.size(), many.size());
  for (std::size_t i = 0; i < many.size(); ++i) ASSERT_EQ(pending[i].request.id, many[i].id);
}

TEST_P(BookingRequests, KeepUnusualTextUnchanged) {
  writer node(session());
  std::vector<domain::booking_request> odd;
  unsigned long n = 0;
  for (const char* text : {"quote ' and \" here", "back\\slash\\", "{a,b}", "NULL", "null", " spaces ",
                           "a,b;c", "línea\nnueva\ttab", "雪 🏠", ":name ::cast $1 ?", "{}", "%s"}) {
    odd.push_back(sample_request(++n));
    odd.back().tenant.first_name = odd.back().external_id = text;
    odd.back().tenant.last_name = "";
  }
  node.insert(odd);
  const auto pending = store::pending_requests(session(), 0, 100);
  ASSERT_EQ(pending.size(), odd.size());
  for (std::size_t i = 0; i < odd.size(); ++i) {
    EXPECT_EQ(pending[i].request.tenant.first_name, odd[i].tenant.first_name);
    EXPECT_EQ(pending[i].request.external_id, odd[i].external_id);
    EXPECT_EQ(pending[i].request.tenant.last_name, "");
  }
}

TEST_P(BookingRequests, WithANulByteFailTheWholeGroup) {
  writer node(session());
  auto bad = sample_request(2);
  bad.tenant.first_name = std::string("Eva\0Silva", 9);
  try {
    node.insert({sample_request(1), bad});
    FAIL() << "a NUL byte was stored";
  } catch (const store::constraint_violated& error) {
    EXPECT_EQ(error.constraint(), "text_without_nul");
    EXPECT_EQ(error.kind(), store::violation::invalid_value);
  }
  EXPECT_TRUE(store::pending_requests(session(), 0, 10).empty());
}

TEST_P(BookingRequests, MayBeResentAfterAnUncertainCommit) {
  writer node(session());
  node.insert({sample_request(1)});
  node.insert({sample_request(1), sample_request(2)});
  EXPECT_EQ(store::pending_requests(session(), 0, 10).size(), 2u);
}

/// By an index that an operator has created.
TEST_P(BookingRequests, AreNotSkippedIfTheyConflictInAnythingButTheirId) {
  session().internals().script("one_per_day",
                               "create unique index one_per_day on booking_requests (external_id, check_in)");
  writer node(session());
  const auto first = sample_request(1);
  auto second = sample_request(2);
  second.external_id = first.external_id;
  second.check_in = first.check_in;
  node.insert({first});
  try {
    node.insert({second});
    FAIL() << "its submission would be acknowledged, and lost";
  } catch (const store::constraint_violated& error) {
    EXPECT_EQ(error.kind(), store::violation::invalid_value) << "a retry cannot succeed";
  }
  node.insert({first});
  EXPECT_EQ(store::pending_requests(session(), 0, 10).size(), 1U);
}

TEST_P(BookingRequests, AreReadByPlatform) {
  writer node(session());
  auto first = sample_request(1), second = sample_request(2), third = sample_request(3);
  second.platform = "gone";
  node.insert({first, second, third});
  const auto read = [&](const std::vector<std::string>& platforms) {
    std::vector<domain::uuid> ids;
    for (const auto& each : store::pending_requests(session(), 0, 2, platforms))
      ids.push_back(each.request.id);
    return ids;
  };
  EXPECT_EQ(read({first.platform}), (std::vector{first.id, third.id})) << "the limit counts these only";
  EXPECT_EQ(read({"other", "gone"}), std::vector{second.id});
  EXPECT_TRUE(read({}).empty());
}

TEST_P(BookingRequests, AreCountedByPlatformWithTheOldest) {
  writer node(session());
  auto first = sample_request(1), second = sample_request(2), third = sample_request(3);
  first.platform = third.platform = "gone";
  first.received_at += std::chrono::hours{24}; // the clock was ahead
  node.insert({first, second, third});
  node.decide({refuse(second)});
  const auto backlog = store::backlog_by_platform(session());
  ASSERT_EQ(backlog.size(), 1U);
  EXPECT_EQ(backlog[0].platform, "gone");
  EXPECT_EQ(backlog[0].requests, 2);
  EXPECT_EQ(backlog[0].oldest_seq, store::pending_requests(session(), 0, 10).at(0).seq);
  EXPECT_EQ(backlog[0].oldest, first.received_at) << "it arrived first";
}

TEST_P(BookingRequests, AreCountedByState) {
  writer node(session());
  const auto first = sample_request(1), second = sample_request(2), third = sample_request(3);
  node.insert({first, second, third, sample_request(4)});
  EXPECT_EQ(store::requests_by_state(session()).pending, 4);
  domain::decision dropped;
  dropped.request_id = third.id;
  dropped.state = domain::request_state::dropped;
  node.decide({accept(first, unit_id(1)), refuse(second), dropped});
  const auto counts = store::requests_by_state(session());
  EXPECT_EQ(counts.pending, 1);
  EXPECT_EQ(counts.success, 1);
  EXPECT_EQ(counts.failed, 1);
  EXPECT_EQ(counts.dropped, 1);
}

TEST_P(BookingRequests, ListTheAccountsThatImportedTheirReference) {
  writer node(session());
  const auto first = sample_request(1);
  auto repeat = sample_request(2), other_platform = sample_request(3), without = sample_request(4);
  repeat.reference = first.reference;
  other_platform.reference = first.reference;
  other_platform.platform = "marketplace-b";
  without.reference.reset();
  node.insert({first});
  node.decide({accept(first, unit_id(1))});
  node.insert({repeat, other_platform, without});
  const auto pending = store::pending_requests(session(), 0, 10);
  ASSERT_EQ(pending.size(), 3u);
  EXPECT_EQ(pending[0].imported_in, std::vector<domain::uuid>{account_id(1)});
  EXPECT_TRUE(pending[1].imported_in.empty());
  EXPECT_TRUE(pending[2].imported_in.empty());
}

TEST_P(BookingRequests, ListTheirBookingsOnceAllTransactionsHaveEnded) {
  writer node(session());
  const auto first = sample_request(1), second = sample_request(2);
  node.insert({first, second});
  const auto accepted = accept(first, unit_id(1));
  node.decide({accepted});
  const std::vector requests{first.id, second.id};
  const auto other = sample_request(3).id;
  EXPECT_EQ(store::settled_bookings(session(), requests, std::vector{accepted.booking->id, other}),
            std::vector{accepted.booking->id});
  EXPECT_TRUE(store::settled_bookings(session(), requests, std::vector{other}).empty())
      << "the first request has a different booking";
}

ROOST_FOR_EACH_STORE(RequestRecords);

/// The first request became a booking, the second was refused, the third is pending.
struct three_requests {
  explicit three_requests(store::session& db) : node(db) {
    second.received_at = first.received_at + 1h;
    third.received_at = first.received_at + 2h;
    third.platform = "room-sharing";
    node.insert({first, second, third});
    const auto booked = accept(first, unit_id(1));
    booking = booked.booking->id;
    node.decide({booked, refuse(second)});
  }

  writer node;
  domain::booking_request first = sample_request(1), second = sample_request(2), third = sample_request(3);
  domain::uuid booking{};
};

std::vector<domain::uuid> ids_of(const std::vector<store::request_record>& records) {
  std::vector<domain::uuid> ids;
  for (const auto& record : records) ids.push_back(record.request.id);
  return ids;
}

TEST_P(RequestRecords, ReportTheOutcomeOfARequest) {
  const three_requests requests(session());
  const auto booked = store::find_request(session(), requests.first.id).value();
  EXPECT_EQ(booked.state, domain::request_state::success);
  EXPECT_EQ(booked.booking_id, requests.booking);
  EXPECT_FALSE(booked.reason);
  EXPECT_TRUE(booked.decided_at);
  EXPECT_EQ(booked.company_name, "Landlord 1");
  const auto refused = store::find_request(session(), requests.second.id).value();
  EXPECT_EQ(refused.state, domain::request_state::failed);
  EXPECT_EQ(refused.reason, "overlapping_nights");
  EXPECT_FALSE(refused.booking_id);
  EXPECT_EQ(refused.request.external_id, "ext-1");
  EXPECT_EQ(refused.request.reference, "reference-2");
  EXPECT_EQ(refused.request.received_at, requests.second.received_at);
  const auto waiting = store::find_request(session(), requests.third.id).value();
  EXPECT_EQ(waiting.state, domain::request_state::pending);
  EXPECT_FALSE(waiting.decided_at);
  EXPECT_FALSE(waiting.company_name);
  EXPECT_FALSE(store::find_request(session(), fresh_id()));
}

TEST_P(RequestRecords, AreFilteredAndListedNewestFirst) {
  const three_requests requests(session());
  const auto first = requests.first.id, second = requests.second.id, third = requests.third.id;
  using ids = std::vector<domain::uuid>;
  const auto listed = [&](const store::request_filter& filter, std::size_t limit = 10) {
    return ids_of(store::list_requests(session(), filter, limit));
  };
  EXPECT_EQ(listed({}), (ids{third, second, first}));
  EXPECT_EQ(listed({}, 2), (ids{third, second}));
  EXPECT_EQ(listed({.state = domain::request_state::failed}), ids{second});
  EXPECT_EQ(listed({.platform = "marketplace-a"}), (ids{second, first}));
  EXPECT_EQ(listed({.since = requests.second.received_at}), (ids{third, second}));
  EXPECT_EQ(listed({.state = domain::request_state::dropped}), ids{});
}

ROOST_FOR_EACH_STORE(FormerLinks);

using accounts = std::vector<domain::uuid>;

accounts former_accounts_of(store::session& db, const std::string& external_id) {
  accounts result;
  for (const auto& link : store::former_links(db, std::vector{external_id})) {
    EXPECT_TRUE(link.is_recent);
    EXPECT_EQ(link.platform, "marketplace-a");
    EXPECT_EQ(link.external_id, external_id);
    result.push_back(link.account_id);
  }
  return result;
}

/// An account with one unit, linked under this ID, or not linked if the ID is empty.
domain::portfolio linked(unsigned long account, const std::string& external_id = {}) {
  domain::portfolio file;
  file.accounts.push_back(sample_account(account, 1, account));
  auto& links = file.accounts.front().properties.front().units.front().links;
  links.clear();
  if (!external_id.empty()) links.push_back({"marketplace-a", external_id, {}});
  return file;
}

TEST_P(FormerLinks, AreRecordedWhenAnImportEndsALink) {
  import_sample(session(), linked(1, "old"));
  EXPECT_EQ(former_accounts_of(session(), "old"), accounts{});
  import_sample(session(), linked(1, "new"));
  EXPECT_EQ(former_accounts_of(session(), "old"), accounts{account_id(1)});
  EXPECT_EQ(former_accounts_of(session(), "new"), accounts{});
  import_sample(session(), linked(1));
  EXPECT_EQ(former_accounts_of(session(), "new"), accounts{account_id(1)});
  EXPECT_TRUE(store::former_links(session(), {}).empty());
}

TEST_P(FormerLinks, AreRecordedWhenAnImportRemovesTheUnit) {
  import_sample(session(), linked(1, "old"));
  auto none = linked(1);
  none.accounts.front().properties.front().units.clear();
  import_sample(session(), none);
  EXPECT_EQ(former_accounts_of(session(), "old"), accounts{account_id(1)});
}

TEST_P(FormerLinks, KnowTheLastRequestBeforeTheirEnd) {
  import_sample(session(), linked(1, "old"));
  import_sample(session(), linked(1));
  const auto last_request = [&] {
    return store::former_links(session(), std::vector<std::string>{"old"}).at(0).last_request;
  };
  EXPECT_EQ(last_request(), 0);
  writer node(session());
  node.insert({sample_request(1), sample_request(2)});
  import_sample(session(), linked(1, "old"));
  import_sample(session(), linked(1));
  EXPECT_EQ(last_request(), store::pending_requests(session(), 0, 10).back().seq);
}

TEST_P(FormerLinks, AreOrderedByTheirEnd) {
  for (const auto account : {1UL, 2UL, 1UL}) {
    import_sample(session(), linked(account, "same"));
    import_sample(session(), linked(account));
    std::this_thread::sleep_for(std::chrono::milliseconds{2}); // SQLite's clock has a resolution of 1 ms
  }
  EXPECT_EQ(former_accounts_of(session(), "same"), (accounts{account_id(2), account_id(1)}));
}

TEST_P(FormerLinks, AreRecentForNinetyDays) {
  import_sample(session(), linked(1, "old"));
  import_sample(session(), linked(1));
  const auto age_by = [&](const char* days) {
    session().internals().script("test_passed",
                                 session().is_sqlite()
                                     ? "update former_links set ended_at = strftime('%Y-%m-%dT%H:%M:%fZ', "
                                       "'now', '-" +
                                           std::string(days) + " days')"
                                     : "update former_links set ended_at = clock_timestamp() - interval '" +
                                           std::string(days) + " days'");
  };
  const auto is_recent = [&] {
    return store::former_links(session(), std::vector<std::string>{"old"}).at(0).is_recent;
  };
  age_by("89");
  EXPECT_TRUE(is_recent());
  age_by("91");
  EXPECT_FALSE(is_recent());
}

} // namespace roost::testing::requests_test
