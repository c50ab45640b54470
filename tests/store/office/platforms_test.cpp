#include "store/credentials/credentials.hpp"
#include "store/office/office_scene.hpp"
#include "store/office/platforms.hpp"

#include <gmock/gmock.h>

namespace roost::testing::platforms_test {
using ::testing::IsEmpty;
using ::testing::SizeIs;

class PlatformsOfTheOffice : public office_scene {
protected:
  store::account_platforms at(const char* now, const store::office_scope& of) {
    return store::read_platforms(session(), of, moment(now));
  }
  store::account_platforms at(const char* now) { return at(now, scope); }

  void decide(unsigned long number, const char* platform, bool is_accepted) {
    auto request = sample_request(number);
    request.platform = platform;
    node_->insert({request});
    node_->decide({is_accepted ? accept(request, unit_id(1)) : refuse(request)});
  }
};
ROOST_ON_EACH_STORE(PlatformsOfTheOffice);

std::vector<std::int64_t> numbers(const store::platform_activity& of) {
  return {of.submissions.day, of.submissions.week, of.refusals.day, of.refusals.week};
}

TEST_P(PlatformsOfTheOffice, CountTheDecisionsOfTheLastDayAndTheLastWeek) {
  decide(1, "marketplace-a", true);
  decide(2, "marketplace-a", false);
  decide(3, "marketplace-b", false);
  node_->insert({sample_request(4)});
  auto soon = at("2026-11-20T12:00:00.000Z").activity;
  EXPECT_THAT(soon, SizeIs(2));
  EXPECT_THAT(numbers(soon["marketplace-a"]), ::testing::ElementsAre(2, 2, 1, 1)) << "not the waiting one";
  EXPECT_THAT(numbers(soon["marketplace-b"]), ::testing::ElementsAre(1, 1, 1, 1));
  auto last = at("2026-11-27T10:00:30.000Z").activity;
  EXPECT_THAT(numbers(last["marketplace-a"]), ::testing::ElementsAre(0, 2, 0, 1)) << "exactly a week later";
  EXPECT_THAT(at("2026-11-27T10:00:30.001Z").activity, IsEmpty());
}

TEST_P(PlatformsOfTheOffice, CountOnlyRequestsOfTheirAccount) {
  decide(1, "marketplace-a", true);
  EXPECT_THAT(at("2026-11-20T12:00:00.000Z", {account_id(2), {}}).activity, IsEmpty());
}

TEST_P(PlatformsOfTheOffice, CountNoCancellation) {
  auto request = sample_request(1);
  node_->insert({request});
  auto decision = accept(request, unit_id(1));
  auto cancelled = decision.notifications.front();
  cancelled.id = fresh_id();
  cancelled.kind = "booking_cancelled";
  decision.notifications.push_back(cancelled);
  node_->decide({decision});
  auto activity = at("2026-11-20T12:00:00.000Z").activity;
  EXPECT_EQ(activity["marketplace-a"].submissions.week, 1);
}

TEST_P(PlatformsOfTheOffice, KnowTheLastUseOfAnyTokenOfTheirs) {
  const auto nine = moment("2026-11-20T09:00:00.000Z"), ten = moment("2026-11-20T10:00:00.000Z");
  for (unsigned long n = 1; n <= 2; ++n)
    store::partner_tokens::insert(session(), {numbered_id(30, n), "marketplace-a", nine, ten, {}, ""});
  store::partner_tokens::insert(session(), {numbered_id(30, 3), "marketplace-b", nine, ten, {}, ""});
  store::note_uses(
      session(), node_->lease,
      std::vector<domain::credential_use>{{numbered_id(30, 1), ten}, {numbered_id(30, 2), nine}});
  const auto activity = at("2026-11-20T12:00:00.000Z").activity;
  ASSERT_THAT(activity, SizeIs(1));
  EXPECT_EQ(activity.at("marketplace-a").last_use, ten);
}

TEST_P(PlatformsOfTheOffice, HaveTheCardsOfTheirAccount) {
  const auto cards = at("2026-11-20T12:00:00.000Z").cards;
  EXPECT_EQ(cards, file_.accounts[0].details.cards);
}

} // namespace roost::testing::platforms_test
