#include "actors/feeds/feed.hpp"
#include "actors/feeds/snapshot_text.hpp"
#include "support/eventually.hpp"
#include "support/gunzip.hpp"
#include "support/sample_portfolio.hpp"

#include <caf/all.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>

/// A platform's feed over real calendars, read like the booking engine's live list.
namespace roost::actors::feed_test {
using testing::day;
using testing::eventually;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::numbered_id;

constexpr std::size_t marketplace = 0, room_sharing = 3;

class Feed : public ::testing::Test {
protected:
  Feed() {
    context_->platforms = testing::sample_platforms();
    context_->now = [this] { return now(); };
    for (unsigned number = 1; number <= 3; ++number) add_unit(number);
    publish(units_);
  }

  ~Feed() override {
    for (const auto& unit : units_) caf::anon_send_exit(unit.calendar, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(feed_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(assembler_, caf::exit_reason::user_shutdown);
    directory_.set(nullptr);
    feed_ = nullptr;
    assembler_ = nullptr;
    units_.clear();
  }

  void start(std::size_t platform, std::chrono::milliseconds interval = std::chrono::hours{1}) {
    assembler_ = spawn_feed_assembler(rt_);
    feed_setup setup;
    setup.platform = platform;
    setup.name = "test";
    setup.interval = interval;
    setup.first_interval = std::chrono::hours{1};
    setup.now = [this] { return now(); };
    setup.directory = &directory_;
    setup.changes = clock_;
    setup.followed = followed_;
    setup.snapshot = &snapshot_;
    setup.registry = &registry_;
    feed_ = spawn_feed(rt_, assembler_, std::move(setup));
  }

  std::shared_ptr<const feed_snapshot> read() {
    std::shared_ptr<const feed_snapshot> read;
    caf::scoped_actor self{rt_.system()};
    self->request(feed_, std::chrono::seconds{10}, read_live_feed{})
        .receive([&](const live_feed& response) { read = response.snapshot; },
                 [](const caf::error&) { FAIL() << "no response"; });
    return read;
  }

  std::string list() { return testing::identity_of(*read()); }

  /// Updates a calendar as the loader does.
  void update(std::size_t unit, int rent, std::vector<domain::block> blocks = {}) {
    auto setup = std::make_shared<unit_setup>(*units_[unit].setup);
    setup->terms.rent.amount = domain::money{rent * 100};
    caf::anon_send(units_[unit].calendar, update_unit{setup, std::move(blocks)});
    units_[unit].changes->note();
  }

  void publish(const std::vector<directory_unit>& units) {
    auto account = std::make_shared<directory_account>();
    account->id = settings_->id;
    account->settings = settings_;
    account->units = units;
    for (auto& unit : account->units) unit.owner = account.get();
    directory_.set(std::make_shared<const actors::directory>(
        ++version_, context_->platforms, std::vector<std::shared_ptr<const directory_account>>{account}));
  }

  void add_unit(unsigned number) {
    auto setup = std::make_shared<unit_setup>();
    setup->account = settings_;
    setup->property = std::make_shared<domain::property_terms>();
    setup->terms = testing::sample_unit(number).terms;
    setup->terms.account_id = settings_->id;
    for (const auto platform : {marketplace, room_sharing})
      setup->links.push_back({platform, "u" + std::to_string(number)});
    setup->terms.created_at = domain::timestamp{std::chrono::seconds{number}};
    directory_unit unit{{}, nullptr, setup};
    unit.changes = std::make_shared<unit_changes>(*clock_);
    unit.calendar = spawn_unit_calendar(rt_, context_, setup, {}, unit.changes);
    units_.push_back(std::move(unit));
  }

  domain::timestamp now() const {
    return domain::timestamp{day("2026-11-20")} + std::chrono::minutes{minutes_};
  }

  std::atomic<int> minutes_ = 0;
  std::shared_ptr<change_clock> clock_ = std::make_shared<change_clock>();
  std::shared_ptr<const domain::account> settings_ =
      std::make_shared<domain::account>(testing::sample_account(1).details);
  std::shared_ptr<calendar_context> context_ = std::make_shared<calendar_context>();
  std::int64_t version_ = 0;
  std::shared_ptr<replication_position> followed_ = std::make_shared<replication_position>();
  metrics::registry registry_;
  published<actors::directory> directory_;
  published<feed_snapshot> snapshot_;
  std::atomic<int> failures_ = 0;
  runtime rt_{scheduler_knobs{}, [this](auto, auto) { ++failures_; }};
  std::vector<directory_unit> units_;
  feed_assembler assembler_;
  feed feed_;
};

TEST_F(Feed, ReturnsTheLastListWhileNothingHasChanged) {
  start(marketplace);
  const auto first = read();
  EXPECT_EQ(first->units, 3U);
  minutes_ = 5;
  EXPECT_EQ(read(), first);
}

TEST_F(Feed, HasThePositionThatMemoryHadReachedWhenItsBuildStarted) {
  followed_->reach({5, {}});
  start(marketplace);
  EXPECT_EQ(read()->position, 5);
  followed_->reach({6, {}});
  caf::anon_send(feed_, rebuild_feed{});
  EXPECT_TRUE(eventually([&] { return snapshot_.get()->position == 6; })) << "although no unit has changed";
}

TEST_F(Feed, ShowsChangesAndKeepsTheRest) {
  start(marketplace);
  const auto before = list();
  update(1, 700);
  auto expected = before;
  expected.replace(expected.find(R"("rent":650)", expected.find("u2")), 10, R"("rent":700)");
  EXPECT_EQ(list(), expected);
}

TEST_F(Feed, ShowsABookingFromTheMomentItIsDurable) {
  start(marketplace);
  const auto before = list();
  caf::scoped_actor self{rt_.system()};
  reserve request;
  request.booking_id = numbered_id(77);
  request.check_in = day("2027-02-01");
  request.check_out = day("2027-03-01");
  request.provider_payment = domain::money{65000};
  self->request(units_[0].calendar, std::chrono::seconds{10}, request)
      .receive([](const reserve_response& response) { EXPECT_FALSE(response.refused); },
               [](const caf::error&) { FAIL() << "no response"; });
  EXPECT_EQ(list(), before); // the nights are only held
  self->send(units_[0].calendar, settle_nights{request.booking_id, hold_outcome::booked});
  units_[0].changes->note();
  EXPECT_THAT(list(), HasSubstr(R"("from":"2027-02-01","to":"2027-02-28")"));
  self->send(units_[0].calendar, settle_nights{request.booking_id, hold_outcome::cancelled});
  units_[0].changes->note();
  EXPECT_EQ(list(), before);
}

TEST_F(Feed, ShowsAChangeThatOnlyTheCalendarNoted) {
  start(marketplace);
  list();
  auto setup = std::make_shared<unit_setup>(*units_[2].setup);
  setup->terms.archived = true;
  const auto seen = clock_->now();
  caf::anon_send(units_[2].calendar, update_unit{setup, {}});
  ASSERT_TRUE(eventually([&] { return clock_->now() >= seen + 2; }));
  EXPECT_THAT(list(), Not(HasSubstr("u3")));
}

TEST_F(Feed, IsBuiltAtItsIntervalWithoutChanges) {
  start(marketplace, std::chrono::milliseconds{5});
  list();
  auto last = snapshot_.get();
  const auto tag = last->document.identity().tag;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  for (int built = 0; built < 5; built += std::exchange(last, snapshot_.get()) != last ? 1 : 0) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::yield();
  }
  EXPECT_EQ(last->document.identity().tag, tag);
}

TEST_F(Feed, IsRewrittenOnANewDay) {
  start(marketplace);
  EXPECT_THAT(list(), HasSubstr(R"("availableFrom":"2026-11-20")"));
  minutes_ = 24 * 60;
  EXPECT_THAT(list(), Not(HasSubstr(R"("availableFrom":"2026-11-20")")));
}

TEST_F(Feed, FollowsTheDirectory) {
  start(marketplace);
  list();
  publish({units_[0], units_[2]}); // no unit has changed
  auto text = list();
  EXPECT_THAT(text, Not(HasSubstr("u2")));
  EXPECT_THAT(text, HasSubstr("u3"));
  add_unit(4);
  publish({units_[0], units_[2], units_[3]});
  EXPECT_THAT(list(), HasSubstr("u4"));
}

TEST_F(Feed, GivesGeneratedRowsTheTimeOfTheDay) {
  start(room_sharing);
  const domain::block stay{.id = numbered_id(5), .nights = {day("2026-11-01"), day("2026-12-31")}};
  update(0, 650, {stay});
  list(); // may have started before the calendar noted the change
  const auto first = list();
  EXPECT_THAT(first, HasSubstr(R"("createdAt":"2026-11-20T00:00:00.000Z")"));
  minutes_ = 1;
  EXPECT_EQ(list(), first);
  update(0, 660, {stay});
  const auto changed = list();
  EXPECT_NE(changed, first);
  EXPECT_THAT(changed, HasSubstr(R"("createdAt":"2026-11-20T00:00:00.000Z")"));
  minutes_ = 24 * 60;
  EXPECT_THAT(list(), HasSubstr(R"("createdAt":"2026-11-21T00:00:00.000Z")"));
}

TEST_F(Feed, SharesUnchangedPagesWithTheLastList) {
  for (unsigned number = 4; number <= 10 * feeds::rows_per_page; ++number) add_unit(number);
  publish(units_);
  start(marketplace);
  const auto before = read();
  update(feeds::rows_per_page, 700); // the first row of the second page
  const auto after = read();
  const auto& old_body = testing::identity_body(*before);
  const auto& body = testing::identity_body(*after);
  ASSERT_EQ(old_body.parts().size(), 1U);
  const auto memory = old_body.parts().front().memory;
  const auto& parts = body.parts();
  ASSERT_EQ(std::ranges::count(parts, memory, &bytes::shared_body::part::memory),
            2); // before and after the changed page
  const auto own =
      std::ranges::find_if(parts, [&](const auto& part) { return part.size > 1 && part.memory != memory; });
  EXPECT_LT(own->size, body.size() / 9); // one page of ten
  EXPECT_EQ(testing::gunzip(to_string(after->document.gzip().whole->body())), to_string(body));
  EXPECT_NE(after->document.identity().tag, before->document.identity().tag);
  EXPECT_THAT(to_string(body), HasSubstr(R"("rent":700)"));
  EXPECT_THAT(testing::identity_of(*before), Not(HasSubstr(R"("rent":700)")));
}

TEST_F(Feed, IsReportedWhenItEndsWithAnError) {
  start(marketplace);
  caf::anon_send(caf::actor_cast<caf::actor>(feed_), caf::make_error(caf::sec::runtime_error));
  EXPECT_TRUE(eventually([&] { return failures_ == 1; }));
}

} // namespace roost::actors::feed_test
