#include "service/support/json_text.hpp"
#include "service/support/mixed_requests.hpp"
#include "service/support/portfolio.hpp"
#include "store/bookings/bookings.hpp"
#include "store/columns/json_columns.hpp"
#include "store/database/connection.hpp"
#include "store/engine/linked_units.hpp"
#include "store/support/stored_rows.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace roost::testing {

namespace {

using domain::booking_status;
using event_type = client_event::type;

constexpr std::size_t max_reported = 20, no_limit = 1'000'000;
constexpr auto accepted = R"({"ok":true})";

struct mixed_request {
  std::string id, state, refusal, platform, unit, reference;
  domain::nights nights;

  bool is_refused() const { return state == "Failed" && !is_withdrawn(); }
  bool is_withdrawn() const { return refusal == "withdrawn"; }
};

std::vector<mixed_request> read_requests(store::session& db) {
  const store::selection all{
      "test_mixed_requests", "select {columns} from booking_requests",
      store::columns(store::column("id", &mixed_request::id), store::column("state", &mixed_request::state),
                     store::column("coalesce(refusal, '')", &mixed_request::refusal),
                     store::column("platform", &mixed_request::platform),
                     store::column("external_id", &mixed_request::unit),
                     store::column("reference", &mixed_request::reference),
                     store::column("check_in", &mixed_request::nights, &domain::nights::first),
                     store::column("check_out", &mixed_request::nights, &domain::nights::last))};
  auto requests = db.internals().read_all(all);
  for (auto& each : requests)
    each.nights.last -= domain::days{1}; // the stay ends on the night before check-out
  return requests;
}

domain::nights nights_of(const domain::booking& booking) {
  return domain::stay_nights(booking.check_in, booking.check_out);
}

/// The entry of a changelog about a block or a booking.
struct subject_entry {
  domain::uuid unit{}, subject{};
  std::vector<domain::field_change> changes;
};

std::vector<subject_entry> subject_entries(store::session& db) {
  static const store::selection entries{
      "test_subject_entries", "select {columns} from changelog where subject_id is not null order by edit",
      store::columns(store::column("unit_id", &subject_entry::unit),
                     store::column("subject_id", &subject_entry::subject),
                     store::column("changes", &subject_entry::changes))};
  return db.internals().read_all(entries);
}

/// Returns the string in a JSON document that is one.
std::string unquoted(const std::string& json) { return json.substr(1, json.size() - 2); }

using ranges_by_unit = std::map<std::string, std::vector<taken_range>>;

/// Adds the nights that blocks have, or had until they were changed or deleted.
void add_blocks(ranges_by_unit& to, const std::vector<subject_entry>& entries) {
  std::map<domain::uuid, domain::nights> current;
  for (const auto& each : entries) {
    auto& nights = current[each.subject];
    for (const auto& change : each.changes) {
      if (change.field == "from" && change.after != "null")
        nights.first = domain::parse_date(unquoted(change.after)).value();
      if (change.field == "to")
        nights.last =
            change.after == "null" ? domain::no_end : domain::parse_date(unquoted(change.after)).value();
    }
    to[domain::to_string(each.unit)].push_back({each.subject, nights});
  }
}

/// Adds the nights that a booking has, and those that it had before the office moved it.
void add_booking(ranges_by_unit& to, domain::booking booking,
                 const std::vector<subject_entry>& newest_first) {
  const auto add = [&] {
    to[domain::to_string(booking.unit_id)].push_back({booking.id, nights_of(booking)});
  };
  add();
  for (const auto& entry : newest_first) {
    if (entry.subject != booking.id) continue;
    for (const auto& change : entry.changes) {
      if (change.before == "null") continue; // the creation
      if (change.field == "unitId") booking.unit_id = domain::parse_uuid(unquoted(change.before)).value();
      if (change.field == "checkInDate")
        booking.check_in = domain::parse_date(unquoted(change.before)).value();
      if (change.field == "checkOutDate")
        booking.check_out = domain::parse_date(unquoted(change.before)).value();
    }
    add();
  }
}

/// Each refused request must overlap a booking, which may have been moved or cancelled since, or a block,
/// which may have been deleted since.
std::vector<std::string> unfounded_refusals(const std::vector<mixed_request>& requests,
                                            const ranges_by_unit& by_unit) {
  std::vector<std::string> unfounded;
  for (const auto& request : requests) {
    if (!request.is_refused()) continue;
    const auto others = by_unit.find(unit_id(static_cast<unsigned>(std::stoul(request.unit.substr(1)))));
    const auto is_reason = [&](const taken_range& other) { return overlap(other.nights, request.nights); };
    if (others == by_unit.end() || std::ranges::none_of(others->second, is_reason))
      unfounded.push_back("request " + request.id +
                          " was refused, but no booking or block ever had its nights");
  }
  return unfounded;
}

using booking_name = std::pair<std::string, std::string>; ///< platform and reference

class mixed_comparison {
public:
  mixed_comparison(store::session& db, const std::vector<client_event>& events, const live_read& read)
      : db_(db), events_(events), read_(read), requests_(read_requests(db)),
        records_(store::list_bookings(db, {}, no_limit)) {
    for (const auto& record : records_) {
      const auto& booking = record.booking;
      by_unit_[domain::to_string(booking.unit_id)].push_back(&record);
      if (booking.request_id) by_request_[domain::to_string(*booking.request_id)].push_back(&record);
      if (booking.reference) by_name_[{booking.platform.value(), *booking.reference}].push_back(&record);
    }
    for (const auto& notice : store::list_notifications(db, {}, no_limit))
      ++notices_[{notice.kind, domain::to_string(notice.kind == "booking_refused" ? notice.request_id.value()
                                                 : notice.booking_id              ? *notice.booking_id
                                                                                  : notice.id)}];
  }

  std::vector<std::string> run() {
    for (const auto& event : events_) check_response(event);
    for (const auto& request : requests_) check_request(request);
    std::ranges::copy(unfounded_refusals(requests_, ever_taken_nights(db_)),
                      std::back_inserter(differences_));
    for (const auto& record : records_) check_booking(record);
    for (const auto& [name, bookings] : by_name_)
      if (bookings.size() > 1) report(name.first + " " + name.second + " is booked twice");
    for (auto& [unit, bookings] : by_unit_) check_unit(unit, bookings);
    check_edits();
    if (differences_.size() > max_reported) differences_.resize(max_reported);
    return std::move(differences_);
  }

private:
  void report(std::string difference) { differences_.push_back(std::move(difference)); }

  // Responses

  void check_response(const client_event& event) {
    if (!event.response) return;
    if (event.response->status == 503) return; // the client has to retry
    if (!event.succeeded() && !(event.kind == event_type::property && event.response->status == 400))
      return report(to_string(event.kind) + " got the status " + std::to_string(event.response->status) +
                    ": " + event.response->body);
    switch (event.kind) {
    case event_type::submission:
      return check_receipt(event);
    case event_type::paid:
      return check_paid(event);
    case event_type::cancel:
      return check_cancel(event);
    case event_type::property:
      return check_property(event);
    case event_type::edit:
      return;
    }
  }

  void check_receipt(const client_event& event) {
    const auto quoted = json_at(event.response->body, "/identifiers/0/id");
    const auto id = quoted.substr(1, quoted.size() - 2);
    if (!receipts_.insert(id).second) report("two receipts for request " + id);
    if (std::ranges::find(requests_, id, &mixed_request::id) == requests_.end())
      report("the acknowledged request " + id + " is lost");
  }

  void check_paid(const client_event& event) {
    const booking_name name{event.platform, event.reference};
    const bool is_requested = std::ranges::any_of(requests_, [&](const auto& request) {
      return request.platform == event.platform && request.reference == event.reference;
    });
    if (event.response->body == accepted && !is_requested)
      report("the paid booking " + event.reference + " is lost");
    if (event.response->body != accepted && !by_name_.contains(name))
      report("the booking " + event.reference + " is not stored despite the response");
  }

  void check_cancel(const client_event& event) {
    if (event.response->body != accepted) return;
    const auto bookings = by_name_.find({event.platform, event.reference});
    if (bookings == by_name_.end() || bookings->second.front()->booking.status != booking_status::cancelled)
      report("the cancelled booking " + event.reference + " is not cancelled");
  }

  void check_property(const client_event& event) {
    const auto exists = [&](const char* room) {
      return read_("booking-engine", "/listings/" + event.reference + room).status == 200;
    };
    if (event.has_invalid_room == event.succeeded())
      report("the property " + event.reference + " got the wrong response");
    if (!exists("_1")) report("the first room of " + event.reference + " is lost");
    if (exists("_2") == event.has_invalid_room)
      report("the second room of " + event.reference + " does not match the response");
  }

  // The store

  void check_request(const mixed_request& request) {
    const auto bookings = by_request_.contains(request.id) ? by_request_.at(request.id).size() : 0;
    if (bookings != (request.state == "Success" ? 1U : 0U))
      report(request.state + " request " + request.id + " has " + std::to_string(bookings) + " bookings");
    if (request.state == "New") report("request " + request.id + " is not decided");
    if (request.state == "Dropped" && !by_name_.contains({request.platform, request.reference}) &&
        !was_withdrawn(request.platform, request.reference))
      report("request " + request.id + " was dropped, but no booking has its reference");
    expect_notice("booking_refused", request.id, request.is_refused());
    if (request.is_withdrawn() && !was_cancelled(request.platform, request.reference))
      report("request " + request.id + " is withdrawn without a request");
  }

  void check_booking(const store::booking_record& record) {
    const auto id = domain::to_string(record.booking.id);
    const bool cancelled = record.booking.status == booking_status::cancelled;
    expect_notice("booking_created", id, true);
    expect_notice("booking_cancelled", id, cancelled);
    if (cancelled && record.cancelled_by != domain::cancelled_by::landlord &&
        !was_cancelled(record.booking.platform.value_or(""), record.booking.reference.value_or("")))
      report("booking " + id + " is cancelled without a request");
    check_plan(record, id);
  }

  bool was_withdrawn(const std::string& platform, const std::string& reference) const {
    return std::ranges::any_of(requests_, [&](const auto& request) {
      return request.is_withdrawn() && request.platform == platform && request.reference == reference;
    });
  }

  bool was_cancelled(const std::string& platform, const std::string& reference) const {
    return std::ranges::any_of(events_, [&](const auto& event) {
      return event.kind == event_type::cancel && event.platform == platform && event.reference == reference;
    });
  }

  /// The plan has every night once, each month at one of the unit's rents over time, and the platform's
  /// payment.
  void check_plan(const store::booking_record& record, const std::string& id) {
    const auto& booking = record.booking;
    auto next = booking.check_in;
    for (const auto& line : booking.terms->plan) {
      if (line.kind == domain::payment_kind::provider_platform_payment) {
        if (line.amount != booking.provider_payment)
          report("the payment of booking " + id + " differs from the submitted one");
        continue;
      }
      if (line.kind != domain::payment_kind::rent || line.period->first != next ||
          !is_valid_rent(line, booking.unit_id))
        return report("the plan of booking " + id + " does not add up");
      next = line.period->last + domain::days{1};
    }
    if (next != booking.check_out) report("the plan of booking " + id + " misses nights");
  }

  bool is_valid_rent(const domain::payment_line& line, const domain::uuid& unit) const {
    const std::chrono::year_month_day day{line.period->first};
    const auto days = static_cast<unsigned>((day.year() / day.month() / std::chrono::last).day());
    const auto nights = (line.period->last - line.period->first).count() + 1;
    const auto costs = [&](int rent) {
      return domain::divide_rounding(rent * 100 * nights, days) == line.amount.cents;
    };
    return costs(650) || std::ranges::any_of(events_, [&](const auto& event) {
             return event.kind == event_type::edit && unit_id(event.unit) == domain::to_string(unit) &&
                    costs(event.rent);
           });
  }

  void expect_notice(const std::string& kind, const std::string& about, bool expected) {
    const auto notice = notices_.find({kind, about});
    const int count = notice == notices_.end() ? 0 : notice->second;
    if (count != (expected ? 1 : 0)) report(std::to_string(count) + " notices " + kind + " for " + about);
  }

  // The running server

  /// The calendar in memory blocks exactly the nights of the active bookings.
  void check_unit(const std::string& unit, std::vector<const store::booking_record*>& records) {
    std::erase_if(records,
                  [](const auto* record) { return record->booking.status == booking_status::cancelled; });
    std::ranges::sort(records, {}, [](const auto* record) { return record->booking.check_in; });
    auto taken = stored_blocks(db_, domain::parse_uuid(unit).value());
    for (std::size_t i = 0; i < records.size(); ++i) {
      const auto nights = nights_of(records[i]->booking);
      if (i > 0 && overlap(nights_of(records[i - 1]->booking), nights))
        report("unit " + unit + " is sold twice on " + domain::to_string(nights.first));
      taken.push_back({records[i]->booking.id, nights});
    }
    std::ranges::sort(taken, {},
                      [](const taken_range& each) { return std::pair(each.nights.first, each.id); });
    std::string expected = "[";
    for (const auto& each : taken)
      expected += (expected.size() > 1 ? "," : "") + std::string{R"({"from":")"} +
                  domain::to_string(each.nights.first) + R"(","to":")" + domain::to_string(each.nights.last) +
                  R"(","reason":"Unavailable","createdAt":"<time>","updatedAt":"<time>"})";
    const auto listing =
        read_("channel-manager", "/listings/u" + std::to_string(std::stoul(unit.substr(24), nullptr, 16)));
    const auto rows = without_times_and_ids(json_at(listing.body, "/unavailabilities"));
    if (rows != expected + "]")
      report("the calendar of unit " + unit + " shows " + rows + ", not " + expected + "]");
  }

  /// Each change starts from the value of the previous one, and the listing shows the last one.
  void check_edits() {
    std::set<unsigned> edited;
    for (const auto& event : events_)
      if (event.kind == event_type::edit && event.succeeded()) edited.insert(event.unit);
    for (const auto unit : edited) {
      std::string rent = "650";
      auto entries = store::changelog_of(db_, domain::parse_uuid(unit_id(unit)).value(), no_limit);
      std::ranges::reverse(entries);
      for (const auto& entry : entries)
        for (const auto& change : entry.changes)
          if (change.field == "rent") {
            if (change.before != rent) report("unit " + std::to_string(unit) + "'s changelog lacks a change");
            rent = change.after;
          }
      const auto shown =
          json_at(read_("channel-manager", "/listings/u" + std::to_string(unit)).body, "/rent");
      if (shown != rent)
        report("unit " + std::to_string(unit) + " shows the rent " + shown + ", not " + rent);
    }
  }

  store::session& db_;
  const std::vector<client_event>& events_;
  const live_read& read_;
  std::vector<mixed_request> requests_;
  std::vector<store::booking_record> records_;
  std::map<std::string, std::vector<const store::booking_record*>> by_request_, by_unit_;
  std::map<booking_name, std::vector<const store::booking_record*>> by_name_;
  std::map<std::pair<std::string, std::string>, int> notices_; ///< by kind and subject
  std::set<std::string> receipts_;
  std::vector<std::string> differences_;
};

} // namespace

std::vector<taken_range> stored_blocks(store::session& db, const domain::uuid& unit) {
  static const store::selection blocks{
      "test_unit_blocks", "select {columns} from blocks where unit_id = :unit",
      store::columns(store::column("id", &taken_range::id),
                     store::column("first_night", &taken_range::nights, &domain::nights::first),
                     store::column<store::last_night_format>("last_night", &taken_range::nights,
                                                             &domain::nights::last))};
  return db.internals().read_all(blocks, {{"unit", unit}});
}

ranges_by_unit ever_taken_nights(store::session& db) {
  ranges_by_unit by_unit;
  auto entries = subject_entries(db);
  add_blocks(by_unit, entries);
  std::ranges::reverse(entries);
  for (const auto& each : store::list_bookings(db, {}, no_limit)) add_booking(by_unit, each.booking, entries);
  return by_unit;
}

std::vector<std::string> unfounded_refusals(store::session& db) {
  return unfounded_refusals(read_requests(db), ever_taken_nights(db));
}

std::int64_t unsent_mails(store::session& db) {
  return count_rows(db, "outgoing_mail where sent_at is null");
}

std::int64_t unconfirmed_mails(store::session& db) {
  return count_rows(db, "outgoing_mail where sent_at is null and next_attempt_at is null"
                        " and last_error like '%unconfirmed%'");
}

std::vector<std::string> mixed_differences(store::session& db, const std::vector<client_event>& events,
                                           const live_read& read) {
  return mixed_comparison(db, events, read).run();
}

} // namespace roost::testing
