#pragma once

#include "actors/office/office_writer.hpp"
#include "actors/support/booking_world.hpp"

#include <optional>
#include <string>
#include <utility>

namespace roost::testing {

/// The office next to the actors that book. The follower polls only once by itself, so that writes reach
/// memory only through the office's requests.
class office_world : public booking_world {
protected:
  office_world() { follower_interval = 1h; }

  void SetUp() override {
    booking_world::SetUp();
    spawn_writer();
  }

  void TearDown() override {
    if (writer) caf::anon_send_exit(writer, caf::exit_reason::user_shutdown);
    writer = nullptr;
    booking_world::TearDown();
  }

  void spawn_writer() {
    actors::office_writer_setup setup;
    setup.storage = storage->at(actors::storage_pool::side_lane::office);
    setup.reading = storage->at(actors::storage_pool::lane::reads_and_mail);
    setup.lease = held;
    setup.follower = follower;
    setup.followed = followed;
    setup.directory = &directory;
    setup.new_id = [] { return security::random_uuid(); };
    setup.check_interval = 10ms;
    writer = actors::spawn_office_writer(rt, std::move(setup));
  }

  static domain::uuid unit_id(unsigned unit) { return numbered_id(0x10000 + unit); }

  /// Returns what a user of the only account may write, in this unit.
  static store::office_scope scope_of(unsigned unit) { return {numbered_id(1), {}, unit_id(unit)}; }

  static store::office_author author() {
    return {"ana@landlord.example",
            now(),
            {security::random_uuid(), now(), "user ana@landlord.example", "block", "", ""}};
  }

  /// Returns a notification to the only account.
  static domain::notification notice() {
    domain::notification made;
    made.id = security::random_uuid();
    made.account_id = numbered_id(1);
    made.kind = "calendar";
    made.title = made.body = "t";
    made.created_at = now();
    return made;
  }

  template <typename Request>
  static actors::office_write<Request> message_of(Request request) {
    return {{numbered_id(1), {}}, std::move(request), author(), actors::deadline::in(10s)};
  }

  static actors::create_block creation(unsigned unit, const char* first, const char* last) {
    return message_of(
        store::block_creation{unit_id(unit), security::random_uuid(), {day(first), day(last)}, "", {}});
  }

  /// Returns the outcome; nullopt if the writer reports an error.
  template <typename Outcome = store::block_outcome, typename Message>
  std::optional<Outcome> write(Message message) {
    caf::scoped_actor self{rt.system()};
    std::optional<Outcome> result;
    self->request(writer, 20s, std::move(message))
        .receive([&](Outcome& outcome) { result = std::move(outcome); }, [](const caf::error&) {});
    return result;
  }

  store::office_result block(unsigned unit, const char* first, const char* last) {
    return write(creation(unit, first, last)).value().result;
  }

  actors::office_writer writer;
};

} // namespace roost::testing
