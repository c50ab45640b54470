#include "store/bookings/submission.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <vector>

namespace roost::store::canonical_text_test {
using domain::booking_request;
using domain::days;
using domain::money;
using domain::parse_date;
using domain::parse_uuid;

booking_request sample() {
  booking_request request;
  request.platform = "marketplace-a";
  request.external_id = "771";
  request.reference = "7b0a4d4e-8f0c-4f6b-8a51-0d6e6b1c2f3a";
  request.check_in = parse_date("2027-02-01").value();
  request.check_out = parse_date("2027-05-01").value();
  request.provider_payment = money{683'00};
  request.ota_commission = money{35'00};
  request.tenant = {"Ada", "Marsh", "ada@guests.example", "X1234567L", "+34 600 000 000", "GB"};
  return request;
}

TEST(CanonicalTexts, DifferIfAnyPartOfTheBodyDiffers) {
  const std::vector<std::function<void(booking_request&)>> edits{
      [](auto&) {},
      [](auto& r) { r.platform = "marketplace-b"; },
      [](auto& r) { r.external_id = "772"; },
      [](auto& r) { r.reference = "7b0a4d4e-8f0c-4f6b-8a51-0d6e6b1c2f3b"; },
      [](auto& r) { r.reference.reset(); },
      [](auto& r) { r.check_in += days{1}; },
      [](auto& r) { r.check_out += days{1}; },
      [](auto& r) { r.occupants = 2; },
      [](auto& r) { r.provider_payment = money{683'01}; },
      [](auto& r) { r.provider_payment.reset(); },
      [](auto& r) { r.ota_commission = money{0}; },
      [](auto& r) { r.ota_commission.reset(); },
      [](auto& r) { r.tenant.first_name = "Eva"; },
      [](auto& r) { r.tenant.last_name = "X"; },
      [](auto& r) { r.tenant.last_name.reset(); },
      [](auto& r) { r.tenant.email = "Ada@guests.example"; },
      [](auto& r) { r.tenant.fiscal_id.reset(); },
      [](auto& r) { r.tenant.phone.reset(); },
      [](auto& r) { r.tenant.nationality = "gb"; },
  };
  std::set<std::string> texts;
  for (const auto& edit : edits) {
    auto request = sample();
    edit(request);
    texts.insert(canonical_text(request));
  }
  EXPECT_EQ(texts.size(), edits.size());
}

TEST(CanonicalTexts, DoNotDependOnWhenAndHowTheSubmissionArrived) {
  auto again = sample();
  again.id = parse_uuid("0193a0a0-0000-7000-8000-000000000001").value();
  again.unit_id = again.id;
  again.received_at += std::chrono::hours{1};
  EXPECT_EQ(canonical_text(again), canonical_text(sample()));
}

TEST(CanonicalTexts, TellWhereAValueEnds) {
  auto one = sample(), other = sample();
  one.tenant.first_name = "Ada5:Marsh";
  one.tenant.last_name.reset();
  other.tenant.first_name = "Ada";
  other.tenant.last_name = "Marsh-";
  EXPECT_NE(canonical_text(one), canonical_text(other));
}

TEST(CanonicalTexts, HaveAFormatThatStoredDigestsDependOn) {
  booking_request request;
  request.platform = "p";
  request.external_id = "é";
  request.check_in = parse_date("2027-02-01").value();
  request.check_out = parse_date("2027-05-01").value();
  request.provider_payment = money{5};
  request.tenant.email = "a@b";
  EXPECT_EQ(canonical_text(request), "1;1:p-2:é10:2027-02-0110:2027-05-011:11:5-0:-3:a@b---");
}

} // namespace roost::store::canonical_text_test
