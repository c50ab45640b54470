#include "service/support/mixed_history.hpp"

#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "store/bookings/booking_records.hpp"
#include "store/database/connection.hpp"
#include "store/engine/unit_edits.hpp"
#include "store/support/stored_rows.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace roost::testing {

namespace {

using domain::booking_status;
using what = told::what;

constexpr std::size_t enough_differences = 20, everything = 1'000'000;
constexpr auto done = R"({"ok":true})";

struct mixed_request {
  std::string id, state, platform, unit, reference;
  domain::nights nights;
};

std::vector<mixed_request> read_requests(store::session& db) {
  const store::selection all{
      "test_mixed_requests", "select {columns} from booking_requests",
      store::columns(store::column("id", &mixed_request::id), store::column("state", &mixed_request::state),
                     store::column("platform", &mixed_request::platform),
                     store::column("external_id", &mixed_request::unit),
                     store::column("reference", &mixed_request::reference),
                     store::column("check_in", &mixed_request::nights, &domain::nights::first),
                     store::column("check_out", &mixed_request::nights, &domain::nights::last))};
  auto requests = db.internals().read_all(all);
  for (auto& each : requests) each.nights.last -= domain::days{1}; // the check-out's night is not part of it
  return requests;
}

domain::nights nights_of(const domain::booking& of) { return domain::stay_nights(of.check_in, of.check_out); }

using booking_name = std::pair<std::string, std::string>; ///< platform and reference

class mixed_comparison {
public:
  mixed_comparison(store::session& db, const std::vector<told>& events, const live_read& read)
      : on_(db), events_(events), read_(read), requests_(read_requests(db)),
        records_(store::list_bookings(db, {}, everything)) {
    for (const auto& record : records_) {
      const auto& booking = record.booking;
      by_request_[domain::to_string(booking.request_id)].push_back(&record);
      by_unit_[domain::to_string(booking.unit_id)].push_back(&record);
      by_name_[{booking.platform, booking.reference.value()}].push_back(&record);
    }
    for (const auto& told : store::list_notifications(db, {}, everything))
      ++notices_[{told.kind, domain::to_string(told.kind == "booking_refused" ? told.request_id.value()
                                               : told.booking_id              ? *told.booking_id
                                                                              : told.id)}];
  }

  std::vector<std::string> run() {
    for (const auto& event : events_) check_response(event);
    for (const auto& request : requests_) check_request(request);
    for (const auto& record : records_) check_booking(record);
    for (const auto& [name, found] : by_name_)
      if (found.size() > 1) differ(name.first + " " + name.second + " is booked twice");
    for (auto& [unit, found] : by_unit_) check_unit(unit, found);
    check_outbox();
    check_edits();
    if (found_.size() > enough_differences) found_.resize(enough_differences);
    return std::move(found_);
  }

private:
  void differ(std::string what) { found_.push_back(std::move(what)); }

  // What clients were told

  void check_response(const told& event) {
    if (!event.got) return;
    if (event.got->status == 503) return; // a client has to try again
    if (!event.succeeded() && !(event.kind == what::property && event.got->status == 400))
      return differ(to_string(event.kind) + " answered with " + std::to_string(event.got->status) + ": " +
                    event.got->body);
    switch (event.kind) {
    case what::submission:
      return check_receipt(event);
    case what::paid:
      return check_paid(event);
    case what::cancel:
      return check_cancel(event);
    case what::property:
      return check_property(event);
    case what::edit:
      return;
    }
  }

  void check_receipt(const told& event) {
    const auto quoted = json_at(event.got->body, "/identifiers/0/id");
    const auto id = quoted.substr(1, quoted.size() - 2);
    if (!receipts_.insert(id).second) differ("two receipts for request " + id);
    if (std::ranges::find(requests_, id, &mixed_request::id) == requests_.end())
      differ("the acknowledged request " + id + " is lost");
  }

  void check_paid(const told& event) {
    const booking_name name{event.platform, event.reference};
    const bool asked = std::ranges::any_of(requests_, [&](const auto& request) {
      return request.platform == event.platform && request.reference == event.reference;
    });
    if (event.got->body == done && !asked) differ("the paid booking " + event.reference + " is lost");
    if (event.got->body != done && !by_name_.contains(name))
      differ("the booking " + event.reference + " is not recorded, whatever was said");
  }

  void check_cancel(const told& event) {
    if (event.got->body != done) return;
    const auto found = by_name_.find({event.platform, event.reference});
    if (found == by_name_.end() || found->second.front()->booking.status != booking_status::cancelled)
      differ("the cancelled booking " + event.reference + " is not cancelled");
  }

  void check_property(const told& event) {
    const auto is_there = [&](const char* room) {
      return read_("booking-engine", "/listings/" + event.reference + room).status == 200;
    };
    if (event.spoilt == event.succeeded()) differ("the property " + event.reference + " was taken wrongly");
    if (!is_there("_1")) differ("the first room of " + event.reference + " is lost");
    if (is_there("_2") == event.spoilt) differ("the second room of " + event.reference + " is not as told");
  }

  // What the store holds

  void check_request(const mixed_request& request) {
    const auto bookings = by_request_.contains(request.id) ? by_request_.at(request.id).size() : 0;
    if (bookings != (request.state == "Success" ? 1U : 0U))
      differ(request.state + " request " + request.id + " has " + std::to_string(bookings) + " bookings");
    if (request.state == "New") differ("request " + request.id + " is not decided");
    if (request.state == "Dropped" && !by_name_.contains({request.platform, request.reference}))
      differ("request " + request.id + " was dropped, and nothing has its reference");
    if (request.state == "Failed") check_refusal(request);
    expect_notice("booking_refused", request.id, request.state == "Failed");
  }

  /// The stay that it met may have been cancelled since.
  void check_refusal(const mixed_request& request) {
    const auto& others = by_unit_[unit_id(static_cast<unsigned>(std::stoul(request.unit.substr(1))))];
    if (std::ranges::none_of(
            others, [&](const auto* other) { return overlap(nights_of(other->booking), request.nights); }))
      differ("request " + request.id + " was refused, and nobody ever had its nights");
  }

  void check_booking(const store::booking_record& record) {
    const auto id = domain::to_string(record.booking.id);
    const bool cancelled = record.booking.status == booking_status::cancelled;
    expect_notice("booking_created", id, true);
    expect_notice("booking_cancelled", id, cancelled);
    if (cancelled && !was_cancelled(record.booking)) differ("nobody cancelled booking " + id);
    check_plan(record, id);
  }

  bool was_cancelled(const domain::booking& booking) const {
    return std::ranges::any_of(events_, [&](const auto& event) {
      return event.kind == what::cancel && event.platform == booking.platform &&
             event.reference == booking.reference;
    });
  }

  /// Every night once, each month at one of the rents that the unit ever had, and what the platform pays.
  void check_plan(const store::booking_record& record, const std::string& id) {
    const auto& booking = record.booking;
    auto next = booking.check_in;
    for (const auto& line : booking.terms->plan) {
      if (line.kind == domain::payment_kind::provider_platform_payment) {
        if (line.amount != booking.provider_payment)
          differ("the payment of booking " + id + " is not what was sent");
        continue;
      }
      if (line.kind != domain::payment_kind::rent || line.period->first != next ||
          !is_a_rent(line, booking.unit_id))
        return differ("the plan of booking " + id + " does not add up");
      next = line.period->last + domain::days{1};
    }
    if (next != booking.check_out) differ("the plan of booking " + id + " misses nights");
  }

  bool is_a_rent(const domain::payment_line& line, const domain::uuid& unit) const {
    const std::chrono::year_month_day day{line.period->first};
    const auto days = static_cast<unsigned>((day.year() / day.month() / std::chrono::last).day());
    const auto nights = (line.period->last - line.period->first).count() + 1;
    const auto costs = [&](int rent) {
      return domain::divide_rounding(rent * 100 * nights, days) == line.amount.cents;
    };
    return costs(650) || std::ranges::any_of(events_, [&](const auto& event) {
             return event.kind == what::edit && unit_id(event.unit) == domain::to_string(unit) &&
                    costs(event.rent);
           });
  }

  void expect_notice(const std::string& kind, const std::string& about, bool wanted) {
    const auto found = notices_.find({kind, about});
    const int count = found == notices_.end() ? 0 : found->second;
    if (count != (wanted ? 1 : 0)) differ(std::to_string(count) + " times " + kind + " for " + about);
  }

  // What the server shows

  /// The calendar in memory holds the nights of the bookings that stand, and no others.
  void check_unit(const std::string& unit, std::vector<const store::booking_record*>& records) {
    std::erase_if(records,
                  [](const auto* record) { return record->booking.status == booking_status::cancelled; });
    std::ranges::sort(records, {}, [](const auto* record) { return record->booking.check_in; });
    std::string expected = "[";
    for (std::size_t i = 0; i < records.size(); ++i) {
      const auto nights = nights_of(records[i]->booking);
      if (i > 0 && overlap(nights_of(records[i - 1]->booking), nights))
        differ("unit " + unit + " is sold twice on " + domain::to_string(nights.first));
      expected += (i ? "," : "") + std::string{R"({"from":")"} + domain::to_string(nights.first) +
                  R"(","to":")" + domain::to_string(nights.last) +
                  R"(","reason":"Unavailable","createdAt":"<time>","updatedAt":"<time>"})";
    }
    const auto shown =
        read_("channel-manager", "/listings/u" + std::to_string(std::stoul(unit.substr(24), nullptr, 16)));
    const auto rows = without_times_and_ids(json_at(shown.body, "/unavailabilities"));
    if (rows != expected + "]")
      differ("the calendar of unit " + unit + " shows " + rows + ", not " + expected + "]");
  }

  void check_outbox() {
    if (const auto count = count_rows(on_, "outgoing_mail where sent_at is null"))
      differ(std::to_string(count) + " mails were not sent");
  }

  /// Each change begins where the one before it ended, and the last one is what everybody sees.
  void check_edits() {
    std::set<unsigned> edited;
    for (const auto& event : events_)
      if (event.kind == what::edit && event.succeeded()) edited.insert(event.unit);
    for (const auto unit : edited) {
      std::string rent = "650";
      auto entries = store::changelog_of(on_, domain::parse_uuid(unit_id(unit)).value(), everything);
      std::ranges::reverse(entries);
      for (const auto& entry : entries)
        for (const auto& change : entry.changes)
          if (change.field == "rent") {
            if (change.before != rent)
              differ("unit " + std::to_string(unit) + "'s changelog misses a change");
            rent = change.after;
          }
      const auto shown =
          json_at(read_("channel-manager", "/listings/u" + std::to_string(unit)).body, "/rent");
      if (shown != rent)
        differ("unit " + std::to_string(unit) + " shows the rent " + shown + ", not " + rent);
    }
  }

  store::session& on_;
  const std::vector<told>& events_;
  const live_read& read_;
  std::vector<mixed_request> requests_;
  std::vector<store::booking_record> records_;
  std::map<std::string, std::vector<const store::booking_record*>> by_request_, by_unit_;
  std::map<booking_name, std::vector<const store::booking_record*>> by_name_;
  std::map<std::pair<std::string, std::string>, int> notices_; ///< by kind and what it is about
  std::set<std::string> receipts_;
  std::vector<std::string> found_;
};

} // namespace

std::vector<std::string> mixed_differences(store::session& db, const std::vector<told>& events,
                                           const live_read& read) {
  return mixed_comparison(db, events, read).run();
}

} // namespace roost::testing
