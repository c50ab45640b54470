#include "service/support/booking_history.hpp"

#include "domain/calendar.hpp"
#include "service/support/portfolio.hpp"
#include "store/database/connection.hpp"
#include "store/support/stored_rows.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace roost::testing {

namespace {

constexpr std::size_t enough = 20;

struct request_row {
  std::string state, unit, reference;
  domain::date check_in{}, check_out{};
  std::optional<std::string> refusal;
};

struct booking_row {
  std::string request, unit, reference, status;
  domain::nights stay;
  domain::nights blocked;
};

/// Notices by what they are about.
using notice_counts = std::map<std::pair<std::string, std::string>, int>; ///< (kind, request or booking)

/// All that the store holds about bookings.
struct store_state {
  std::map<std::string, request_row> requests; ///< by id
  std::map<std::string, booking_row> bookings; ///< by id
  notice_counts notices;
  std::map<std::string, std::int64_t> totals; ///< by state
  std::int64_t mails = 0;
};

void read_requests(store::session& db, store_state& into) {
  const store::selection all{"test_requests", "select {columns} from booking_requests",
                             store::named<std::string>("id"),
                             store::columns(store::column("state", &request_row::state),
                                            store::column("external_id", &request_row::unit),
                                            store::column("reference", &request_row::reference),
                                            store::column("check_in", &request_row::check_in),
                                            store::column("check_out", &request_row::check_out),
                                            store::column("refusal", &request_row::refusal))};
  db.internals().read(
      all, {}, [&](const std::string& id, request_row&& request) { into.requests[id] = std::move(request); });
}

void read_bookings(store::session& db, store_state& into) {
  const store::selection all{
      "test_bookings", "select {columns} from bookings", store::named<std::string>("id"),
      store::columns(
          store::column("request_id", &booking_row::request), store::column("unit_id", &booking_row::unit),
          store::column("reference", &booking_row::reference), store::column("status", &booking_row::status),
          store::column("check_in", &booking_row::stay, &domain::nights::first),
          store::column("check_out", &booking_row::stay, &domain::nights::last),
          store::column("check_in", &booking_row::blocked, &domain::nights::first),
          store::column("last_night", &booking_row::blocked, &domain::nights::last))};
  db.internals().read(all, {}, [&](const std::string& id, booking_row&& booking) {
    booking.stay.last -= domain::days{1}; // the check-out's night is not part of the stay
    into.bookings[id] = std::move(booking);
  });
}

void read_rest(store::session& db, store_state& into) {
  const store::selection notices{
      "test_notices", "select {columns} from notifications group by 1, 2", store::named<std::string>("kind"),
      store::named<std::string>("coalesce(booking_id, request_id)"), store::named<int>("count(*)")};
  db.internals().read(notices, {}, [&](const std::string& kind, const std::string& about, int count) {
    into.notices[{kind, about}] = count;
  });
  const store::selection totals{"test_totals", "select {columns} from request_totals",
                                store::named<std::string>("state"), store::named<std::int64_t>("total")};
  db.internals().read(totals, {},
                      [&](const std::string& state, std::int64_t total) { into.totals[state] = total; });
  into.mails = count_rows(db, "outgoing_mail");
}

store_state picture_of(store::session& db) {
  store_state picture;
  read_requests(db, picture);
  read_bookings(db, picture);
  read_rest(db, picture);
  return picture;
}

class comparison {
public:
  comparison(store_state in_store, const std::vector<submission>& submitted)
      : store_(std::move(in_store)), submitted_(submitted) {
    for (const auto& [id, booking] : store_.bookings) {
      by_request_[booking.request].push_back(&booking);
      by_unit_[booking.unit].push_back(&booking);
      by_reference_[booking.reference].push_back(&booking);
    }
  }

  std::vector<std::string> run() {
    check_acknowledged();
    check_origins();
    check_outcomes();
    check_bookings();
    check_units();
    check_numbers();
    if (found_.size() > enough) found_.resize(enough);
    return std::move(found_);
  }

private:
  void differ(std::string what) { found_.push_back(std::move(what)); }

  /// Nothing that a client has a receipt for is missing or another stay.
  void check_acknowledged() {
    std::set<std::string> receipts;
    for (const auto& made : submitted_) {
      if (!made.acknowledged()) continue;
      const auto id = made.request_id();
      if (!receipts.insert(id).second) differ("two receipts for request " + id);
      const auto row = store_.requests.find(id);
      if (row == store_.requests.end())
        differ("the acknowledged request " + id + " is lost");
      else if (!same_stay(made.stay, row->second))
        differ("request " + id + " is not what was submitted");
    }
  }

  static bool same_stay(const wanted_stay& stay, const request_row& row) {
    return row.unit == "u" + std::to_string(stay.unit) && row.reference == stay.reference &&
           row.check_in == stay.check_in && row.check_out == stay.check_out;
  }

  /// What was not acknowledged may be in the store, but nothing that nobody sent, nor oftener than it was
  /// sent.
  void check_origins() {
    std::map<std::string, int> sent;
    for (const auto& made : submitted_) ++sent[made.stay.reference];
    for (const auto& [id, row] : store_.requests)
      if (--sent[row.reference] < 0) differ("request " + id + " was not submitted");
  }

  void check_outcomes() {
    for (const auto& [id, row] : store_.requests) {
      const auto bookings = by_request_.contains(id) ? by_request_.at(id).size() : 0;
      if (bookings != (row.state == "Success" ? 1U : 0U))
        differ(row.state + " request " + id + " has " + std::to_string(bookings) + " bookings");
      if (row.state == "New") differ("request " + id + " is not decided");
      if (row.state == "Dropped" && !by_reference_.contains(row.reference))
        differ("request " + id + " was dropped, and nothing has its reference");
      if (row.state == "Failed") check_refusal(id, row);
      expect_notices("booking_refused", id, row.state == "Failed");
    }
  }

  void check_refusal(const std::string& id, const request_row& row) {
    if (row.refusal != "overlapping_nights")
      return differ("request " + id + " was refused for " + row.refusal.value_or("nothing"));
    const auto nights = domain::stay_nights(row.check_in, row.check_out);
    const auto& others = by_unit_[unit_id(static_cast<unsigned>(std::stoul(row.unit.substr(1))))];
    if (std::ranges::none_of(others, [&](const auto* other) { return overlap(other->stay, nights); }))
      differ("request " + id + " was refused, and its nights are free");
  }

  void check_bookings() {
    for (const auto& [id, booking] : store_.bookings) {
      if (booking.status != "confirmed") differ("booking " + id + " is " + booking.status);
      if (booking.blocked != booking.stay) differ("booking " + id + " does not hold its nights");
      expect_notices("booking_created", id, true);
    }
    for (const auto& [reference, bookings] : by_reference_)
      if (bookings.size() > 1) differ("reference " + reference + " is booked twice");
  }

  void expect_notices(const std::string& kind, const std::string& about, bool wanted) {
    const auto found = store_.notices.find({kind, about});
    const int count = found == store_.notices.end() ? 0 : found->second;
    noticed_ += count;
    if (count != (wanted ? 1 : 0)) differ(std::to_string(count) + " times " + kind + " for " + about);
  }

  void check_units() {
    for (auto& [unit, bookings] : by_unit_) {
      std::ranges::sort(bookings, {}, [](const auto* booking) { return booking->stay.first; });
      for (std::size_t i = 1; i < bookings.size(); ++i)
        if (overlap(bookings[i - 1]->stay, bookings[i]->stay))
          differ("unit " + unit + " is sold twice on " + domain::to_string(bookings[i]->stay.first));
    }
  }

  void check_numbers() {
    std::map<std::string, std::int64_t> states{{"Success", 0}, {"Failed", 0}, {"Dropped", 0}};
    for (const auto& [id, row] : store_.requests) ++states[row.state];
    if (states != store_.totals) differ("the totals are not the numbers of requests");
    if (store_.mails != states["Failed"]) // one user is told
      differ(std::to_string(store_.mails) + " mails for " + std::to_string(states["Failed"]) + " refusals");
    int all_notices = 0;
    for (const auto& [about, count] : store_.notices) all_notices += count;
    if (all_notices != noticed_) differ("there are notifications about nothing");
  }

  store_state store_;
  const std::vector<submission>& submitted_;
  std::map<std::string, std::vector<const booking_row*>> by_request_, by_unit_, by_reference_;
  int noticed_ = 0;
  std::vector<std::string> found_;
};

} // namespace

std::int64_t undecided_requests(store::session& db) {
  return count_rows(db, "booking_requests where state = 'New'");
}

std::vector<std::string> differences(store::session& db, const std::vector<submission>& submitted) {
  return comparison(picture_of(db), submitted).run();
}

} // namespace roost::testing
