#include "store/office/bookings.hpp"

#include "domain/text.hpp"
#include "store/audit/audit.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/office/office_write.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace roost::store {

namespace {

/// A booking as lists find and sort it.
struct listed_booking {
  domain::uuid id{};
  domain::timestamp created_at{};
  std::string unit_name, first_name;
  std::optional<std::string> last_name, reference;
};

constexpr auto listed_columns = columns(
    column("b.id", &listed_booking::id), column("b.created_at", &listed_booking::created_at),
    column("u.internal_name", &listed_booking::unit_name),
    column("t.first_name", &listed_booking::first_name), column("t.last_name", &listed_booking::last_name),
    column("b.reference", &listed_booking::reference));

/// Returns the text of a list of bookings `b` that meet further conditions.
std::string matching_bookings(const std::string& bookings, const std::string& conditions) {
  return "select {columns} from " + bookings +
         " join units u on u.id = b.unit_id join properties p on p.id = u.property_id"
         " join tenants t on t.account_id = b.account_id and t.id = b.tenant_id"
         " where b.account_id = :account and (:owner = '' or cast(p.owner_id as text) = :owner)"
         " and (:status = '' or b.status = :status) and (:platform = '' or b.platform = :platform)"
         " and (:unit = '' or cast(b.unit_id as text) = :unit)"
         " and (:property = '' or cast(u.property_id as text) = :property)"
         " and b.check_in >= :arriving_from and b.check_in <= :arriving_to"
         " and b.check_out >= :leaving_from and b.check_out <= :leaving_to" +
         conditions;
}

/// Returns the same for the bookings of a tenant. A condition that may be empty would use no index; nor would
/// SQLite without statistics, which prefers an index by creation.
texts_by_dialect bookings_of_tenant(const std::string& conditions) {
  const auto all = " and b.tenant_id = :tenant" + conditions;
  return {matching_bookings("bookings b", all),
          matching_bookings("bookings b indexed by bookings_of_tenant", all)};
}

const std::string from_place = " and (b.created_at, b.id) < (:before, :before_id)"
                               " order by b.created_at desc, b.id desc limit :limit";
const selection booking_page{"office_booking_page", matching_bookings("bookings b", from_place),
                             listed_columns};
const selection booking_count{"office_booking_count", matching_bookings("bookings b", ""),
                              named<std::int64_t>("count(*)")};
const selection tenant_page{"office_booking_page_of_tenant", bookings_of_tenant(from_place), listed_columns};
const selection tenant_count{"office_booking_count_of_tenant", bookings_of_tenant(""),
                             named<std::int64_t>("count(*)")};
const selection booking_in_scope{"office_booking",
                                 "select {columns} from bookings b join units u on u.id = b.unit_id"
                                 " join properties p on p.id = u.property_id"
                                 " where b.id = :id and b.account_id = :account"
                                 " and (:owner = '' or cast(p.owner_id as text) = :owner)",
                                 named<domain::uuid>("b.id")};

/// The bounds of what both databases can hold and compare.
const auto earliest_day = domain::parse_date("0001-01-01").value(),
           latest_day = domain::parse_date("9999-12-31").value();
const auto latest_moment = domain::parse_timestamp("9999-12-31T23:59:59.999Z").value();
const auto greatest_id = domain::parse_uuid("ffffffff-ffff-ffff-ffff-ffffffffffff").value();

parameters parameters_of(const office_scope& scope, const office_booking_filter& filter) {
  parameters values{{"account", scope.account_id},
                    {"owner", text_or_empty(scope.owner_id)},
                    {"status", filter.status ? domain::to_string(*filter.status) : std::string_view{}},
                    {"platform", filter.platform},
                    {"unit", text_or_empty(filter.unit_id)},
                    {"property", text_or_empty(filter.property_id)},
                    {"arriving_from", filter.check_in.from.value_or(earliest_day)},
                    {"arriving_to", filter.check_in.to.value_or(latest_day)},
                    {"leaving_from", filter.check_out.from.value_or(earliest_day)},
                    {"leaving_to", filter.check_out.to.value_or(latest_day)}};
  if (filter.tenant_id) values.emplace_back("tenant", *filter.tenant_id);
  return values;
}

std::vector<listed_booking> read_listed(session& db, parameters values, const office_booking_filter& filter,
                                        const booking_place& after, std::size_t limit) {
  values.emplace_back("before", after.created_at);
  values.emplace_back("before_id", after.id);
  values.emplace_back("limit", limit);
  return db.internals().read_all(filter.tenant_id ? tenant_page : booking_page, values);
}

bool contains(const listed_booking& booking, const office_booking_filter& filter, const std::string& text) {
  const auto has = [&](const std::string& value) {
    return domain::folded_without_accents(value).find(text) != std::string::npos;
  };
  if (has(booking.unit_name) || has(booking.reference.value_or(""))) return true;
  return filter.finds_guests && has(booking.first_name + " " + booking.last_name.value_or(""));
}

bool comes_after(const listed_booking& booking, const booking_place& place) {
  return std::tie(booking.created_at, booking.id) < std::tie(place.created_at, place.id);
}

constexpr std::size_t names_per_read = 1'000;

/// Returns the page of the bookings that contain the filter's text. Names are compared here: see
/// name_list.hpp. Reads in batches, from the place on, until the page is full; everything if it counts.
office_page<listed_booking> find_by_text(session& db, const parameters& values,
                                         const office_booking_filter& filter, const booking_place& after,
                                         std::size_t limit, with_total counted) {
  const auto text = domain::folded_without_accents(filter.text);
  const bool counts = counted == with_total::yes;
  office_page<listed_booking> page;
  auto place = counts ? booking_place{latest_moment, greatest_id} : after;
  for (bool is_last = false; !is_last && (counts || page.items.size() <= limit);) {
    auto batch = read_listed(db, values, filter, place, names_per_read);
    is_last = batch.size() < names_per_read;
    if (!is_last) place = {batch.back().created_at, batch.back().id};
    for (auto& each : batch) {
      if (!contains(each, filter, text)) continue;
      if (counts) ++page.total;
      if (page.items.size() <= limit && comes_after(each, after)) page.items.push_back(std::move(each));
    }
  }
  return page;
}

/// Returns the page without its items' details.
office_page<listed_booking> find_listed(session& db, const office_scope& scope,
                                        const office_booking_filter& filter, const booking_place& after,
                                        std::size_t limit, with_total counted) {
  const auto values = parameters_of(scope, filter);
  office_page<listed_booking> page;
  if (filter.text.empty()) {
    page.items = read_listed(db, values, filter, after, limit + 1);
    if (counted == with_total::yes)
      page.total =
          db.internals().read_one(filter.tenant_id ? tenant_count : booking_count, values).value_or(0);
  } else {
    page = find_by_text(db, values, filter, after, limit, counted);
  }
  page.has_more = page.items.size() > limit;
  if (page.has_more) page.items.resize(limit);
  return page;
}

} // namespace

office_page<booking_record> list_office_bookings(session& db, const office_scope& scope,
                                                 const office_booking_filter& filter,
                                                 const std::optional<booking_place>& after, std::size_t limit,
                                                 with_total counted) {
  const transaction txn(db, transaction::purpose::read);
  const auto listed = find_listed(db, scope, filter,
                                  after.value_or(booking_place{latest_moment, greatest_id}), limit, counted);
  std::vector<domain::uuid> ids;
  for (const auto& each : listed.items) ids.push_back(each.id);
  office_page<booking_record> page{find_bookings(db, ids), listed.has_more, listed.total};
  std::ranges::sort(page.items, [](const booking_record& a, const booking_record& b) {
    return std::tie(b.booking.created_at, b.booking.id) < std::tie(a.booking.created_at, a.booking.id);
  });
  return page;
}

std::optional<booking_record> find_booking(session& db, const office_scope& scope, const domain::uuid& id) {
  const auto known = db.internals().read_one(
      booking_in_scope,
      {{"id", id}, {"account", scope.account_id}, {"owner", text_or_empty(scope.owner_id)}});
  return known ? find_booking(db, id) : std::nullopt;
}

last_change last_change_of_booking(session& db, const office_scope& scope, const booking_record& booking) {
  const auto maker = booking.booking.platform.value_or(std::string(changed_by_landlord));
  if (booking.cancelled_by == domain::cancelled_by::platform) return {maker, *booking.cancelled_at};
  if (booking.cancelled_by) {
    const auto entry = newest_audit_of(db, domain::to_string(booking.booking.id), scope.account_id);
    const bool is_known = entry && entry->action == booking_cancel;
    return {is_known ? author_of(*entry) : std::string(changed_by_landlord), *booking.cancelled_at};
  }
  const auto entry = last_change_of(db, scope, booking.booking.id);
  if (booking.booking.status == domain::booking_status::confirmed)
    return entry.value_or(last_change{maker, booking.booking.created_at});
  if (entry && entry->at >= booking.updated_at) return *entry;
  return {changed_by_date, booking.updated_at};
}

} // namespace roost::store
