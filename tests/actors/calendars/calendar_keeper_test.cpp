#include "actors/calendars/calendar_keeper.hpp"
#include "actors/support/booking_world.hpp"
#include "store/office/calendars.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace roost::testing::calendar_keeper_test {
using domain::request_state;
using store::office_calendar;

/// A host of calendars.
class fake_host {
public:
  fetch::fetched fetch(const std::string& url, const fetch::validators& known) {
    std::unique_lock lock(mutex_);
    ++fetches;
    most_at_once = std::max(most_at_once, ++open_);
    changed_.wait(lock, [&] { return !is_slow_; });
    --open_;
    last_known = known;
    if (is_down) throw fetch::fetch_failed(fetch::fetch_failure::unavailable, url, "no connection");
    fetch::fetched document;
    document.not_modified = !etag.empty() && known.etag == etag;
    if (!document.not_modified) document.body = text;
    document.current.etag = etag;
    return document;
  }

  void be_slow(bool slow) {
    const std::lock_guard lock(mutex_);
    is_slow_ = slow;
    changed_.notify_all();
  }

  int opened() {
    const std::lock_guard lock(mutex_);
    return open_;
  }

  std::string text, etag;
  std::atomic<bool> is_down = false;
  std::atomic<int> fetches = 0;
  int most_at_once = 0;
  fetch::validators last_known;

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int open_ = 0;
  bool is_slow_ = false;
};

std::string calendar_with(const char* first, const char* free) {
  return std::string(
             "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART;VALUE=DATE:") +
         first + "\r\nDTEND;VALUE=DATE:" + free + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
}

/// Imported calendars next to the actors that book.
class CalendarKeeper : public booking_world {
protected:
  CalendarKeeper() { follower_interval = 1h; }

  void SetUp() override {
    booking_world::SetUp();
    actors::office_writer_setup writing;
    writing.storage = storage->at(actors::storage_pool::side_lane::office);
    writing.reading = storage->at(actors::storage_pool::lane::reads_and_mail);
    writing.lease = held;
    writing.follower = follower;
    writing.followed = followed;
    writing.directory = &directory;
    writing.new_id = [] { return security::random_uuid(); };
    writer = actors::spawn_office_writer(rt, std::move(writing));
    host.text = calendar_with("20270201", "20270211");
  }

  void TearDown() override {
    host.be_slow(false);
    for (const auto& each : {caf::actor_cast<caf::actor>(keeper), caf::actor_cast<caf::actor>(writer)})
      if (each) caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
    keeper = nullptr;
    writer = nullptr;
    booking_world::TearDown();
  }

  void spawn_keeper() {
    actors::calendar_keeper_setup setup;
    setup.storage = storage->at(actors::storage_pool::side_lane::office);
    setup.lease = held;
    setup.writer = writer;
    setup.spawn_reader = [this] {
      return actors::spawn_calendar_reader(
          rt,
          [this](const std::string& url, const fetch::validators& known) { return host.fetch(url, known); });
    };
    setup.now = [this] { return clock.load(); };
    const auto notice = [](const auto& each) {
      domain::notification made;
      made.id = security::random_uuid();
      made.account_id = each.account_id;
      made.kind = "calendar";
      made.title = made.body = "t";
      made.created_at = now();
      return made;
    };
    setup.notices = {notice, notice};
    setup.registry = &registry;
    setup.chance = [] { return 0.5; }; // no jitter
    setup.trusts_clock = [](store::session&, domain::timestamp) { return true; };
    setup.interval = 5ms;
    setup.store_timeout = 10s;
    keeper = actors::spawn_calendar_keeper(rt, std::move(setup));
  }

  domain::uuid add(const std::string& name, std::optional<std::string> url,
                   std::optional<std::string> upload = {}) {
    auto db = store().open();
    store::office_scope scope{numbered_id(1), {}, unit_id(1)};
    office_calendar created;
    created.id = security::random_uuid();
    created.name = name;
    created.url = std::move(url);
    created.upload = std::move(upload);
    const store::office_author author{
        "ana", now(), {security::random_uuid(), now(), "user ana", "c", "", ""}};
    const auto outcome =
        store::create_calendar(db, held->current().value(), scope, {created, {}, {}}, author);
    EXPECT_EQ(outcome.result, store::office_result::created);
    return created.id;
  }

  office_calendar stored(const domain::uuid& id) {
    auto db = store().open();
    return roost::store::find_calendar(db, {numbered_id(1), {}, unit_id(1)}, id).value();
  }

  bool reads_now(const domain::uuid& id, bool accepts_empty = false) {
    caf::scoped_actor self{rt.system()};
    bool was_read = false;
    self->request(keeper, 20s, actors::read_calendar{id, accepts_empty, {}, actors::deadline::in(10s)})
        .receive([&](const actors::calendar_read& read) { was_read = read.is_found; },
                 [](const caf::error&) {});
    return was_read;
  }

  static domain::uuid unit_id(unsigned unit) { return numbered_id(0x10000 + unit); }

  fake_host host;
  std::atomic<domain::timestamp> clock = now();
  actors::office_writer writer;
  actors::calendar_keeper keeper;
};
ROOST_ON_EACH_STORE(CalendarKeeper);

TEST_P(CalendarKeeper, ReadsNewCalendarsAndBlocksTheirNights) {
  add("Host", "https://host.example/1.ics");
  spawn_keeper();
  EXPECT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-10"); }));
  EXPECT_FALSE(shows_as_taken(1, "2027-02-11"));
  const std::vector requests{request(1, 1, "2027-02-10", "2027-03-01")};
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::failed);
}

TEST_P(CalendarKeeper, ReadsThemAgainAfterTheirInterval) {
  host.etag = "\"1\"";
  const auto id = add("Host", "https://host.example/1.ics");
  spawn_keeper();
  ASSERT_TRUE(eventually([&] { return stored(id).succeeded_at.has_value(); }));
  EXPECT_EQ(host.fetches, 1);
  clock = clock.load() + std::chrono::minutes{5};
  ASSERT_TRUE(eventually([&] { return stored(id).succeeded_at == clock.load(); }));
  EXPECT_EQ(host.fetches, 2);
  EXPECT_EQ(host.last_known.etag, "\"1\"");
  EXPECT_TRUE(shows_as_taken(1, "2027-02-10")) << "it has not changed";
}

TEST_P(CalendarKeeper, ReadsAFailingCalendarLessOften) {
  host.is_down = true;
  const auto id = add("Host", "https://host.example/1.ics");
  spawn_keeper();
  ASSERT_TRUE(eventually([&] { return stored(id).failures == 1; }));
  EXPECT_EQ(stored(id).problem, "no connection");
  clock = clock.load() + std::chrono::minutes{9};
  EXPECT_TRUE(reads_now(add("Other", "https://other.example/1.ics"))); // a look took place
  EXPECT_EQ(stored(id).failures, 1);
  clock = clock.load() + std::chrono::minutes{1};
  ASSERT_TRUE(eventually([&] { return stored(id).failures == 2; }));
  host.is_down = false;
  EXPECT_TRUE(reads_now(id));
  EXPECT_EQ(stored(id).failures, 0);
  EXPECT_TRUE(shows_as_taken(1, "2027-02-10"));
}

TEST_P(CalendarKeeper, SendsOneRequestToAHostAtATime) {
  host.be_slow(true);
  for (int i = 0; i < 6; ++i) add("Host " + std::to_string(i), "https://host.example/" + std::to_string(i));
  const auto other = add("Other", "https://other.example/1.ics");
  spawn_keeper();
  ASSERT_TRUE(eventually([&] { return host.opened() == 2; })) << "one for each host";
  host.be_slow(false);
  ASSERT_TRUE(eventually([&] { return host.fetches == 7; }));
  EXPECT_TRUE(eventually([&] { return stored(other).succeeded_at.has_value(); }));
  EXPECT_EQ(host.most_at_once, 2);
}

TEST_P(CalendarKeeper, ReadsUploadsOnce) {
  const auto id = add("Upload", std::nullopt, calendar_with("20270201", "20270211"));
  spawn_keeper();
  EXPECT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-10"); }));
  EXPECT_EQ(stored(id).events, 1);
  EXPECT_TRUE(reads_now(id)) << "there is nothing to read any more";
  EXPECT_EQ(host.fetches, 0);
}

TEST_P(CalendarKeeper, AcceptsAnEmptyCalendarOnlyWhenTold) {
  const auto id = add("Host", "https://host.example/1.ics");
  spawn_keeper();
  ASSERT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-10"); }));
  host.text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nEND:VCALENDAR\r\n";
  ASSERT_TRUE(reads_now(id));
  EXPECT_TRUE(stored(id).has_vanished);
  EXPECT_TRUE(shows_as_taken(1, "2027-02-10"));
  ASSERT_TRUE(reads_now(id, true));
  EXPECT_FALSE(stored(id).has_vanished);
  EXPECT_FALSE(shows_as_taken(1, "2027-02-10"));
}

TEST_P(CalendarKeeper, FreesNothingForABrokenCalendar) {
  const auto id = add("Host", "https://host.example/1.ics");
  spawn_keeper();
  ASSERT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-10"); }));
  host.text.resize(host.text.size() / 2);
  ASSERT_TRUE(reads_now(id));
  EXPECT_EQ(stored(id).failures, 1);
  EXPECT_NE(stored(id).problem, "");
  EXPECT_TRUE(shows_as_taken(1, "2027-02-10"));
}

TEST_P(CalendarKeeper, KnowsNoCalendarThatDoesNotExist) {
  spawn_keeper();
  EXPECT_FALSE(reads_now(numbered_id(9)));
}

} // namespace roost::testing::calendar_keeper_test
