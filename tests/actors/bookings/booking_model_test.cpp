#include "actors/support/booking_world.hpp"
#include "store/bookings/booking_records.hpp"
#include "store/bookings/cancellations.hpp"
#include "store/messages/outbox.hpp"
#include "store/portfolio/live.hpp"

#include <cstdlib>
#include <map>
#include <random>
#include <regex>
#include <set>

/// Random histories of the booking actors in simulated time: submissions, repeats, cancels of both sides and
/// runs of the queue all at once, crashes in between, days that pass. What is in the store and in memory
/// afterwards is held against what each asker was told.
namespace roost::testing::booking_model_test {
using domain::booking_status;
using domain::request_state;

/// How many histories; ROOST_TEST_SEEDS asks for more than a normal run has time for.
unsigned seeds() {
  constexpr unsigned usual = 150;
  const char* wanted = std::getenv("ROOST_TEST_SEEDS");
  return wanted ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : usual;
}

/// What somebody asked for, and what they know of it.
struct asked_stay {
  domain::booking_request request;
  bool acknowledged = false;
};

struct asked_cancel {
  std::string reference;
  bool done = false;
};

class BookingModel : public booking_world {
protected:
  static constexpr domain::days episode_length{60};

  /// One history: a few waves on two units and a window of nights that no other history has.
  void live(unsigned seed) {
    random_.seed(seed);
    episode_ = seed;
    stays_.clear();
    cancels_.clear();
    landlord_cancels_.clear();
    days_passed = episode_length * static_cast<int>(seed);
    begins_ = domain::day_of(now());
    constexpr int waves = 4, crashes = 12; // per cent
    for (int wave = 0; wave < waves; ++wave) {
      if (between(1, 100) <= crashes)
        crashing_wave();
      else
        wave_to_its_end();
      days_passed = days_passed.load() + domain::days{between(0, 3)};
    }
    settle_down();
    check();
  }

private:
  int between(int least, int greatest) {
    return std::uniform_int_distribution<int>{least, greatest}(random_);
  }

  // What happens

  domain::booking_request next_request() {
    constexpr int repeats = 20; // per cent
    if (!stays_.empty() && between(1, 100) <= repeats) {
      auto again = stays_[static_cast<std::size_t>(between(0, static_cast<int>(stays_.size()) - 1))].request;
      again.id = security::random_uuid();
      return again;
    }
    const auto first = domain::day_of(now()) + domain::days{between(0, 20)};
    auto wanted = request(0, static_cast<unsigned>(between(1, 2)), "2027-01-01", "2027-01-02");
    wanted.id = security::random_uuid();
    wanted.reference = "r" + std::to_string(episode_) + "-" + std::to_string(stays_.size());
    wanted.check_in = first;
    wanted.check_out = first + domain::days{between(1, 6)};
    wanted.tenant.email = "guest" + std::to_string(between(1, 5)) + "@example.com";
    wanted.received_at = now();
    return wanted;
  }

  template <typename Handle, typename Message>
  auto ask(const Handle& actor, Message message) {
    return self_->request(actor, 10s, std::move(message));
  }

  auto submit() {
    stays_.push_back({next_request()});
    actors::submit_booking message{stays_.back().request, actors::deadline::in(10s)};
    return std::pair{stays_.size() - 1, ask(intake, std::move(message))};
  }

  auto cancel() {
    const auto& stay =
        stays_[static_cast<std::size_t>(between(0, static_cast<int>(stays_.size()) - 1))].request;
    cancels_.push_back({*stay.reference});
    const auto known = directory.get();
    const auto* unit = known->find(0, stay.external_id);
    actors::cancel_platform_booking message{{stay.platform, *stay.reference, unit->owner->id},
                                            unit->id,
                                            unit->calendar,
                                            actors::deadline::in(10s)};
    return std::pair{cancels_.size() - 1, ask(events, std::move(message))};
  }

  /// All at once, then every answer.
  void wave_to_its_end() {
    std::vector<decltype(submit())> submissions;
    std::vector<decltype(cancel())> cancels;
    for (int i = between(1, 4); i > 0; --i) submissions.push_back(submit());
    auto run = ask(queue, actors::run_to_end{});
    for (int i = between(0, 2); i > 0; --i) cancels.push_back(cancel());
    if (between(1, 10) == 1) cancel_as_the_landlord();
    for (int i = between(0, 2); i > 0; --i) submissions.push_back(submit());
    for (auto& [index, answer] : submissions)
      answer.receive([&, index = index](actors::booking_accepted) { stays_[index].acknowledged = true; },
                     leave_open);
    for (auto& [index, answer] : cancels)
      answer.receive(
          [&, index = index](actors::platform_booking_cancelled told) { cancels_[index].done = told.done; },
          leave_open);
    run.receive([](actors::run_ended) {}, fail);
  }

  /// Nobody knows what has become of what was under way.
  void crashing_wave() {
    std::vector<decltype(submit())> submissions;
    for (int i = between(1, 4); i > 0; --i) submissions.push_back(submit());
    run_queue();
    cancel();
    if (between(0, 1) == 0)
      submissions.front().second.receive(
          [&](actors::booking_accepted) { stays_[submissions.front().first].acknowledged = true; },
          leave_open);
    crash();
  }

  void cancel_as_the_landlord() {
    const auto bookings = store::list_bookings(session(), {.status = booking_status::confirmed}, 1);
    if (bookings.empty()) return;
    const auto& booking = bookings.front().booking;
    const auto outcome = store::cancel_for_landlord(session(), booking.id);
    if (outcome && outcome->done) landlord_cancels_.insert(booking.id);
  }

  /// Runs until nothing is left to decide, and memory has followed the landlord.
  void settle_down() {
    constexpr int max_runs = 100;
    run_to_end(); // a stay that was booked by the last run begins with the next
    for (int i = 0; i < max_runs; ++i) {
      run_to_end();
      if (store::requests_by_state(session()).pending == 0) break;
    }
    EXPECT_EQ(store::requests_by_state(session()).pending, 0);
    EXPECT_TRUE(eventually([&] { return followed->point() == store::newest_point(session()); }));
  }

  void run_to_end() {
    ask(queue, actors::run_to_end{}).receive([](actors::run_ended) {}, fail);
  }

  static void fail(const caf::error& why) { FAIL() << caf::to_string(why); }

  /// On a machine that is busy with something else: nobody knows what has become of it, and that is allowed.
  static void leave_open(const caf::error& why) {
    EXPECT_EQ(why, actors::make_error(actors::storage_error::unavailable));
  }

  // What must hold

  using records = std::vector<store::booking_record>;

  void check() {
    records bookings;
    for (unsigned unit = 1; unit <= 2; ++unit) {
      auto of_unit = store::list_bookings(session(), {.unit = numbered_id(0x10000 + unit)}, 100);
      std::erase_if(of_unit, [this](const auto& record) { return !is_of_episode(record.booking); });
      check_nights(of_unit);
      check_memory(unit, of_unit);
      bookings.insert(bookings.end(), of_unit.begin(), of_unit.end());
    }
    check_requests(bookings);
    check_cancels(bookings);
    for (const auto& record : bookings)
      EXPECT_TRUE(eventually([&] { return is_up_to_date(record.booking); })) << *record.booking.reference;
  }

  bool is_of_episode(const domain::booking& booking) const {
    return booking.reference->starts_with("r" + std::to_string(episode_) + "-");
  }

  void check_requests(const records& bookings) {
    std::map<domain::uuid, int> made;
    std::map<std::string, int> named;
    for (const auto& record : bookings) {
      ++made[record.booking.request_id];
      ++named[*record.booking.reference];
    }
    for (const auto& [reference, count] : named) EXPECT_EQ(count, 1) << reference << " is booked twice";
    std::vector<domain::uuid> ids;
    for (const auto& stay : stays_) ids.push_back(stay.request.id);
    const auto states = request_states(session(), ids);
    for (const auto& stay : stays_) {
      const auto state = states.find(stay.request.id);
      if (state == states.end()) {
        EXPECT_FALSE(stay.acknowledged) << *stay.request.reference << " is lost";
        continue;
      }
      EXPECT_EQ(made[stay.request.id], state->second == request_state::success ? 1 : 0);
      if (state->second == request_state::dropped) {
        EXPECT_TRUE(named.contains(*stay.request.reference));
      }
      if (state->second == request_state::failed) {
        EXPECT_TRUE(meets_a_booking(stay.request, bookings))
            << *stay.request.reference << " was refused for nothing";
      }
    }
  }

  static bool meets_a_booking(const domain::booking_request& request, const records& bookings) {
    const auto nights = domain::stay_nights(request.check_in, request.check_out);
    return std::ranges::any_of(bookings, [&](const auto& record) {
      return record.unit_name == "Room " + request.external_id.substr(1) &&
             overlap(nights_of(record.booking), nights);
    });
  }

  static domain::nights nights_of(const domain::booking& booking) {
    return domain::stay_nights(booking.check_in, booking.check_out);
  }

  static void check_nights(const records& bookings) {
    for (const auto& a : bookings)
      for (const auto& b : bookings)
        if (a.booking.id < b.booking.id && holds(a) && holds(b)) {
          EXPECT_FALSE(overlap(nights_of(a.booking), nights_of(b.booking)));
        }
  }

  static bool holds(const store::booking_record& record) {
    return record.booking.status != booking_status::cancelled;
  }

  /// The calendar shows the nights of the bookings that stand, and of no others.
  void check_memory(unsigned unit, const records& bookings) {
    std::set<std::string> expected, shown;
    for (const auto& record : bookings)
      if (holds(record))
        expected.insert(domain::to_string(record.booking.check_in) + " " +
                        domain::to_string(record.booking.last_night));
    const auto known = directory.get();
    std::string json;
    ask(known->find_unit(numbered_id(0x10000 + unit))->calendar, actors::read_listing{0})
        .receive([&](actors::listing_response& answer) { json = std::move(answer.json); }, fail);
    static const std::regex row{R"re("from":"([0-9-]+)","to":"([0-9-]+)")re"};
    for (std::sregex_iterator each{json.begin(), json.end(), row}, end; each != end; ++each)
      if (day((*each)[1].str()) >= begins_) shown.insert((*each)[1].str() + " " + (*each)[2].str());
    EXPECT_EQ(shown, expected);
  }

  void check_cancels(const records& bookings) {
    std::set<std::string> named;
    for (const auto& cancel : cancels_) named.insert(cancel.reference);
    for (const auto& record : bookings) {
      const auto& booking = record.booking;
      const bool by_platform = std::ranges::any_of(cancels_, [&](const auto& cancel) {
        return cancel.done && cancel.reference == *booking.reference;
      });
      if (by_platform || landlord_cancels_.contains(booking.id)) {
        EXPECT_FALSE(holds(record)) << "a cancel is lost";
      }
      if (!holds(record)) {
        EXPECT_TRUE(named.contains(*booking.reference) || landlord_cancels_.contains(booking.id));
      }
    }
    check_notices(bookings);
  }

  /// Everything is told once.
  void check_notices(const records& bookings) {
    std::map<std::pair<std::string, domain::uuid>, int> counts;
    for (const auto& told : store::list_notifications(session(), {}, stays_.size() * 3))
      ++counts[{told.kind, told.kind == "booking_refused" ? *told.request_id : *told.booking_id}];
    for (const auto& record : bookings) {
      const bool by_platform = record.cancelled_by == domain::cancelled_by::platform;
      EXPECT_EQ((counts[{"booking_created", record.booking.id}]), 1);
      EXPECT_EQ((counts[{"booking_cancelled", record.booking.id}]), by_platform ? 1 : 0);
    }
    for (const auto& stay : stays_)
      EXPECT_EQ((counts[{"booking_refused", stay.request.id}]),
                state_of(stay.request) == request_state::failed ? 1 : 0);
  }

  /// A run moves stays along beside its decisions.
  bool is_up_to_date(const domain::booking& named) {
    const auto record = store::find_booking(session(), named.id).value();
    const auto today = domain::day_of(now());
    const auto expected = !holds(record)                      ? booking_status::cancelled
                          : record.booking.check_out <= today ? booking_status::checked_out
                          : record.booking.check_in <= today  ? booking_status::checked_in
                                                              : booking_status::confirmed;
    return record.booking.status == expected;
  }

  caf::scoped_actor self_{rt.system()};
  std::mt19937 random_;
  unsigned episode_ = 0;
  domain::date begins_{};
  std::vector<asked_stay> stays_;
  std::vector<asked_cancel> cancels_;
  std::set<domain::uuid> landlord_cancels_;
};

class RandomHistories : public BookingModel {
protected:
  /// One of four parts of the seeds. ROOST_TEST_SEED repeats one seed, in the first part.
  void expect_model_holds(unsigned part) {
    unsigned first = seeds() * part / 4 + 1, end = seeds() * (part + 1) / 4 + 1;
    if (const char* one = std::getenv("ROOST_TEST_SEED")) {
      first = static_cast<unsigned>(std::strtoul(one, nullptr, 10));
      end = part == 0 ? first + 1 : first;
    }
    for (unsigned seed = first; seed < end && !HasFailure(); ++seed) {
      SCOPED_TRACE("ROOST_TEST_SEED=" + std::to_string(seed));
      live(seed);
    }
    EXPECT_TRUE(eventually([&] { return store::pending_mail_count(session(), now() + 24h * 365) == 0; }));
    std::set<std::string> addresses;
    for (const auto& tenant : store::load_tenants(session(), {}))
      EXPECT_TRUE(addresses.insert(tenant.details.email).second) << "two tenants are one person";
  }
};
ROOST_ON_EACH_STORE(RandomHistories);

// In tests of their own, so that the parts run at the same time.
TEST_P(RandomHistories, OfTheFirstSeedsHoldWhatTheModelHolds) { expect_model_holds(0); }
TEST_P(RandomHistories, OfTheSecondSeedsHoldWhatTheModelHolds) { expect_model_holds(1); }
TEST_P(RandomHistories, OfTheThirdSeedsHoldWhatTheModelHolds) { expect_model_holds(2); }
TEST_P(RandomHistories, OfTheLastSeedsHoldWhatTheModelHolds) { expect_model_holds(3); }

} // namespace roost::testing::booking_model_test
