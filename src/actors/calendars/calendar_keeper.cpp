#include "actors/calendars/calendar_keeper.hpp"

#include "actors/calendars/calendar_reader.hpp"
#include "log/log.hpp"
#include "oauth/urls.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace roost::actors {

namespace {

using store::calendar_result;

constexpr std::size_t max_due = 200; ///< that wait for a reader at a time
/// A calendar that fails is read at least this often, unless it is always read less often.
constexpr std::chrono::seconds longest_backoff{3'600};
constexpr double jitter = 0.1;

std::string host_of(const std::string& url) {
  const auto address = oauth::parse_web_address(url);
  return address ? address->origin() : url;
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

  behavior open(std::vector<calendar_reader> readers, calendar_keeper_setup setup) {
    setup_ = std::move(setup);
    idle_ = std::move(readers);
    for (const auto& reader : idle_) self_->link_to(reader); // they end with this actor
    for (const auto result : {calendar_result::same, calendar_result::version, calendar_result::failed})
      counter_of(result); // exists from the start
    self_->delayed_send(self_, setup_.interval, look_for_calendars{});
    return {[this](const look_for_calendars&) { look(); },
            [this](const read_calendar& request) { return read_now(request); },
            [this](const calendar_may_be_read& each) { known_.erase(each.id); }};
  }

private:
  /// A calendar that waits for a reader, or that is being read or stored.
  struct known_calendar {
    store::due_calendar calendar;
    bool accepts_empty = false;
    std::optional<caf::typed_response_promise<calendar_read>> caller = {};
  };

  void look() {
    self_->delayed_send(self_, setup_.interval, look_for_calendars{});
    if (is_looking_ || !setup_.lease->holds() || waiting_.size() >= max_due) return;
    is_looking_ = true;
    in_storage(
        self_, setup_.storage, "due_calendars",
        [now = setup_.now()](store::session& db) { return store::due_calendars(db, now, max_due); },
        [this](std::vector<store::due_calendar>& due) {
          is_looking_ = false;
          for (auto& each : due) add({std::move(each)});
          read_next();
        },
        [this](storage_error) { is_looking_ = false; }); // the next look tries again
  }

  caf::result<calendar_read> read_now(const read_calendar& request) {
    if (!setup_.lease->holds() || known_.contains(request.id)) return make_error(storage_error::unavailable);
    auto caller = self_->make_response_promise<calendar_read>();
    in_storage(
        self_, setup_.storage, "calendar_to_read",
        [id = request.id](store::session& db) { return store::find_calendar_to_read(db, id); },
        [this, caller,
         accepts_empty = request.accepts_empty](std::optional<store::due_calendar>& found) mutable {
          if (!found) {
            caller.deliver(calendar_read{false});
          } else if (!add({*std::move(found), accepts_empty, caller})) {
            caller.deliver(make_error(storage_error::unavailable));
          } else {
            std::rotate(waiting_.begin(), waiting_.end() - 1, waiting_.end()); // somebody waits for it
            read_next();
          }
        },
        [caller](storage_error error) mutable { caller.deliver(make_error(error)); }, request.deadline);
    return caller;
  }

  /// Returns false if the calendar is known already.
  bool add(known_calendar added) {
    const auto id = added.calendar.id;
    if (!known_.try_emplace(id, std::move(added)).second) return false;
    waiting_.push_back(id);
    return true;
  }

  /// Gives waiting calendars to idle readers, in order, except those whose host is busy.
  void read_next() {
    for (auto next = waiting_.begin(); next != waiting_.end() && !idle_.empty();) {
      const auto& calendar = known_.at(*next).calendar;
      if (!calendar.url.empty() && !busy_hosts_.insert(host_of(calendar.url)).second) {
        ++next;
        continue;
      }
      const auto id = *next;
      next = waiting_.erase(next);
      const auto reader = std::move(idle_.back());
      idle_.pop_back();
      begin(id, reader);
    }
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
        });
  }

  void read(const domain::uuid& id, const calendar_reader& reader, std::optional<std::string> upload) {
    const auto& calendar = known_.at(id).calendar;
    self_->request(reader, caf::infinite, calendar_job{calendar, std::move(upload), setup_.now()})
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
    if (!known.calendar.url.empty()) reading.next_fetch = next_fetch(known.calendar, reading);
    store_calendar message{std::move(reading), setup_.notices, deadline::in(setup_.store_timeout)};
    self_->request(setup_.writer, setup_.store_timeout, std::move(message))
        .then(
            [this, id](const store::calendar_reading_outcome& outcome) {
              respond(id, calendar_read{outcome.is_found});
            },
            [this, id](caf::error& error) { give_up(id, storage_error_of(error)); });
  }

  domain::timestamp next_fetch(const store::due_calendar& calendar,
                               const store::calendar_reading& reading) const {
    const std::chrono::milliseconds every =
        calendar.every_seconds ? std::chrono::seconds{*calendar.every_seconds} : setup_.every;
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
    const auto known = known_.extract(id);
    if (known && known.mapped().caller) known.mapped().caller->deliver(std::move(response));
  }

  /// The calendar stays due: it is read again later, but not at once.
  void give_up(const domain::uuid& id, storage_error error) {
    auto& known = known_.at(id);
    if (known.caller) known.caller->deliver(make_error(error));
    known.caller.reset();
    self_->delayed_send(self_, setup_.store_timeout, calendar_may_be_read{id});
  }

  metrics::counter counter_of(calendar_result result) {
    return setup_.registry->counter("roost_calendar_reads_total",
                                    "Readings of imported calendars, by outcome",
                                    {{"outcome", std::string(name_of(result))}});
  }

  calendar_keeper_setup setup_;
  std::vector<calendar_reader> idle_;
  std::unordered_map<domain::uuid, known_calendar, domain::uuid_hash> known_;
  std::deque<domain::uuid> waiting_; ///< for a reader
  std::unordered_set<std::string> busy_hosts_;
  bool is_looking_ = false;
};

} // namespace

calendar_keeper spawn_calendar_keeper(runtime& rt, calendar_keeper_setup setup) {
  std::vector<calendar_reader> readers;
  for (std::size_t i = 0; i < setup.threads; ++i) readers.push_back(spawn_calendar_reader(rt, setup.fetch));
  return rt.spawn_at<calendar_keeper_state>(0, std::move(readers), std::move(setup));
}

} // namespace roost::actors
