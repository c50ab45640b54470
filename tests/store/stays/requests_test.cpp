#include "store/stays/requests.hpp"
#include "store/stays/stay_scene.hpp"

#include <gmock/gmock.h>

namespace roost::testing::office_requests_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class RequestsOfTheOffice : public stay_scene {
protected:
  std::vector<store::office_request> list(const store::office_scope& of,
                                          const store::office_request_filter& filter = {}) {
    return store::list_office_requests(session(), of, platforms, filter, {}, 100, store::with_total::no)
        .items;
  }
  std::vector<domain::uuid> ids(const store::office_scope& of,
                                const store::office_request_filter& filter = {}) {
    std::vector<domain::uuid> found;
    for (const auto& each : list(of, filter)) found.push_back(each.request.id);
    return found;
  }
  static domain::uuid request_id(unsigned long number) { return numbered_id(20, number); }

  store::platforms_of_account platforms{{"landlord-one"}, {"marketplace-d"}};
};
ROOST_ON_EACH_STORE(RequestsOfTheOffice);

TEST_P(RequestsOfTheOffice, SayWhatBecameOfThem) {
  const auto booking = decide(1, true).booking->id;
  const auto refused_request = requested(2);
  auto refused = refuse(refused_request);
  refused.unit_id = unit_id(2);
  node_->decide({refused});
  requested(3);
  const auto all = list(scope);
  ASSERT_THAT(ids(scope), ElementsAre(request_id(3), request_id(2), request_id(1))) << "newest first";
  EXPECT_EQ(all[0].state, domain::request_state::pending);
  EXPECT_EQ(all[0].unit_name, "Room 1") << "where its ID leads";
  EXPECT_FALSE(all[0].decided_at);
  EXPECT_EQ(all[1].state, domain::request_state::failed);
  EXPECT_EQ(all[1].reason, "overlapping_nights");
  EXPECT_EQ(all[1].unit_id, unit_id(2)) << "as the decision knew";
  EXPECT_TRUE(all[1].decided_at);
  EXPECT_EQ(all[2].state, domain::request_state::success);
  EXPECT_EQ(all[2].booking_id, booking);
  EXPECT_EQ(all[2].unit_id, unit_id(1));
}

TEST_P(RequestsOfTheOffice, BelongToTheirLandlordOnly) {
  decide(1, true);
  auto unknown = refuse(requested(2));
  unknown.account_id.reset();
  node_->decide({unknown});
  EXPECT_THAT(ids(scope), ElementsAre(request_id(1))) << "a refusal without a landlord is in no list";
  EXPECT_THAT(ids(other_account), IsEmpty());
  EXPECT_THAT(ids(of_owner), ElementsAre(request_id(1)));
  EXPECT_THAT(ids(of_other_owner), IsEmpty());
}

TEST_P(RequestsOfTheOffice, OfAPlatformThatReadsAllUnitsAreKnownBeforeTheDecision) {
  const auto own = [](domain::booking_request& request) {
    request.platform = "landlord-one";
    request.external_id = domain::to_string(unit_id(2));
  };
  requested(1, own);
  requested(2, [&](domain::booking_request& request) {
    own(request);
    request.external_id = "nowhere";
  });
  requested(3, [](domain::booking_request& request) { request.unit_id = unit_id(3); });
  const auto all = list(scope);
  ASSERT_THAT(ids(scope), ElementsAre(request_id(2), request_id(1)));
  EXPECT_FALSE(all[0].unit_id);
  EXPECT_EQ(all[1].unit_name, "Room 2");
  platforms.own.clear();
  EXPECT_THAT(ids(other_account), ElementsAre(request_id(3))) << "resolved on submission";
  EXPECT_THAT(ids(scope), IsEmpty());
}

TEST_P(RequestsOfTheOffice, MatchAPropertyByTheFirstPartOfTheId) {
  file_.accounts[0].properties[0].units[1].links.push_back({"marketplace-d", "77", std::nullopt});
  import();
  const auto of_room = [](domain::booking_request& request) {
    request.platform = "marketplace-d";
    request.external_id = "77_3";
  };
  requested(1, of_room);
  ASSERT_THAT(list(scope), SizeIs(1));
  EXPECT_EQ(list(scope)[0].unit_name, "Room 2");
  platforms.by_property.clear();
  EXPECT_THAT(list(scope), IsEmpty());
}

TEST_P(RequestsOfTheOffice, AreFilteredAndPaged) {
  decide(1, true);
  decide(2, false);
  requested(3);
  requested(4, [](domain::booking_request& request) {
    request.platform = "marketplace-b";
    request.unit_id = unit_id(1);
  });
  store::office_request_filter failed, of_b, late;
  failed.state = domain::request_state::failed;
  of_b.platform = "marketplace-b";
  late.since = moment("2026-11-20T10:03:00.000Z");
  EXPECT_THAT(ids(scope, failed), ElementsAre(request_id(2)));
  EXPECT_THAT(ids(scope, of_b), ElementsAre(request_id(4)));
  EXPECT_THAT(ids(scope, late), ElementsAre(request_id(4), request_id(3))) << "inclusive";
  const auto first =
      store::list_office_requests(session(), scope, platforms, {}, {}, 3, store::with_total::yes);
  EXPECT_EQ(first.total, 4);
  EXPECT_TRUE(first.has_more);
  const auto& last = first.items.back().request;
  const auto rest =
      store::list_office_requests(session(), scope, platforms, {},
                                  store::moment_place{last.received_at, last.id}, 3, store::with_total::no);
  ASSERT_THAT(rest.items, SizeIs(1));
  EXPECT_EQ(rest.items[0].request.id, request_id(1));
}

} // namespace roost::testing::office_requests_test
