#include "actors/office/office_events.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

namespace roost::actors {

namespace {

constexpr std::size_t entries_per_read = 100; ///< one may concern thousands of accounts
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
    auto promise = self_->make_response_promise<awaited_events>();
    waiting_stream stream{std::move(request), promise, clock::now() + setup_.max_wait};
    begin_window(stream.request);
    if (stream.request.after.position < start_ && stream.request.generation == window_generation_) {
      catch_up(std::move(stream));
    } else {
      waiting_.push_back(std::move(stream));
      look();
    }
    return promise;
  }

  /// Lets the kept events begin at the stream's point if there are none of this history, or if no other
  /// stream waits for what lies between.
  void begin_window(const await_events& request) {
    const bool is_of_history = window_generation_ == request.generation;
    const bool is_behind = waiting_.empty() && request.after.position > end_.position;
    if (is_of_history && !is_behind) return;
    if (request.generation != setup_.followed->generation()) return; // the stream learns of its gap
    events_.clear();
    start_ = request.after.position;
    end_ = request.after;
    window_generation_ = request.generation;
    ++reading_; // what is being read begins elsewhere
  }

  /// Reads what a stream has missed for it alone, so that it delays no other one.
  void catch_up(waiting_stream stream) {
    const auto until = setup_.followed->point().position;
    in_storage(
        self_, setup_.storage, "office_events",
        [after = stream.request.after, until](store::session& db) {
          return store::events_after(db, after, until, entries_per_read);
        },
        [this, stream](std::optional<store::office_events>& batch) mutable {
          if (!batch || stream.request.generation != setup_.followed->generation())
            return respond_with_gap(stream);
          awaited_events response{{}, batch->end, false, stream.request.generation};
          for (const auto& each : batch->events) add(each, stream.request.scope, response.events);
          stream.promise.deliver(std::move(response));
        },
        [stream](storage_error error) mutable { stream.promise.deliver(make_error(error)); });
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
    if (is_reading_ || !window_generation_ || reached.position <= end_.position) return;
    is_reading_ = true;
    in_storage(
        self_, setup_.storage, "office_events",
        [after = end_, until = reached.position](store::session& db) {
          return store::events_after(db, after, until, entries_per_read);
        },
        [this, number = reading_](std::optional<store::office_events>& batch) {
          is_reading_ = false;
          if (number == reading_) take(batch);
          look();
        },
        [this](storage_error) { is_reading_ = false; }); // the next message reads again
  }

  void take(std::optional<store::office_events>& batch) {
    if (!batch) return report_gap();
    std::ranges::move(batch->events, std::back_inserter(events_));
    end_ = batch->end;
    respond();
    for (; events_.size() > setup_.max_kept; events_.pop_front()) start_ = events_.front().position;
  }

  /// The entries have been deleted, or the store has another history.
  void report_gap() {
    window_generation_.reset();
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
    if (window_generation_ == to.request.generation && end_.position > response.end.position) {
      response.events = events_for(to.request);
      response.end = to.request.after = end_; // what was not for this stream is not looked at again
    }
    if (response.events.empty() && now < to.until) return false;
    to.promise.deliver(std::move(response));
    return true;
  }

  std::vector<shown_event> events_for(const await_events& request) const {
    std::vector<shown_event> shown;
    const auto first =
        std::ranges::upper_bound(events_, request.after.position, {}, &store::office_event::position);
    for (auto each = first; each != events_.end(); ++each) add(*each, request.scope, shown);
    return shown;
  }

  static void add(const store::office_event& event, const store::office_scope& scope,
                  std::vector<shown_event>& to) {
    if (auto ids = ids_in(event, scope); !ids.empty())
      to.push_back({event.position, event.kind, std::move(ids)});
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
  std::optional<std::uint64_t> window_generation_; ///< of the memory whose history the events are of
  std::uint64_t reading_ = 0;                      ///< number of times that the kept events began elsewhere
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
