#include "store/bookings/claimed_holds.hpp"

#include "store/database/connection.hpp"

#include <algorithm>

namespace roost::store {

namespace {

constexpr query claim_one{"claim_hold",
                          "update holds set request_id = :request where platform = :platform and id = :id"
                          " and external_id = :external_id and request_id is null and ended_at is null"};

struct held_unit {
  domain::uuid account_id{}, unit_id{};
};
const selection claimed_units{
    "units_of_claimed_holds",
    "select distinct {columns} from holds h join units u on u.id = h.unit_id"
    " where h.request_id in {ids uuid} and h.ended_at is null order by u.id",
    columns(column("u.account_id", &held_unit::account_id), column("u.id", &held_unit::unit_id))};
constexpr query end_claimed{"end_claimed_holds",
                            "update holds set ended_at = {now} where request_id in {ids uuid}"
                            " and ended_at is null"};

} // namespace

void claim_hold(session& db, const domain::booking_request& by, const std::string& hold_id) {
  db.internals().write(
      claim_one,
      {{"request", by.id}, {"platform", by.platform}, {"id", hold_id}, {"external_id", by.external_id}});
}

std::optional<change> end_claimed_holds(session& db, std::span<const domain::uuid> requests) {
  if (requests.empty()) return std::nullopt;
  auto& connection = db.internals();
  change ended{change_kind::calendar, {}, {}, {}};
  for (const auto& each : connection.read_all(claimed_units, {{"ids", connection.list(requests)}})) {
    if (std::ranges::find(ended.accounts, each.account_id) == ended.accounts.end())
      ended.accounts.push_back(each.account_id);
    ended.units.push_back(each.unit_id);
  }
  if (ended.units.empty()) return std::nullopt;
  connection.write(end_claimed, {{"ids", connection.list(requests)}});
  return ended;
}

} // namespace roost::store
