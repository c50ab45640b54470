#include "store/database/change_stream.hpp"
#include "store/messages/messages.hpp"
#include "store/office/users.hpp"
#include "store/stays/notifications.hpp"
#include "store/stays/stay_scene.hpp"
#include "store/support/stored_rows.hpp"

#include <gmock/gmock.h>

namespace roost::testing::notifications_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;

class NotificationsOfTheOffice : public stay_scene {
protected:
  void SetUp() override {
    stay_scene::SetUp();
    booked_ = decide(1, true).notifications.at(0);
    refused_ = notify("booking_refused", "2026-11-20T11:00:00.000Z", refused_request());
    conflict_ = notify("calendar_conflict", "2026-11-20T12:00:00.000Z", {});
  }

  domain::uuid notify(const char* kind, const char* at, std::optional<domain::uuid> request) {
    domain::notification each{fresh_id(), account_id(1), kind, "Title", "Body", {}, request, moment(at)};
    if (request) each.unit_id = unit_id(1);
    store::insert_message(session(), each);
    return each.id;
  }

  /// Returns the id of a refused request for a unit.
  domain::uuid refused_request() {
    const auto request = requested(2);
    auto decision = refuse(request);
    decision.unit_id = unit_id(1);
    decision.notifications.clear();
    node_->decide({decision});
    return request.id;
  }

  std::vector<domain::uuid> ids(const store::notified_user& user, std::optional<bool> is_read = {}) {
    std::vector<domain::uuid> found;
    for (const auto& each :
         store::list_user_notifications(session(), user, is_read, {}, 100, store::with_total::no).items)
      found.push_back(each.notification.id);
    return found;
  }
  bool mark(const std::vector<domain::uuid>& ids) {
    return store::mark_read(session(), node_->lease, ana, ids);
  }

  /// Lets the database ignore that these are marked.
  void leave_unmarked(const std::vector<domain::uuid>& ids) {
    std::string list;
    for (const auto& each : ids) list += (list.empty() ? "'" : ", '") + domain::to_string(each) + "'";
    const auto row = "cast(new.notification_id as text) in (" + list + ")";
    session().internals().script(
        "test_trigger",
        session().is_sqlite()
            ? "create trigger unmarked before insert on notification_reads when " + row +
                  " begin select raise(ignore); end"
            : "create function leave_unmarked() returns trigger language plpgsql as $$ begin return null; "
              "end "
              "$$; create trigger unmarked before insert on notification_reads for each row when (" +
                  row + ") execute function leave_unmarked()");
  }

  const store::notified_user ana{user_id(1), scope}, owner{user_id(1), of_owner},
      other_owner_user{user_id(1), of_other_owner}, stranger{user_id(2), other_account};
  domain::notification booked_;
  domain::uuid refused_{}, conflict_{};
};
ROOST_ON_EACH_STORE(NotificationsOfTheOffice);

TEST_P(NotificationsOfTheOffice, AreListedNewestFirstInPages) {
  EXPECT_THAT(ids(ana), ElementsAre(conflict_, refused_, booked_.id));
  const auto first = store::list_user_notifications(session(), ana, {}, {}, 2, store::with_total::yes);
  EXPECT_THAT(first.items, SizeIs(2));
  EXPECT_TRUE(first.has_more);
  EXPECT_EQ(first.total, 3);
  const auto& last = first.items.back().notification;
  const auto rest = store::list_user_notifications(
      session(), ana, {}, store::moment_place{last.created_at, last.id}, 2, store::with_total::no);
  ASSERT_THAT(rest.items, SizeIs(1));
  EXPECT_EQ(rest.items[0].notification.id, booked_.id);
  EXPECT_FALSE(rest.has_more);
}

TEST_P(NotificationsOfTheOffice, AreShownToOwnersIfTheyConcernTheirProperties) {
  EXPECT_THAT(ids(owner), ElementsAre(refused_, booked_.id)) << "not those about calendars";
  EXPECT_THAT(ids(other_owner_user), IsEmpty());
  EXPECT_THAT(ids(stranger), IsEmpty());
}

TEST_P(NotificationsOfTheOffice, AreThoseOfTheUnitAtThatTime) {
  auto earlier = booked_;
  earlier.id = fresh_id();
  earlier.unit_id = unit_id(9); // which another owner had, before the office moved the booking
  store::insert_message(session(), earlier);
  EXPECT_THAT(ids(owner), ElementsAre(refused_, booked_.id));
  EXPECT_FALSE(store::mark_read(session(), node_->lease, owner, std::vector{earlier.id}));
  EXPECT_TRUE(mark({earlier.id})) << "staff see all";
}

TEST_P(NotificationsOfTheOffice, AreReadByEachUserAlone) {
  const auto before = position_of(session());
  ASSERT_TRUE(mark({refused_, refused_}));
  EXPECT_TRUE(mark({refused_, conflict_})) << "repeating it is safe";
  EXPECT_THAT(ids(ana, true), ElementsAre(conflict_, refused_));
  EXPECT_THAT(ids(ana, false), ElementsAre(booked_.id));
  const store::notified_user colleague{user_id(2), scope};
  EXPECT_THAT(ids(colleague, false), SizeIs(3));
  EXPECT_EQ(position_of(session()), before) << "no event";
}

TEST_P(NotificationsOfTheOffice, AreMarkedAllOrNone) {
  EXPECT_FALSE(mark({refused_, fresh_id()}));
  EXPECT_FALSE(store::mark_read(session(), node_->lease, owner, std::vector{refused_, conflict_}));
  EXPECT_FALSE(store::mark_read(session(), node_->lease, stranger, std::vector{refused_}));
  EXPECT_THAT(ids(ana, true), IsEmpty());
}

TEST_P(NotificationsOfTheOffice, AreMarkedByTheirTime) {
  store::mark_read_before(session(), node_->lease, ana, moment("2026-11-20T11:00:00.000Z"));
  EXPECT_THAT(ids(ana, true), ElementsAre(booked_.id)) << "exclusive";
  const auto late = notify("booking_created", "2026-11-20T10:00:00.000Z", {});
  EXPECT_THAT(ids(ana, false), ElementsAre(conflict_, refused_, late)) << "it became visible afterwards";
  store::mark_read_before(session(), node_->lease, owner, moment("2026-12-01T00:00:00.000Z"));
  EXPECT_THAT(ids(ana, false), ElementsAre(conflict_, late)) << "an owner marks what an owner sees";
}

TEST_P(NotificationsOfTheOffice, AreMarkedInManyTransactions) {
  constexpr int count = 5'001;
  store::message_rows rows;
  for (int i = 0; i < count; ++i)
    rows.add({fresh_id(), account_id(1), "k", "", "", {}, {}, moment("2026-11-19T10:00:00.000Z")});
  store::insert(session(), rows);
  store::mark_read_before(session(), node_->lease, ana, moment("2026-11-20T00:00:00.000Z"));
  const auto unread = store::list_user_notifications(session(), ana, false, {}, 1, store::with_total::yes);
  EXPECT_EQ(unread.total, 3);
}

TEST_P(NotificationsOfTheOffice, AreMarkedInPartsOfWhichOthersHaveMarkedSome) {
  constexpr std::size_t rows_of_a_part = 5'000;
  std::vector<domain::uuid> in_the_middle;
  const auto notify_at = [&](const char* at) { return notify("k", at, {}); };
  for (std::size_t i = 0; i < rows_of_a_part / 2; ++i) notify_at("2026-11-19T10:00:00.000Z");
  for (int i = 0; i < 3; ++i) in_the_middle.push_back(notify_at("2026-11-19T11:00:00.000Z"));
  for (std::size_t i = 0; i < rows_of_a_part / 2; ++i) notify_at("2026-11-19T12:00:00.000Z");
  leave_unmarked(in_the_middle); // the write of a part inserts fewer rows than were read
  store::mark_read_before(session(), node_->lease, ana, moment("2026-12-01T00:00:00.000Z"));
  EXPECT_THAT(ids(ana, false), UnorderedElementsAreArray(in_the_middle));
}

TEST_P(NotificationsOfTheOffice, AreForgottenWithTheUser) {
  ASSERT_TRUE(mark({refused_}));
  EXPECT_EQ(count_rows(session(), "notification_reads"), 1);
  store::delete_user(session(), node_->lease, scope,
                     {user_id(1), [](const domain::portfolio_user&) { return true; }, {}}, author());
  EXPECT_EQ(count_rows(session(), "notification_reads"), 0);
}

} // namespace roost::testing::notifications_test
