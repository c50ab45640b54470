#include "actors/calendars/calendar_keeper.hpp"

#include "domain/mapping.hpp"
#include "log/log.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace roost::actors {

namespace {

using store::calendar_result;

constexpr std::size_t max_due = 200; ///< that are taken from the store at a time
/// A calendar that fails is read at least this often, unless it is always read less often.
constexpr std::chrono::seconds longest_backoff{3'600};
constexpr double jitter = 0.1;

/// Never returns more of the URL, which may contain a secret.
std::string host_of(const std::string& url) {
  const auto address = domain::parse_page_url(url);
  return address ? address->host : std::string{};
}

std::string_view name_of(calendar_result result) {
  switch (result) {
  case calendar_result::same:
    return "same";
  case calendar_result::version:
    return "version";
  case calendar_result::failed:
    return "failed";
  }
  return "";
}

/// A user's request, and where its response goes.
struct user_request {
  read_calendar request;
  caf::typed_response_promise<calendar_read> caller;
};

/// A calendar that waits for a reader, or that is being read or stored.
struct known_calendar {
  store::due_calendar calendar;
  std::string host;                        ///< empty: it was uploaded
  std::vector<user_request> requests = {}; ///< that this reading answers
  std::vector<user_request> later = {};    ///< that arrived after it began: the next one answers them
  bool is_started = false;
};

/// A calendar takes these steps:
///
/// 1. A look finds that it is due (look), or a user requests it (read_now, start, take).
/// 2. It waits for a reader and for its host (add, start_waiting).
/// 3. A reader fetches and parses it (start_reading, read).
/// 4. The writer stores the outcome (finish, store, store_failure).
/// 5. The users get their responses, and the requests of others start a further reading (end, read_again,
///    give_up, start_next_request).
class calendar_keeper_state : public actor_state<calendar_keeper> {
public:
  static constexpr const char* name = "calendar_keeper";
  using actor_state::actor_state;

  behavior open(calendar_keeper_setup setup) {
    setup_ = std::move(setup);
    for (const auto result : {calendar_result::same, calendar_result::version, calendar_result::failed})
      counter_of(result); // exists from the start
    self_->delayed_send(self_, setup_.interval, look_for_calendars{});
    return {[this](const look_for_calendars&) { look(); },
            [this](read_calendar& request) { return read_now(std::move(request)); },
            [this](calendar_job& job) {
              if (!checker_) checker_ = spawn_reader();
              return self_->delegate(*checker_, std::move(job));
            },
            [this](const calendar_may_be_read& each) { paused_.erase(each.id); }};
  }

private:
  bool may_read() const { return !setup_.is_on_hold && setup_.lease->holds(); }

  void look() {
    self_->delayed_send(self_, setup_.interval, look_for_calendars{});
    if (!may_read()) return drop_waiting();
    if (is_looking_ || pauses_until_ > deadline::clock::now()) return;
    is_looking_ = true;
    in_storage(
        self_, setup_.storage, "due_calendars",
        // The known and the paused ones may come first, such as those of a host that does not respond.
        [now = setup_.now(), limit = known_.size() + paused_.size() + max_due,
         is_trusted = setup_.is_time_trusted](store::session& db) {
          auto due = store::due_calendars(db, now, limit);
          if (!due.empty() && !is_trusted(db, now)) due.clear();
          return due;
        },
        [this](std::vector<store::due_calendar>& due) {
          is_looking_ = false;
          for (auto& each : due)
            if (!known_.contains(each.id) && !paused_.contains(each.id)) add(std::move(each), {});
          start_waiting();
        },
        [this](storage_error) {
          is_looking_ = false;
          pauses_until_ = deadline::clock::now() + setup_.store_timeout; // a shutdown waits for jobs
        });
  }

  caf::result<calendar_read> read_now(read_calendar request) {
    if (!may_read()) return make_error(storage_error::unavailable);
    auto caller = self_->make_response_promise<calendar_read>();
    const auto id = request.id;
    std::vector<user_request> requests;
    requests.push_back({std::move(request), caller});
    start(id, std::move(requests));
    return caller;
  }

  /// Looks up the calendar of these requests.
  void start(const domain::uuid& id, std::vector<user_request> requests) {
    struct lookup {
      std::optional<store::due_calendar> calendar;
      bool is_time_trusted = true;
    };
    deadline until{deadline::clock::time_point::min()};
    for (const auto& each : requests) until = std::max(until, each.request.deadline);
    auto shared = std::make_shared<std::vector<user_request>>(std::move(requests));
    in_storage(
        self_, setup_.storage, "calendar_to_read",
        [id, now = setup_.now(), is_trusted = setup_.is_time_trusted](store::session& db) {
          lookup result{store::find_calendar_to_read(db, id)};
          result.is_time_trusted = !result.calendar || is_trusted(db, now);
          return result;
        },
        [this, shared](lookup& result) {
          if (!result.calendar)
            respond(*shared, calendar_read{}); // it was deleted
          else if (!result.is_time_trusted)
            respond(*shared, make_error(storage_error::unavailable));
          else
            take(*std::move(result.calendar), std::move(*shared));
        },
        [shared](storage_error error) { respond(*shared, make_error(error)); }, until);
  }

  /// Assigns requests to a reading of their calendar that has not begun.
  void take(store::due_calendar calendar, std::vector<user_request> requests) {
    const auto id = calendar.id;
    const auto known = known_.find(id);
    if (known == known_.end()) {
      add(std::move(calendar), std::move(requests));
    } else {
      auto& waiting = known->second.is_started ? known->second.later : known->second.requests;
      std::ranges::move(requests, std::back_inserter(waiting));
      if (known->second.is_started) return;
      known->second.host = host_of(calendar.url); // the office may have changed it since
      known->second.calendar = std::move(calendar);
    }
    const auto place = std::ranges::find(waiting_, id);
    std::rotate(waiting_.begin(), place, std::next(place)); // to the front, because users wait for it
    start_waiting();
  }

  void add(store::due_calendar calendar, std::vector<user_request> requests) {
    const auto id = calendar.id;
    auto host = host_of(calendar.url);
    known_.emplace(id, known_calendar{std::move(calendar), std::move(host), std::move(requests)});
    waiting_.push_back(id);
  }

  /// Gives waiting calendars to idle readers, in order, except those whose host is busy.
  void start_waiting() {
    if (!may_read()) return drop_waiting();
    for (auto next = waiting_.begin(); next != waiting_.end() && has_reader();) {
      auto& known = known_.at(*next);
      if (!known.host.empty() && !busy_hosts_.insert(known.host).second) {
        ++next;
        continue;
      }
      known.is_started = true;
      const auto id = *next;
      next = waiting_.erase(next);
      start_reading(id, take_reader());
    }
  }

  /// Another server reads them, or this one once it may.
  void drop_waiting() {
    for (const auto& id : std::exchange(waiting_, {})) {
      auto known = known_.extract(id);
      respond(known.mapped().requests, make_error(storage_error::unavailable));
    }
  }

  bool has_reader() const { return !idle_.empty() || readers_ < setup_.max_readers; }

  calendar_reader take_reader() {
    if (idle_.empty()) {
      ++readers_;
      return spawn_reader();
    }
    auto reader = std::move(idle_.back());
    idle_.pop_back();
    return reader;
  }

  calendar_reader spawn_reader() {
    auto reader = setup_.spawn_reader();
    self_->link_to(reader); // it ends with this actor
    return reader;
  }

  /// Reads uploaded texts from the store first.
  void start_reading(const domain::uuid& id, const calendar_reader& reader) {
    if (!known_.at(id).calendar.url.empty()) return read(id, reader, std::nullopt);
    in_storage(
        self_, setup_.storage, "calendar_upload",
        [id](store::session& db) { return store::calendar_upload(db, id); },
        [this, id, reader](std::optional<std::string>& upload) {
          if (upload) return read(id, reader, std::move(upload));
          idle_.push_back(reader);
          end(id); // it was read before
          start_waiting();
        },
        [this, id, reader](storage_error error) {
          idle_.push_back(reader);
          give_up(id, error);
          start_waiting();
        });
  }

  void read(const domain::uuid& id, const calendar_reader& reader, std::optional<std::string> upload) {
    auto calendar = known_.at(id).calendar;
    // Once a day on average without validators: events come closer that were too far ahead.
    const std::chrono::duration<double> every = interval_of(calendar), day = std::chrono::hours{24};
    if (setup_.chance() < every / day) calendar.etag.clear(), calendar.last_modified.clear();
    self_->request(reader, caf::infinite, calendar_job{std::move(calendar), std::move(upload), setup_.now()})
        .then([this, id, reader](store::calendar_reading& reading) {
          idle_.push_back(reader);
          busy_hosts_.erase(known_.at(id).host);
          finish(id, reading);
          start_waiting();
        });
  }

  void finish(const domain::uuid& id, store::calendar_reading& reading) {
    const auto& known = known_.at(id);
    counter_of(reading.result).increment();
    if (reading.result == calendar_result::failed)
      log::warn("calendar_not_read", {{"calendar", domain::to_string(id)},
                                      {"unit", domain::to_string(reading.unit_id)},
                                      {"host", known.host},
                                      {"what", reading.problem}});
    for (const auto& each : known.requests) {
      if (!each.request.accepts_empty) continue;
      reading.accepts_empty = true;
      if (!reading.audit) reading.audit = each.request.audit; // the first acceptance has the effect
    }
    if (!known.calendar.url.empty()) reading.next_fetch = next_fetch(known.calendar, reading);
    store(id, std::move(reading));
  }

  void store(const domain::uuid& id, store::calendar_reading reading) {
    store_calendar message{reading, setup_.notices, deadline::in(setup_.store_timeout)};
    self_->request(setup_.writer, setup_.store_timeout, std::move(message))
        .then(
            [this, id](const store::calendar_reading_outcome& outcome) {
              if (outcome.is_outdated)
                read_again(id);
              else
                end(id);
            },
            [this, id, reading = std::move(reading)](caf::error& reason) mutable {
              const auto error = storage_error_of(reason);
              if (may_concern_one_row(error) && reading.result != calendar_result::failed)
                store_failure(id, std::move(reading));
              else
                give_up(id, error);
            });
  }

  /// The database rejects what was read. Without a failure, the calendar would be read again immediately.
  void store_failure(const domain::uuid& id, store::calendar_reading reading) {
    reading.result = calendar_result::failed;
    reading.events.clear();
    reading.problem = "the server could not store the calendar";
    if (reading.next_fetch) reading.next_fetch = next_fetch(known_.at(id).calendar, reading);
    store(id, std::move(reading));
  }

  std::chrono::milliseconds interval_of(const store::due_calendar& calendar) const {
    return calendar.every_seconds ? std::chrono::seconds{*calendar.every_seconds} : setup_.every;
  }

  domain::timestamp next_fetch(const store::due_calendar& calendar,
                               const store::calendar_reading& reading) const {
    const auto every = interval_of(calendar);
    auto wait = every;
    if (reading.result == calendar_result::failed) {
      const auto doublings = std::min(calendar.failures + 1, 12);
      wait = std::max(every, std::min<std::chrono::milliseconds>(longest_backoff, every * (1 << doublings)));
    }
    const auto factor = 1 + jitter * (2 * setup_.chance() - 1);
    return reading.now + std::chrono::milliseconds(std::llround(static_cast<double>(wait.count()) * factor));
  }

  template <typename Response>
  static void respond(std::vector<user_request>& requests, const Response& response) {
    for (auto& each : requests) each.caller.deliver(response);
    requests.clear();
  }

  /// Responds to the users of a reading that took place; its calendar may have been deleted meanwhile.
  void end(const domain::uuid& id) {
    auto known = known_.extract(id);
    respond(known.mapped().requests, calendar_read{});
    start_next_request(id, std::move(known.mapped().later));
  }

  /// The office has changed the calendar meanwhile. Without users, it is still due.
  void read_again(const domain::uuid& id) {
    auto known = known_.extract(id);
    auto requests = std::move(known.mapped().requests);
    // A user who accepted that the calendar is empty has not seen its new source.
    for (auto& each : requests) {
      each.request.accepts_empty = false;
      each.request.audit.reset();
    }
    std::ranges::move(known.mapped().later, std::back_inserter(requests));
    start_next_request(id, std::move(requests));
  }

  /// The outcome could not be stored. The calendar stays due, but looks leave it alone for a while.
  void give_up(const domain::uuid& id, storage_error error) {
    auto known = known_.extract(id);
    respond(known.mapped().requests, make_error(error));
    paused_.insert(id);
    self_->delayed_send(self_, setup_.store_timeout, calendar_may_be_read{id});
    start_next_request(id, std::move(known.mapped().later));
  }

  void start_next_request(const domain::uuid& id, std::vector<user_request> requests) {
    if (!requests.empty()) start(id, std::move(requests));
  }

  metrics::counter counter_of(calendar_result result) {
    return setup_.registry->counter("roost_calendar_reads_total",
                                    "Readings of imported calendars, by outcome",
                                    {{"outcome", std::string(name_of(result))}});
  }

  calendar_keeper_setup setup_;
  std::vector<calendar_reader> idle_;
  std::size_t readers_ = 0;                ///< that were spawned
  std::optional<calendar_reader> checker_; ///< of uploaded texts
  std::unordered_map<domain::uuid, known_calendar, domain::uuid_hash> known_;
  std::deque<domain::uuid> waiting_; ///< of the known ones: those that wait for a reader
  std::unordered_set<domain::uuid, domain::uuid_hash> paused_; ///< after failures of the store
  std::unordered_set<std::string> busy_hosts_;
  bool is_looking_ = false;
  deadline::clock::time_point pauses_until_{}; ///< after a failed look
};

} // namespace

calendar_keeper spawn_calendar_keeper(runtime& rt, calendar_keeper_setup setup) {
  return rt.spawn_at<calendar_keeper_state>(0, std::move(setup));
}

} // namespace roost::actors
