#include "actors/support/booking_world.hpp"
#include "store/bookings/bookings.hpp"
#include "store/messages/messages.hpp"
#include "store/portfolio/live.hpp"
#include "store/support/cancelled_stays.hpp"
#include "support/patterns.hpp"

#include <cstdlib>
#include <map>
#include <random>
#include <set>

/// Random histories of the booking actors in simulated time: concurrent submissions, repeats, cancellations
/// by platforms and landlords, and runs of the queue, with crashes and passing days in between. Afterwards,
/// the store and memory must agree with the responses that the clients received.
namespace roost::testing::booking_model_test {
using domain::booking_status;
using domain::request_state;

/// Returns the number of histories; ROOST_TEST_SEEDS overrides it for longer runs.
unsigned seeds() {
  constexpr unsigned usual = 150;
  const char* setting = std::getenv("ROOST_TEST_SEEDS");
  return setting ? static_cast<unsigned>(std::strtoul(setting, nullptr, 10)) : usual;
}

/// A submission, and whether the client received its acknowledgement.
struct submitted_stay {
  domain::booking_request request;
  bool acknowledged = false;
};

struct submitted_cancel {
  std::string reference;
  bool done = false;
};

class BookingModel : public booking_world {
protected:
  static constexpr domain::days episode_length{60};

  /// Runs one history: a few waves of requests for two units, in its own window of nights.
  void run_history(unsigned seed) {
    random_.seed(seed);
    episode_ = seed;
    stays_.clear();
    cancels_.clear();
    landlord_cancels_.clear();
    days_passed = episode_length * static_cast<int>(seed);
    started_on_ = domain::day_of(now());
    constexpr int waves = 4, crashes = 12; // per cent
    for (int wave = 0; wave < waves; ++wave) {
      if (between(1, 100) <= crashes)
        crashing_wave();
      else
        complete_wave();
      days_passed = days_passed.load() + domain::days{between(0, 3)};
    }
    settle();
    check();
  }

private:
  int between(int min, int max) { return std::uniform_int_distribution<int>{min, max}(random_); }

  // Actions

  domain::booking_request next_request() {
    constexpr int repeats = 20; // per cent
    if (!stays_.empty() && between(1, 100) <= repeats) {
      auto again = stays_[static_cast<std::size_t>(between(0, static_cast<int>(stays_.size()) - 1))].request;
      again.id = security::random_uuid();
      return again;
    }
    const auto first = domain::day_of(now()) + domain::days{between(0, 20)};
    auto stay = request(0, static_cast<unsigned>(between(1, 2)), "2027-01-01", "2027-01-02");
    stay.id = security::random_uuid();
    stay.reference = "r" + std::to_string(episode_) + "-" + std::to_string(stays_.size());
    stay.check_in = first;
    stay.check_out = first + domain::days{between(1, 6)};
    stay.tenant.email = "guest" + std::to_string(between(1, 5)) + "@example.com";
    stay.received_at = now();
    return stay;
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
    const auto current = directory.get();
    const auto* unit = current->find(0, stay.external_id);
    actors::cancel_platform_booking message{{stay.platform, *stay.reference, unit->owner->id},
                                            unit->id(),
                                            unit->calendar,
                                            actors::deadline::in(10s)};
    return std::pair{cancels_.size() - 1, ask(events, std::move(message))};
  }

  /// Sends all requests of a wave concurrently, then awaits the responses.
  void complete_wave() {
    std::vector<decltype(submit())> submissions;
    std::vector<decltype(cancel())> cancels;
    for (int i = between(1, 4); i > 0; --i) submissions.push_back(submit());
    auto run = ask(queue, actors::run_to_end{});
    for (int i = between(0, 2); i > 0; --i) cancels.push_back(cancel());
    if (between(1, 10) == 1) cancel_as_the_landlord();
    for (int i = between(0, 2); i > 0; --i) submissions.push_back(submit());
    for (auto& [index, response] : submissions)
      response.receive([&, index = index](actors::booking_accepted) { stays_[index].acknowledged = true; },
                       leave_open);
    for (auto& [index, response] : cancels)
      response.receive([&, index = index](
                           actors::platform_booking_cancelled result) { cancels_[index].done = result.done; },
                       leave_open);
    run.receive([](actors::run_ended) {}, fail);
  }

  /// Crashes while requests are in progress, so that their outcomes are unknown.
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
    if (cancel_stay(session(), booking.id)) landlord_cancels_.insert(booking.id);
  }

  /// Runs the queue until no request is pending, and waits until memory has all changes.
  void settle() {
    constexpr int max_runs = 100;
    run_to_end(); // a stay that the last run booked starts with the next
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

  static void fail(const caf::error& error) { FAIL() << caf::to_string(error); }

  /// Accepts an unknown outcome: on a busy machine, a request may time out.
  static void leave_open(const caf::error& error) {
    EXPECT_EQ(error, actors::make_error(actors::storage_error::unavailable));
  }

  // Invariants

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
    std::map<domain::uuid, int> by_request;
    std::map<std::string, int> by_reference;
    for (const auto& record : bookings) {
      ++by_request[record.booking.request_id.value()];
      ++by_reference[*record.booking.reference];
    }
    for (const auto& [reference, count] : by_reference)
      EXPECT_EQ(count, 1) << reference << " is booked twice";
    std::vector<domain::uuid> ids;
    for (const auto& stay : stays_) ids.push_back(stay.request.id);
    const auto states = request_states(session(), ids);
    for (const auto& stay : stays_) {
      const auto state = states.find(stay.request.id);
      if (state == states.end()) {
        EXPECT_FALSE(stay.acknowledged) << *stay.request.reference << " is lost";
        continue;
      }
      EXPECT_EQ(by_request[stay.request.id], state->second == request_state::success ? 1 : 0);
      if (state->second == request_state::dropped) {
        EXPECT_TRUE(by_reference.contains(*stay.request.reference));
      }
      if (state->second == request_state::failed) {
        EXPECT_TRUE(overlaps_a_booking(stay.request, bookings))
            << *stay.request.reference << " was refused without an overlap";
      }
    }
  }

  static bool overlaps_a_booking(const domain::booking_request& request, const records& bookings) {
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

  /// The calendar shows the nights of all bookings that are not cancelled, and no others.
  void check_memory(unsigned unit, const records& bookings) {
    std::set<std::string> expected, shown;
    for (const auto& record : bookings)
      if (holds(record))
        expected.insert(domain::to_string(record.booking.check_in) + " " +
                        domain::to_string(record.booking.last_night));
    const auto current = directory.get();
    std::string json;
    ask(current->find_unit(numbered_id(0x10000 + unit))->calendar, actors::read_listing{0})
        .receive([&](actors::listing_response& response) { json = std::move(response.json); }, fail);
    for (const auto& row : all_matches(json, R"re("from":"([0-9-]+)","to":"([0-9-]+)")re"))
      if (day(row[1]) >= started_on_) shown.insert(row[1] + " " + row[2]);
    EXPECT_EQ(shown, expected);
  }

  void check_cancels(const records& bookings) {
    std::set<std::string> cancelled;
    for (const auto& cancel : cancels_) cancelled.insert(cancel.reference);
    for (const auto& record : bookings) {
      const auto& booking = record.booking;
      const bool by_platform = std::ranges::any_of(cancels_, [&](const auto& cancel) {
        return cancel.done && cancel.reference == *booking.reference;
      });
      if (by_platform || landlord_cancels_.contains(booking.id)) {
        EXPECT_FALSE(holds(record)) << "a cancellation is lost";
      }
      if (!holds(record)) {
        EXPECT_TRUE(cancelled.contains(*booking.reference) || landlord_cancels_.contains(booking.id));
      }
    }
    check_notifications(bookings);
  }

  /// There is exactly one notification of each event.
  void check_notifications(const records& bookings) {
    std::map<std::pair<std::string, domain::uuid>, int> counts;
    for (const auto& notification : store::list_notifications(session(), {}, stays_.size() * 3))
      ++counts[{notification.kind, notification.kind == "booking_refused" ? *notification.request_id
                                                                          : *notification.booking_id}];
    for (const auto& record : bookings) {
      const bool by_platform = record.cancelled_by == domain::cancelled_by::platform;
      EXPECT_EQ((counts[{"booking_created", record.booking.id}]), 1);
      EXPECT_EQ((counts[{"booking_cancelled", record.booking.id}]), by_platform ? 1 : 0);
    }
    for (const auto& stay : stays_)
      EXPECT_EQ((counts[{"booking_refused", stay.request.id}]),
                state_of(stay.request) == request_state::failed ? 1 : 0);
  }

  /// Returns whether the booking has the status of the day: runs of the queue also advance stays.
  bool is_up_to_date(const domain::booking& booking) {
    const auto record = store::find_booking(session(), booking.id).value();
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
  domain::date started_on_{};
  std::vector<submitted_stay> stays_;
  std::vector<submitted_cancel> cancels_;
  std::set<domain::uuid> landlord_cancels_;
};

class RandomHistories : public BookingModel {
protected:
  /// Runs one of four parts of the seeds. ROOST_TEST_SEED repeats one seed, in the first part.
  void expect_agreement(unsigned part) {
    unsigned first = seeds() * part / 4 + 1, end = seeds() * (part + 1) / 4 + 1;
    if (const char* setting = std::getenv("ROOST_TEST_SEED")) {
      first = static_cast<unsigned>(std::strtoul(setting, nullptr, 10));
      end = part == 0 ? first + 1 : first;
    }
    for (unsigned seed = first; seed < end && !HasFailure(); ++seed) {
      SCOPED_TRACE("ROOST_TEST_SEED=" + std::to_string(seed));
      run_history(seed);
    }
    EXPECT_TRUE(eventually([&] { return store::pending_mail_count(session(), now() + 24h * 365) == 0; }));
    std::set<std::string> addresses;
    for (const auto& tenant : store::load_tenants(session(), {}))
      EXPECT_TRUE(addresses.insert(tenant.details.email).second) << "two tenants have the same email address";
  }
};
ROOST_ON_EACH_STORE(RandomHistories);

// Separate tests, so that the parts run in parallel.
TEST_P(RandomHistories, AgreeWithTheModelForTheFirstSeeds) { expect_agreement(0); }
TEST_P(RandomHistories, AgreeWithTheModelForTheSecondSeeds) { expect_agreement(1); }
TEST_P(RandomHistories, AgreeWithTheModelForTheThirdSeeds) { expect_agreement(2); }
TEST_P(RandomHistories, AgreeWithTheModelForTheLastSeeds) { expect_agreement(3); }

} // namespace roost::testing::booking_model_test
