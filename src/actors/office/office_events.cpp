#include "actors/office/office_events.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

namespace roost::actors {

namespace {

constexpr std::size_t entries_per_read = 500;
/// Reading everything is cheaper for a client that was away for longer.
constexpr std::int64_t max_entries_to_catch_up = 5'000;

class office_events_state : public actor_state<office_events> {
public:
  static constexpr const char* name = "office_events";
  using actor_state::actor_state;

  behavior open(office_events_setup setup) {
    setup_ = std::move(setup);
    return {[this](const read_events&) {
              is_due_ = false;
              look();
            },
            [this](const end_events&) { end(); },
            [this](await_events& request) { return wait(std::move(request)); }};
  }

private:
  using clock = std::chrono::steady_clock;

  struct waiting_stream {
    await_events request;
    caf::typed_response_promise<awaited_events> promise;
    clock::time_point until;
  };

  caf::result<awaited_events> wait(await_events request) {
    if (ended_ || !setup_.lease->holds()) return make_error(storage_error::unavailable);
    keep_from(request.after);
    auto promise = self_->make_response_promise<awaited_events>();
    waiting_.push_back({std::move(request), promise, clock::now() + setup_.max_wait});
    look();
    return promise;
  }

  /// Lets the kept events begin at this point if they begin later, or if nobody needs earlier ones.
  void keep_from(const store::stream_point& point) {
    if (point.position >= start_ && point.position <= end_.position) return;
    if (point.position > end_.position && !waiting_.empty()) return; // being read
    events_.clear();
    start_ = point.position;
    end_ = point;
    ++reading_; // what is being read begins elsewhere
  }

  void look() {
    respond();
    if (waiting_.empty()) return;
    read();
    if (std::exchange(is_due_, true)) return;
    self_->delayed_send(self_, setup_.interval, read_events{});
  }

  void read() {
    const auto reached = setup_.followed->point();
    if (is_reading_ || reached.position <= end_.position) return;
    is_reading_ = true;
    in_storage(
        self_, setup_.storage, "office_events",
        [after = end_, until = reached.position](store::session& db) {
          return store::events_after(db, after, until, entries_per_read);
        },
        [this, number = reading_](std::optional<store::office_events>& found) {
          is_reading_ = false;
          if (number == reading_) take(found);
          look();
        },
        [this](storage_error) { is_reading_ = false; }); // the next message reads again
  }

  void take(std::optional<store::office_events>& found) {
    if (!found) return report_gap();
    std::ranges::move(found->events, std::back_inserter(events_));
    end_ = found->end;
    respond();
    for (; events_.size() > setup_.max_kept; events_.pop_front()) start_ = events_.front().position;
  }

  /// The entries have been deleted, or the store has another history.
  void report_gap() {
    for (auto& each : std::exchange(waiting_, {})) respond_with_gap(each);
  }

  void respond_with_gap(waiting_stream& to) {
    to.promise.deliver(awaited_events{{}, setup_.followed->point(), true, setup_.followed->generation()});
  }

  void respond() {
    const auto now = clock::now();
    std::erase_if(waiting_, [&](waiting_stream& each) { return respond(each, now); });
  }

  /// Returns whether the stream has got its response.
  bool respond(waiting_stream& to, clock::time_point now) {
    if (!setup_.lease->holds()) {
      to.promise.deliver(make_error(storage_error::unavailable));
      return true;
    }
    if (to.request.generation != setup_.followed->generation()) {
      respond_with_gap(to);
      return true;
    }
    awaited_events response{{}, to.request.after, false, to.request.generation};
    if (end_.position > response.end.position) {
      response.events = events_for(to.request);
      response.end = end_;
    }
    if (response.events.empty() && now < to.until) return false;
    to.promise.deliver(std::move(response));
    return true;
  }

  std::vector<shown_event> events_for(const await_events& request) const {
    std::vector<shown_event> shown;
    const auto first =
        std::ranges::upper_bound(events_, request.after.position, {}, &store::office_event::position);
    for (auto each = first; each != events_.end(); ++each)
      if (auto ids = ids_in(*each, request.scope); !ids.empty())
        shown.push_back({each->position, each->kind, std::move(ids)});
    return shown;
  }

  void end() {
    ended_ = true;
    for (auto& each : std::exchange(waiting_, {}))
      each.promise.deliver(make_error(storage_error::unavailable));
  }

  office_events_setup setup_;
  std::vector<waiting_stream> waiting_;
  std::deque<store::office_event> events_; ///< of the entries after start_, up to end_
  std::int64_t start_ = 0;
  store::stream_point end_;
  std::uint64_t reading_ = 0; ///< number of times that the kept events began elsewhere
  bool is_reading_ = false;
  bool is_due_ = false; ///< a message will look for changes
  bool ended_ = false;
};

} // namespace

office_events spawn_office_events(runtime& rt, office_events_setup setup) {
  return rt.spawn_at<office_events_state>(0, std::move(setup));
}

asio::awaitable<bool> is_event_point(storage_lane lane, store::stream_point point) {
  return in_store(std::move(lane), "event_point", [point](store::session& db) {
    const auto seen = store::view_stream(db, point);
    return seen.has_known_point && seen.newest.position - point.position <= max_entries_to_catch_up;
  });
}

} // namespace roost::actors
