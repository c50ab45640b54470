#include "store/bookings/requests.hpp"
#include "store/database/columns.hpp"
#include "store/database/connection.hpp"

namespace roost::store {

namespace {

/// By the database's clock, as they were written. What ended longer ago is hardly that landlord's business
/// any more, and a refusal names the guest.
const selection ended_lately{
    "ended_lately",
    {"select {columns} from former_links where external_id in {ids text}"
     " and ended_at >= clock_timestamp() - interval '90 days' order by ended_at",
     "select {columns} from former_links where external_id in {ids text}"
     " and ended_at >= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-90 days') order by ended_at"},
    columns(column("platform", &former_link::platform), column("external_id", &former_link::external_id),
            column("account_id", &former_link::account_id))};

} // namespace

std::vector<former_link> former_links(session& db, std::span<const std::string> external_ids) {
  if (external_ids.empty()) return {};
  return db.internals().read_all(ended_lately, {{"ids", db.internals().list(external_ids)}});
}

} // namespace roost::store
