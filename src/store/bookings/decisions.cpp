#include "store/bookings/decisions.hpp"

#include "store/bookings/booking_rows.hpp"
#include "store/bookings/claimed_holds.hpp"
#include "store/bookings/taken_nights.hpp"
#include "store/database/connection.hpp"
#include "store/database/store_state.hpp"

#include <algorithm>

namespace roost::store {

namespace {

/// Updates New requests only, with the database's time because decisions carry none.
constexpr query decide_requests{
    "decide_requests",
    "update booking_requests t set state = r.state, refusal = r.refusal, account_id = r.account,"
    " unit_id = coalesce(r.unit, t.unit_id), taken_nights = r.taken, decided_at = {now}"
    " from unnest(:ids::uuid[], :states::text[], :refusals::text[], :accounts::uuid[], :units::uuid[],"
    " :taken::text[]) as r(id, state, refusal, account, unit, taken) where t.id = r.id and t.state = 'New'",
    "update booking_requests set state = :state, refusal = :refusal, account_id = :account,"
    " unit_id = coalesce(:unit, unit_id), taken_nights = :taken, decided_at = {now}"
    " where id = :id and state = 'New'"};

/// The nights of a stay that was requested.
const selection requested_nights{"requested_nights", "select {columns} from booking_requests where id = :id",
                                 columns(column("check_in", &domain::booking_request::check_in),
                                         column("check_out", &domain::booking_request::check_out))};

constexpr query set_taken_nights{"set_taken_nights",
                                 "update booking_requests set taken_nights = :taken where id = :id"};

constexpr query add_total{"add_total",
                          "update request_totals set total = total + :count where state = :state"};

const selection undecided_requests{
    "undecided_requests",
    "select {columns} from booking_requests where reference = :reference and platform = :platform"
    " and state = 'New' order by seq",
    request_columns};

const selection due_check_ins{
    "due_check_ins",
    "select {columns} from bookings where status = 'confirmed' and check_in <= :today"
    " order by check_in limit :limit",
    named<domain::uuid>("id")};
const selection due_check_outs{
    "due_check_outs",
    "select {columns} from bookings where status = 'checked_in' and check_out <= :today"
    " order by check_out limit :limit",
    named<domain::uuid>("id")};

/// A booking that a cancellation has locked is skipped: waiting for it could deadlock with a group of
/// cancellations, and the next run finds it.
constexpr query check_in{"check_in",
                         "update bookings set status = 'checked_in', updated_at = {now} where id in"
                         " (select id from bookings where id in {ids uuid} and status = 'confirmed'"
                         " and check_in <= :today {for update skip locked})"};
constexpr query check_out{"check_out",
                          "update bookings set status = 'checked_out', updated_at = {now} where id in"
                          " (select id from bookings where id in {ids uuid} and status = 'checked_in'"
                          " and check_out <= :today {for update skip locked})"};

constexpr std::size_t outcome_width = 6; // cells of one request's outcome

/// An ID under which a unit is linked.
struct linked_id {
  std::string platform, external_id;
};
constexpr auto linked_id_columns =
    columns(column("platform", &linked_id::platform), column("external_id", &linked_id::external_id)).of("l");

/// Reads only the links of accounts with entries of the kind `account`: each new link has one, in any
/// account.
const selection links_since{
    "links_since",
    {"select distinct {columns} from changes c cross join unnest(c.accounts) as a(id)"
     " join links l on l.account_id = a.id"
     " where c.position > :since and c.kind = 'account' and l.external_id in {ids text}",
     "select distinct {columns} from changes c cross join json_each(c.accounts) as j"
     " join links l on l.account_id = j.value"
     " where c.position > :since and c.kind = 'account' and l.external_id in {ids text}"},
    linked_id_columns};

/// Returns the accounts of the matches that a link has made invalid since this position.
std::vector<domain::uuid> accounts_with_invalid_matches(session& db, std::int64_t since,
                                                        std::span<const property_match> matches) {
  if (matches.empty()) return {};
  std::vector<std::string> ids;
  for (const auto& match : matches) ids.push_back(match.external_id);
  auto& connection = db.internals();
  const auto links = connection.read_all(links_since, {{"since", since}, {"ids", connection.list(ids)}});
  std::vector<domain::uuid> accounts;
  for (const auto& match : matches)
    if (std::ranges::any_of(links, [&](const linked_id& link) {
          return link.platform == match.platform && link.external_id == match.external_id;
        }))
      accounts.push_back(match.account_id);
  return accounts;
}

/// Returns the accounts whose decisions are outdated because of changes since this position.
std::vector<domain::uuid> stale_accounts(session& db, std::int64_t since, const decision_basis& basis) {
  auto stale = accounts_changed_since(db, since, basis.accounts);
  const auto invalid = accounts_with_invalid_matches(db, since, basis.property_matches);
  stale.insert(stale.end(), invalid.begin(), invalid.end());
  return stale;
}

} // namespace

decision_rows::decision_rows() : tenants_(tenant_table), bookings_(booking_table) {}

decision_rows::decision_rows(std::span<const domain::decision> decisions) : decision_rows() {
  for (const auto& decision : decisions) add(decision);
}

void decision_rows::add(const domain::decision& decision) {
  outcomes_.add(decision.request_id);
  outcomes_.add(domain::to_string(decision.state));
  outcomes_.add(decision.reason ? std::optional(domain::to_string(*decision.reason)) : std::nullopt);
  outcomes_.add(decision.account_id);
  outcomes_.add(decision.unit_id);
  outcomes_.add_as<taken_nights_format>(decision.taken);
  if (decision.ends_hold) with_holds_.push_back(decision.request_id);
  if (decision.reason == domain::refusal::overlapping_nights && decision.taken.empty() && decision.unit_id)
    without_nights_.push_back({decision.request_id, *decision.unit_id});
  if (decision.reported_to) reported_[*decision.reported_to].push_back(decision.request_id);
  ++totals_[decision.state];
  for (const auto& notification : decision.notifications) messages_.add(notification);
  for (const auto& mail : decision.mails) messages_.add(mail);
  if (!decision.booking) return;
  const auto& booking = *decision.booking;
  if (decision.new_tenant) tenants_.add({&*decision.new_tenant, booking.created_at});
  if (decision.tenant_category)
    categories_.push_back({booking.account_id, booking.tenant_id, *decision.tenant_category, booking.id,
                           booking.created_at, booking.platform.value_or("")});
  bookings_.add(booking);
  if (changed_.insert(booking.account_id).second) change_.accounts.push_back(booking.account_id);
  change_.subjects.push_back(booking.id);
}

/// Stores the nights that made the database refuse a booking that the calendar had allowed.
void decision_rows::add_taken_nights(session& db, const refusal_without_nights& refused) {
  auto& connection = db.internals();
  const auto request = connection.read_one(requested_nights, {{"id", refused.request_id}}).value();
  const auto stay = domain::stay_nights(request.check_in, request.check_out);
  const auto taken = find_taken_nights(db, refused.unit_id, stay);
  std::string text;
  if (taken_nights_format::write(text, taken))
    connection.write(set_taken_nights, {{"id", refused.request_id}, {"taken", text}});
}

/// Throws already_decided unless all of these requests were New.
void decision_rows::decide(session& db) const {
  auto& connection = db.internals();
  std::int64_t updated = 0;
  if (connection.dialect() == dialect::postgresql) {
    auto arrays = arrays_of(outcomes_, outcome_width);
    updated = connection.write(decide_requests, {{"ids", std::move(arrays[0])},
                                                 {"states", std::move(arrays[1])},
                                                 {"refusals", std::move(arrays[2])},
                                                 {"accounts", std::move(arrays[3])},
                                                 {"units", std::move(arrays[4])},
                                                 {"taken", std::move(arrays[5])}});
  } else {
    for (std::size_t i = 0; i < outcomes_.size(); i += outcome_width)
      updated += connection.write(decide_requests, {{"id", cell(outcomes_[i])},
                                                    {"state", cell(outcomes_[i + 1])},
                                                    {"refusal", cell(outcomes_[i + 2])},
                                                    {"account", cell(outcomes_[i + 3])},
                                                    {"unit", cell(outcomes_[i + 4])},
                                                    {"taken", cell(outcomes_[i + 5])}});
  }
  if (static_cast<std::size_t>(updated) != outcomes_.size() / outcome_width) throw already_decided();
}

void decision_rows::count_decided(session& db) const {
  for (const auto& [state, count] : totals_)
    db.internals().write(add_total, {{"count", count}, {"state", domain::to_string(state)}});
}

recorded_decisions record_decisions(session& db, const lease& held, const decision_basis& basis,
                                    const decision_rows& rows) {
  write_transaction txn(db, held, basis.followed);
  return rows.write(db, txn, basis);
}

std::optional<recorded_decisions>
record_locked_decisions(session& db, const lease& held,
                        const std::function<std::optional<decided_group>(std::int64_t newest)>& decide) {
  write_transaction txn(db, held);
  refuse_while_importing(db);
  lock_outcomes(db); // other transactions lock these before the stream
  const auto newest = lock_stream(db);
  const auto group = decide(newest);
  if (!group) return std::nullopt;
  txn.base_on(db, held, group->basis.followed);
  if (!db.is_sqlite()) db.internals().script("lock_timeout", "set local lock_timeout = '250ms'");
  return group->rows->write(db, txn, group->basis);
}

/// An account that changes after the first check either changes before the group takes its position, where
/// the second check finds it, or after the group's commit. Refusals take no position, so they need no second
/// check: a concurrent change may as well have come later.
recorded_decisions decision_rows::write(session& db, write_transaction& txn,
                                        const decision_basis& basis) const {
  recorded_decisions outcome;
  if (txn.position() != basis.followed.position)
    outcome.stale = stale_accounts(db, basis.followed.position, basis);
  if (!outcome.stale.empty()) return outcome;
  decide(db);
  const auto freed = end_claimed_holds(db, with_holds_);
  for (const auto& each : without_nights_) add_taken_nights(db, each); // without the request's own hold
  insert(db, tenants_);
  for (const auto& each : categories_) set_category(db, each);
  insert(db, bookings_);
  insert(db, messages_);
  record_outcomes(db, reported_);
  count_decided(db);
  if (!change_.subjects.empty()) {
    outcome.change = append(db, change_);
    if (outcome.change->position != txn.position() + 1)
      outcome.stale = stale_accounts(db, txn.position(), basis);
    if (!outcome.stale.empty()) return {std::move(outcome.stale), {}};
  }
  if (freed) append(db, *freed);
  txn.commit();
  return outcome;
}

void record_refusals(session& db, const decision_rows& rows, const std::function<void()>& before_commit) {
  transaction txn(db, transaction::purpose::write);
  rows.decide(db);
  const auto freed = end_claimed_holds(db, rows.with_holds_);
  insert(db, rows.messages_);
  before_commit();
  record_outcomes(db, rows.reported_);
  rows.count_decided(db);
  if (freed) append(db, *freed);
  txn.commit();
}

withdrawn_requests withdraw_requests(session& db, const lease& held, const withdrawal& by) {
  const auto requests =
      db.internals().read_all(undecided_requests, {{"platform", by.platform}, {"reference", by.reference}});
  withdrawn_requests done;
  if (requests.empty()) return done;
  decision_rows rows;
  std::vector<audit_entry> entries;
  for (const auto& request : requests) {
    domain::decision withdrawn{.request_id = request.id, .reason = domain::refusal::withdrawn};
    if (const auto unit = by.unit_of(request)) {
      withdrawn.account_id = unit->account_id;
      withdrawn.unit_id = unit->unit_id;
    }
    withdrawn.reported_to = by.platform;
    rows.add(withdrawn);
    entries.push_back(by.audit(request.id, withdrawn.account_id));
    done.ids.push_back(request.id);
  }
  write_transaction txn(db, held);
  rows.decide(db);
  const auto freed = end_claimed_holds(db, done.ids);
  record_audit(db, entries);
  record_outcomes(db, rows.reported_);
  rows.count_decided(db);
  if (freed) done.freed = append(db, *freed);
  txn.commit();
  return done;
}

stays_advanced advance_stays(session& db, const lease& held, domain::date today,
                             std::span<const domain::uuid> known_rejected, std::size_t limit) {
  stays_advanced advanced;
  const auto advance = [&](const auto& due, const query& update) {
    auto ids = db.internals().read_all(due, {{"today", today}, {"limit", limit + known_rejected.size()}});
    leave_out(known_rejected, ids);
    std::int64_t updated = 0;
    const auto rejected = write_divided(std::span<const domain::uuid>(ids), [&](std::span<const domain::uuid>
                                                                                    part) {
      write_transaction txn(db, held);
      const auto count = db.internals().write(update, {{"ids", db.internals().list(part)}, {"today", today}});
      txn.commit();
      updated += count;
    });
    advanced.rejected.insert(advanced.rejected.end(), rejected.begin(), rejected.end());
    return updated;
  };
  advanced.checked_in = advance(due_check_ins, check_in);
  advanced.checked_out = advance(due_check_outs, check_out);
  return advanced;
}

} // namespace roost::store
