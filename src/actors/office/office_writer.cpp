#include "actors/office/office_writer.hpp"

#include "actors/runtime/storage.hpp"
#include "domain/calendar.hpp"
#include "store/database/error.hpp"
#include "store/office/office_write.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace roost::actors {

namespace {

/// Nights of a unit that a write may take.
struct wanted_nights {
  domain::uuid unit_id{};
  domain::nights nights;
  bool is_stay = false; ///< the unit is prepared afterwards, which takes nights, too
};

using optional_nights = std::optional<wanted_nights>;

optional_nights nights_of(const store::block_creation& request) {
  return {{request.unit_id, request.nights}};
}

optional_nights nights_of(const store::block_change& request) {
  if (!request.may_block) return std::nullopt;
  return {{request.unit_id, *request.may_block}};
}

optional_nights nights_of(const store::block_deletion&) { return std::nullopt; }

optional_nights nights_of(const store::booking_creation& request) {
  return {{request.unit_id, domain::stay_nights(request.stay.check_in, request.stay.check_out), true}};
}

optional_nights nights_of(const store::booking_change& request) {
  if (!request.expected) return std::nullopt;
  return {{request.expected->unit_id, request.expected->nights, true}};
}

optional_nights nights_of(const store::stay_change_to_decide& request) {
  if (!request.expected) return std::nullopt;
  return {{request.expected->unit_id, request.expected->nights, true}};
}

optional_nights nights_of(const store::booking_cancellation&) { return std::nullopt; }

optional_nights nights_of(const store::hold& request) {
  return {{request.unit_id, {request.check_in, request.last_night}}};
}

optional_nights nights_of(const store::hold_release&) { return std::nullopt; }
optional_nights nights_of(const store::hold_expiry&) { return std::nullopt; }

/// From the first event's night that is not over to the last one's: reservations wait for some milliseconds.
optional_nights nights_of(const store::calendar_reading& reading) {
  optional_nights hull;
  for (const auto& each : reading.events) {
    if (each.last < reading.today) continue;
    if (!hull) hull = {reading.unit_id, {std::max(each.first, reading.today), each.last}};
    hull->nights.last = std::max(hull->nights.last, each.last);
  }
  return hull;
}

store::block_outcome write(store::session& db, const store::lease& held, const create_block& write) {
  return store::create_block(db, held, write.scope, write.request, write.author);
}
store::block_outcome write(store::session& db, const store::lease& held, const change_block& write) {
  return store::change_block(db, held, write.scope, write.request, write.author);
}
store::block_outcome write(store::session& db, const store::lease& held, const delete_block& write) {
  return store::delete_block(db, held, write.scope, write.request, write.author);
}

store::booking_outcome write(store::session& db, const store::lease& held, const create_booking& write) {
  return store::create_booking(db, held, write.scope, write.request, write.author);
}
store::booking_outcome write(store::session& db, const store::lease& held, const change_booking& write) {
  return store::change_booking(db, held, write.scope, write.request, write.author);
}
store::booking_outcome write(store::session& db, const store::lease& held, const cancel_booking& write) {
  return store::cancel_booking(db, held, write.scope, write.request, write.author);
}

store::stay_change_outcome write(store::session& db, const store::lease& held,
                                 const decide_stay_change& write) {
  return store::decide_stay_change(db, held, write.scope, write.request, write.author);
}

store::hold_receipt write(store::session& db, const store::lease& held, const place_hold& write) {
  return store::place_hold(db, held, write.scope, write.request);
}
store::release_outcome write(store::session& db, const store::lease& held, const release_hold& write) {
  return store::release_hold(db, held, write.request);
}
store::expired_holds write(store::session& db, const store::lease& held, const end_expired_holds& write) {
  return store::end_expired_holds(db, held, write.request);
}

store::calendar_reading_outcome write(store::session& db, const store::lease& held,
                                      const store_calendar& write) {
  return store::with_retries([&] { return store::store_reading(db, held, write.request, write.notices); });
}

template <typename Write>
using outcome_of_write = decltype(write(std::declval<store::session&>(), std::declval<const store::lease&>(),
                                        std::declval<const Write&>()));

/// Returns whether the outcome is part of the store, so that reads must show it.
bool is_stored(const store::calendar_reading_outcome& outcome) { return outcome.is_changed; }
bool is_stored(const store::hold_receipt& outcome) { return outcome.point.position > 0; }
bool is_stored(const store::release_outcome& outcome) { return outcome.point.position > 0; }
bool is_stored(const store::expired_holds& outcome) { return outcome.point.position > 0; }
bool is_stored(const store::stay_change_outcome& outcome) { return outcome.point.position > 0; }
bool is_stored(store::office_result result) {
  using enum store::office_result;
  return result == created || result == repeated || result == changed || result == unchanged ||
         result == deleted;
}
bool is_stored(const store::block_outcome& outcome) { return is_stored(outcome.result); }
bool is_stored(const store::booking_outcome& outcome) { return is_stored(outcome.result); }

class office_writer_state : public actor_state<office_writer> {
public:
  static constexpr const char* name = "office_writer";
  using actor_state::actor_state;

  behavior open(office_writer_setup setup) {
    setup_ = std::move(setup);
    return {[this](show_change& change) { return self_->delegate(setup_.follower, std::move(change)); },
            [this](create_block& write) { return begin(std::move(write)); },
            [this](change_block& write) { return begin(std::move(write)); },
            [this](delete_block& write) { return begin(std::move(write)); },
            [this](create_booking& write) { return begin(std::move(write)); },
            [this](change_booking& write) { return begin(std::move(write)); },
            [this](cancel_booking& write) { return begin(std::move(write)); },
            [this](decide_stay_change& write) { return begin(std::move(write)); },
            [this](place_hold& write) { return begin(std::move(write)); },
            [this](release_hold& write) { return begin(std::move(write)); },
            [this](end_expired_holds& write) { return begin(std::move(write)); },
            [this](store_calendar& write) { return begin(std::move(write)); },
            [this](const check_doubtful_nights&) { check_doubtful(); }};
  }

private:
  /// Nights that this actor holds in a calendar.
  struct held_nights {
    unit_calendar calendar;
    domain::uuid id{};
    std::uint64_t memory = 0; ///< replication_position::generation() of the calendar
    /// Memory that has reached this position knows the write's outcome; nullopt: the store was not asked yet.
    std::optional<std::int64_t> position = {};
  };

  template <typename Write>
  struct pending {
    using outcome = outcome_of_write<Write>;

    Write write;
    caf::typed_response_promise<outcome> caller;
    std::optional<held_nights> held = {};
    bool may_be_written = false; ///< set on the storage thread: a failed write may have been committed
  };

  template <typename Write>
  caf::result<outcome_of_write<Write>> begin(Write write) {
    auto caller = self_->template make_response_promise<outcome_of_write<Write>>();
    const auto until = write.deadline;
    const auto nights = nights_of(write.request);
    auto work = std::make_shared<pending<Write>>(pending<Write>{std::move(write), caller});
    const auto known = setup_.directory->get();
    const auto* unit = known && nights ? known->find_unit(nights->unit_id) : nullptr;
    // No booking can be decided on a unit that memory does not have.
    if (unit == nullptr || !is_in_account(*unit, work->write)) {
      store(work);
      return caller;
    }
    held_nights held{unit->calendar, setup_.new_id(), setup_.followed->generation()};
    self_->request(unit->calendar, timeout_of(until), hold_nights{held.id, nights_to_hold(*nights, *unit)})
        .then(
            [this, work, held](const nights_held&) {
              work->held = held;
              store(work);
            },
            [this, work, held](caf::error&) {
              release(held); // it may be granted later
              work->caller.deliver(make_error(storage_error::unavailable));
            });
    return caller;
  }

  /// Whether the unit belongs to the caller's account. If not, the store refuses the write.
  template <typename Write>
  static bool is_in_account(const directory_unit& unit, const Write& write) {
    if constexpr (requires { write.scope; })
      return unit.owner->id == write.scope.account_id;
    else
      return true;
  }

  static domain::nights nights_to_hold(const wanted_nights& wanted, const directory_unit& unit) {
    const auto& [first, last] = wanted.nights;
    if (!wanted.is_stay) return wanted.nights;
    return domain::booked_nights(first, last + domain::days{1}, unit.setup->terms.preparation_days);
  }

  template <typename Work>
  void store(const std::shared_ptr<Work>& work) {
    const auto lease = setup_.lease->current();
    if (!lease) return fail(work, storage_error::lease_lost);
    in_storage(
        self_, setup_.storage, "office_write",
        [lease = *lease, work](store::session& db) {
          try {
            return write(db, lease, work->write);
          } catch (const store::unavailable& error) {
            work->may_be_written = error.commit_uncertain();
            throw;
          }
        },
        [this, work](typename Work::outcome& outcome) { stored(work, std::move(outcome)); },
        [this, work](storage_error error) { fail(work, error); }, work->write.deadline);
  }

  template <typename Work>
  void stored(const std::shared_ptr<Work>& work, typename Work::outcome outcome) {
    if (!is_stored(outcome)) {
      if (work->held) release(*work->held);
      work->caller.deliver(std::move(outcome));
      return;
    }
    const auto point = outcome.point;
    self_->request(setup_.follower, timeout_of(work->write.deadline), show_change{point, nullptr})
        .then(
            [this, work, outcome = std::move(outcome)](const change_shown&) mutable {
              if (work->held) release(*work->held);
              work->caller.deliver(std::move(outcome));
            },
            [this, work, point](caf::error&) {
              keep_until(work->held, point.position);
              work->caller.deliver(make_error(storage_error::unavailable));
            });
  }

  template <typename Work>
  void fail(const std::shared_ptr<Work>& work, storage_error error) {
    if (work->may_be_written)
      keep_until(work->held, std::nullopt);
    else if (work->held)
      release(*work->held);
    work->caller.deliver(make_error(error));
  }

  void release(const held_nights& held) { self_->send(held.calendar, release_nights{held.id}); }

  /// Keeps the nights until memory has reached the position.
  void keep_until(const std::optional<held_nights>& held, std::optional<std::int64_t> position) {
    if (!held) return;
    doubtful_.push_back(*held);
    doubtful_.back().position = position;
    check_later();
  }

  void check_later() {
    if (doubtful_.empty() || std::exchange(is_checking_, true)) return;
    self_->delayed_send(self_, setup_.check_interval, check_doubtful_nights{});
  }

  void check_doubtful() {
    is_checking_ = false;
    if (std::ranges::any_of(doubtful_, [](const held_nights& each) { return !each.position; }))
      return ask_store();
    release_known();
  }

  /// All writes in doubt were sent before, so one position after their end is enough for all of them.
  void ask_store() {
    is_checking_ = true;
    in_storage(
        self_, setup_.reading, "settled_position",
        [](store::session& db) { return store::settled_position(db); },
        [this, count = doubtful_.size()](std::int64_t position) {
          is_checking_ = false;
          for (std::size_t i = 0; i < count; ++i)
            if (!doubtful_[i].position) doubtful_[i].position = position;
          release_known();
        },
        [this](storage_error) {
          is_checking_ = false;
          check_later();
        });
  }

  /// A calendar of an earlier generation of memory has ended.
  void release_known() {
    const auto reached = setup_.followed->point().position;
    const auto memory = setup_.followed->generation();
    std::erase_if(doubtful_, [&](const held_nights& each) {
      const bool is_known = each.memory != memory || (each.position && *each.position <= reached);
      if (is_known) release(each);
      return is_known;
    });
    check_later();
  }

  office_writer_setup setup_;
  std::vector<held_nights> doubtful_;
  bool is_checking_ = false;
};

} // namespace

office_writer spawn_office_writer(runtime& rt, office_writer_setup setup) {
  return rt.spawn_at<office_writer_state>(0, std::move(setup));
}

asio::awaitable<std::optional<store::office_page<store::office_block>>>
list_blocks(storage_lane lane, store::office_scope scope, domain::uuid unit,
            std::optional<store::block_place> after, std::size_t limit) {
  return in_store(std::move(lane), "list_blocks", [scope, unit, after, limit](store::session& db) {
    return store::list_blocks(db, scope, unit, after, limit);
  });
}

asio::awaitable<std::optional<store::office_block>> find_block(storage_lane lane, store::office_scope scope,
                                                               domain::uuid unit, domain::uuid id) {
  return in_store(std::move(lane), "find_block",
                  [scope, unit, id](store::session& db) { return store::find_block(db, scope, unit, id); });
}

} // namespace roost::actors
