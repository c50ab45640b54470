#include "actors/office/booking_notices.hpp"

#include "mail/manual_notices.hpp"

#include <utility>

namespace roost::actors {

namespace {

/// A booking with the request that mail::stay_facts refers to.
struct described_stay {
  explicit described_stay(const store::booking_record& booking)
      : request(store::request_of(booking)), facts{booking.unit_name, booking.city, booking.booking.unit_id,
                                                   request} {}
  described_stay(const described_stay&) = delete;
  described_stay& operator=(const described_stay&) = delete;

  const domain::booking_request request;
  const mail::stay_facts facts;
};

/// The author of a write, and the notification's id.
struct notice_source {
  std::string by;
  domain::timestamp now{};
  domain::uuid id{};

  mail::manual_write write_of(const store::booking_record& booking) const {
    return {id, now, booking.booking.account_id, booking.booking.id, by};
  }
};

template <auto Notice>
store::booking_notice notice_of_changed_stay(const store::office_author& author, const domain::uuid& id) {
  return [source = notice_source{author.name, author.now, id}](
             const store::booking_record* before, const store::booking_record& after,
             std::span<const domain::stay_warning> warnings) {
    const described_stay was(*before), is(after);
    return Notice(source.write_of(after), was.facts, is.facts, warnings);
  };
}

} // namespace

store::booking_notice notice_of_creation(const store::office_author& author, const domain::uuid& id) {
  return [source = notice_source{author.name, author.now, id}](
             const store::booking_record*, const store::booking_record& after,
             std::span<const domain::stay_warning> warnings) {
    const described_stay stay(after);
    return mail::booked_by_hand_notice(source.write_of(after), stay.facts, warnings);
  };
}

store::booking_notice notice_of_change(const store::office_author& author, const domain::uuid& id) {
  return notice_of_changed_stay<mail::changed_by_hand_notice>(author, id);
}

store::booking_notice notice_of_platform_change(const store::office_author& author, const domain::uuid& id) {
  return notice_of_changed_stay<mail::changed_by_platform_notice>(author, id);
}

store::booking_notice notice_of_cancellation(const store::office_author& author, const domain::uuid& id,
                                             std::string reason) {
  return [source = notice_source{author.name, author.now, id},
          reason = std::move(reason)](const store::booking_record*, const store::booking_record& after,
                                      std::span<const domain::stay_warning>) {
    const described_stay stay(after);
    return mail::cancelled_by_hand_notice(source.write_of(after), stay.facts, reason);
  };
}

} // namespace roost::actors
