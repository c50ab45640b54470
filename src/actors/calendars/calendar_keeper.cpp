#include "actors/calendars/calendar_keeper.hpp"

#include "domain/mapping.hpp"
#include "log/log.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>
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
            [this](const calendar_may_be_read& each) { forget(each.id); }};
  }

private:
  using caller = caf::typed_response_promise<calendar_read>;

  /// A calendar that waits for a reader, or that is being read or stored.
  struct known_calendar {
    store::due_calendar calendar;
    bool accepts_empty = false;
    std::optional<store::audit_entry> audit = {};
    std::optional<caller> asked_by = {};
  };

  struct waiting_request {
    read_calendar request;
    caller response;
  };

  void look() {
    self_->delayed_send(self_, setup_.interval, look_for_calendars{});
    const bool waits = pauses_until_ > deadline::clock::now();
    if (is_looking_ || waits || setup_.is_on_hold || !setup_.lease->holds()) return;
    is_looking_ = true;
    in_storage(
        self_, setup_.storage, "due_calendars",
        // Those that are known may be the first ones, as of a host that does not respond.
        [now = setup_.now(), limit = known_.size() + max_due,
         trusts = setup_.trusts_clock](store::session& db) {
          return trusts(db, now) ? store::due_calendars(db, now, limit) : std::vector<store::due_calendar>();
        },
        [this](std::vector<store::due_calendar>& due) {
          is_looking_ = false;
          for (auto& each : due) add({std::move(each)});
          read_next();
        },
        [this](storage_error) {
          is_looking_ = false;
          pauses_until_ = deadline::clock::now() + setup_.store_timeout; // a shutdown waits for jobs
        });
  }

  caf::result<calendar_read> read_now(read_calendar request) {
    if (setup_.is_on_hold || !setup_.lease->holds()) return make_error(storage_error::unavailable);
    auto response = self_->make_response_promise<calendar_read>();
    waiting_request asked{std::move(request), response};
    if (known_.contains(asked.request.id))
      requests_.emplace(asked.request.id, std::move(asked));
    else
      begin(std::move(asked));
    return response;
  }

  void begin(waiting_request asked) {
    const auto id = asked.request.id;
    const auto until = asked.request.deadline;
    auto shared = std::make_shared<waiting_request>(std::move(asked));
    in_storage(
        self_, setup_.storage, "calendar_to_read",
        [id](store::session& db) { return store::find_calendar_to_read(db, id); },
        [this, shared](std::optional<store::due_calendar>& found) {
          if (found)
            take(*std::move(found), std::move(*shared));
          else
            shared->response.deliver(calendar_read{false});
        },
        [shared](storage_error error) { shared->response.deliver(make_error(error)); }, until);
  }

  void take(store::due_calendar calendar, waiting_request asked) {
    const auto id = calendar.id;
    if (known_.contains(id)) { // a look has found it meanwhile
      requests_.emplace(id, std::move(asked));
      return;
    }
    add({std::move(calendar), asked.request.accepts_empty, std::move(asked.request.audit), asked.response});
    std::rotate(waiting_.begin(), waiting_.end() - 1, waiting_.end()); // a user waits for it
    read_next();
  }

  /// No-op if the calendar is known already.
  void add(known_calendar added) {
    const auto id = added.calendar.id;
    if (known_.try_emplace(id, std::move(added)).second) waiting_.push_back(id);
  }

  /// Gives waiting calendars to idle readers, in order, except those whose host is busy.
  void read_next() {
    for (auto next = waiting_.begin(); next != waiting_.end() && has_reader();) {
      const auto& calendar = known_.at(*next).calendar;
      if (!calendar.url.empty() && !busy_hosts_.insert(host_of(calendar.url)).second) {
        ++next;
        continue;
      }
      const auto id = *next;
      next = waiting_.erase(next);
      begin(id, take_reader());
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

  /// Uploaded texts are read from the store first.
  void begin(const domain::uuid& id, const calendar_reader& reader) {
    const auto& calendar = known_.at(id).calendar;
    if (!calendar.url.empty()) return read(id, reader, std::nullopt);
    in_storage(
        self_, setup_.storage, "calendar_upload",
        [id](store::session& db) { return store::calendar_upload(db, id); },
        [this, id, reader](std::optional<std::string>& upload) {
          if (upload) return read(id, reader, std::move(upload));
          idle_.push_back(reader); // it was read before
          respond(id, calendar_read{true});
          read_next();
        },
        [this, id, reader](storage_error error) {
          idle_.push_back(reader);
          give_up(id, error);
          read_next();
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
          busy_hosts_.erase(host_of(known_.at(id).calendar.url));
          finish(id, reading);
          read_next();
        });
  }

  void finish(const domain::uuid& id, store::calendar_reading& reading) {
    const auto& known = known_.at(id);
    counter_of(reading.result).increment();
    if (reading.result == calendar_result::failed)
      log::warn("calendar_not_read", {{"calendar", domain::to_string(id)},
                                      {"unit", domain::to_string(reading.unit_id)},
                                      {"host", host_of(known.calendar.url)},
                                      {"what", reading.problem}});
    reading.accepts_empty = known.accepts_empty;
    reading.audit = known.audit;
    if (!known.calendar.url.empty()) reading.next_fetch = next_fetch(known.calendar, reading);
    store(id, std::move(reading), 0);
  }

  /// A booking that is made at the same time may take a night: then the blocks are computed again.
  void store(const domain::uuid& id, store::calendar_reading reading, int attempts) {
    constexpr int max_attempts = 3;
    store_calendar message{reading, setup_.notices, deadline::in(setup_.store_timeout)};
    self_->request(setup_.writer, setup_.store_timeout, std::move(message))
        .then(
            [this, id](const store::calendar_reading_outcome& outcome) {
              respond(id, calendar_read{outcome.is_found});
            },
            [this, id, reading = std::move(reading), attempts](caf::error& reason) mutable {
              const auto error = storage_error_of(reason);
              if (error == storage_error::conflicting_row && attempts + 1 < max_attempts)
                store(id, std::move(reading), attempts + 1);
              else if (may_concern_one_row(error) && reading.result != calendar_result::failed)
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
    store(id, std::move(reading), 0);
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
  void respond(const domain::uuid& id, Response response) {
    auto known = known_.extract(id);
    if (known && known.mapped().asked_by) known.mapped().asked_by->deliver(std::move(response));
    begin_next(id);
  }

  /// The calendar stays due: it is read again later, but not immediately.
  void give_up(const domain::uuid& id, storage_error error) {
    auto& known = known_.at(id);
    if (known.asked_by) known.asked_by->deliver(make_error(error));
    known.asked_by.reset();
    self_->delayed_send(self_, setup_.store_timeout, calendar_may_be_read{id});
  }

  void forget(const domain::uuid& id) {
    known_.erase(id);
    begin_next(id);
  }

  void begin_next(const domain::uuid& id) {
    const auto next = requests_.find(id);
    if (next == requests_.end()) return;
    auto asked = std::move(next->second);
    requests_.erase(next);
    begin(std::move(asked));
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
  std::unordered_multimap<domain::uuid, waiting_request, domain::uuid_hash> requests_; ///< for known ones
  std::deque<domain::uuid> waiting_;                                                   ///< for a reader
  std::unordered_set<std::string> busy_hosts_;
  bool is_looking_ = false;
  deadline::clock::time_point pauses_until_{}; ///< after a failed look
};

} // namespace

calendar_keeper spawn_calendar_keeper(runtime& rt, calendar_keeper_setup setup) {
  return rt.spawn_at<calendar_keeper_state>(0, std::move(setup));
}

} // namespace roost::actors
