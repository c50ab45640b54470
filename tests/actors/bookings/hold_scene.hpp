#pragma once

#include "actors/bookings/hold_keeper.hpp"
#include "actors/support/booking_world.hpp"
#include "store/bookings/outcomes.hpp"
#include "store/bookings/submissions.hpp"
#include "store/stays/holds.hpp"

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace roost::testing {

/// The booking actors with the actor of holds. The follower polls only once by itself, so that holds reach
/// memory only through the actor's requests.
class hold_world : public booking_world {
protected:
  using result = store::hold_receipt::kind;
  using release_result = store::release_outcome::kind;

  hold_world() { follower_interval = 1h; }

  void SetUp() override {
    time_passed = 0ms;
    booking_world::SetUp();
    spawn_keeper();
  }

  void TearDown() override {
    if (storage) end_keeper(caf::exit_reason::user_shutdown);
    booking_world::TearDown();
  }

  void crash_with_holds() {
    end_keeper(caf::exit_reason::kill);
    crash();
    spawn_keeper();
  }

  /// The time by which holds expire.
  static domain::timestamp hold_time() { return booking_world::now() + time_passed.load(); }

  static domain::uuid unit_id(unsigned unit) { return numbered_id(0x10000 + unit); }

  /// Returns a hold of 15 minutes that begins now.
  static store::hold hold(unsigned number, unsigned unit, const char* check_in, const char* check_out,
                          int preparation_days = 0) {
    store::hold hold;
    hold.platform = "marketplace-a";
    hold.id = domain::to_string(numbered_id(0x300000 + number));
    hold.block_id = numbered_id(0x400000 + number);
    hold.unit_id = unit_id(unit);
    hold.external_id = "u" + std::to_string(unit);
    hold.check_in = day(check_in);
    hold.check_out = day(check_out);
    hold.last_night = domain::booked_nights(hold.check_in, hold.check_out, preparation_days).last;
    hold.minutes = 15;
    hold.created_at = hold_time();
    hold.expires_at = hold.created_at + std::chrono::minutes{hold.minutes};
    return hold;
  }

  static actors::place_hold message_of(const store::hold& hold) {
    return {{numbered_id(1)}, hold, actors::deadline::in(10s)};
  }

  /// Places a hold. Returns nullopt if the actor reports an error.
  std::optional<store::hold_receipt> place(const store::hold& hold) {
    caf::scoped_actor self{rt.system()};
    std::optional<store::hold_receipt> receipt;
    self->request(keeper, 20s, message_of(hold))
        .receive([&](store::hold_receipt& placed) { receipt = std::move(placed); },
                 [this](const caf::error& reason) { error = actors::storage_error_of(reason); });
    return receipt;
  }

  /// Places a hold of nights that are free.
  store::hold placed(unsigned number, unsigned unit, const char* check_in, const char* check_out,
                     int preparation_days = 0) {
    auto hold = hold_world::hold(number, unit, check_in, check_out, preparation_days);
    EXPECT_EQ(place(hold).value_or(store::hold_receipt{}).result, result::created);
    return hold;
  }

  std::optional<release_result> release(const store::hold& hold) {
    caf::scoped_actor self{rt.system()};
    std::optional<release_result> outcome;
    self->request(keeper, 20s,
                  actors::release_hold{{}, {hold.platform, hold.id, hold_time()}, actors::deadline::in(10s)})
        .receive([&](const store::release_outcome& released) { outcome = released.result; },
                 [this](const caf::error& reason) { error = actors::storage_error_of(reason); });
    return outcome;
  }

  /// Stores a request that claims a hold, without deciding it.
  void submit(domain::booking_request request, const store::hold& claimed) {
    request.received_at = hold_time();
    store::submission sent{std::move(request), "key:digest"};
    sent.hold_id = claimed.id;
    const auto receipts = store::put_submissions(session(), lease, std::vector{sent});
    EXPECT_EQ(receipts.at(0).result, store::put_receipt::kind::created);
  }

  bool is_claimed(const store::hold& hold) { return record_of(hold).request_id.has_value(); }
  bool has_ended(const store::hold& hold) { return record_of(hold).ended_at.has_value(); }

  store::submission_outcome outcome_of(const domain::booking_request& submitted) {
    return store::find_outcome(session(), submitted.platform, *submitted.reference).value();
  }

  void expect_refused(const domain::booking_request& submitted, domain::refusal reason,
                      const std::vector<domain::nights>& taken) {
    EXPECT_EQ(state_of(submitted), domain::request_state::failed);
    EXPECT_EQ(outcome_of(submitted).refusal, reason);
    EXPECT_EQ(outcome_of(submitted).taken_nights, taken);
  }

  /// Returns once the actor has looked for expired holds with the time as it is now.
  void wait_for_look() {
    const auto looks = jobs("look_for_holds", "done");
    ASSERT_TRUE(eventually([&] { return jobs("look_for_holds", "done") >= looks + 2; }));
  }

  unsigned long holds(const std::string& event) {
    return metric("roost_holds_total{event=\"" + event + "\"}");
  }

  static inline std::atomic<std::chrono::milliseconds> time_passed{std::chrono::milliseconds{0}};

  actors::hold_keeper keeper;
  std::optional<actors::storage_error> error; ///< the last one that the actor reported

private:
  store::hold_record record_of(const store::hold& hold) {
    return store::find_hold(session(), hold.platform, hold.id).value();
  }

  void spawn_keeper() {
    actors::hold_keeper_setup setup;
    setup.writer = writer;
    setup.reading = storage->at(actors::storage_pool::lane::reads_and_mail);
    setup.follower = follower;
    setup.lease = held;
    setup.now = hold_time;
    setup.registry = &registry;
    setup.interval = 10ms;
    keeper = actors::spawn_hold_keeper(rt, std::move(setup));
  }

  void end_keeper(caf::exit_reason reason) {
    caf::scoped_actor self{rt.system()};
    caf::anon_send_exit(keeper, reason);
    self->wait_for(keeper);
    keeper = nullptr;
  }
};

} // namespace roost::testing
