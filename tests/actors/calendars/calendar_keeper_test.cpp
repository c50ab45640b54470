#include "actors/calendars/calendar_keeper.hpp"
#include "actors/support/office_world.hpp"
#include "store/office/calendars.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace roost::testing::calendar_keeper_test {
using domain::request_state;
using store::office_calendar;

/// A host of calendars, which decides about a response when the request arrives.
class fake_host {
public:
  fetch::fetched fetch(const std::string& url, const fetch::validators& known) {
    std::unique_lock lock(mutex_);
    ++fetches;
    max_open = std::max(max_open, ++open_);
    last_known = known;
    last_url = url;
    fetch::fetched document;
    document.not_modified = !etag.empty() && known.etag == etag;
    if (!document.not_modified) document.body = text_;
    document.current.etag = etag;
    changed_.wait(lock, [&] { return !is_slow_; });
    --open_;
    if (is_down) throw fetch::fetch_failed(fetch::fetch_failure::unavailable, url, "no connection");
    return document;
  }

  void publish(std::string text) {
    const std::lock_guard lock(mutex_);
    text_ = std::move(text);
  }

  void be_slow(bool slow) {
    const std::lock_guard lock(mutex_);
    is_slow_ = slow;
    changed_.notify_all();
  }

  int open_requests() {
    const std::lock_guard lock(mutex_);
    return open_;
  }

  std::string etag;
  std::atomic<bool> is_down = false;
  std::atomic<int> fetches = 0;
  int max_open = 0;
  std::string last_url;
  fetch::validators last_known;

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
  int open_ = 0;
  bool is_slow_ = false;
};

std::string event(const char* first, const char* free) {
  return std::string("BEGIN:VEVENT\r\nUID:") + first + "\r\nDTSTART;VALUE=DATE:" + first +
         "\r\nDTEND;VALUE=DATE:" + free + "\r\nEND:VEVENT\r\n";
}

std::string calendar_of(const std::string& events) {
  return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n" + events + "END:VCALENDAR\r\n";
}

std::string calendar_with(const char* first, const char* free) { return calendar_of(event(first, free)); }

/// Imported calendars next to the actors that book.
class CalendarKeeper : public office_world {
protected:
  void SetUp() override {
    office_world::SetUp();
    host.publish(calendar_with("20270201", "20270211"));
  }

  void TearDown() override {
    host.be_slow(false);
    if (keeper) caf::anon_send_exit(keeper, caf::exit_reason::user_shutdown);
    keeper = nullptr;
    office_world::TearDown();
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
    const auto build = [](const auto&) { return notice(); };
    setup.notices = {build, build};
    setup.registry = &registry;
    setup.chance = [] { return 0.5; }; // no jitter
    setup.is_time_trusted = [this](store::session&, domain::timestamp) {
      ++time_checks;
      return is_clock_right.load();
    };
    setup.is_on_hold = is_on_hold;
    setup.interval = look_interval;
    setup.store_timeout = 10s;
    keeper = actors::spawn_calendar_keeper(rt, std::move(setup));
  }

  domain::uuid add(const std::string& name, std::optional<std::string> url,
                   std::optional<std::string> upload = {}) {
    auto db = store().open();
    office_calendar created;
    created.id = security::random_uuid();
    created.name = name;
    created.url = std::move(url);
    created.upload = std::move(upload);
    const auto outcome =
        store::create_calendar(db, held->current().value(), scope_of(1), {created, {}, {}}, author());
    EXPECT_EQ(outcome.result, store::office_result::created);
    return created.id;
  }

  office_calendar stored(const domain::uuid& id) {
    auto db = store().open();
    return roost::store::find_calendar(db, scope_of(1), id).value();
  }

  static bool is_current(const office_calendar&) { return true; }

  void change_url(const domain::uuid& id, const std::string& url) {
    auto db = store().open();
    const store::office_change<office_calendar> change{id, is_current, [&](office_calendar& each) {
                                                         each.url = url;
                                                         return store::office_edit{{}, {{"url", "1", "2"}}};
                                                       }};
    EXPECT_EQ(store::change_calendar(db, held->current().value(), scope_of(1), change, author()).result,
              store::office_result::changed);
  }

  void erase(const domain::uuid& id) {
    auto db = store().open();
    EXPECT_EQ(
        store::delete_calendar(db, held->current().value(), scope_of(1), {id, is_current}, author()).result,
        store::office_result::deleted);
  }

  auto request_reading(caf::scoped_actor& self, const domain::uuid& id, bool accepts_empty = false) {
    return self->request(keeper, 20s,
                         actors::read_calendar{id, accepts_empty, {}, actors::deadline::in(10s)});
  }

  /// Returns whether the user gets a response that is no error.
  template <typename Requested>
  static bool is_answered(Requested& requested) {
    bool was_read = false;
    requested.receive([&](const actors::calendar_read&) { was_read = true; }, [](const caf::error&) {});
    return was_read;
  }

  bool reads_now(const domain::uuid& id, bool accepts_empty = false) {
    caf::scoped_actor self{rt.system()};
    auto requested = request_reading(self, id, accepts_empty);
    return is_answered(requested);
  }

  /// Returns once the keeper has looked up what the requests of `self` name.
  void wait_until_looked_up(caf::scoped_actor& self) {
    wait_until_received(self, keeper);
    self->request(storage->at(actors::storage_pool::side_lane::office), 10s,
                  actors::make_storage_job("wait", {}, [](store::session&) {}))
        .receive([](const actors::storage_result&) {},
                 [](const caf::error&) { ADD_FAILURE() << "no response"; });
    wait_until_received(self, keeper);
  }

  /// Returns once a look that began after the call has ended.
  void wait_for_look() {
    caf::scoped_actor self{rt.system()};
    caf::anon_send(keeper, actors::look_for_calendars{});
    wait_until_looked_up(self);
  }

  fake_host host;
  std::atomic<domain::timestamp> clock = now();
  std::atomic<bool> is_clock_right = true;
  std::atomic<int> time_checks = 0;
  actors::calendar_keeper keeper;

  // To be changed before spawn_keeper().
  std::chrono::milliseconds look_interval = 5ms;
  bool is_on_hold = false;
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
  ASSERT_TRUE(eventually([&] { return host.open_requests() == 2; })) << "one for each host";
  host.be_slow(false);
  ASSERT_TRUE(eventually([&] { return host.fetches == 7; }));
  EXPECT_TRUE(eventually([&] { return stored(other).succeeded_at.has_value(); }));
  EXPECT_EQ(host.max_open, 2);
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
  host.publish(calendar_of(""));
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
  host.publish(calendar_with("20270201", "20270211").substr(0, 60));
  ASSERT_TRUE(reads_now(id));
  EXPECT_EQ(stored(id).failures, 1);
  EXPECT_NE(stored(id).problem, "");
  EXPECT_TRUE(shows_as_taken(1, "2027-02-10"));
}

TEST_P(CalendarKeeper, AnswersAllWaitingUsersWithAReadingThatBeganAfterTheirRequests) {
  host.be_slow(true);
  const auto id = add("Host", "https://host.example/1.ics");
  spawn_keeper();
  ASSERT_TRUE(eventually([&] { return host.open_requests() == 1; }));
  host.publish(calendar_with("20270401", "20270411"));
  caf::scoped_actor self{rt.system()};
  auto first = request_reading(self, id), second = request_reading(self, id),
       third = request_reading(self, id);
  wait_until_looked_up(self);
  host.be_slow(false);
  EXPECT_TRUE(is_answered(first));
  EXPECT_TRUE(shows_as_taken(1, "2027-04-10")) << "the reading that was open had the text before";
  EXPECT_TRUE(is_answered(second));
  EXPECT_TRUE(is_answered(third));
  EXPECT_EQ(host.fetches, 2) << "one reading for all of them";
}

TEST_P(CalendarKeeper, AcceptsAnEmptyCalendarIfOneOfTheWaitingUsersDoes) {
  const auto id = add("Host", "https://host.example/1.ics");
  look_interval = 1h;
  spawn_keeper();
  ASSERT_TRUE(reads_now(id));
  host.publish(calendar_of(""));
  host.be_slow(true);
  caf::scoped_actor self{rt.system()};
  auto first = request_reading(self, id);
  ASSERT_TRUE(eventually([&] { return host.open_requests() == 1; }));
  auto second = request_reading(self, id, true), third = request_reading(self, id);
  wait_until_looked_up(self);
  host.be_slow(false);
  EXPECT_TRUE(is_answered(first));
  EXPECT_TRUE(is_answered(second));
  EXPECT_TRUE(is_answered(third));
  EXPECT_FALSE(stored(id).has_vanished);
  EXPECT_FALSE(shows_as_taken(1, "2027-02-10"));
}

TEST_P(CalendarKeeper, ReadsACalendarAgainWhoseUrlChangedMeanwhile) {
  const auto id = add("Host", "https://host.example/1.ics");
  look_interval = 1h; // only the user's request reads it
  spawn_keeper();
  host.be_slow(true);
  caf::scoped_actor self{rt.system()};
  auto requested = request_reading(self, id);
  ASSERT_TRUE(eventually([&] { return host.open_requests() == 1; }));
  change_url(id, "https://host.example/2.ics");
  host.publish(calendar_with("20270401", "20270411"));
  host.be_slow(false);
  EXPECT_TRUE(is_answered(requested));
  EXPECT_EQ(host.last_url, "https://host.example/2.ics");
  EXPECT_TRUE(shows_as_taken(1, "2027-04-10"));
  EXPECT_FALSE(shows_as_taken(1, "2027-02-10"));
}

TEST_P(CalendarKeeper, AnswersAllUsersOfACalendarThatIsDeletedMeanwhile) {
  host.be_slow(true);
  const auto id = add("Host", "https://host.example/1.ics");
  spawn_keeper();
  ASSERT_TRUE(eventually([&] { return host.open_requests() == 1; }));
  caf::scoped_actor self{rt.system()};
  auto first = request_reading(self, id), second = request_reading(self, id);
  wait_until_looked_up(self);
  erase(id);
  host.be_slow(false);
  EXPECT_TRUE(is_answered(first));
  EXPECT_TRUE(is_answered(second));
  EXPECT_EQ(host.fetches, 1);
}

TEST_P(CalendarKeeper, ReadsNothingWithoutTheLease) {
  const auto id = add("Host", "https://host.example/1.ics");
  held->give_up();
  spawn_keeper();
  wait_for_look();
  EXPECT_FALSE(reads_now(id));
  EXPECT_EQ(host.fetches, 0);
  held->hold(lease, actors::held_lease::clock::now() + 1h);
  EXPECT_TRUE(reads_now(id));
}

TEST_P(CalendarKeeper, AnswersWaitingUsersWhenItLosesTheLease) {
  const auto id = add("Host", "https://host.example/1.ics"),
             other = add("Other", "https://host.example/2.ics");
  look_interval = 1h;
  spawn_keeper();
  host.be_slow(true);
  caf::scoped_actor self{rt.system()};
  auto first = request_reading(self, id);
  ASSERT_TRUE(eventually([&] { return host.open_requests() == 1; }));
  auto second = request_reading(self, other); // waits for the host
  wait_until_looked_up(self);
  held->give_up();
  caf::anon_send(keeper, actors::look_for_calendars{});
  EXPECT_FALSE(is_answered(second)) << "although the host has not responded to the first request";
  host.be_slow(false);
  EXPECT_FALSE(is_answered(first)) << "its outcome cannot be stored";
  EXPECT_EQ(host.fetches, 1);
}

TEST_P(CalendarKeeper, ReadsNothingOnHold) {
  const auto id = add("Host", "https://host.example/1.ics");
  is_on_hold = true;
  spawn_keeper();
  wait_for_look();
  EXPECT_FALSE(reads_now(id));
  EXPECT_EQ(host.fetches, 0);
}

TEST_P(CalendarKeeper, ReadsNothingWhileTheClockIsWrong) {
  is_clock_right = false;
  spawn_keeper();
  wait_for_look();
  EXPECT_EQ(time_checks, 0) << "nothing is due";
  const auto id = add("Host", "https://host.example/1.ics");
  EXPECT_TRUE(eventually([&] { return time_checks > 1; }));
  EXPECT_FALSE(reads_now(id));
  EXPECT_EQ(host.fetches, 0);
  is_clock_right = true;
  EXPECT_TRUE(reads_now(id));
}

TEST_P(CalendarKeeper, MergesRangesThatShareANight) {
  host.publish(calendar_of(event("20270201", "20270206") + event("20270205", "20270211") +
                           event("20270203", "20270204") + event("20270211", "20270215")));
  const auto id = add("Host", "https://host.example/1.ics");
  spawn_keeper();
  ASSERT_TRUE(reads_now(id));
  EXPECT_EQ(stored(id).events, 2) << "a range that only follows stays an event of its own";
  EXPECT_TRUE(shows_as_taken(1, "2027-02-14"));
}

TEST_P(CalendarKeeper, AnswersARequestForACalendarThatDoesNotExist) {
  spawn_keeper();
  EXPECT_TRUE(reads_now(numbered_id(9)));
  EXPECT_EQ(host.fetches, 0);
}

} // namespace roost::testing::calendar_keeper_test
