#include "store/bookings/outcomes.hpp"

#include "store/bookings/taken_nights.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace roost::store {

namespace {

// Reading

struct outcome_row {
  domain::uuid request_id{};
  domain::request_state state{};
  submission_outcome outcome;
  std::optional<domain::timestamp> changed_at;
  std::optional<std::int64_t> number;                          ///< of the last change after the decision
  std::optional<domain::uuid> booking_id, account_id, unit_id; ///< of the booking
};

constexpr auto outcome_columns = columns(
    column("r.id", &outcome_row::request_id), column("r.state", &outcome_row::state),
    column("r.reference", &outcome_row::outcome, &submission_outcome::reference),
    column("r.external_id", &outcome_row::outcome, &submission_outcome::external_id),
    column("coalesce(b.check_in, r.check_in)", &outcome_row::outcome, &submission_outcome::check_in),
    column("coalesce(b.check_out, r.check_out)", &outcome_row::outcome, &submission_outcome::check_out),
    column("r.received_at", &outcome_row::outcome, &submission_outcome::received_at),
    column("r.decided_at", &outcome_row::outcome, &submission_outcome::decided_at),
    column("r.refusal", &outcome_row::outcome, &submission_outcome::refusal),
    column<taken_nights_format>("r.taken_nights", &outcome_row::outcome, &submission_outcome::taken_nights),
    column("b.cancelled_by", &outcome_row::outcome, &submission_outcome::cancelled_by),
    column("b.cancelled_at", &outcome_row::outcome, &submission_outcome::cancelled_at),
    column("b.outcome_at", &outcome_row::changed_at), column("b.outcome_number", &outcome_row::number),
    column("b.id", &outcome_row::booking_id), column("b.account_id", &outcome_row::account_id),
    column("b.unit_id", &outcome_row::unit_id));

/// The request whose outcome is that of a reference.
std::string shown_request(const std::string& platform, const std::string& reference) {
  const auto of_reference = " where reference = " + reference + " and platform = " + platform;
  return "coalesce((select request_id from bookings made join booking_requests made_by"
         " on made_by.id = made.request_id where made.reference = " +
         reference + " and made.platform = " + platform +
         " order by made_by.decided_at, made_by.seq limit 1), (select id from booking_requests" +
         of_reference + " order by is_put desc, seq limit 1))";
}

std::string outcomes_where(const std::string& condition) {
  return "select {columns} from booking_requests r left join bookings b on b.request_id = r.id where " +
         condition;
}

const selection outcome_of_reference{"outcome_of_reference",
                                     outcomes_where("r.id = " + shown_request(":platform", ":reference")),
                                     outcome_columns};
const selection outcomes_of_requests{
    "outcomes_of_requests",
    outcomes_where("r.id in {ids uuid} and r.id = " + shown_request("r.platform", "r.reference")),
    outcome_columns};

const selection references_of_requests{
    "references_of_requests",
    "select {columns} from booking_requests where id in {ids uuid} and reference is not null",
    named<std::string>("reference")};

/// The outcomes with numbers up to `number`.
struct numbered_requests {
  std::int64_t first_number = 0, number = 0;
  std::string requests;
};

const selection changes_of_outcomes{
    "changes_of_outcomes",
    "select {columns} from outcome_changes where platform = :platform and number > :after"
    " and first_number <= :last order by number",
    columns(column("first_number", &numbered_requests::first_number),
            column("number", &numbered_requests::number), column("requests", &numbered_requests::requests))};

const selection mark_of_number{"mark_of_outcome",
                               "select {columns} from outcome_changes where platform = :platform"
                               " and number >= :number and first_number <= :number order by number limit 1",
                               named<std::string>("mark")};

const selection newest_number{"newest_outcome",
                              "select {columns} from outcome_numbers where platform = :platform",
                              named<std::int64_t>("number")};

const selection newest_numbers{"newest_outcomes", "select {columns} from outcome_numbers",
                               named<std::string>("platform"), named<std::int64_t>("number")};

/// Ids separated by spaces.
std::string joined_ids(const std::vector<domain::uuid>& ids) {
  std::string text;
  for (const auto& id : ids) text.append(text.empty() ? "" : " ").append(domain::to_string(id));
  return text;
}

std::vector<domain::uuid> split_ids(std::string_view text) {
  constexpr std::size_t id_length = 36;
  std::vector<domain::uuid> ids;
  for (std::size_t at = 0; at < text.size(); at += id_length + 1) {
    const auto id = domain::parse_uuid(text.substr(at, id_length));
    if (!id) throw failure("column requests holds an invalid value");
    ids.push_back(*id);
  }
  return ids;
}

bool is_withdrawn(const outcome_row& row) { return row.outcome.refusal == domain::refusal::withdrawn; }

outcome_status status_of(const outcome_row& row) {
  if (row.state == domain::request_state::pending) return outcome_status::pending;
  if (is_withdrawn(row)) return outcome_status::cancelled;
  if (!row.booking_id) return outcome_status::refused;
  return row.outcome.cancelled_by ? outcome_status::cancelled : outcome_status::confirmed;
}

/// A repeat is shown only if the booking that it repeats is not in the store: as a request for nothing.
std::optional<domain::refusal> refusal_of(const outcome_row& row) {
  if (row.state != domain::request_state::dropped) return row.outcome.refusal;
  return row.booking_id ? std::nullopt : std::optional(domain::refusal::unit_not_linked);
}

submission_outcome outcome_of(const outcome_row& row) {
  auto outcome = row.outcome;
  outcome.status = status_of(row);
  outcome.refusal = outcome.status == outcome_status::refused ? refusal_of(row) : std::nullopt;
  if (is_withdrawn(row)) {
    outcome.cancelled_by = domain::cancelled_by::platform;
    outcome.cancelled_at = outcome.decided_at;
  }
  if (row.booking_id) outcome.booked = {row.account_id.value(), row.unit_id.value()};
  outcome.booking_id = row.booking_id;
  outcome.changed_at = row.changed_at.value_or(outcome.decided_at.value_or(outcome.received_at));
  return outcome;
}

/// Returns the requests whose outcomes have the numbers after `after`, up to `last`.
std::vector<std::pair<std::int64_t, domain::uuid>> numbered_between(session& db, const std::string& platform,
                                                                    std::int64_t after, std::int64_t last) {
  std::vector<std::pair<std::int64_t, domain::uuid>> numbered;
  db.internals().read(changes_of_outcomes, {{"platform", platform}, {"after", after}, {"last", last}},
                      [&](const numbered_requests& each) {
                        auto number = each.first_number;
                        for (const auto& id : split_ids(each.requests)) {
                          if (number > after && number <= last) numbered.emplace_back(number, id);
                          ++number;
                        }
                      });
  return numbered;
}

/// Appends the outcomes among these that no later change has replaced, in the order of the requests.
void append_newest(session& db, const std::vector<std::pair<std::int64_t, domain::uuid>>& numbered,
                   std::vector<submission_outcome>& to) {
  std::vector<domain::uuid> ids;
  ids.reserve(numbered.size());
  for (const auto& [number, id] : numbered) ids.push_back(id);
  std::unordered_map<domain::uuid, outcome_row, domain::uuid_hash> rows;
  db.internals().read(outcomes_of_requests, {{"ids", db.internals().list(ids)}}, [&](outcome_row&& row) {
    const auto id = row.request_id;
    rows.emplace(id, std::move(row));
  });
  for (const auto& [number, id] : numbered) {
    const auto row = rows.find(id);
    if (row != rows.end() && row->second.number.value_or(number) == number)
      to.push_back(outcome_of(row->second));
  }
}

} // namespace

std::optional<submission_outcome> find_outcome(session& db, const std::string& platform,
                                               const std::string& reference) {
  const auto row =
      db.internals().read_one(outcome_of_reference, {{"platform", platform}, {"reference", reference}});
  return row ? std::optional(outcome_of(*row)) : std::nullopt;
}

std::optional<std::string> mark_of_outcome(session& db, const std::string& platform, std::int64_t position) {
  return db.internals().read_one(mark_of_number, {{"platform", platform}, {"number", position}});
}

std::int64_t newest_outcome(session& db, const std::string& platform) {
  return db.internals().read_one(newest_number, {{"platform", platform}}).value_or(0);
}

std::map<std::string, std::int64_t> newest_outcomes(session& db) {
  std::map<std::string, std::int64_t> positions;
  db.internals().read(newest_numbers, {}, [&](std::string platform, std::int64_t number) {
    positions.emplace(std::move(platform), number);
  });
  return positions;
}

outcome_page outcomes_after(session& db, const std::string& platform, std::int64_t after, std::size_t limit) {
  const transaction txn(db, transaction::purpose::read);
  constexpr int max_reads = 10; // a page of outcomes that have all changed since would read without end
  const auto newest = newest_outcome(db, platform);
  outcome_page page{{}, std::min(after, newest), false};
  for (int i = 0; i < max_reads && page.cursor < newest && page.outcomes.size() < limit; ++i) {
    const auto missing = static_cast<std::int64_t>(limit - page.outcomes.size());
    const auto last = std::min(page.cursor + missing, newest);
    append_newest(db, numbered_between(db, platform, page.cursor, last), page.outcomes);
    page.cursor = last;
  }
  page.more = page.cursor < newest;
  return page;
}

std::set<std::string> references_changed(session& db, const std::string& platform, std::int64_t after,
                                         std::int64_t last) {
  std::vector<domain::uuid> ids;
  for (const auto& [number, id] : numbered_between(db, platform, after, last)) ids.push_back(id);
  std::set<std::string> references;
  db.internals().read(references_of_requests, {{"ids", db.internals().list(ids)}},
                      [&](std::string reference) { references.insert(std::move(reference)); });
  return references;
}

// Writing

namespace {

/// The position before the first one that a platform's outcomes get.
struct taken_number {
  std::string platform;
  std::int64_t before = 0;
};
constexpr auto taken_number_columns =
    columns(column("platform", &taken_number::platform), column("first_number - 1", &taken_number::before));

/// A single statement for all platforms, which locks their rows in the order of the names, like every other
/// transaction.
const selection take_numbers{
    "take_outcome_numbers",
    {"with input as (select * from unnest(:platforms::text[], :totals::bigint[], :requests::text[])"
     " with ordinality as r(platform, total, requests, n)),"
     " numbers as (insert into outcome_numbers as o (platform, number)"
     " select platform, total from input order by n"
     " on conflict (platform) do update set number = o.number + excluded.number"
     " returning o.platform, o.number)"
     " insert into outcome_changes (platform, number, first_number, requests)"
     " select i.platform, t.number, t.number - i.total + 1, i.requests"
     " from numbers t join input i on i.platform = t.platform returning {columns}",
     "insert into outcome_changes (platform, number, first_number, requests)"
     " select platform, number, number - :total + 1, :requests from outcome_numbers"
     " where platform = :platform returning {columns}"},
    taken_number_columns};
constexpr query raise_number{
    "raise_outcome_number",
    "insert into outcome_numbers (platform, number) values (:platform, :total)"
    " on conflict (platform) do update set number = outcome_numbers.number + excluded.number"};

constexpr query number_bookings{
    "number_outcomes_of_bookings",
    "update bookings b set outcome_number = r.number, outcome_at = {now}"
    " from unnest(:requests::uuid[], :numbers::bigint[]) as r(request, number)"
    " where b.request_id = r.request",
    "update bookings set outcome_number = :number, outcome_at = {now} where request_id = :request"};

/// In the order of bytes, in which take_numbers gets the platforms.
const selection lock_numbers{
    "lock_outcome_numbers",
    {"select {columns} from outcome_numbers order by platform collate \"C\" for update",
     "select {columns} from outcome_numbers order by platform"},
    named<std::string>("platform")};

std::vector<taken_number> take_on_postgresql(session::connection& connection,
                                             const changed_outcomes& changed) {
  std::vector<std::string> platforms, totals, requests;
  for (const auto& [platform, ids] : changed) {
    platforms.push_back(platform);
    totals.push_back(std::to_string(ids.size()));
    requests.push_back(joined_ids(ids));
  }
  return connection.read_all(take_numbers, {{"platforms", connection.list(platforms)},
                                            {"totals", connection.list(totals)},
                                            {"requests", connection.list(requests)}});
}

std::vector<taken_number> take_on_sqlite(session::connection& connection, const changed_outcomes& changed) {
  std::vector<taken_number> taken;
  for (const auto& [platform, ids] : changed) {
    connection.write(raise_number, {{"platform", platform}, {"total", ids.size()}});
    taken.push_back(
        connection
            .read_one(take_numbers,
                      {{"platform", platform}, {"total", ids.size()}, {"requests", joined_ids(ids)}})
            .value());
  }
  return taken;
}

} // namespace

std::map<std::string, std::int64_t> record_outcomes(session& db, const changed_outcomes& changed) {
  std::map<std::string, std::int64_t> before;
  if (changed.empty()) return before;
  auto& connection = db.internals();
  const auto taken = connection.dialect() == dialect::sqlite ? take_on_sqlite(connection, changed)
                                                             : take_on_postgresql(connection, changed);
  for (const auto& each : taken) before.emplace(each.platform, each.before);
  return before;
}

void record_booking_outcomes(session& db, std::span<const domain::booking> changed) {
  changed_outcomes outcomes;
  for (const auto& booking : changed)
    if (booking.reference && booking.platform && booking.request_id)
      outcomes[*booking.platform].push_back(*booking.request_id);
  auto& connection = db.internals();
  std::vector<domain::uuid> requests;
  std::vector<std::string> numbers;
  for (const auto& [platform, before] : record_outcomes(db, outcomes)) {
    auto number = before;
    for (const auto& id : outcomes.at(platform)) {
      requests.push_back(id);
      numbers.push_back(std::to_string(++number));
    }
  }
  if (requests.empty()) return;
  if (connection.dialect() == dialect::postgresql) {
    connection.write(number_bookings,
                     {{"requests", connection.list(requests)}, {"numbers", connection.list(numbers)}});
    return;
  }
  for (std::size_t i = 0; i < requests.size(); ++i)
    connection.write(number_bookings, {{"request", requests[i]}, {"number", numbers[i]}});
}

/// SQLite has a single writer.
void lock_outcomes(session& db) {
  if (!db.is_sqlite()) db.internals().read_all(lock_numbers);
}

} // namespace roost::store
