#include "actors/bookings/platform_bookings.hpp"

#include "log/log.hpp"
#include "mail/notices.hpp"
#include "store/audit/audit.hpp"
#include "store/bookings/bookings.hpp"

#include <unordered_map>

namespace roost::actors {

namespace {

constexpr std::chrono::milliseconds look_up_interval{500};

domain::notification notice_of(const store::booking_record& cancelled, const domain::uuid& id,
                               domain::timestamp now) {
  const auto& booking = cancelled.booking;
  const auto request = store::request_of(cancelled);
  return mail::cancelled_notice(id, now, booking.account_id, booking.id,
                                {cancelled.unit_name, cancelled.city, request});
}

class platform_bookings_state : public actor_state<platform_bookings> {
public:
  static constexpr const char* name = "platform_bookings";
  using actor_state::actor_state;

  behavior open(platform_bookings_setup setup) {
    setup_ = std::move(setup);
    return {[this](const cancel_platform_booking& request) { return cancel(request); },
            [this](const look_up_cancel& later) { look_up(later.number); }};
  }

  caf::result<platform_booking_cancelled> cancel(const cancel_platform_booking& request) {
    const auto memory = setup_.followed->generation();
    const auto lease = setup_.lease->current();
    if (!lease) return make_error(storage_error::lease_lost);
    auto promise = self_->make_response_promise<platform_booking_cancelled>();
    const auto notice = [id = setup_.new_id(), now = setup_.now()](const store::booking_record& record) {
      return notice_of(record, id, now);
    };
    in_storage(
        self_, setup_.writing, "cancel_platform_booking",
        [lease = *lease, request, notice, entry = audit_of(request)](store::session& db) {
          return store::audited(db, entry, [&] {
            return store::cancel_for_platform(db, lease, request.booking, request.unit_id, notice);
          });
        },
        [this, promise, request, memory](std::optional<store::cancellation> cancellation) mutable {
          if (cancellation && cancellation->cancelled)
            release(request, cancellation->booking_id, cancellation->done);
          if (cancellation && cancellation->done)
            self_->send(setup_.follower, own_change{cancellation->change, memory});
          promise.deliver(platform_booking_cancelled{cancellation && cancellation->done});
        },
        [this, promise, request](storage_error error) mutable {
          promise.deliver(make_error(error));
          doubtful_.emplace(next_, request); // the commit may have succeeded although its response was lost
          look_up_later(next_++);
        },
        request.deadline);
    return promise;
  }

  void look_up(std::uint64_t number) {
    const auto& request = doubtful_.at(number);
    in_storage(
        self_, setup_.reading, "settled_cancellation",
        [booking = request.booking, unit = request.unit_id](store::session& db) {
          return store::settled_cancellation(db, booking, unit);
        },
        [this, number](std::optional<domain::uuid> cancelled) {
          const auto settled = doubtful_.extract(number);
          if (cancelled) release(settled.mapped(), *cancelled, true);
        },
        [this, number](storage_error) { look_up_later(number); });
  }

private:
  store::audit_entry audit_of(const cancel_platform_booking& request) const {
    return {setup_.new_id(),
            setup_.now(),
            request.by,
            "webhook cancel",
            domain::to_string(request.unit_id),
            request.booking.platform + " " + request.booking.reference};
  }

  /// Frees the nights in the calendar; releasing twice is a no-op. `now`: whether this request cancelled the
  /// booking.
  void release(const cancel_platform_booking& request, const domain::uuid& booking, bool now) {
    self_->send(request.calendar, settle_nights{booking, hold_outcome::cancelled});
    if (request.changes) request.changes->note();
    if (now) log::info("booking_cancelled", {{"booking", domain::to_string(booking)}, {"by", "platform"}});
  }

  void look_up_later(std::uint64_t number) {
    self_->delayed_send(self_, look_up_interval, look_up_cancel{number});
  }

  platform_bookings_setup setup_;
  std::unordered_map<std::uint64_t, cancel_platform_booking> doubtful_;
  std::uint64_t next_ = 0;
};

} // namespace

platform_bookings spawn_platform_bookings(runtime& rt, platform_bookings_setup setup) {
  return rt.spawn_at<platform_bookings_state>(0, std::move(setup));
}

asio::awaitable<std::optional<domain::booking_status>>
find_platform_booking(storage_lane lane, store::platform_reference booking) {
  return in_store(
      std::move(lane), "find_platform_booking",
      [booking = std::move(booking)](store::session& db) { return store::status_of(db, booking); });
}

} // namespace roost::actors
