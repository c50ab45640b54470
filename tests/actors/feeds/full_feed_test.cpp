#include "actors/feeds/full_feed.hpp"
#include "actors/feeds/snapshot_text.hpp"
#include "actors/support/booking_world.hpp"

#include <gmock/gmock.h>

namespace roost::testing::full_feed_test {
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t marketplace = 0;

/// The full lists of marketplace A, over a real store and real calendars.
class FullLists : public booking_world {
protected:
  void SetUp() override {
    booking_world::SetUp();
    ASSERT_TRUE(eventually([&] { return directory.get() != nullptr; }));
    assembler_ = actors::spawn_feed_assembler(rt);
    actors::full_feed_setup setup;
    setup.platform = marketplace;
    setup.platforms = sample_platforms();
    setup.interval = 10min;
    setup.now = [this] { return at(); };
    setup.directory = &directory;
    setup.followed = followed;
    setup.lease = held;
    setup.storage = storage->at(actors::storage_pool::lane::reads_and_mail);
    setup.assembler = assembler_;
    setup.registry = &registry;
    feed_ = actors::spawn_full_feed(rt, std::move(setup));
  }

  void TearDown() override {
    caf::anon_send_exit(feed_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(assembler_, caf::exit_reason::user_shutdown);
    feed_ = nullptr;
    assembler_ = nullptr;
    booking_world::TearDown();
  }

  domain::timestamp at() const {
    return domain::timestamp{day("2026-11-20")} + std::chrono::minutes{minutes_};
  }

  std::shared_ptr<const actors::feed_snapshot> list(const std::string& key = "landlord-1") {
    std::shared_ptr<const actors::feed_snapshot> read;
    caf::scoped_actor self{rt.system()};
    self->request(feed_, 10s, actors::read_full_list{key})
        .receive([&](const actors::live_feed& response) { read = response.snapshot; },
                 [](const caf::error&) { FAIL() << "no response"; });
    return read;
  }

  actors::listing_response single(const std::string& key, const std::string& id) {
    actors::listing_response read;
    caf::scoped_actor self{rt.system()};
    self->request(feed_, 10s, actors::read_full_listing{key, id})
        .receive([&](actors::listing_response& response) { read = std::move(response); },
                 [](const caf::error&) { FAIL() << "no response"; });
    return read;
  }

  bool has_metric(const std::string& line) {
    return ("\n" + registry.scrape()).find("\n" + line + "\n") != std::string::npos;
  }

  std::atomic<int> minutes_ = 9 * 60;
  actors::feed_assembler assembler_;
  actors::full_feed feed_;
};

ROOST_ON_EACH_STORE(FullLists);

TEST_P(FullLists, ContainAllPublishedUnitsOfALandlord) {
  const auto all = list();
  EXPECT_EQ(all->units, units);
  EXPECT_EQ(all->built_at, at());
  const auto text = identity_of(*all);
  for (unsigned number = 1; number <= units; ++number)
    EXPECT_THAT(text, HasSubstr(R"("reference_id":"u)" + std::to_string(number) + '"'));
}

TEST_P(FullLists, AreReusedForTenMinutesOfADay) {
  const auto first = list();
  minutes_ += 9;
  EXPECT_EQ(list(), first);
  minutes_ += 1;
  const auto second = list();
  EXPECT_NE(second, first);
  EXPECT_EQ(identity_of(*second), identity_of(*first));
  minutes_ = 24 * 60 - 1;
  const auto evening = list();
  minutes_ = 24 * 60; // a minute later
  EXPECT_NE(list(), evening);
}

TEST_P(FullLists, AreNotReusedAfterTheClockWasSetBack) {
  minutes_ = 600;
  const auto ahead = list();
  minutes_ = 590;
  EXPECT_NE(list(), ahead);
}

TEST_P(FullLists, AreRebuiltAfterThePortfolioChanged) {
  const auto first = list();
  auto changed = sample();
  changed.accounts.front().properties.front().units.front().terms.rent.amount = domain::money{70000};
  const auto version = directory.get()->version();
  import(changed);
  ASSERT_TRUE(eventually([&] { return directory.get()->version() > version; }));
  const auto text = identity_of(*list());
  EXPECT_THAT(text, HasSubstr(R"("rent":700)"));
  EXPECT_THAT(identity_of(*first), Not(HasSubstr(R"("rent":700)")));
}

/// While another server was the writer, calendars have changed without a new directory.
TEST_P(FullLists, AreBuiltAgainAfterATakeover) {
  const auto first = list();
  const auto change = store::record_change(session(), {});
  ASSERT_TRUE(eventually([&] { return followed->point().position >= change.position; }));
  EXPECT_EQ(list(), first);
  held->take(lease, actors::held_lease::clock::now() + 1h, change.position);
  const auto second = list();
  EXPECT_NE(second, first);
  EXPECT_GE(second->position, change.position);
  EXPECT_EQ(list(), second);
}

TEST_P(FullLists, AreBuiltOnceForConcurrentReaders) {
  caf::scoped_actor one{rt.system()}, other{rt.system()};
  std::vector<std::shared_ptr<const actors::feed_snapshot>> read;
  const auto take = [&](const actors::live_feed& response) { read.push_back(response.snapshot); };
  const auto fail = [](const caf::error&) { FAIL() << "no response"; };
  auto first = one->request(feed_, 10s, actors::read_full_list{"landlord-1"});
  auto second = other->request(feed_, 10s, actors::read_full_list{"landlord-1"});
  first.receive(take, fail);
  second.receive(take, fail);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read.front(), read.back());
}

TEST_P(FullLists, AreEmptyAndNotKeptForAnUnknownKey) {
  const auto empty = list("unknown");
  EXPECT_EQ(identity_of(*empty), "[]");
  EXPECT_NE(list("unknown"), empty);
  EXPECT_TRUE(has_metric(R"(roost_full_feeds{platform="marketplace-a"} 0)"));
}

TEST_P(FullLists, HaveListingsThatCanBeReadSeparately) {
  const auto listing = single("landlord-1", "u3");
  EXPECT_EQ(listing.publication, listings::publication::published);
  EXPECT_THAT(identity_of(*list()), HasSubstr(listing.json));
  for (const auto& [key, id] : std::vector<std::pair<std::string, std::string>>{
           {"landlord-1", "u99"}, {"unknown", "u3"}, {"landlord-1", domain::to_string(numbered_id(0x10003))}})
    EXPECT_EQ(single(key, id).publication, listings::publication::withheld) << key << " " << id;
}

TEST_P(FullLists, HaveMetricsOfAgeSizeAndBuilds) {
  const auto all = list();
  minutes_ += 2;
  EXPECT_TRUE(has_metric(R"(roost_full_feed_build_seconds_count 1)"));
  EXPECT_TRUE(has_metric(R"(roost_full_feeds{platform="marketplace-a"} 1)"));
  EXPECT_TRUE(has_metric(R"(roost_full_feed_units{platform="marketplace-a"} 20)"));
  EXPECT_TRUE(has_metric(R"(roost_full_feed_age_seconds{platform="marketplace-a"} 120)"));
  EXPECT_TRUE(has_metric(R"(roost_full_feed_bytes{platform="marketplace-a",encoding="identity"} )" +
                         std::to_string(all->bytes)) ||
              has_metric(R"(roost_full_feed_bytes{encoding="identity",platform="marketplace-a"} )" +
                         std::to_string(all->bytes)));
}

TEST_P(FullLists, AreBuiltByActorsWhoseFailureIsReported) {
  expect_failure_reported(feed_);
  expect_failure_reported(assembler_);
}

} // namespace roost::testing::full_feed_test
