#include "actors/bookings/platform_bookings.hpp"

#include "actors/runtime/group_commit.hpp"
#include "log/log.hpp"
#include "mail/notices.hpp"
#include "store/bookings/bookings.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace roost::actors {

namespace {

constexpr std::chrono::milliseconds look_up_interval{500};

/// Decisions share the storage actor, and a cancellation takes several statements.
constexpr std::size_t max_cancellations_per_group = 64;

domain::notification notice_of(const store::booking_record& cancelled, const domain::uuid& id,
                               domain::timestamp now) {
  const auto& booking = cancelled.booking;
  const auto request = store::request_of(cancelled);
  return mail::cancelled_notice(id, now, booking.account_id, booking.id,
                                {cancelled.unit_name, cancelled.city, booking.unit_id, request});
}

class platform_bookings_state : public actor_state<platform_bookings> {
public:
  static constexpr const char* name = "platform_bookings";
  using actor_state::actor_state;

  behavior open(platform_bookings_setup setup) {
    setup_ = std::move(setup);
    open_commit();
    return {[this](cancel_platform_booking& request) { return cancel(request); },
            [this](const look_up_cancel& later) { look_up(later.number); }};
  }

  caf::result<platform_booking_cancelled> cancel(cancel_platform_booking& request) {
    auto caller = self_->make_response_promise<platform_booking_cancelled>();
    store::platform_cancellation cancellation{request.booking, request.unit_id, {}, audit_of(request)};
    cancellation.notice = [id = setup_.new_id(), now = setup_.now()](const store::booking_record& record) {
      return notice_of(record, id, now);
    };
    const auto until = request.deadline;
    commit_.add(std::move(cancellation), {std::move(request), setup_.followed->generation(), caller}, until);
    commit_.run();
    return caller;
  }

  void look_up(std::uint64_t number) {
    const auto& request = in_doubt_.at(number);
    in_storage(
        self_, setup_.reading, "settled_cancellation",
        [booking = request.booking, unit = request.unit_id](store::session& db) {
          return store::settled_cancellation(db, booking, unit);
        },
        [this, number](std::optional<domain::uuid> cancelled) {
          const auto settled = in_doubt_.extract(number);
          if (cancelled) release(settled.mapped(), *cancelled, true);
        },
        [this, number](storage_error) { look_up_later(number); });
  }

private:
  struct ticket {
    cancel_platform_booking request;
    std::uint64_t memory = 0; ///< replication_position::generation() of the request's calendar
    caf::typed_response_promise<platform_booking_cancelled> caller;
  };
  struct made_response {
    caf::typed_response_promise<platform_booking_cancelled> caller;
    bool is_done = false;
  };
  using response_list = std::vector<made_response>;
  using outcome_list = std::vector<std::optional<store::cancellation>>;
  using cancel_commit =
      group_commit<platform_bookings::base, store::platform_cancellation, ticket, outcome_list>;

  void open_commit() {
    cancel_commit::setup options;
    options.kind = "cancel_platform_booking";
    options.lanes = {setup_.writing};
    options.lease = setup_.lease;
    options.max_items = max_cancellations_per_group;
    options.begin = [] { return store::cancel_for_platforms; };
    options.written = [this](cancel_commit::group group, const outcome_list& outcomes) {
      written(group, outcomes);
    };
    options.failed = [this](cancel_commit::group group, storage_error error) { not_written(group, error); };
    commit_.open(self_, std::move(options));
  }

  void written(cancel_commit::group group, const outcome_list& outcomes) {
    std::optional<own_change> change;
    bool is_known = true; // by the requests' calendars
    response_list responses;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const auto& outcome = outcomes[i];
      const auto memory = group.tickets[i].memory;
      if (outcome && outcome->cancelled)
        release(group.tickets[i].request, outcome->booking_id, outcome->done);
      is_known = is_known && (!outcome || outcome->unit_id == group.tickets[i].request.unit_id);
      responses.push_back({group.tickets[i].caller, outcome && outcome->done});
      if (outcome && outcome->done)
        change = own_change{outcome->change, change ? std::min(change->generation, memory) : memory};
    }
    if (change && !is_known)
      return respond_once_shown(change->point, group.tickets.front().request.deadline, std::move(responses));
    if (change) self_->send(setup_.follower, *change); // after the calendars know it
    respond(responses);
  }

  /// The office had moved a booking, so that only the follower tells the calendar which has its nights now.
  void respond_once_shown(const store::stream_point& point, const deadline& until, response_list responses) {
    auto shared = std::make_shared<response_list>(std::move(responses));
    self_->request(setup_.follower, timeout_of(until), show_change{point, nullptr})
        .then([shared](const change_shown&) { respond(*shared); },
              [shared](const caf::error&) { respond(*shared); }); // it is committed, and will be shown
  }

  static void respond(response_list& responses) {
    for (auto& each : responses) each.caller.deliver(platform_booking_cancelled{each.is_done});
  }

  /// If the store was unavailable, the commit may have succeeded although its response was lost.
  void not_written(cancel_commit::group group, storage_error error) {
    for (auto& each : group.tickets) {
      each.caller.deliver(make_error(error));
      if (error != storage_error::unavailable) continue;
      in_doubt_.emplace(next_, std::move(each.request));
      look_up_later(next_++);
    }
  }

  store::audit_entry audit_of(const cancel_platform_booking& request) const {
    return {setup_.new_id(),
            setup_.now(),
            request.by,
            request.action,
            domain::to_string(request.unit_id),
            request.booking.platform + " " + request.booking.reference,
            request.booking.account_id};
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
  cancel_commit commit_;
  std::unordered_map<std::uint64_t, cancel_platform_booking> in_doubt_;
  std::uint64_t next_ = 0;
};

} // namespace

platform_bookings spawn_platform_bookings(runtime& rt, platform_bookings_setup setup) {
  return rt.spawn_at<platform_bookings_state>(0, std::move(setup));
}

asio::awaitable<std::optional<store::stream_point>> withdraw_requests(leased_lane decisions,
                                                                      store::withdrawal by) {
  const auto platform = by.platform, reference = by.reference;
  std::function<store::withdrawn_requests(store::session&, const store::lease&)> write =
      [by = std::move(by)](store::session& db, const store::lease& held) {
        return store::withdraw_requests(db, held, by);
      };
  try {
    const auto withdrawn = co_await in_store(std::move(decisions), "withdraw_requests", std::move(write));
    for (const auto& id : withdrawn.ids)
      log::info("booking_withdrawn",
                {{"request", domain::to_string(id)}, {"platform", platform}, {"reference", reference}});
    co_return withdrawn.freed;
  } catch (const ask_error& failed) {
    if (failed.kind() != ask_failure::refused ||
        storage_error_of(failed.reason()) != storage_error::already_decided)
      throw;
  }
  co_return std::nullopt;
}

asio::awaitable<store::stay_change_receipt> put_stay_change(leased_lane decisions, store::stay_change change,
                                                            domain::date today) {
  return in_store(std::move(decisions), "put_stay_change",
                  [change = std::move(change), today](store::session& db, const store::lease& held) {
                    return store::put_stay_change(db, held, change, today);
                  });
}

/// The position is read first, so that no later decision is missed.
asio::awaitable<positioned_stay_change> find_stay_change(storage_lane lane, std::string platform,
                                                         std::string reference, std::string id) {
  return in_store(
      std::move(lane), "find_stay_change",
      [platform = std::move(platform), reference = std::move(reference),
       id = std::move(id)](store::session& db) {
        const auto position = store::newest_outcome(db, platform);
        return positioned_stay_change{position, store::find_stay_change(db, platform, reference, id)};
      });
}

asio::awaitable<std::optional<domain::booking_status>>
find_platform_booking(storage_lane lane, store::platform_reference booking) {
  return in_store(
      std::move(lane), "find_platform_booking",
      [booking = std::move(booking)](store::session& db) { return store::status_of(db, booking); });
}

} // namespace roost::actors
