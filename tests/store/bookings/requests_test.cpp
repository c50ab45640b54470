#include "store/database/error.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <algorithm>

namespace roost::testing::requests_test {
ROOST_FOR_EACH_STORE(BookingRequests);

TEST_P(BookingRequests, ComeBackInOrderWithEveryField) {
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

TEST_P(BookingRequests, KeepOddTextAsItIs) {
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

TEST_P(BookingRequests, WithANulByteAreRefusedAsAGroup) {
  writer node(session());
  auto bad = sample_request(2);
  bad.tenant.first_name = std::string("Eva\0Silva", 9);
  try {
    node.insert({sample_request(1), bad});
    FAIL() << "a NUL byte was stored";
  } catch (const store::constraint_violated& refused) {
    EXPECT_EQ(refused.constraint(), "text_without_nul");
  }
  EXPECT_TRUE(store::pending_requests(session(), 0, 10).empty());
}

TEST_P(BookingRequests, MayBeSentAgainAfterAnUncertainCommit) {
  writer node(session());
  node.insert({sample_request(1)});
  node.insert({sample_request(1), sample_request(2)});
  EXPECT_EQ(store::pending_requests(session(), 0, 10).size(), 2u);
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

TEST_P(BookingRequests, TellWhereTheirReferenceIsImportedAlready) {
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

TEST_P(BookingRequests, TellWhichBookingsAreTheirsWhenEveryTransactionIsThrough) {
  writer node(session());
  const auto first = sample_request(1), second = sample_request(2);
  node.insert({first, second});
  const auto made = accept(first, unit_id(1));
  node.decide({made});
  const std::vector requests{first.id, second.id};
  const auto another = sample_request(3).id;
  EXPECT_EQ(store::settled_bookings(session(), requests, std::vector{made.booking->id, another}),
            std::vector{made.booking->id});
  EXPECT_TRUE(store::settled_bookings(session(), requests, std::vector{another}).empty())
      << "the first request's booking is another one";
}

} // namespace roost::testing::requests_test
