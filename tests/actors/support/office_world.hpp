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
};

} // namespace roost::testing
