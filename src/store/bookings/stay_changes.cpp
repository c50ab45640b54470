#include "store/bookings/stay_changes.hpp"

#include "store/bookings/taken_nights.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <tuple>

namespace roost::store {

namespace {

constexpr auto change_columns = columns(
    column("platform", &stay_change::platform).key(), column("reference", &stay_change::reference).key(),
    column("id", &stay_change::id).key(), column("check_in", &stay_change::check_in),
    column("check_out", &stay_change::check_out), column("occupants", &stay_change::occupants),
    column("provider_payment_cents", &stay_change::provider_payment),
    column("requested_by", &stay_change::requested_by), column("received_at", &stay_change::received_at));

/// A change with its place among the booking requests.
struct placed_change {
  stay_change change;
  std::int64_t after_seq = 0;
};
constexpr auto placed_columns =
    columns(nested(&placed_change::change, change_columns), column("after_seq", &placed_change::after_seq));
const auto change_table = table_of<placed_columns>("stay_changes");

constexpr auto change_record_columns =
    columns(nested(&stay_change_record::change, change_columns), column("state", &stay_change_record::state),
            column("refusal", &stay_change_record::refusal),
            column<taken_nights_format>("taken_nights", &stay_change_record::taken_nights),
            column("decided_at", &stay_change_record::decided_at));
const selection change_by_id{"stay_change_by_id",
                             "select {columns} from stay_changes where platform = :platform"
                             " and reference = :reference and id = :id",
                             change_record_columns};

/// On PostgreSQL, requests that are not committed yet may count as earlier: they arrived at the same time.
const selection newest_request{
    "newest_request",
    {"select {columns} from (select coalesce(pg_sequence_last_value(cast(pg_get_serial_sequence("
     "'booking_requests', 'seq') as regclass)), 0) as seq) newest",
     "select {columns} from (select coalesce(max(seq), 0) as seq from booking_requests) newest"},
    named<std::int64_t>("seq")};

/// In the order in which they are decided.
constexpr auto pending_columns = columns(column("seq", &pending_stay_change::seq).key(),
                                         column("after_seq", &pending_stay_change::after_seq),
                                         nested(&pending_stay_change::change, change_columns));
const selection pending_changes{
    "pending_stay_changes",
    "select {columns} from stay_changes where state = 'pending' and platform in {platforms text}"
    " and (after_seq > :after_seq or (after_seq = :after_seq and seq > :seq))"
    " order by after_seq, seq limit :limit",
    pending_columns};

const selection locked_change{"locked_stay_change",
                              "select {columns} from stay_changes where seq = :seq and state = 'pending'"
                              " {for update skip locked}",
                              pending_columns};
const selection is_change_pending{"is_stay_change_pending",
                                  "select {columns} from stay_changes where seq = :seq and state = 'pending'",
                                  named<bool>("count(*) > 0")};

constexpr query decide_change{"decide_stay_change",
                              "update stay_changes set state = :state, refusal = :refusal,"
                              " taken_nights = :taken, decided_at = {now} where seq = :seq"};

stay_change_receipt receipt_of(const stay_change_record& stored, const stay_change& sent) {
  using enum stay_change_receipt::kind;
  return {request_the_same(stored.change, sent) ? repeated : different, stored.change.received_at};
}

/// Returns why the booking cannot change any more; `created` if it can, also if it is not decided yet.
stay_change_receipt::kind obstacle_of(const std::optional<submission_outcome>& booking, domain::date today) {
  using enum stay_change_receipt::kind;
  if (!booking) return not_submitted;
  if (booking->status == outcome_status::refused) return booking_refused;
  if (booking->status == outcome_status::cancelled) return booking_cancelled;
  const bool is_over = booking->status == outcome_status::confirmed && booking->check_out <= today;
  return is_over ? stay_over : created;
}

std::optional<pending_stay_change> with_booking(session& db, std::optional<pending_stay_change> pending) {
  if (pending) pending->booking = find_outcome(db, pending->change.platform, pending->change.reference);
  return pending;
}

} // namespace

bool request_the_same(const stay_change& a, const stay_change& b) {
  const auto values = [](const stay_change& of) {
    return std::tie(of.platform, of.reference, of.id, of.check_in, of.check_out, of.occupants,
                    of.provider_payment);
  };
  return values(a) == values(b);
}

std::optional<stay_change_record> find_stay_change(session& db, const std::string& platform,
                                                   const std::string& reference, const std::string& id) {
  return db.internals().read_one(change_by_id,
                                 {{"platform", platform}, {"reference", reference}, {"id", id}});
}

/// The key makes the database the arbiter between two transactions that store the same change.
stay_change_receipt put_stay_change(session& db, const lease& held, const stay_change& change,
                                    domain::date today) {
  write_transaction txn(db, held);
  limit_lock_waits(db);
  const auto find = [&] { return find_stay_change(db, change.platform, change.reference, change.id); };
  if (const auto stored = find()) return receipt_of(*stored, change);
  const auto obstacle = obstacle_of(find_outcome(db, change.platform, change.reference), today);
  if (obstacle != stay_change_receipt::kind::created) return {obstacle};
  bulk_rows<placed_change> rows(change_table);
  rows.add({change, db.internals().read_one(newest_request).value()});
  if (insert(db, rows, bulk_mode::insert_new) == 0) return receipt_of(find().value(), change);
  txn.commit();
  return {stay_change_receipt::kind::created, change.received_at};
}

std::optional<pending_stay_change> first_pending_change(session& db, std::span<const std::string> platforms,
                                                        const stay_change_filter& may_be_due,
                                                        const stay_change_filter& is_due) {
  constexpr std::size_t read_at_once = 20; // usually the first one is due
  for (std::int64_t after_seq = -1, seq = -1;;) {
    auto pending = db.internals().read_all(pending_changes, {{"platforms", db.internals().list(platforms)},
                                                             {"after_seq", after_seq},
                                                             {"seq", seq},
                                                             {"limit", read_at_once}});
    for (auto& each : pending) {
      after_seq = each.after_seq;
      seq = each.seq;
      if (!may_be_due(each)) continue;
      auto found = with_booking(db, std::move(each));
      if (is_due(*found)) return found;
    }
    if (pending.size() < read_at_once) return std::nullopt;
  }
}

std::optional<pending_stay_change> lock_pending_change(session& db, std::int64_t seq) {
  auto locked = db.internals().read_one(locked_change, {{"seq", seq}});
  if (!locked && db.internals().read_one(is_change_pending, {{"seq", seq}}).value_or(false))
    throw unavailable("the change is being decided");
  return with_booking(db, std::move(locked));
}

void decide_pending_change(session& db, std::int64_t seq, const stay_change_decision& decision) {
  std::optional<std::string> taken{std::in_place};
  if (!taken_nights_format::write(*taken, decision.taken_nights)) taken.reset();
  const auto refusal = decision.refusal ? std::optional(domain::to_string(*decision.refusal)) : std::nullopt;
  db.internals().write(
      decide_change,
      {{"seq", seq}, {"state", domain::to_string(decision.state)}, {"refusal", refusal}, {"taken", taken}});
}

} // namespace roost::store
