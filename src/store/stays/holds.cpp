#include "store/stays/holds.hpp"

#include "domain/unit.hpp"
#include "store/bookings/taken_nights.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/office/account.hpp"
#include "store/office/office_write.hpp"
#include "store/office/units.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>

namespace roost::store {

namespace {

/// A repeated request is recognized for this long after the end of its hold.
constexpr std::chrono::days kept_after_end{30};

constexpr auto hold_columns =
    columns(column("platform", &hold::platform).key(), column("id", &hold::id).key(),
            column("block_id", &hold::block_id), column("unit_id", &hold::unit_id),
            column("external_id", &hold::external_id), column("check_in", &hold::check_in),
            column("check_out", &hold::check_out), column("last_night", &hold::last_night),
            column("minutes", &hold::minutes), column("created_at", &hold::created_at),
            column("expires_at", &hold::expires_at));
const auto hold_table = table_of<hold_columns>("holds");

const selection hold_by_id{
    "hold_by_id", "select {columns} from holds where platform = :platform and id = :id",
    columns(nested(&hold_record::hold, hold_columns), column("request_id", &hold_record::request_id),
            column("ended_at", &hold_record::ended_at))};

const selection holds_with_landlord{
    "holds_with_landlord",
    "select {columns} from holds h join units u on u.id = h.unit_id where h.platform = :platform"
    " and u.account_id = :account and h.ended_at is null and h.request_id is null",
    named<std::int64_t>("count(*)")};

/// A hold that can end now, with its account.
struct ending_hold {
  domain::uuid block_id{}, unit_id{}, account_id{};
};
constexpr auto ending_columns =
    columns(column("h.block_id", &ending_hold::block_id), column("h.unit_id", &ending_hold::unit_id),
            column("u.account_id", &ending_hold::account_id));

const selection unclaimed_hold{
    "unclaimed_hold",
    "select {columns} from holds h join units u on u.id = h.unit_id where h.platform = :platform"
    " and h.id = :id and h.request_id is null and h.ended_at is null",
    ending_columns};

const selection read_hold_status{
    "hold_status", "select {columns}",
    columns(column("exists (select 1 from holds where ended_at is null and request_id is null"
                   " and expires_at <= :now)",
                   &hold_status::have_expired),
            column("exists (select 1 from holds where ended_at is null and request_id is null)",
                   &hold_status::are_left),
            column("exists (select 1 from holds where ended_at < :before)", &hold_status::have_old_rows))};

/// Skips a hold that a booking request is claiming.
const selection locked_expired_holds{
    "locked_expired_holds",
    "select {columns} from holds h join units u on u.id = h.unit_id where h.ended_at is null"
    " and h.request_id is null and h.expires_at <= :now order by h.expires_at limit :limit"
    " {for update of h skip locked}",
    ending_columns};

constexpr query end_holds{"end_holds", "update holds set ended_at = :now where block_id in {ids uuid}"
                                       " and request_id is null and ended_at is null"};
constexpr query delete_old_holds{"delete_old_holds",
                                 "delete from holds where block_id in (select block_id from holds"
                                 " where ended_at < :before order by ended_at limit :limit)"};

hold_receipt receipt_of(const hold& stored, const hold& sent) {
  using enum hold_receipt::kind;
  return {request_the_same(stored, sent) ? repeated : different, stored.expires_at, {}, {}};
}

change change_of(std::span<const ending_hold> holds) {
  change freed{change_kind::calendar, {}, {}, {}};
  const auto add = [](auto& to, const domain::uuid& id) {
    if (std::ranges::find(to, id) == to.end()) to.push_back(id);
  };
  for (const auto& each : holds) {
    add(freed.accounts, each.account_id);
    add(freed.units, each.unit_id);
  }
  return freed;
}

/// Returns how many holds it has ended: a booking request may have claimed one meanwhile.
std::int64_t end(session& db, std::span<const ending_hold> holds, domain::timestamp now) {
  std::vector<domain::uuid> ids;
  for (const auto& each : holds) ids.push_back(each.block_id);
  return db.internals().write(end_holds, {{"ids", db.internals().list(ids)}, {"now", now}});
}

hold_receipt place_once(session& db, const lease& held, const office_scope& scope, const hold& request) {
  using enum hold_receipt::kind;
  office_transaction txn(db, held);
  if (const auto stored = find_hold(db, request.platform, request.id)) {
    auto receipt = receipt_of(stored->hold, request);
    receipt.point = newest_point(db);
    return receipt;
  }
  if (!lock_unit(db, scope, request.unit_id)) return {no_unit, {}, {}, {}};
  const auto card = find_card(db, scope, request.platform);
  if (card.exists && !card.card.allow_holds) return {forbidden, {}, {}, {}};
  const auto stay = domain::stay_nights(request.check_in, request.check_out);
  if (auto nights = find_taken_nights(db, request.unit_id, stay); !nights.empty())
    return {taken, {}, std::move(nights), {}};
  const auto active = db.internals().read_one(
      holds_with_landlord, {{"platform", request.platform}, {"account", scope.account_id}});
  if (active.value_or(0) >= max_holds) return {too_many, {}, {}, {}};
  insert_row(db, hold_table, request);
  const auto point = append(db, {change_kind::calendar, {scope.account_id}, {request.unit_id}, {}});
  txn.commit();
  return {created, request.expires_at, {}, point};
}

} // namespace

bool request_the_same(const hold& a, const hold& b) {
  const auto values = [](const hold& of) {
    return std::tie(of.platform, of.id, of.external_id, of.check_in, of.check_out, of.minutes);
  };
  return values(a) == values(b);
}

std::optional<hold_record> find_hold(session& db, const std::string& platform, const std::string& id) {
  return db.internals().read_one(hold_by_id, {{"platform", platform}, {"id", id}});
}

hold_receipt place_hold(session& db, const lease& held, const office_scope& scope, const hold& request) {
  return with_retries([&] { return place_once(db, held, scope, request); });
}

release_outcome release_hold(session& db, const lease& held, const hold_release& request) {
  using enum release_outcome::kind;
  write_transaction txn(db, held);
  limit_lock_waits(db);
  if (!find_hold(db, request.platform, request.id)) return {unknown, {}};
  const auto ending =
      db.internals().read_one(unclaimed_hold, {{"platform", request.platform}, {"id", request.id}});
  if (!ending || end(db, {&*ending, 1}, request.now) == 0) {
    const auto now = find_hold(db, request.platform, request.id); // a booking request may have claimed it
    return {now && now->request_id && !now->ended_at ? claimed : ended, {}};
  }
  const auto point = append(db, change_of({&*ending, 1}));
  txn.commit();
  return {released, point};
}

hold_status hold_status_at(session& db, domain::timestamp now) {
  return db.internals().read_one(read_hold_status, {{"now", now}, {"before", now - kept_after_end}}).value();
}

expired_holds end_expired_holds(session& db, const lease& held, const hold_expiry& request) {
  const auto& [now, limit, deletes_old_rows] = request;
  write_transaction txn(db, held);
  limit_lock_waits(db);
  if (deletes_old_rows)
    db.internals().write(delete_old_holds, {{"before", now - kept_after_end}, {"limit", limit}});
  const auto due = db.internals().read_all(locked_expired_holds, {{"now", now}, {"limit", limit}});
  expired_holds expired;
  if (!due.empty()) {
    expired.count = static_cast<std::size_t>(end(db, due, now));
    expired.point = append(db, change_of(due));
  }
  txn.commit();
  return expired;
}

} // namespace roost::store
